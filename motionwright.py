"""Motionwright for scripts and notebooks: clips are values, edits are methods, and work waits until it is asked for.

    import motionwright as mw

    walk = mw.read("walk.bvh").trim(1.0, 4.0).clean().exaggerate(1.5)
    walk.positions, walk.contacts, walk.extremes
    mw.walk([[0, 0], [0, 5], [4, 9]], styles=[walk]).write("path.bvh")

Every kind of edit is a method of `Clip` by the name that project files give it (`trim`, `stagger`, `target_poses` …),
every kind of source a function of this module (`procedural_gait`, `sequence` …). Arguments are the settings that the
window shows, in metres, seconds and radians, and are checked in the same way; `help(clip.trim)` lists them. All of it
goes through the same stacks and the same evaluator as in the window. What packages bring through the entry point group
`motionwright.features` is there too. Everything else of the program is internal.

Where the code stands. In a checkout this module is a file beside the packages that it puts together, and
`motionwright.editor` is `editor`: the same module, not a copy. An installed wheel has all of them inside a package
`motionwright` (see `setup.py`), so that nothing at the top level of site-packages is called `editor` or `app`. Code of
others says `motionwright` in both.
"""

import inspect
import itertools
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from functools import cache
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from editor.stack.evaluator import Evaluator, Stage
    from model.arrays import Array
    from model.clip import Clip as StoredClip
    from model.clip import Edit, Source
    from model.contacts import Contacts
    from model.extremes import Extremes
    from model.ground import Ground
    from model.motion import Motion
    from model.project import Project
    from model.skeleton import JointRef

_SCOPE = ("strength", "joints", "start_s", "stop_s", "ease_s")
# No two clips or edits of a script share an id, so any of them can be put together.
_numbers = itertools.count(1)


@dataclass(frozen=True, eq=False, repr=False)
class Clip:
    """A source and a stack of edits. Never changed: every method gives another clip.

    Edits take their settings and besides, by name: strength, joints (roles or names), start_s, stop_s and ease_s, which
    say how much, where and when they act.
    """

    _stored: "StoredClip"
    _others: "Mapping[str, StoredClip]" = field(default_factory=dict)  # those of which it is made
    _ground: "Ground | None" = None

    @property
    def name(self) -> str:
        return self._stored.name

    @property
    def motion(self) -> "Motion":
        """The finished motion: a skeleton and arrays, read-only."""
        return self._stages()[-1].take.motion

    @property
    def frames(self) -> int:
        return self.motion.frames

    @property
    def fps(self) -> float:
        return 1.0 / self.motion.frame_time_s

    @property
    def positions(self) -> "Array":
        """(F, J, 3) where joints are in the world, in metres, Y up."""
        return self.motion.world.positions

    @property
    def rotations(self) -> "Array":
        """(F, J, 4) unit quaternions w x y z, each in its parent's frame."""
        return self.motion.local_rotations

    @property
    def contacts(self) -> "Contacts":
        """When feet and hands are on the ground."""
        return self._stages()[-1].take.contacts

    @property
    def extremes(self) -> "Extremes":
        """The extreme poses of the whole body."""
        from editor.extrema.find import extremes_of

        return extremes_of(self._stages()[-1].take)

    @property
    def notes(self) -> tuple[str, ...]:
        """What edits report: where something had to give way."""
        return tuple(note for stage in self._stages() for note in stage.notes)

    def clean(self, **scope: Any) -> "Clip":
        """Foot clean-up with its usual settings: planted feet stay planted."""
        return self.foot_clean_up(**scope)

    def renamed(self, name: str) -> "Clip":
        return replace(self, _stored=replace(self._stored, id=_new_id(), name=name))

    def on_ground(self, ground: "Ground | str") -> "Clip":
        """The clip on a ground, or on that of a GROUND.json file."""
        from model.files.ground_file import read_ground

        return replace(self, _ground=read_ground(ground) if isinstance(ground, str) else ground)

    def write(self, path: str) -> "Clip":
        """Write the finished motion in the format of the path's extension. -> the clip itself."""
        from model.files.formats import write_motion

        write_motion(self.motion, str(path))
        return self

    def __getattr__(self, name: str) -> "Callable[..., Clip]":
        kind = None if name.startswith("_") else _edits().get(name)
        if kind is None:
            raise AttributeError(f"a clip has no {name!r}; its edits are {', '.join(_edits())}")
        return _described(kind, lambda *values, **named: self._with_edit(kind, values, named))

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *_edits()})

    def __repr__(self) -> str:
        edits = "".join(f".{layer.edit.kind}(…)" for layer in self._stored.layers)
        return f"<Clip {self.name!r}{edits}>"

    def _with_edit(self, kind: "type[Edit]", values: tuple[Any, ...], named: dict[str, Any]) -> "Clip":
        from model.clip import Layer
        from model.scope import Scope

        own = {one.name for one in fields(kind)}
        scope = {name: named.pop(name) for name in _SCOPE if name in named and name not in own}
        if "joints" in scope:
            scope["joints"] = tuple(joint(name) for name in scope["joints"])
        layer = Layer(_new_id(), kind(*values, **named), scope=Scope(**scope))
        return replace(self, _stored=replace(self._stored, id=_new_id(), layers=(*self._stored.layers, layer)))

    def _stages(self) -> "tuple[Stage, ...]":
        """Its source and what it is after each edit. Raises ValueError for what cannot be done."""
        stages = _evaluator().stages(project((self,)), self._stored.id)
        for layer, stage in zip(self._stored.layers, stages[1:], strict=True):
            if stage.failed:
                raise ValueError(f"{self.name}: {layer.edit.kind}: {' '.join(stage.notes)}")
        return stages


