"""Characters made of motions and skeletons, and those that come with the program."""

from functools import cache

from editor.gait.figure import Build, figure
from editor.retarget.stance import find_stance
from model.arrays import Array
from model.character import Character, CharacterJoint, Vector, known_stance, with_usual_limbs
from model.contacts import Contacts
from model.motion import Motion
from model.skeleton import Skeleton


def stance_of(motion: Motion, contacts: Contacts | None = None) -> Array:
    """(J, 4) the stance of a motion's body: its character's, where it was made for one, else what can be found.

    contacts : of the motion, found where they are not given.
    """
    known = known_stance(motion.skeleton)
    return find_stance(with_usual_limbs(motion), motion, contacts) if known is None else known


def character_of(name: str, motion: Motion, contacts: Contacts | None = None) -> Character:
    """The body of a motion, limbs as long as they usually are in it. contacts : of the motion, if they are at hand."""
    skeleton = with_usual_limbs(motion)
    return character_from(name, skeleton, stance_of(motion, contacts))


def character_from(name: str, skeleton: Skeleton, stance: Array | None = None) -> Character:
    """A skeleton as a character. stance : (J, 4), found from the rest pose alone if not given."""
    turned = find_stance(skeleton) if stance is None else stance
    joints = []
    for n, (joint, parent) in enumerate(zip(skeleton.names, skeleton.parents, strict=True)):
        tips = tuple(_vector(site.offset) for site in skeleton.end_sites if site.joint == n)
        w, x, y, z = map(float, turned[n])
        offset = _vector(skeleton.offsets[n])
        joints.append(CharacterJoint(joint, parent, offset, skeleton.roles[n], (w, x, y, z), tips))
    return Character(name, tuple(joints))


# The characters that come with the program: height in metres, and how they are built.
BUILT_IN: dict[str, tuple[float, Build]] = {
    "average": (1.75, Build()),
    "child": (1.15, Build(leg=0.86, torso=1.0, head=1.5, arm=0.88, foot=0.95, shoulders=0.88, hips=0.92)),
    "tall": (2.1, Build(leg=1.1, arm=1.08, head=0.92)),
    "stocky": (1.62, Build(leg=0.88, arm=0.95, shoulders=1.25, hips=1.3, foot=1.05)),
    "short legs": (1.55, Build(leg=0.7)),
}


@cache
def built_in(name: str) -> Character:
    """The character of this name that comes with the program. Raises ValueError where there is none."""
    if name not in BUILT_IN:
        raise ValueError(f"there is no character {name!r}; there are {', '.join(BUILT_IN)}")
    height_m, build = BUILT_IN[name]
    return character_from(name, figure(height_m, build)).printed_as(f"built_in({name!r})")


def _vector(values: Array) -> Vector:
    x, y, z = map(float, values)
    return x, y, z
