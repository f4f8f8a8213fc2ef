"""What clips of files and of other clips show."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from widgets.desk.feature import VisibleFeature

if TYPE_CHECKING:
    from widgets.desk.desk import Desk


def _begin(desk: "Desk") -> Iterable[object]:
    from widgets.clips.actions import ClipActions
    from widgets.inspector.contracts import SourceSection

    clips = ClipActions(desk)
    return (
        clips,
        *clips.actions(),
        SourceSection(clips.make_file_part, 10),
        SourceSection(clips.make_report_part, 20),
    )


CLIPS = VisibleFeature("clips", _begin)
