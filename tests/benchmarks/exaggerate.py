"""Spatial exaggeration: what it reaches on recorded walks and runs, against a cartoon filter, and how fast it is."""

from dataclasses import dataclass, replace

import numpy as np

from editor.contacts.detect import find_contacts
from editor.exaggerate.anatomy import LEGS, anatomy_of
from editor.exaggerate.cartoon import filtered_turns
from editor.exaggerate.change import Amounts, Turns, body_turns, extreme_frames
from editor.exaggerate.edit import Exaggerate
from editor.exaggerate.extent import body_extent
from editor.exaggerate.joint_limits import limit_angles
from editor.exaggerate.motion import exaggerated
from editor.gait.cycles import Kind, find_cycles
from editor.quality import figures as quality
from model.clip import Take
from model.files.formats import read_motion
from model.files.problems import MotionFileError
from model.motion import Motion
from model.placing import pelvis_positions
from model.rotation import from_rotation_vector, multiply
from tests.benchmarks.measuring import Report, seconds
from tests.clips import data_name, recorded, stepping_figure
from tests.editor.evaluated import Asked

SPEED_FRAMES, MOST_FRAMES = 2_000, 2_400
AMOUNTS = (0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 2.5, 3.0)
FOLDERS = ("cmu-bvh/*.bvh", "cmu-acclaim/*.amc", "cmu-acclaim/hdm05/*.amc", "other-bvh/**/*.bvh")
# What goes slower is no locomotion.
GOING_M_S = 0.4
# A walk has two steps a second; what is quicker than twice that is no stepping.
QUICK_HZ = 4.0
# Angles beyond this are near gimbal lock.
LOCKED_RAD = np.radians(75.0)


@dataclass(frozen=True)
class Row:
    """What is measured of one clip at one amount; the last four beyond what the source has. past_limits_deg : of joints
    that only exaggeration turns, legs_past_deg : of those that the solver turns to keep feet on the ground.
    """

    extent: float
    jerk: float
    step: float
    stretch_percent: float
    drift_cm: float
    depth_cm: float
    past_limits_deg: float
    legs_past_deg: float


def run(report: Report) -> None:
    clips(report)
    against_the_filter(report)
    speed(report)


def locomotion() -> dict[str, Take]:
    """The recorded walks and runs."""
    found = {}
    for path in recorded(*FOLDERS):
        try:
            motion = read_motion(path).motion
        except MotionFileError:
            continue
        if motion.frames < 30:
            continue
        motion = motion.sliced(0, min(motion.frames, MOST_FRAMES))
        way = np.diff(pelvis_positions(motion)[:, [0, 2]], axis=0)
        contacts = find_contacts(motion, hands=True)
        steps = sum(len(held) for name, held in contacts.limbs.items() if name.endswith("foot"))
        going = float(np.mean(np.linalg.norm(way, axis=-1))) / motion.frame_time_s > GOING_M_S
        if going and steps >= 3 and len(motion.skeleton) > 10:
            found[data_name(path)] = Take(motion, contacts)
    return found


def is_walk(take: Take) -> bool:
    """Whether somebody walks, stands and walks or walks and stands, on feet only and whole cycles."""
    going = find_cycles(take.motion, take.contacts)
    kinds = {stretch.kind for stretch in going.stretches}
    on_hands = any(held for name, held in take.contacts.limbs.items() if name.endswith("hand"))
    return Kind.WALK in kinds and Kind.RUN not in kinds and not on_hands and going.whole_cycles > 0


def measured(take: Take, amount: float) -> Row:
    motion = take.motion
    result = exaggerated(take, Amounts(amount)).motion if amount != 1.0 else motion
    frames = extreme_frames(take)
    before, after = (quality.measure(one, take.contacts, [motion]) for one in (motion, result))

    def more(name: str) -> float:
        return (getattr(after, name) or 0.0) - (getattr(before, name) or 0.0)

    return Row(
        body_extent(result, frames) / max(body_extent(motion, frames), 1e-9),
        after.jerk_ratio or 0.0,
        after.step_ratio or 0.0,
        after.stretch_percent or 0.0,
        more("contact_drift_worst_cm"),
        more("penetration_cm"),
        *past_limits_deg(result, motion),
    )


