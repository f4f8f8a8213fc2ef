"""Where the playhead is in the source's time, in which edits speak."""

from editor.session import Session
from editor.showing import Showing


def playhead_source_s(session: Session, showing: Showing) -> float:
    """The moment that is shown, in seconds of the clip's source; to the frame, and not before its start."""
    shown = showing.current
    if shown is None:
        return 0.0
    step_s = shown.take.motion.frame_time_s
    time_s = round(session.view.time_s / step_s) * step_s
    return max(float(shown.stage.time_map.inverse()(time_s)), 0.0)
