"""Where the playhead, or a frame that is shown, is in the source's time, in which edits speak."""

from editor.document.session import Session
from editor.document.showing import Showing


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


def frames_long_s(frames: float, showing: Showing) -> float | None:
    """How long some frames of the shown take are; None where none is shown."""
    shown = showing.current
    return None if shown is None else frames * shown.take.motion.frame_time_s
