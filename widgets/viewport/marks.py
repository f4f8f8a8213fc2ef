"""Marks beside the figures: trails with ticks, contacts on the ground, the centre of mass, the selection."""

import numpy as np

from editor.contacts.feet import find_limb, tip_offset
from model.arrays import Array
from model.clip import Take
from model.contacts import FEET, Contact
from model.ground import Ground
from model.motion import Motion
from model.roles import Role
from model.rotation import rotate
from model.skeleton import Skeleton
from widgets.common.theme import Theme
from widgets.viewport.body import Body
from widgets.viewport.mass import centre_of_mass, joint_masses
from widgets.viewport.modelling import LEFT, RIGHT
from widgets.viewport.poses import frames_at, world_at
from widgets.viewport.scene import Dots, Lines, Prints, rgb, rgba

_TRAIL_S = 1.0  # before and after the moment shown
_TRAIL_POINTS = 121  # at most
_TICK_PX, _LARGE_TICK_PX = 4.0, 7.0
_NEARBY_S = 1.5  # contacts up to this far in time are hinted at
LIVE_S = 3.0  # so long footprints of a live figure are seen
_FOOT_M, _HAND_M = (0.15, 0.062), (0.08, 0.06)
_LIFT_M = 0.004  # marks lie this much above the ground


