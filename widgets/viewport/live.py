"""A live figure as the viewport sees it: a moment of a take that ends now."""

from editor.document.live import LiveFigure
from widgets.viewport.composing import Moment


def moment_of(live: LiveFigure) -> Moment:
    """How a live figure stands now."""
    return Moment(live.take, live.take.motion.duration_s, live.name, is_live=True)


def is_other_figure(before: LiveFigure | None, now: LiveFigure | None) -> bool:
    """Whether a live figure comes or goes, or is of another body."""
    if before is None or now is None:
        return before is not now
    return before.take.motion.skeleton is not now.take.motion.skeleton
