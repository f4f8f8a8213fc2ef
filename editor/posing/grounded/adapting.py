"""Which ground a take shall go on: what the project has on its floor, put on the take's own."""

from model.clip import Take
from model.ground import Ground

# So far beside where its joints are now a body may come to stand when poses move it.
_REACH_M = 2.0


def ground_for(take: Take, ground: Ground) -> Ground | None:
    """What a take shall go on in a project: its own floor, as high as it is, with the objects of the project's ground.

    None where it can go on as it does: on a flat floor, with nothing near its way.
    """
    if take.ground is None:
        positions = take.motion.world.positions[..., [0, 2]].reshape(-1, 2)
        if ground.is_flat_near(positions, _REACH_M):
            return None
    return ground.at_height(take.contacts.ground_m)