def trails(motion: Motion, time_s: float, joints: tuple[int, ...], body: Body, theme: Theme) -> tuple[Lines, Dots]:
    """The ways of joints about a moment, with a tick a frame, larger ones every ten. Fainter farther away in time."""
    if motion.frames < 2 or not joints:
        return Lines(), Dots()
    here = float(frames_at(motion, time_s)[0])
    reach = _TRAIL_S / motion.frame_time_s
    first, last = max(int(np.ceil(here - reach)), 0), min(int(here + reach), motion.frames - 1)
    step = max(-(-(last - first) // (_TRAIL_POINTS - 1)), 1)
    frames = np.arange(-(-first // step) * step, last + 1, step)
    if len(frames) < 2:
        return Lines(), Dots()
    ways = world_at(motion, frames.astype(np.float64)).positions[:, list(joints)]  # (N, T, 3)
    nearness = 1.0 - np.abs(frames - here) / (reach + 1.0)
    paints = np.stack([rgb(_trail_colour(theme, int(body.joint_paints[joint]))) for joint in joints])
    colours = np.empty((*ways.shape[:2], 4))
    # What is still to come is greyer than what has been.
    grey = np.where(frames > here, 0.45, 0.0)[:, None, None]
    colours[..., :3] = (1.0 - grey) * paints + grey * rgb(theme.muted)
    colours[..., 3] = (0.15 + 0.8 * nearness)[:, None]
    lines = Lines(
        ways[:-1].reshape(-1, 3), ways[1:].reshape(-1, 3), colours[:-1].reshape(-1, 4),
        np.full((len(frames) - 1) * len(joints), 1.8),
    )  # fmt: skip
    large = frames % (10 * step) == 0
    sizes = np.repeat(np.where(large, _LARGE_TICK_PX, _TICK_PX)[:, None], len(joints), axis=1)
    return lines, Dots(ways.reshape(-1, 3), colours.reshape(-1, 4), sizes.reshape(-1))


def default_trails(skeleton: Skeleton) -> tuple[int, ...]:
    """The joints whose ways are shown while none is selected: feet, hands and head."""
    roles = (Role.LEFT_TOE, Role.RIGHT_TOE, Role.LEFT_WRIST, Role.RIGHT_WRIST, Role.HEAD)
    return tuple(joint for role in roles if (joint := skeleton.joint(role)) is not None) or (0,)


def contact_prints(take: Take) -> tuple[Prints, Array]:
    """Where limbs rest: a print a contact of the take, without colour yet, and (N, 2) its frames [start, stop)."""
    motion = take.motion
    found = [(find_limb(motion.skeleton, name), name, some) for name, some in take.contacts.limbs.items() if some]
    moments = [_settled(contact) for limb, _, some in found if limb is not None for contact in some]
    world = world_at(motion, np.array(moments, dtype=np.float64))  # all at once: each time costs as much as many
    centres, longs, widths, spans, start = [], [], [], [], 0
    for limb, name, contacts in found:
        if limb is None:
            continue
        here = slice(start, start := start + len(contacts))
        last, tip = limb.end if limb.toe is None else limb.toe, tip_offset(motion.skeleton, limb)
        heel, toe = world.positions[here, limb.end], world.positions[here, last]
        toe = toe if tip is None else toe + rotate(world.rotations[here, last], tip)
        ahead = (toe - heel) * [1.0, 0.0, 1.0]
        size = np.linalg.norm(ahead, axis=-1, keepdims=True)
        half, wide = _FOOT_M if name in FEET else _HAND_M
        longs.append(np.where(size > 0.02, ahead / np.maximum(size, 1e-9), [0.0, 0.0, 1.0]) * half)
        middle = 0.5 * (heel + toe)
        middle[:, 1] = take.contacts.ground_m + _LIFT_M
        if take.ground is not None:
            middle[:, 1], slope = _lying_on(take.ground, heel, toe)
            longs[-1][:, 1] = slope * half
        centres.append(middle)
        widths.append(np.full(len(contacts), wide))
        spans.append([[contact.start, contact.stop] for contact in contacts])
    if not centres:
        return Prints(), np.zeros((0, 2))
    count = sum(len(one) for one in centres)
    prints = Prints(
        np.concatenate(centres), np.concatenate(longs), np.concatenate(widths), np.zeros((count, 4)), np.zeros(count)
    )
    return prints, np.concatenate(spans).astype(np.float64)


def contacts_now(
    prints: Prints, spans: Array, frame: float, frame_time_s: float, theme: Theme, nearby_s: float = _NEARBY_S
) -> Prints:
    """The prints of contacts that hold now, and, faintly, of those up to `nearby_s` before and after."""
    if not len(prints):
        return prints
    away = np.maximum(np.maximum(spans[:, 0] - frame, frame - (spans[:, 1] - 1.0)), 0.0) * frame_time_s
    near = away < nearby_s
    away = away[near]
    holds = away < 0.5 * frame_time_s
    colours = np.empty((len(away), 4))
    colours[:, :3] = rgb(theme.contact)
    colours[:, 3] = np.where(holds, 0.95, 0.45 * (1.0 - away / nearby_s))
    fills = np.where(holds, 0.42, 0.0)
    return Prints(prints.centres[near], prints.longs[near], prints.widths[near], colours, fills)


def _lying_on(ground: Ground, heels: Array, toes: Array) -> tuple[Array, Array]:
    """(N,) how high prints between (N, 3) and (N, 3) lie, and (N,) how much they rise: with a slope, not over steps."""
    back, middle, front = (ground.heights((heels + share * (toes - heels))[:, [0, 2]]) for share in (0.0, 0.5, 1.0))
    rise = (front - back) / np.maximum(np.linalg.norm((toes - heels)[:, [0, 2]], axis=-1), 1e-9)
    is_slope = (np.abs(middle - 0.5 * (front + back)) < _LIFT_M) & (np.abs(rise) < 1.0)
    highest = np.maximum(np.maximum(back, front), middle)
    return np.where(is_slope, middle, highest) + _LIFT_M, np.where(is_slope, rise, 0.0)


def mass_marks(skeleton: Skeleton, positions: Array, ground: Ground, theme: Theme) -> tuple[Lines, Dots, Prints]:
    """The centre of mass of joints at (J, 3): a dot, a line down to the ground, and where it meets it."""
    masses = joint_masses(skeleton)
    if masses is None:
        return Lines(), Dots(), Prints()
    centre = centre_of_mass(masses, positions)
    foot = np.array([centre[0], float(ground.heights(centre[[0, 2]])) + _LIFT_M, centre[2]])
    lines = Lines(centre[None], foot[None], rgba(theme.extreme, 0.8)[None], np.array([1.6]))
    dots = Dots(
        np.stack([centre, centre]), np.stack([rgba(theme.window), rgba(theme.extreme)]), np.array([14.0, 10.0])
    )  # fmt: skip
    prints = Prints(
        foot[None], np.array([[0.0, 0.0, 0.05]]), np.array([0.05]), rgba(theme.extreme)[None], np.array([0.3])
    )
    return lines, dots, prints


def joint_dots(positions: Array, fill: str, rim: str, size_px: float) -> Dots:
    """Round marks with a rim at (N, 3)."""
    count = len(positions)
    colours = np.concatenate([np.tile(rgba(rim), (count, 1)), np.tile(rgba(fill), (count, 1))])
    sizes = np.repeat([size_px + 4.0, size_px], count)
    return Dots(np.concatenate([positions, positions]), colours, sizes)


def _settled(contact: Contact) -> int:
    """A frame in which the limb surely rests flat."""
    return (contact.start + contact.stop - 1) // 2


def _trail_colour(theme: Theme, paint: int) -> str:
    return theme.left if paint == LEFT else theme.right if paint == RIGHT else theme.centre
