"""Finding contacts."""

from editor.contacts.detect import find_contacts
from tests.benchmarks.measuring import Report, seconds
from tests.clips import stepping_figure

SHORT, LONG = 2_000, 20_000


def run(report: Report) -> None:
    report.title(f"Contacts, 22 joints ({SHORT} and {LONG} frames)")
    clips = {frames: stepping_figure(seconds=frames / 60.0)[0] for frames in (SHORT, LONG)}
    for clip in clips.values():
        clip.world.positions.sum()  # kinematics are measured elsewhere
    short, long = (seconds(lambda clip=clip: find_contacts(clip, hands=True)) for clip in clips.values())
    report.time("short", short)
    report.time("long", long)
    report.goal("seconds for 20,000 frames", long, at_most=0.3)
    report.goal("time a frame, long / short", long / short * SHORT / LONG, at_most=1.3)
