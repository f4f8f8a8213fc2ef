"""Session state: what is looked at and selected. It is not part of the project and does not mark it as modified."""

from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, Signal

from editor.document.document import Document
from model.ground import ObjectName
from model.project import Project
from model.skeleton import JointRef


@dataclass(frozen=True)
class View:
    """What is looked at.

    clip, layer : ids, layer None for the finished take; time_s : of the take that is shown; joints : selected;
    loop_s : the span that is played over and over, None for all; compared : further clips that are shown beside it;
    ground_object : what of the ground is selected.
    """

    clip: str | None = None
    layer: str | None = None
    time_s: float = 0.0
    joints: tuple[JointRef, ...] = ()
    loop_s: tuple[float, float] | None = None
    compared: tuple[str, ...] = ()
    ground_object: ObjectName | None = None


class Session(QObject):
    """The current view, kept sensible while the document changes; undo and redo bring theirs back."""

    changed = Signal(object, object)  # the view before, the view now

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._view = _sensible(View(), document.project)
        document.changed.connect(self._on_project_changed)
        document.hint_restored.connect(self._on_hint_restored)
        document.set_hint(self._view)

    @property
    def view(self) -> View:
        return self._view

    def look(self, **changes: object) -> None:
        """Change parts of the view: `look(time_s=1.5)`. Of another clip, no edit and no joint is selected at first."""
        if "clip" in changes and changes["clip"] != self._view.clip:
            changes = {"layer": None, "joints": (), "loop_s": None, "time_s": 0.0, **changes}
        if changes.get("layer") is not None and changes["layer"] != self._view.layer:
            changes = {"ground_object": None, **changes}
        self._set(replace(self._view, **changes))  # type: ignore[arg-type]

    def _set(self, view: View) -> None:
        view = _sensible(view, self._document.project)
        before, self._view = self._view, view
        self._document.set_hint(view)
        if before != view:
            self.changed.emit(before, view)

    def _on_project_changed(self, before: Project, after: Project) -> None:
        self._set(self._view)

    def _on_hint_restored(self, hint: object) -> None:
        if isinstance(hint, View):
            self._set(hint)


def _sensible(view: View, project: Project) -> View:
    """The view without what is gone from the project; with its first clip where none is looked at."""
    if view.clip is None or view.clip not in project:
        clip = project.clips[0].id if project.clips else None
        view = replace(View(), clip=clip, compared=view.compared, ground_object=view.ground_object)
    compared = tuple(clip for clip in view.compared if clip in project and clip != view.clip)
    if compared != view.compared:
        view = replace(view, compared=compared)
    layers = () if view.clip is None else project.clip(view.clip).layers
    if view.layer is not None and all(layer.id != view.layer for layer in layers):
        view = replace(view, layer=None)
    if view.ground_object is not None and view.ground_object not in dict(project.ground.objects):
        view = replace(view, ground_object=None)
    return view
