"""A canvas on a document with walking clips, shown without a worker's thread."""

from editor.document.document import Document
from editor.document.session import Session
from editor.document.showing import Showing
from editor.gait.parameters import Gait
from editor.gait.source import ProceduralGait
from editor.walking.commands import draw_walk
from model.clip import Clip
from model.ground import Box, Ground
from model.path import Path
from model.project import Project
from tests.widgets.timeline.shown import AtOnce
from widgets.walking.panel import WalkPanel
from widgets.walking.path_editing import PathEditing

BOX = Box((2.0, 3.0), (1.0, 1.0), 0.2)
LINE = Path.through([(0.0, 0.0), (0.0, 3.0), (0.0, 6.0)], "smooth")


class Desk:
    """A panel in a window. The first clip walks, the second is slower, the third stands."""

    def __init__(self, application, path=LINE, styles=((0.0, "1"), (3.0, "2"))):
        speeds = {"Calm": 1.3, "Slow": 0.9, "Stand": 0.0}
        clips = [Clip(str(n), name, ProceduralGait(Gait(speeds[name]))) for n, name in enumerate(speeds, start=1)]
        self.document = Document(Project(tuple(clips), 10, Ground(boxes=(BOX,))))
        self.session = Session(self.document)
        self.evaluations = AtOnce()
        self.showing = Showing(self.document, self.session, self.evaluations)
        self.editing = PathEditing(self.document, self.session, self.showing)
        self.said = []
        self.editing.said.connect(self.said.append)
        if path is not None:
            self.document.restart(draw_walk(self.document.project, path, styles))
            self.session.look(clip=self.document.project.clips[-1].id)
        self.panel = WalkPanel(self.editing, self.session, self.showing)
        self.panel.resize(700, 700)
        self.panel.show()
        application.processEvents()
        self.canvas = self.panel.canvas
        self.canvas.frame_all()

    @property
    def path(self):
        return self.editing.path

    @property
    def walk(self):
        return self.editing.walk

    def px(self, x, z):
        """Where a place is on the canvas."""
        return tuple(self.canvas.plan.to_px((x, z)).tolist())
