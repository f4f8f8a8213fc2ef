"""Walks along paths: every style on every path, measured on the exported file, and how fast they are made."""

import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path as FilePath

import numpy as np

from editor.contacts.detect import find_contacts
from editor.contacts.feet import find_limb
from editor.gait.cycles import find_cycles
from editor.quality import figures as quality
from editor.walking.balance import GRAVITY_M_S2
from editor.walking.candidates import NoLoopError
from editor.walking.drawing import drawn_path
from editor.walking.rounding import LATERAL_M_S2, corner_radii, rounded
from editor.walking.styles import style_of
from editor.walking.timeline import Style
from editor.walking.travel import stride_scales
from editor.walking.walk import Switch, Walk, walk_along
from model.arrays import Array
from model.clip import Take
from model.contacts import FEET
from model.files.formats import read_motion, write_motion
from model.motion import Motion
from model.placing import pelvis_positions
from model.roles import Role
from model.rotation import conjugate, rotate
from tests.benchmarks.measuring import Report
from tests.clips import DATA

SAMPLES = FilePath(__file__).resolve().parents[2] / "resources" / "samples"
_CMU, _OTHER = "cmu-acclaim", "other-bvh"
RECORDED = {
    "16 slow": f"{_CMU}/16_16.amc", "16 walk": f"{_CMU}/16_58.amc", "16 fast": f"{_CMU}/16_22.amc",
    "16 jog": f"{_CMU}/16_36.amc", "16 run": f"{_CMU}/16_45.amc",
    "104 casual": f"{_CMU}/104_19.amc", "104 attitude": "cmu-bvh/104_44.bvh", "104 zombie": "cmu-bvh/104_41.bvh",
    "137 a": f"{_CMU}/137_24.amc", "137 b": f"{_CMU}/137_29.amc",
    "ACCAD walk": f"{_OTHER}/accad_male1/Male1_B3_Walk.bvh", "ACCAD run": f"{_OTHER}/accad_male1/Male1_C03_Run.bvh",
    "Bandai normal": f"{_OTHER}/bandai/dataset-1_walk_normal_001.bvh",
    "Bandai old": f"{_OTHER}/bandai/dataset-1_walk_old_001.bvh",
    "Bandai proud": f"{_OTHER}/bandai/dataset-1_walk_proud_001.bvh",
    "Bandai child": f"{_OTHER}/bandai/dataset-1_walk_childish_001.bvh",
    "100STYLE": f"{_OTHER}/100style_rushed_reference.bvh",
}  # fmt: skip
OWN = ("walk", "walk_slow", "happy", "sneak", "march", "tired", "jog", "run")
# Three styles in turn, on one walk.
MIXED = (
    ("16 walk", "16 jog", "16 slow"), ("16 fast", "16 run", "16 walk"), ("104 casual", "104 zombie", "104 attitude"),
    ("ACCAD walk", "ACCAD run", "ACCAD walk"), ("Bandai normal", "Bandai old", "Bandai proud"),
    ("walk", "happy", "sneak"), ("march", "run", "tired"), ("16 walk", "Bandai proud", "happy"),
)  # fmt: skip


