"""The exaggerated motion: what is asked of joints, laid over the motion by the solver that keeps feet on the ground.

Coleman 2012, section 8.3.3, where extreme poses are targets that are met exactly. Here they only tell by how much
joints are turned: a pose in which a foot is about to land, met exactly, makes the leg jerk into its contact, and nobody
asked for that very pose. What is met are the poses halfway between steps, so that the body rises over each leg.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import pairwise

import numpy as np

from editor.exaggerate.cartoon import filtered_turns
from editor.exaggerate.change import Amounts, Turns, body_turns
from editor.exaggerate.flight import raised
from editor.exaggerate.joints import joint_turns
from editor.posing.grounded.asked import PoseChange, Target, Turn
from editor.posing.grounded.solve import solve
from model.arrays import Array
from model.clip import Take
from model.contacts import Contacts
from model.derived import Deriver, uncached
from model.placing import pelvis_positions, shifted

# Where contacts stay as they are for so long, root and limbs are brought to just where the poses have them.
_STEADY_S = 0.2
# What tells how joints are turned: extreme poses of the body, extremes of each joint, or a filter to compare with.
_TURNS: Mapping[str, Callable[[Take, Amounts, Deriver], Turns]] = {
    "body": body_turns,
    "joints": joint_turns,
    "cartoon": lambda take, amounts, derive: filtered_turns(take.motion, amounts, derive=derive),
}
SCOPES = tuple(_TURNS)


def exaggerated(
    take: Take,
    amounts: Amounts,
    scope: str = "body",
    shares: Array | None = None,
    jumps: bool = False,
    stays: int = 0,
    derive: Deriver = uncached,
) -> Take:
    """A take of two frames or more with its extremes moved apart.

    scope : one of SCOPES; shares : (F,) how much of it there is in each frame, all of it where not given; jumps :
    whether those get higher by the amount; stays : the frame in which the body stays where it was; derive : for what a
    slider need not have computed again. The take itself where nothing changes.
    """
    motion, contacts = take.motion, take.contacts
    turns = turns_of(take, amounts, scope, derive)
    vectors = turns.vectors if shares is None else turns.vectors * shares[:, None, None]
    targets = steady_targets(contacts, motion.frame_time_s)
    solved = solve(motion, contacts, PoseChange(targets, (Turn(turns.joints, 0, vectors),)), take.ground)
    result = solved.motion
    if jumps:
        higher = raised(motion, contacts, amounts.amount) * (1.0 if shares is None else shares)
        if np.any(higher):
            result = shifted(result, higher[:, None] * np.array([0.0, 1.0, 0.0]))
    if result is motion:
        return take
    if take.ground is None or take.ground.is_flat:
        back = pelvis_positions(motion)[stays] - pelvis_positions(result)[stays]
        result = shifted(result, np.broadcast_to(back * np.array([1.0, 0.0, 1.0]), (motion.frames, 3)))
    return replace(take, motion=result, contacts=solved.contacts)


def turns_of(take: Take, amounts: Amounts, scope: str, derive: Deriver = uncached) -> Turns:
    """What joints are asked to turn by, in a take of two frames or more; scope : one of SCOPES."""
    return _TURNS[scope](take, amounts, derive)


def steady_targets(contacts: Contacts, frame_time_s: float) -> tuple[Target, ...]:
    """The middle of each time in which no limb leaves the ground or meets it, if it is long enough.

    A leg that swings past the one that stands goes as steps and body want it; in a jump all limbs meet the pose.
    """
    masks = [contacts.mask(name) for name, held in contacts.limbs.items() if held]
    if not masks:
        return ()
    states = np.stack(masks, axis=1)
    changes = np.flatnonzero(np.any(states[1:] != states[:-1], axis=1)) + 1
    edges = [0, *changes.tolist(), contacts.frames]
    long = _STEADY_S / frame_time_s
    frames = [(start + stop) // 2 for start, stop in pairwise(edges) if stop - start >= long]
    return tuple(Target(frame, is_loose=bool(np.any(states[frame]))) for frame in frames)
