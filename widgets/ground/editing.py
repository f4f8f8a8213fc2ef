"""Work on the ground, shared by the tool, its bar, the inspector and the menus: what is selected, what the next drag on
the floor makes, and whether the clip that is looked at heeds what stands there.
"""

import math
from collections.abc import Callable

import numpy as np
from PySide6.QtCore import QObject, Signal

from editor.document.document import Document
from editor.document.session import Session
from editor.document.showing import Showing
from editor.ground.commands import add_ground_object, change_ground_object, remove_ground_objects, set_ground
from editor.ground.shaping import KINDS
from editor.stack.layers import add_edit, switch_edit
from model.clip import Clip, Edit, Source, Take
from model.ground import FLAT, Ground, GroundObject, ObjectName, Point, kind_of, told_name
from model.roles import Role

SELECT = "select"
_LOOKED_AT = 400  # so many frames of a clip are looked at, to tell whether it meets something


class GroundEditing(QObject):
    """What a hand does to the ground. mode : SELECT, or the kind of object that the next drag on the floor makes."""

    changed = Signal()  # the mode, the selection, or whether the clip heeds the ground
    added = Signal(str)  # what was put on the ground, "box 2"

    def __init__(
        self,
        document: Document,
        session: Session,
        showing: Showing,
        follower: Callable[[], Edit | None],
        parent: QObject | None = None,
    ) -> None:
        """follower : makes the edit that lets a clip step onto what stands there; None where there is no such edit."""
        super().__init__(parent)
        self._follower = follower
        self._document, self._session, self._showing = document, session, showing
        self._mode = SELECT
        self._met: tuple[Take, Ground, bool] | None = None
        document.changed.connect(self._on_changed)
        document.restarted.connect(self._on_restarted)
        session.changed.connect(self._on_changed)
        showing.changed.connect(self._on_changed)

    # What there is

    @property
    def mode(self) -> str:
        return self._mode

    @property
    def ground(self) -> Ground:
        return self._document.project.ground

    @property
    def name(self) -> ObjectName | None:
        """What is selected."""
        return self._session.view.ground_object

    @property
    def selected(self) -> GroundObject | None:
        name = self.name
        return None if name is None else dict(self.ground.objects).get(name)

    @property
    def floor_m(self) -> float:
        """How high the floor is that objects stand on: that of the clip that is looked at."""
        shown = self._showing.current
        return 0.0 if shown is None else shown.take.contacts.ground_m

    # What is done

    def set_mode(self, mode: str) -> None:
        """SELECT, or what the next drag on the floor makes."""
        assert mode in (SELECT, *KINDS)
        if mode != self._mode:
            self._mode = mode
            self.changed.emit()

    def select(self, name: ObjectName | None) -> None:
        self._session.look(ground_object=name)

    def try_adding(self, one: GroundObject) -> None:
        """Show an object that is being drawn up."""
        self._document.preview(add_ground_object, one)

    def add(self, one: GroundObject) -> None:
        """Put an object on the ground and select it."""
        self._document.cancel()
        self._document.do(add_ground_object, one)
        kind = kind_of(one)
        name = (kind, sum(1 for (other, _), _ in self.ground.objects if other == kind) - 1)
        self.set_mode(SELECT)
        self.select(name)
        self.added.emit(told_name(name))

    def try_change(self, name: ObjectName, changed: GroundObject) -> None:
        """Show an object as it would be."""
        self._document.preview(change_ground_object, name, changed)

    def change(self, name: ObjectName, changed: GroundObject, merge: str | None = None) -> None:
        """Change an object. merge : as the document has it. Raises ValueError where it cannot be."""
        self._document.do(change_ground_object, name, changed, merge=merge)

    def commit(self) -> None:
        """Keep what is shown."""
        self._document.commit()

    def cancel(self) -> None:
        """Go back to what was before."""
        if self._document.is_previewing:
            self._document.cancel()

    def remove(self) -> None:
        """Take the selected object off the ground."""
        if self.selected is not None and self.name is not None:
            self._document.do(remove_ground_objects, (self.name,))

    def clear(self) -> None:
        """Take everything off the ground."""
        self._document.do(set_ground, FLAT, "Clear the ground")

    # The clip

    @property
    def way_yaw(self) -> float:
        """The way that the clip goes as a whole, about Y, 0 being +Z: what is put in its way stands across it."""
        shown = self._showing.current
        if shown is None or not shown.take.motion.frames:
            return 0.0
        x, z = _travelled(shown.take)
        return math.atan2(x, z) if math.hypot(x, z) > 0.5 else 0.0

    @property
    def clip_heeds_ground(self) -> bool:
        """Whether the clip's source or an edit lets it go on what stands on the ground."""
        clip = self._clip
        if clip is not None and isinstance(clip.source, Source) and clip.source.uses_ground():
            return True
        return clip is not None and any(
            layer.on and isinstance(layer.edit, Edit) and layer.edit.uses_ground() for layer in clip.layers
        )

    @property
    def needs_adapting(self) -> bool:
        """Whether the clip that is looked at goes through what stands on the ground."""
        shown = self._showing.current
        if shown is None or self.ground.is_flat or self.clip_heeds_ground or self._follower() is None:
            return False
        take, ground = shown.final, self.ground
        if self._met is None or self._met[0] is not take or self._met[1] is not ground:
            self._met = (take, ground, _meets(take, ground))
        return self._met[2]

    def adapt(self) -> None:
        """Let the clip that is looked at step onto what stands on the ground."""
        clip = self._clip
        if clip is None:
            return
        edit = self._follower()
        off = next((layer for layer in clip.layers if type(layer.edit) is type(edit) and not layer.on), None)
        if off is not None:
            self._document.do(switch_edit, clip.id, off.id, True)
        elif edit is not None and not self.clip_heeds_ground:
            self._document.do(add_edit, clip.id, edit)

    @property
    def _clip(self) -> Clip | None:
        clip, project = self._session.view.clip, self._document.project
        return project.clip(clip) if clip is not None and clip in project else None

    def _on_restarted(self) -> None:
        self._met = None

    def _on_changed(self, *_: object) -> None:
        self.changed.emit()


def _travelled(take: Take) -> Point:
    """How far the body gets, x and z."""
    motion = take.motion
    joint = motion.skeleton.joint(Role.PELVIS) or 0
    x, _, z = (motion.world.positions[-1, joint] - motion.world.positions[0, joint]).tolist()
    return x, z


def _meets(take: Take, ground: Ground) -> bool:
    """Whether feet, or all joints of a body without any, come over something that stands on the ground."""
    motion = take.motion
    roles = (Role.LEFT_ANKLE, Role.RIGHT_ANKLE, Role.LEFT_TOE, Role.RIGHT_TOE)
    feet = [joint for role in roles if (joint := motion.skeleton.joint(role)) is not None]
    every = max(1, motion.frames // _LOOKED_AT)
    places = motion.world.positions[::every][..., [0, 2]]
    places = places[:, feet] if feet else places
    return bool(np.any(np.abs(ground.heights(places)) > 1e-6))