def paths() -> dict[str, Array]:
    """The lines of the matrix, in metres."""

    def ring(radius: float, turns: float = 1.0, count: int = 73) -> Array:
        at = np.linspace(0.0, 2.0 * np.pi * turns, count)
        return np.stack([radius - radius * np.cos(at), radius * np.sin(at)], axis=-1)

    sway = np.linspace(0.0, 2.0 * np.pi, 80)
    inward = np.linspace(0.0, 6.0 * np.pi, 240)
    radius = np.linspace(3.0, 0.6, 240)
    rng = np.random.default_rng(7)
    knots = np.cumsum(rng.normal(size=(12, 2)) * 0.6 + [0.0, 0.9], axis=0)
    hand = np.stack([np.interp(np.linspace(0, 11, 300), np.arange(12), one) for one in knots.T], axis=-1)
    kernel = np.exp(-0.5 * np.linspace(-2.5, 2.5, 31) ** 2)
    hand = np.stack([np.convolve(one, kernel / kernel.sum(), mode="valid") for one in hand.T], axis=-1)
    return {
        "line": np.array([[0.0, 0.0], [0.0, 10.0]]),
        "circle 3 m": ring(3.0),
        "circle 1 m": ring(1.0, 1.5, 109),
        "S": np.stack([1.2 * np.sin(sway), np.linspace(0.0, 9.0, 80)], axis=-1),
        "eight": np.stack([2.0 * np.sin(sway), 2.0 * np.sin(2.0 * sway)], axis=-1),
        "corner": np.array([[0.0, 0.0], [0.0, 8.0], [8.0, 8.0]]),
        "hairpin": np.array([[0.0, 0.0], [0.0, 6.0], [0.4, 0.0]]),
        "spiral": np.stack([radius * np.cos(inward), radius * np.sin(inward)], axis=-1),
        "freehand": drawn_path(hand + 0.004 * rng.normal(size=hand.shape)).x_z,
    }


@dataclass(frozen=True)
class Row:
    """The figures of one walk; None where one does not apply."""

    frames: int
    drift_cm: float
    penetration_cm: float
    stretch_percent: float
    feet_cm: float
    root_cm: float
    worst_cm: float
    heading_deg: float
    jerk: float
    step: float
    knee: float
    flips: int
    alternate: bool


COLUMNS = (
    ("drift_cm", "drift", 2), ("penetration_cm", "depth", 2), ("stretch_percent", "stretch", 3), ("feet_cm", "feet", 1),
    ("root_cm", "root", 1), ("worst_cm", "worst", 1), ("heading_deg", "head", 1), ("jerk", "jerk", 2),
    ("step", "step", 2), ("knee", "knee", 2), ("flips", "flips", 0),
)  # fmt: skip


def run(report: Report) -> None:
    takes = clips()
    loops(report, takes)
    matrix(report, takes)
    blends(report, takes)
    long_and_fast(report, takes)


def clips() -> dict[str, Take]:
    """The clips of all styles that are here."""
    files = {name: DATA / path for name, path in RECORDED.items()} | {name: SAMPLES / f"{name}.bvh" for name in OWN}
    motions = {name: read_motion(path).motion for name, path in files.items() if path.is_file()}
    return {name: Take(motion, find_contacts(motion)) for name, motion in motions.items()}


def styles_of(takes: Sequence[Take]) -> tuple[Style, ...]:
    """The styles of takes, all of the first one's body and rate."""
    return tuple(style_of(take, takes[0]) for take in takes)


def loops(report: Report, takes: dict[str, Take]) -> None:
    """How well loops close, against what the clips themselves do from frame to frame, and where twenty of them lead."""
    report.title("Loops: steps, metres a second, jump at the seam against the clip's own frames (99 in 100), cm")
    over, turns, drifts = [], [], []
    for name, take in takes.items():
        try:
            style = style_of(take, take)
        except NoLoopError as error:
            print(f"  {name} has no loop: {error}")
            continue
        loop = style.loop
        steps = np.diff(take.motion.world.positions, axis=0)
        jumps = np.max(np.linalg.norm(steps[1:-1] - 0.5 * (steps[:-2] + steps[2:]), axis=-1), axis=1)
        usual = 100.0 * float(np.percentile(jumps, 99))
        played = loop.travelling(20)
        drift = 100.0 * float(np.max(quality.contact_drifts(played.motion, played.contacts)))
        moved = np.ptp(played.motion.root_positions[:: loop.frames, 0])
        print(
            f"  {name:<16}{loop.steps:3} {loop.speed_m_s:6.2f}   seam {loop.seam_cm:5.2f} of {usual:5.2f}, turning "
            f"{loop.seam_angular_ratio:.2f}, drift {drift:.2f}, sideways after twenty {100.0 * moved:.2f}", flush=True
        )  # fmt: skip
        over.append(loop.seam_cm / max(0.5, usual))
        turns.append(loop.seam_angular_ratio)
        drifts.append(moved)
    report.goal("worst seam over 0.5 cm, or over the clip's own where that is more", max(over), at_most=1.0)
    report.goal("worst change of turning over the clip's 99th percentile", max(turns), at_most=1.0)
    report.goal("twenty loops drift sideways by, cm", 100.0 * float(max(drifts)), at_most=0.1)


