"""Which joints are pinned: what touches the ground, unless the user said otherwise."""

from editor.posing.body import body_of
from editor.posing.pose import touching
from model.clip import Take
from model.skeleton import JointRef, Skeleton


class Pins:
    """What the user said of joints holds at every frame of a clip; of the others contacts decide."""

    def __init__(self) -> None:
        self._said: dict[JointRef, bool] = {}

    def clear(self) -> None:
        """Forget what the user said."""
        self._said = {}

    def joints(self, skeleton: Skeleton, take: Take, frame: int) -> tuple[int, ...]:
        """The joints of a skeleton that are held at a frame of the take that is shown; only such as can be."""
        resolved = ((skeleton.resolve(ref), on) for ref, on in self._said.items())
        said = {joint: on for joint, on in resolved if joint is not None}
        by_contact = [joint for joint in touching(take, frame) if said.get(joint, True)]
        held = (*by_contact, *(joint for joint, on in said.items() if on and joint not in by_contact))
        return tuple(joint for joint in held if can_pin(skeleton, joint))

    def set(self, ref: JointRef, on: bool) -> None:
        """Pin a joint, or let it go."""
        self._said[ref] = on


def can_pin(skeleton: Skeleton, joint: int) -> bool:
    """Whether a joint can be held while others are moved: ends of limbs, and what belongs to the body itself."""
    body = body_of(skeleton)
    limb = body.limb_with(joint)
    return joint == 0 or body.is_core(joint) or (limb is not None and limb.joints[2] == joint)