def past_limits_deg(motion: Motion, before: Motion) -> tuple[float, float]:
    """How far joints of trunk, head and arms, and how far those of legs, go past limits that their file tells, beyond
    where they were in the same frame. Where angles run together (gimbal lock) they tell nothing, and are left out.
    """
    parts = anatomy_of(motion.skeleton).parts
    worst = [0.0, 0.0]
    for joint, limits in motion.skeleton.limits.items():
        now, was = (limit_angles(limits, one.local_rotations[:, joint]) for one in (motion, before))
        clear = np.all(np.abs(np.concatenate([now, was], axis=-1)) < LOCKED_RAD, axis=-1)
        past, past_before = (np.maximum(angles - limits.high, limits.low - angles) for angles in (now, was))
        more = np.where(clear[:, None], past - np.maximum(past_before, 0.0), 0.0)
        leg = parts[joint] in LEGS
        worst[leg] = max(worst[leg], float(np.max(more)))
    return float(np.degrees(worst[0])), float(np.degrees(worst[1]))


def clips(report: Report) -> None:
    takes = locomotion()
    walks = [name for name, take in takes.items() if is_walk(take)]
    report.title(f"{len(takes)} recorded clips, {len(walks)} of them walks, at amounts 0 to 3")
    if not takes:
        print("  none: the recorded clips are not here")
        return
    print(f"  {'':<46}" + "".join(f"{amount:>6g}" for amount in AMOUNTS) + "   extent; then jerk over 1.5 e at 2, 3")
    rows: dict[str, dict[float, Row]] = {}
    for name, take in takes.items():
        rows[name] = {amount: measured(take, amount) for amount in AMOUNTS}
        extents = "".join(f"{rows[name][amount].extent:6.2f}" for amount in AMOUNTS)
        jerks = "".join(f"{rows[name][amount].jerk / (1.5 * amount):6.2f}" for amount in (2.0, 3.0))
        kind = "walk" if name in walks else "run"
        print(f"  {name[-40:]:<41}{kind:<5}{extents}   {jerks}", flush=True)
    _goals(report, takes, rows, walks)


def _goals(report: Report, takes: dict[str, Take], rows: dict[str, dict[float, Row]], walks: list[str]) -> None:
    extents = np.array([[row[amount].extent for amount in AMOUNTS] for row in rows.values()])
    grows = np.all(np.diff(extents, axis=1) > 0.0, axis=1)
    report.goal("clips in which the extent does not grow with the amount", float(np.sum(~grows)), at_most=0.0)
    free = [name for name in walks if not takes[name].motion.skeleton.limits]
    limited = [name for name in walks if name not in free]
    for amount, low, high in ((2.0, 1.5, 2.2), (0.5, 0.4, 0.7)):
        for what, names in (("no joint limits", free), ("joint limits in their files", limited)):
            _goal_of_walks(report, f"{len(names)} walks with {what}", [rows[one][amount].extent for one in names],
                           amount, low, high)  # fmt: skip
    without = [_without_limits(takes[name]) for name in limited]
    _goal_of_walks(report, f"{len(limited)} walks with joint limits, not heeded", without, 2.0, 1.5, 2.2)
    every = [(amount, row[amount]) for row in rows.values() for amount in AMOUNTS]
    jerks = np.array([max(row[amount].jerk / (1.5 * max(amount, 1.0)) for amount in AMOUNTS) for row in rows.values()])
    report.goal("jerk over 1.5 e, e at least 1, worst of all", float(np.max(jerks)), at_most=1.0)
    report.figure("  clips over it", float(np.sum(jerks > 1.0)), f"of {len(jerks)}; median {np.median(jerks):.2f}")
    report.figure("largest step between frames, over the source's, at 2", max(row[2.0].step for row in rows.values()))
    for what, name, limit in (
        ("stretch, worst, per cent", "stretch_percent", 0.2),
        ("drift of planted feet beyond the source's, worst, cm", "drift_cm", 0.2),
        ("depth under the ground beyond the source's, worst, cm", "depth_cm", 0.3),
        ("past joint limits, trunk, head and arms, worst, degrees", "past_limits_deg", 5.0),
    ):
        report.goal(what, max(getattr(row, name) for _, row in every), at_most=limit)
    report.figure("legs past joint limits to keep feet planted, worst", max(row.legs_past_deg for _, row in every), "°")