def read(path: str, **options: Any) -> Clip:
    """A clip from a motion file. options : unit, up, radians, frame_time_s, skeleton, where they are known better than
    guessed.
    """
    from pathlib import Path

    from editor.clips.imported import import_file
    from model.files.problems import ReadOptions

    return _clip(import_file(str(path), ReadOptions(**options)), Path(path).stem)


def walk(path: Any, styles: Sequence[Clip], switches_m: Sequence[float] = (), **settings: Any) -> Clip:
    """A walk along a path. path : points x, z in metres, or a `Path`; styles : clips that go about straight;
    switches_m : how far along the path each style after the first begins; if not given, in even parts.
    """
    import numpy as np

    from editor.walking.source import StyleBand, WalkAlongPath
    from model.path import Path

    if not styles:
        raise ValueError("styles: a walk needs at least one clip that shows how to walk")
    if switches_m and len(switches_m) != len(styles) - 1:
        raise ValueError(f"switches_m are {len(switches_m)}; {len(styles)} styles need {len(styles) - 1}")
    line = path if isinstance(path, Path) else Path.through(path)
    length_m = float(np.linalg.norm(np.diff(line.line(), axis=0), axis=1).sum())
    starts_m = [0.0, *(switches_m or (length_m * place / len(styles) for place in range(1, len(styles))))]
    bands = tuple(StyleBand(style._stored.id, from_m) for style, from_m in zip(styles, starts_m, strict=True))
    return _clip(WalkAlongPath(line, bands, **settings), "Walk", styles)


def join(clips: Sequence[Clip], blend_s: float = 0.4) -> Clip:
    """Clips one after another, each put where the one before it ends and faded into over `blend_s`."""
    from editor.clips.sequence import Part
    from editor.clips.sequence import Sequence as SequenceOfClips

    return _clip(SequenceOfClips(tuple(Part(clip._stored.id, blend_s) for clip in clips)), "Sequence", clips)


def open_project(path: str) -> tuple[Clip, ...]:
    """The clips of a project file, on its ground."""
    opened = read_project(path)
    ids = {clip.id: _new_id() for clip in opened.clips}
    stored = {ids[clip.id]: replace(_renumbered(clip, ids), id=ids[clip.id]) for clip in opened.clips}
    return tuple(Clip(clip, stored, opened.ground) for clip in stored.values())


def read_project(path: str) -> "Project":
    """The project in a file, as the commands of the window's scripts take it."""
    from app.features import core_features
    from model.files.project_file import read_project as read

    return read(str(path), core_features().kinds).project


def save_project(clips: Iterable[Clip], path: str) -> None:
    """Write a project of clips, with all of which they are made."""
    from app.features import core_features
    from model.files.project_file import write_project

    write_project(project(clips), str(path), core_features().kinds)


