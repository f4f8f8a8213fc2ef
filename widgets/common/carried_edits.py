"""Edits on their way to another clip: on the clipboard, or under the mouse."""

import json
from dataclasses import dataclass

from PySide6.QtCore import QMimeData

from model.project import Project

_FORMAT = "application/x-motionwright-edits"


@dataclass(frozen=True)
class CarriedEdits:
    """The ids of a clip and of some of its edits."""

    clip: str
    layers: tuple[str, ...]

    def to_mime(self) -> QMimeData:
        """For the clipboard or a drag."""
        data = QMimeData()
        data.setData(_FORMAT, json.dumps([self.clip, *self.layers]).encode())
        return data

    @staticmethod
    def of(data: QMimeData, project: Project) -> "CarriedEdits | None":
        """What of it is still in the project; None where there is nothing."""
        if not data.hasFormat(_FORMAT):
            return None
        try:
            clip, *layers = (str(one) for one in json.loads(bytes(data.data(_FORMAT).data())))
        except ValueError:
            return None
        if clip not in project:
            return None
        present = {layer.id for layer in project.clip(clip).layers}
        layers = [layer for layer in layers if layer in present]
        return CarriedEdits(clip, tuple(layers)) if layers else None
