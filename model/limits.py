"""How much a clip may ask for.

Numbers of files, settings and arguments say how long a motion becomes. Whoever decides that checks it here before
taking the memory, so that a few bytes cannot ask for gigabytes.
"""

import math

# Frames times joints of a motion that is made: 35 minutes of 31 joints at 120 frames a second, which take about 2 GB to
# work on. Of what is longer already, this many times as much.
MOST_JOINT_FRAMES, _MOST_TIMES = 8_000_000, 2
# That a motion is resampled to. Recorded ones may have more.
MOST_FPS = 1000.0
# Of a path that is walked.
MOST_PATH_M = 10_000.0
# Held by the stages of a clip and of those that it is made of.
MOST_STAGE_BYTES = 3 << 30


def check_length(what: str, frames: float, parts: int, remedy: str, given: int = 0, kind: str = "joints") -> None:
    """Raise ValueError where a motion would be longer than any may be, and much longer than what it is made of.

    what : who makes it, as a subject; frames : how many; parts : how many joints there are in each, or what else is its
    kind; remedy : what the user can do, a sentence; given : frames times joints of what it is made of.
    """
    most = max(MOST_JOINT_FRAMES, _MOST_TIMES * given)
    if frames * parts <= most:  # never where frames are not a number
        return
    many = f"{frames:,.0f}" if math.isfinite(frames) else "endlessly many"
    raise ValueError(
        f"{what} would make {many} frames of {parts} {kind}; {most // max(parts, 1):,} are the most. {remedy}"
    )


def check_rate(fps: float, frames: float, parts: int, given_frames: int, kind: str = "joints") -> None:
    """Raise ValueError where another frame rate would make too many frames. given_frames : how many there are now."""
    remedy = "Use a lower frame rate, or less of the clip."
    check_length(f"A frame rate of {fps:g} fps", frames, parts, remedy, given_frames * parts, kind)