def project(clips: Iterable[Clip]) -> "Project":
    """A project of clips, with all of which they are made, on the ground of the first that has one."""
    from model.ground import FLAT
    from model.project import Project

    together: dict[str, StoredClip] = {}
    ground = None
    for clip in clips:
        together |= clip._others
        together[clip._stored.id] = clip._stored
        ground = ground or clip._ground
    return Project(tuple(together.values()), next(_numbers), ground or FLAT)


def joint(name: "str | JointRef") -> "JointRef":
    """A joint by its role (`left_elbow`), or by its name in the file where that is no role."""
    from model.roles import Role
    from model.skeleton import JointRef

    if isinstance(name, JointRef):
        return name
    return JointRef(name, Role(name) if name in tuple(Role) else None)


def main() -> int:
    """The program: the editor, or a verb of the command line."""
    from app.__main__ import main as run

    return run()


def __getattr__(name: str) -> "Callable[..., Clip]":
    kind = None if name.startswith("_") else _sources().get(name)
    if kind is None:
        raise AttributeError(f"motionwright has no {name!r}")
    return _described(kind, lambda *values, **named: _clip(kind(*values, **named), kind.title))


def __dir__() -> list[str]:
    return sorted({*(name for name in globals() if not name.startswith("_")), *_sources()})


def _clip(source: "Source", name: str, parts: Iterable[Clip] = ()) -> Clip:
    from model.clip import Clip as StoredClip

    parts = tuple(parts)
    others = {clip.id: clip for part in parts for clip in (*part._others.values(), part._stored)}
    ground = next((part._ground for part in parts if part._ground is not None), None)
    return Clip(StoredClip(_new_id(), name, source), others, ground)


def _new_id() -> str:
    return str(next(_numbers))


def _renumbered(value: Any, ids: Mapping[str, str]) -> Any:
    """A value in which clips have other ids, wherever a field `clip_id` names one."""
    if isinstance(value, tuple):
        return tuple(_renumbered(part, ids) for part in value)
    if not is_dataclass(value) or isinstance(value, type):
        return value
    changed = {}
    for one in fields(value):
        before = getattr(value, one.name)
        after = ids.get(before, before) if one.name == "clip_id" else _renumbered(before, ids)
        if after is not before and after != before:
            changed[one.name] = after
    return replace(value, **changed) if changed else value


@cache
def _evaluator() -> "Evaluator":
    from editor.stack.evaluator import Evaluator

    return Evaluator()


def _edits() -> "Mapping[str, type[Edit]]":
    from app.features import core_features

    return core_features().edits


def _sources() -> "Mapping[str, type[Source]]":
    from app.features import core_features

    return core_features().sources


def _described(kind: type, make: "Callable[..., Clip]") -> "Callable[..., Clip]":
    """A function that makes clips, with the name, the arguments and the help of a kind of source or edit."""
    from model.clip import settings_of

    lines = [inspect.getdoc(kind) or "", ""]
    for one, shown in settings_of(kind):
        unit = f" [{shown.unit}]" if shown.unit else ""
        lines.append(f"{one.name}{unit} : {shown.tip or shown.label}")
    make.__name__ = make.__qualname__ = kind.kind  # type: ignore[attr-defined]
    make.__doc__ = "\n".join(lines)
    make.__signature__ = inspect.signature(kind).replace(return_annotation=Clip)  # type: ignore[attr-defined]
    return make


class _Beside(MetaPathFinder, Loader):
    """Finds `motionwright.editor` where the package `editor` stands beside this module, and gives that very module."""

    _PACKAGES = ("app", "editor", "model", "resources", "widgets")

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        top, _, rest = name.partition(".")
        return ModuleSpec(name, self) if top == "motionwright" and rest.split(".")[0] in self._PACKAGES else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = import_module(spec.name.partition(".")[2])
        spec.loader_state = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        spec = module.__spec__
        assert spec is not None
        module.__spec__ = spec.loader_state  # its own: that it has another name here is nothing to it


if __name__ == "motionwright" and "__path__" not in globals():  # a file beside the packages, not a package around them
    __path__: list[str] = []
    sys.meta_path.insert(0, _Beside())  # before those that would load a second copy from the package's folder
if __name__ == "__main__":
    sys.exit(main())
