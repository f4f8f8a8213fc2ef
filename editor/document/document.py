"""The document: the project that is worked on, its undo history, and what is being tried out.

Views listen to `changed` and compare the parts that they show. Everything goes through commands, so every step can
be undone exactly, has a sentence, and can be written down as a script.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal

from editor.stack.command import Call, Command, script_of
from model.files.file_state import FileState
from model.project import Project

_TRIANGLE_BYTES = 500  # nine numbers in four tuples
# Two nudges of one thing within this time are one step.
_MERGE_S = 1.0
_HISTORY_BYTES = 256 << 20


@dataclass(frozen=True, eq=False)
class Step:
    """A step of the history.

    calls : what was done, several where steps were merged; hints : what was selected and shown before and after, for
    the views to restore.
    """

    calls: tuple[Call, ...]
    sentence: str
    before: Project
    after: Project
    hints: tuple[object, object]
    merge: str | None
    time_s: float
    size: int


class Document(QObject):
    """A project with its history. `project` is what is shown: while something is dragged, what it would become."""

    changed = Signal(object, object)  # the project shown before, the one shown now
    history_changed = Signal()
    modified_changed = Signal(bool)
    hint_restored = Signal(object)  # what undo or redo wants the views to go to
    leaving = Signal()  # another project is about to take the place of this one
    restarted = Signal()  # it has: nothing of the one before need be kept

    def __init__(self, project: Project | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._committed = project or Project()
        self._saved: Project | None = self._committed
        self._tried: Call | None = None
        self._shown = self._committed
        self._steps: list[Step] = []
        self._done = 0
        self._hint: object = None
        self._was_modified = False
        self.history_bytes = _HISTORY_BYTES
        self.path: Path | None = None
        self._opened: Path | None = None  # where the history begins
        self.file_state: FileState | None = None  # what the file at `path` held when it was read or saved

    # What there is

    @property
    def project(self) -> Project:
        """What is shown."""
        return self._shown

    @property
    def committed(self) -> Project:
        """What would be saved: without what is only being tried out."""
        return self._committed

    @property
    def modified(self) -> bool:
        """Whether there is something to save."""
        return self._committed is not self._saved

    @property
    def is_previewing(self) -> bool:
        return self._tried is not None

    @property
    def steps(self) -> tuple[Step, ...]:
        """The history, first to last, with what could be redone."""
        return tuple(self._steps)

    @property
    def done(self) -> int:
        """How many of the steps are done; the rest can be redone."""
        return self._done

    @property
    def undo_text(self) -> str | None:
        return self._steps[self._done - 1].sentence if self._done else None

    @property
    def redo_text(self) -> str | None:
        return self._steps[self._done].sentence if self._done < len(self._steps) else None

    def script(self, values: Mapping[str, Callable[..., Any]]) -> str:
        """What was done, as Python that runs as it stands: imports, the project at the start, a line a command.

        values : what makes the arguments of commands, by name.
        """
        start = "Project()" if self._opened is None else f"read_project({str(self._opened)!r})"
        calls = [call for step in self._steps[: self._done] for call in step.calls]
        return script_of(calls, values, start)

    # Doing

    def set_hint(self, hint: object) -> None:
        """Say what the views show and have selected now; undo and redo come back to it."""
        self._hint = hint

    def do(self, command: Command, *arguments: Any, merge: str | None = None, **named: Any) -> bool:
        """Carry out a command as one step. -> whether it changed anything.

        merge : steps of the same name right after each other become one where they do the same command to the same
        clip and edit: nudges, spin boxes. Together they may change nothing, then there is no step. Raises ValueError
        where the command cannot be done; the document is then as it was.
        """
        return self._push(Call.of(command, *arguments, **named), merge)

    def preview(self, command: Command, *arguments: Any, **named: Any) -> None:
        """Show what a command would do, on top of what is committed. Raises ValueError and shows what it showed."""
        call = Call.of(command, *arguments, **named)
        shown = call(self._committed)
        self._tried = call
        self._show(shown)

    def commit(self) -> bool:
        """Make what is being tried out a step. -> whether it changed anything."""
        if self._tried is None:
            return False
        call, self._tried = self._tried, None
        return self._push(call, None)

    def cancel(self) -> None:
        """Go back to what is committed."""
        self._tried = None
        self._show(self._committed)

    def undo(self) -> bool:
        """Take the last step back; while something is being tried out, that. -> whether there was one."""
        return self.go_to(self._done - 1) if self._tried is None else self._cancelled()

    def redo(self) -> bool:
        """Do the next step again. -> whether there was one."""
        return self.go_to(self._done + 1) if self._tried is None else self._cancelled()

    def go_to(self, done: int) -> bool:
        """Undo or redo until this many steps are done. -> whether that many there are."""
        if not 0 <= done <= len(self._steps):
            return False
        if done == self._done:
            return True
        back = done < self._done
        step = self._steps[done] if back else self._steps[done - 1]
        self._tried = None
        last, shown = self._done - 1, self._hint
        self._done = done
        self._set(step.before if back else step.after)
        if back and self._hint != shown:
            # What was shown is gone now: the step had led there, and so shall redoing it.
            self._steps[last] = replace(self._steps[last], hints=(self._steps[last].hints[0], shown))
        self._hint = step.hints[0 if back else 1]
        self.history_changed.emit()
        if self._hint is not None:
            self.hint_restored.emit(self._hint)
        return True

    def mark_saved(self, project: Project, path: Path | None, state: FileState | None = None) -> None:
        """Remember that this project is what the file at `path` holds. state : that of the file."""
        self._saved = project
        self.path, self.file_state = path, state
        self._tell_modified()

    def restart(
        self, project: Project, path: Path | None = None, modified: bool = False, state: FileState | None = None
    ) -> None:
        """Work on another project, without history. modified : whether it is newer than its file; state : of that."""
        self.leaving.emit()
        self._steps.clear()
        self._done = 0
        self._tried = None
        self._hint = None
        self._saved = None if modified else project
        self.path = self._opened = path
        self.file_state = state
        self._set(project)
        self.history_changed.emit()
        self.restarted.emit()

    # How

    def _cancelled(self) -> bool:
        self.cancel()
        return True

    def _push(self, call: Call, merge: str | None) -> bool:
        before = self._committed
        after = call(before)
        self._tried = None
        if after is before or after == before:
            self._show(before)
            return False
        step = Step(
            (call,), call.sentence(before), before, after, (self._hint, self._hint), merge, time.monotonic(),
            _bytes_beyond(before, after),
        )  # fmt: skip
        del self._steps[self._done :]
        if self._steps and _are_one(self._steps[-1], step):
            step = _merged(self._steps.pop(), step)
        if step.after is not step.before:
            self._steps.append(step)
        self._forget_the_oldest()
        self._done = len(self._steps)
        self._set(step.after)
        self.history_changed.emit()
        return True

    def _forget_the_oldest(self) -> None:
        """Keep the history within its bounds; the last step always stays."""
        size = sum(step.size for step in self._steps)
        while size > self.history_bytes and len(self._steps) > 1:
            size -= self._steps.pop(0).size

    def _set(self, project: Project) -> None:
        self._committed = project
        self._show(project)
        self._tell_modified()

    def _show(self, project: Project) -> None:
        before, self._shown = self._shown, project
        if before is not project:
            self.changed.emit(before, project)

    def _tell_modified(self) -> None:
        if self.modified != self._was_modified:
            self._was_modified = self.modified
            self.modified_changed.emit(self._was_modified)


def _are_one(first: Step, then: Step) -> bool:
    """Whether two steps, one right after the other, are nudges of one thing."""
    if first.merge is None or first.merge != then.merge or then.time_s - first.time_s >= _MERGE_S:
        return False
    return first.calls[-1].subject == then.calls[0].subject


def _merged(first: Step, then: Step) -> Step:
    """Two steps as one; its project before and after are the same object where they come to nothing."""
    (call,), before = then.calls, first.before
    after = before if then.after == before else then.after
    # Most commands set something: then the last call does all of it, and thousands of nudges need not be kept.
    sets = _result(call, before) == after
    return replace(
        then,
        calls=(call,) if sets else (*first.calls, call),
        sentence=call.sentence(before) if sets else then.sentence,
        before=before,
        after=after,
        hints=(first.hints[0], then.hints[1]),
        size=_bytes_beyond(before, after),
    )


def _result(call: Call, project: Project) -> Project | None:
    try:
        return call(project)
    except ValueError:
        return None


def _bytes_beyond(before: Project, after: Project) -> int:
    """About how much memory a project needs that the next one does not share."""
    kept = {id(part) for clip in after.clips for part in (clip, clip.source, *clip.layers)}
    size = 1000 + 8 * len(before.clips)
    for clip in before.clips:
        if id(clip) not in kept:
            size += 500 + sum(len(repr(layer)) for layer in clip.layers if id(layer) not in kept)
            if id(clip.source) not in kept:
                size += _source_bytes(clip.source)
    meshes = {id(mesh.triangles) for mesh in after.ground.meshes}
    gone = (one.triangles for one in before.ground.meshes if id(one.triangles) not in meshes)
    return size + sum(_TRIANGLE_BYTES * len(triangles) for triangles in gone)


def _source_bytes(source: object) -> int:
    """The arrays that a source holds."""
    motion = getattr(source, "motion", None)
    if motion is None:
        return 1000
    arrays = [motion.root_positions, motion.local_rotations, motion.local_offsets]
    if motion.origin is not None:
        arrays.append(motion.origin.channels)
    return sum(array.nbytes for array in arrays)