def matrix(report: Report, takes: dict[str, Take]) -> None:
    report.title("Styles on paths: cm and degrees; jerk, step and knee over the clips' own")
    singles: list[tuple[str, ...]] = [(name,) for name in takes]
    mixed = [names for names in MIXED if all(name in takes for name in names)]
    rows: dict[tuple[str, str], Row] = {}
    walks: dict[tuple[str, str], tuple[Walk, tuple[Style, ...]]] = {}
    for names in [*singles, *mixed]:
        label = " > ".join(names)
        try:
            styles = styles_of([takes[name] for name in dict.fromkeys(names)])
        except NoLoopError as error:
            print(f"  {label} has no loop: {error}")
            continue
        print(f"  {label:<36}{'':10}" + "".join(f"{title:>8}" for _, title, _ in COLUMNS), flush=True)
        for path, line in paths().items():
            walk = walked(line, styles, names)
            row = measured(walk, [takes[name].motion for name in names], line, styles)
            rows[label, path], walks[label, path] = row, (walk, styles)
            told = "".join(f"{getattr(row, name):8.{digits}f}" for name, _, digits in COLUMNS)
            print(f"  {'':36}{path:<10}{told}{'' if row.alternate else '  NOT IN TURN'}", flush=True)
    goals(report, rows, walks)


def walked(line: Array, styles: tuple[Style, ...], names: tuple[str, ...], blend_s: float | None = None) -> Walk:
    """A line walked in styles, each for an equal part."""
    order = list(dict.fromkeys(names))
    length = float(np.sum(np.hypot(*np.diff(line, axis=0).T)))
    switches = [Switch(n * length / len(names), order.index(name), blend_s) for n, name in enumerate(names) if n]
    fastest = max(style.loop.speed_m_s for style in styles)
    curve = rounded(line, radius_at=lambda arc: corner_radii(np.full(len(arc), fastest)))
    return walk_along(curve, styles, switches)


def exported(motion: Motion) -> Motion:
    """A motion as it is after it was written and read."""
    with tempfile.TemporaryDirectory() as folder:
        write_motion(motion, FilePath(folder) / "walk.bvh")
        return read_motion(FilePath(folder) / "walk.bvh").motion


def measured(walk: Walk, references: list[Motion], line: Array, styles: tuple[Style, ...]) -> Row:
    motion, contacts = exported(walk.take.motion), walk.take.contacts
    figures = quality.measure(motion, contacts, references, line)
    like = [style.loop.motion for style in styles]
    steps = find_cycles(motion, contacts).steps
    middles = np.array([0.5 * (a.place + b.place)[[0, 2]] for a, b in pairwise(steps)])
    speeds = [np.max(np.abs(np.diff(knees(one), axis=0))) * one.fps for one in (motion, *references)]
    return Row(
        frames=motion.frames,
        drift_cm=figures.contact_drift_worst_cm or 0.0,
        penetration_cm=figures.penetration_cm or 0.0,
        stretch_percent=quality.stretch_percent(motion, like) or 0.0,
        feet_cm=100.0 * float(np.mean(quality.nearest_on(line, middles)[0])),
        root_cm=figures.path_error_mean_cm or 0.0,
        worst_cm=figures.path_error_worst_cm or 0.0,
        heading_deg=figures.heading_error_mean_deg or 0.0,
        jerk=figures.jerk_ratio or 0.0,
        step=figures.step_ratio or 0.0,
        knee=float(speeds[0] / max(speeds[1:])),
        flips=int(np.sum(np.min(knees(motion)[5:-5], axis=-1) < -np.radians(6.0))),
        alternate=all(a.foot != b.foot for a, b in pairwise(steps)),
    )