def _goal_of_walks(report: Report, what: str, found: list[float], amount: float, low: float, high: float) -> None:
    values = np.array(found)
    if len(values):
        report.goal(f"extent at {amount:g}, {what}, least", float(np.min(values)), at_least=low)
        report.goal(f"extent at {amount:g}, {what}, most", float(np.max(values)), at_most=high)
        outside = float(np.sum((values < low) | (values > high)))
        report.figure("  outside", outside, f"of {len(values)}; median {np.median(values):.2f}")


def _without_limits(take: Take) -> float:
    frames = extreme_frames(take)
    after = exaggerated(take, Amounts(2.0, limits=False))
    return body_extent(after.motion, frames) / body_extent(take.motion, frames)


def quick_share(motion: Motion) -> float:
    """How much of the joints' speed about the pelvis is in movement quicker than 4 Hz, m/s (root mean square)."""
    about = motion.world.positions - pelvis_positions(motion)[:, None]
    speeds = np.diff(about, axis=0) / motion.frame_time_s
    spectrum = np.fft.rfft(speeds * np.hanning(len(speeds))[:, None, None], axis=0)
    spectrum[np.fft.rfftfreq(len(speeds), motion.frame_time_s) < QUICK_HZ] = 0.0
    return float(np.sqrt(np.mean(np.fft.irfft(spectrum, len(speeds), axis=0) ** 2)))


def turned(motion: Motion, turns: Turns) -> Motion:
    """The motion with joints turned and nothing else done: to compare, as in figure 8.11."""
    rotations = np.array(motion.local_rotations)
    joints = list(turns.joints)
    rotations[:, joints] = multiply(from_rotation_vector(turns.vectors), rotations[:, joints])
    return replace(motion, local_rotations=rotations)


def against_the_filter(report: Report) -> None:
    takes = {name: take for name, take in locomotion().items() if is_walk(take)}
    report.title(f"Quick movement that is added, against the cartoon filter at equal extent, {len(takes)} walks")
    ratios = []
    for take in takes.values():
        motion, frames = take.motion, extreme_frames(take)
        ours = turned(motion, body_turns(take, Amounts(2.0)))
        wanted = body_extent(ours, frames)
        low, high = 1.0, 8.0
        for _ in range(8):
            middle = 0.5 * (low + high)
            theirs = turned(motion, filtered_turns(motion, Amounts(middle)))
            low, high = (middle, high) if body_extent(theirs, frames) < wanted else (low, middle)
        source = quick_share(motion)
        ratios.append((quick_share(ours) - source) / max(quick_share(theirs) - source, 1e-9))
    if not ratios:
        print("  none: the recorded clips are not here")
        return
    report.figure("ours over the filter's, median", float(np.median(ratios)))
    report.goal("walks in which ours adds as much or more, per cent", 100.0 * float(np.mean(np.array(ratios) >= 1.0)),
                at_most=0.0)  # fmt: skip


def speed(report: Report) -> None:
    motion, _ = stepping_figure(seconds=SPEED_FRAMES / 60.0)
    take = Take(motion, find_contacts(motion, hands=True))
    report.title(f"The slider on {motion.frames} frames x {len(motion.skeleton)} joints")
    context = Asked()
    amounts = iter(np.linspace(1.1, 3.0, 10_000).tolist())
    for scope in ("body", "joints"):
        edit = Exaggerate(1.5, scope)
        edit.apply(take, context)  # extremes are looked for once
        taken = seconds(
            lambda edit=edit: replace(edit, amount=next(amounts)).apply(take, context).motion.world, repeats=30
        )
        report.time(f"one update, extremes of {scope}", taken)
        report.goal(f"updates a second against 15, extremes of {scope}", 1.0 / taken / 15.0, at_least=1.0)
