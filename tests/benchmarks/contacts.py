"""Finding contacts and planting feet."""

import numpy as np

from editor.contacts.detect import find_contacts
from editor.contacts.plant import clean_feet
from editor.quality import figures as quality
from model.contacts import FEET
from model.files.formats import read_motion
from tests.benchmarks.measuring import Report, seconds
from tests.clips import recorded, stepping_figure

SHORT, LONG = 2_000, 20_000


def run(report: Report) -> None:
    clips = {frames: stepping_figure(seconds=frames / 60.0)[0] for frames in (SHORT, LONG)}
    for clip in clips.values():
        clip.world.positions.sum()  # kinematics are measured elsewhere
    report.title(f"Contacts, 22 joints ({SHORT} and {LONG} frames)")
    short, long = (seconds(lambda clip=clip: find_contacts(clip, hands=True)) for clip in clips.values())
    report.time("short", short)
    report.time("long", long)
    report.goal("seconds for 20,000 frames", long, at_most=0.3)
    report.goal("time a frame, long / short", long / short * SHORT / LONG, at_most=1.3)

    report.title("Foot clean-up of the same")
    found = {frames: find_contacts(clip) for frames, clip in clips.items()}
    short, long = (
        seconds(lambda clip=clip, frames=frames: clean_feet(clip, found[frames])) for frames, clip in clips.items()
    )
    report.time("short", short)
    report.time("long", long)
    report.goal("seconds for 20,000 frames", long, at_most=1.0)
    report.goal("time a frame, long / short", long / short * SHORT / LONG, at_most=1.3)
    _recorded(report)


def _recorded(report: Report) -> None:
    """What clean-up does to recorded walks and runs, in figures."""
    paths = recorded("cmu-acclaim/16_*.amc", "cmu-acclaim/35_*.amc", "other-bvh/accad_male1/*.bvh")
    if not paths:
        return
    rows = []
    for path in paths:
        motion = read_motion(path).motion
        contacts = find_contacts(motion)
        if not any(contacts.limbs.get(foot) for foot in FEET):
            continue
        cleaned = clean_feet(motion, contacts)
        before, after = (quality.measure(one, contacts, [motion]) for one in (motion, cleaned))
        apart = cleaned.world.positions - cleaned.root_positions[:, None]
        apart = apart - motion.world.positions + motion.root_positions[:, None]
        airborne = ~np.any([contacts.mask(foot) for foot in FEET], axis=0)
        rows.append(
            (
                before.contact_drift_worst_cm, after.contact_drift_worst_cm, after.jerk_ratio, after.step_ratio,
                100.0 * float(np.mean(np.linalg.norm(apart, axis=-1))),
                100.0 * float(np.max(np.linalg.norm(apart[airborne], axis=-1), initial=0.0)),
            )
        )  # fmt: skip
    report.title(f"Foot clean-up of {len(rows)} recorded walks and runs: median and worst")
    names = ("drift before, cm", "drift after, cm", "jerk ratio", "step ratio", "joints moved on average, cm",
             "joints moved in flight, cm")  # fmt: skip
    for name, values in zip(names, np.array(rows, dtype=np.float64).T, strict=True):
        report.figure(f"{name}, median", float(np.median(values)))
        report.figure(f"{name}, worst", float(np.max(values)))
