"""Where the playhead, or a frame that is shown, is in the source's time, in which edits speak."""

import numpy as np

from editor.document.session import Session
from editor.document.showing import Showing
from editor.walking.report import WalkReport
from editor.walking.source import WalkAlongPath


def playhead_source_s(session: Session, showing: Showing) -> float:
    """The moment that is shown, in seconds of the clip's source; to the frame, and not before its start."""
    shown = showing.current
    if shown is None:
        return 0.0
    step_s = shown.take.motion.frame_time_s
    time_s = round(session.view.time_s / step_s) * step_s
    return max(float(shown.stage.time_map.inverse()(time_s)), 0.0)


def frame_source_s(frame: float, showing: Showing) -> float | None:
    """Where a frame of the shown take, counted from 0, is in seconds of the clip's source; None where none is shown."""
    shown = showing.current
    if shown is None:
        return None
    return float(shown.stage.time_map.inverse()(frame * shown.take.motion.frame_time_s))


def playhead_along_m(session: Session, showing: Showing) -> float | None:
    """How far along its drawn path a walk is at the moment that is shown; None for a clip that is none."""
    shown = showing.current
    known = None if shown is None else shown.source.report(WalkReport)
    if shown is None or known is None or not isinstance(shown.clip.source, WalkAlongPath):
        return None
    frame = float(shown.from_source.inverse()(session.view.time_s)) / shown.source.motion.frame_time_s
    line = shown.clip.source.path.line()
    length_m = float(np.sum(np.hypot(*np.diff(line, axis=0).T)))
    arc_m = float(np.interp(frame, np.arange(len(known.arc_m)), known.arc_m))
    return min(max(round(arc_m * length_m / known.curve.length_m, 2), 0.0), length_m)


def frames_long_s(frames: float, showing: Showing) -> float | None:
    """How long some frames of the shown take are; None where none is shown."""
    shown = showing.current
    return None if shown is None else frames * shown.take.motion.frame_time_s