def knees(motion: Motion) -> Array:
    """(F, 2) how far the knees are bent, about the axis about which they usually bend; past straight is negative."""
    angles = []
    for foot in FEET:
        limb = find_limb(motion.skeleton, foot)
        assert limb is not None
        assert limb.bends is not None
        hip, knee, ankle = (motion.world.positions[:, joint] for joint in limb.bends)
        axis = np.cross(knee - hip, ankle - knee)
        turns = motion.world.rotations[:, limb.bends[0]]
        usual = rotate(turns, np.mean(rotate(conjugate(turns), axis), axis=0))
        bent = np.arctan2(np.linalg.norm(axis, axis=-1), np.sum((knee - hip) * (ankle - knee), axis=-1))
        angles.append(bent * np.sign(np.sum(axis * usual, axis=-1)))
    return np.stack(angles, axis=-1)


def goals(
    report: Report,
    rows: dict[tuple[str, str], Row],
    walks: dict[tuple[str, str], tuple[Walk, tuple[Style, ...]]],
) -> None:
    report.title("What the matrix should keep")

    def worst(name: str, at_most: float, only: tuple[str, ...] | None = None) -> None:
        chosen = {key: getattr(row, name) for key, row in rows.items() if only is None or key[1] in only}
        where = max(chosen, key=lambda key: chosen[key])
        over = sum(value > at_most for value in chosen.values())
        label = f"worst {name}{'' if only is None else f' on {only[0]}'} ({where[0]}, {where[1]}; {over} over)"
        report.goal(label, float(chosen[where]), at_most=at_most)

    worst("drift_cm", 0.3)
    worst("penetration_cm", 0.3)
    worst("stretch_percent", 0.2)
    worst("feet_cm", 5.0, ("line", "circle 3 m", "circle 1 m", "S", "eight", "spiral", "freehand"))
    worst("root_cm", 3.0, ("line",))
    headings(report, rows, walks)
    worst("jerk", 1.5)
    worst("step", 1.5)
    worst("knee", 1.5)
    worst("flips", 0.0)
    report.goal(
        "walks whose steps do not alternate", float(sum(not row.alternate for row in rows.values())), at_most=0.0
    )
    corners(report, rows, walks)
    bends(report, walks)


def headings(
    report: Report,
    rows: dict[tuple[str, str], Row],
    walks: dict[tuple[str, str], tuple[Walk, tuple[Style, ...]]],
) -> None:
    """Headings of walks, and of runs, which lean so far into bends that their bodies go another way than their feet."""
    slow: dict[tuple[str, str], float] = {}
    fast: dict[tuple[str, str], float] = {}
    for (label, path), (_, styles) in walks.items():
        runs = max(style.loop.speed_m_s for style in styles) > 2.0
        (fast if runs else slow)[label, path] = rows[label, path].heading_deg
    for what, found in (("walks", slow), ("runs", fast)):
        where = max(found, key=lambda key: found[key])
        over = sum(value > 8.0 for value in found.values())
        label = f"heading of {what}, degrees ({where[0]}, {where[1]}; {over} over)"
        report.goal(label, found[where], at_most=8.0)


