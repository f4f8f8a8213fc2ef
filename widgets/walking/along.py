"""Where a walk is on its path at the moment that is shown."""

import numpy as np

from editor.document.session import Session
from editor.document.showing import Showing
from editor.walking.report import WalkReport
from editor.walking.source import WalkAlongPath


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