def corners(
    report: Report,
    rows: dict[tuple[str, str], Row],
    walks: dict[tuple[str, str], tuple[Walk, tuple[Style, ...]]],
) -> None:
    """How far bodies get from right angles, against what their speed allows, and the cadence on straights."""
    off, cadence = [], []
    for (label, path), (walk, styles) in walks.items():
        fastest = max(style.loop.speed_m_s for style in styles)
        if path == "corner":
            off.append(rows[label, path].worst_cm / max(20.0, 41.0 * fastest**2 / LATERAL_M_S2))
        if path == "line" and len(styles) == 1:
            own = 60.0 * styles[0].loop.steps / styles[0].loop.period_s
            found = find_cycles(walk.take.motion, walk.take.contacts).cadence_per_min
            cadence.append(abs((found or 0.0) / own - 1.0))
    report.goal("right angles: worst distance over what speed allows", max(off), at_most=1.0)
    report.goal("cadence on the line: worst difference, per cent", 100.0 * max(cadence), at_most=10.0)


def bends(report: Report, walks: dict[tuple[str, str], tuple[Walk, tuple[Style, ...]]]) -> None:
    """Lean against the centripetal angle, and strides against section 7.2."""
    lean, strides = [], {"circle 3 m": [], "circle 1 m": []}
    for (label, path), (walk, styles) in walks.items():
        if len(styles) > 1 or path not in strides:
            continue
        inner = slice(len(walk.arc_m) // 4, -(len(walk.arc_m) // 4))
        if path == "circle 3 m":
            wanted = centripetal_rad(walk, inner)
            lean.append(np.degrees(np.max(np.abs(walk.lean_rad[inner] - wanted))))
        straight, _ = walks[label, "line"]
        if not styles[0].loop.running:
            strides[path].append(1.0 - stride(walk) / stride(straight))
    report.figure("lean on 3 m off the centripetal angle, median", float(np.median(lean)), "degrees")
    report.goal("lean on 3 m off the centripetal angle, worst, degrees", max(lean), at_most=2.0)
    for path, wanted in (("circle 3 m", 0.095), ("circle 1 m", 0.286)):
        report.figure(f"strides of walks shorter on {path} by, median", 100.0 * float(np.median(strides[path])), "%")
        report.goal(
            f"  off what section 7.2 gives ({100.0 * wanted:.1f} %), median, points",
            100.0 * abs(float(np.median(strides[path])) - wanted), at_most=2.0,
        )  # fmt: skip
    tight = rounded(paths()["circle 1 m"] * 0.57)
    report.figure(
        "the rule at 0.57 m", 100.0 * float(np.median(1.0 - stride_scales(tight, np.linspace(1, 4, 50)))), "%"
    )


def centripetal_rad(walk: Walk, frames: slice) -> float:
    """The angle at which a body must lean that goes round as the walk's does, by its pelvis."""
    way = pelvis_positions(walk.take.motion)[frames][:, [0, 2]]
    radius = float(np.mean(np.hypot(*(way - np.array([3.0, 0.0])).T)))
    turned = np.ptp(np.unwrap(np.arctan2(way[:, 0] - 3.0, way[:, 1])))
    spin = turned / ((len(way) - 1) * walk.take.motion.frame_time_s)
    return float(np.arctan(spin**2 * radius / GRAVITY_M_S2))


def stride(walk: Walk) -> float:
    """How far the body gets along the path from a foot's stance to its next, on average."""
    steps = [step for step in find_cycles(walk.take.motion, walk.take.contacts).steps if step.mid_stance is not None]
    arcs = [walk.arc_m[step.mid_stance] for step in steps]
    return float(np.mean(np.array(arcs[2:]) - np.array(arcs[:-2])))


def blends(report: Report, takes: dict[str, Take]) -> None:
    """Fades whose length is adapted, against those of 0.33 s, at many places (section 8)."""
    report.title("Adapted fades against fades of 0.33 s")
    pairs = [("16 walk", "104 zombie"), ("16 walk", "16 jog"), ("104 attitude", "16 slow"), ("walk", "sneak"),
             ("happy", "tired"), ("Bandai normal", "Bandai old")]  # fmt: skip
    line = np.array([[0.0, 0.0], [0.0, 12.0]])
    jerks, steps = [], []
    for names in pairs:
        if not all(name in takes for name in names):
            continue
        styles = styles_of([takes[name] for name in names])
        found = {None: [], 0.33: []}
        for at in np.linspace(5.0, 6.4, 8):
            for blend_s, values in found.items():
                walk = walk_along(rounded(line), styles, [Switch(float(at), 1, blend_s)])
                near = np.flatnonzero(np.abs(walk.arc_m - at) < 1.0)  # the same stretch of the path for both
                part = walk.take.motion.sliced(int(near[0]), int(near[-1]))
                values.append((quality.jerk_p99(part), end_effector_step(part), walk.fades[0].length_s))
        adapted, fixed = (np.mean(np.array(values), axis=0) for values in found.values())
        print(
            f"  {' > '.join(names):<32} {adapted[2]:.2f} s: jerk {adapted[0] / fixed[0]:.2f}, "
            f"worst step {adapted[1] / fixed[1]:.2f} of those with 0.33 s", flush=True
        )  # fmt: skip
        jerks.append(adapted[0] / fixed[0])
        steps.append(adapted[1] / fixed[1])
    report.goal("jerk of adapted fades over that of fixed ones, mean", float(np.mean(jerks)), at_most=1.0)
    report.goal("largest steps, likewise", float(np.mean(steps)), at_most=1.0)


def end_effector_step(motion: Motion) -> float:
    """The largest change of movement of a hand, foot or head between frames, against the root, metres."""
    skeleton = motion.skeleton
    roles = (Role.HEAD, Role.LEFT_WRIST, Role.RIGHT_WRIST, Role.LEFT_ANKLE, Role.RIGHT_ANKLE)
    joints = [joint for role in roles if (joint := skeleton.joint(role)) is not None]
    places = motion.world.positions[:, joints] - motion.world.positions[:, :1]
    return float(np.max(np.linalg.norm(np.diff(places, 2, axis=0), axis=-1)))


def least_cpu_s(call: Callable[[], object], repeats: int = 5) -> float:
    """The least time that the processor works at something, whatever else the machine does."""
    taken = []
    for _ in range(repeats):
        start = time.process_time()
        call()
        taken.append(time.process_time() - start)
    return min(taken)


def long_and_fast(report: Report, takes: dict[str, Take]) -> None:
    report.title("Speed: three styles")
    # As many styles as the paper's first animation.
    names = next(names for names in (("16 walk", "16 jog", "16 slow"), ("walk", "happy", "sneak")) if names[0] in takes)
    fresh = [Take(takes[name].motion, takes[name].contacts) for name in names]

    def whole(length: float) -> Walk:
        styles = styles_of([Take(take.motion, take.contacts) for take in fresh])
        return walked(bent(length), styles, names)

    def bent(length: float) -> Array:
        z = np.linspace(0.0, length, max(4, int(4 * length)))
        return np.stack([1.5 * np.sin(0.5 * z), z], axis=-1)

    length = 20.0 * 2400.0 / whole(20.0).take.motion.frames
    frames = whole(length).take.motion.frames
    taken = least_cpu_s(lambda: whole(length))
    report.time(f"{frames} frames, loops found too", taken)
    report.goal("2,400 frames, seconds", taken * 2400.0 / frames, at_most=0.3)
    long = least_cpu_s(lambda: whole(1000.0), 1)
    walk = whole(1000.0)
    report.time(f"a path of 1 km, {walk.take.motion.frames} frames", long)
    report.goal(
        "1 km: time a frame over that of 2,400", (long / walk.take.motion.frames) / (taken / frames), at_most=1.3
    )
    drift = 100.0 * float(np.max(quality.contact_drifts(walk.take.motion, walk.take.contacts)))
    report.goal("1 km: worst drift, cm", drift, at_most=0.3)
