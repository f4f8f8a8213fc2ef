"""Which module reads and writes which file; each is imported when it is first needed."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from model.files.problems import MotionFileError, Problem, Reading, ReadOptions
from model.motion import Motion
from model.units import METRE, Unit

if TYPE_CHECKING:
    from model.files.trajectories import TracksReading
    from model.tracks import PointTracks


@dataclass(frozen=True)
class _Format:
    """Where the functions of a format are: a module of this folder, and their names in it.

    shares_skeletons : whether its skeletons are files of their own, which several motions may use.
    """

    module: str
    reader: str
    writer: str
    shares_skeletons: bool = False

    def function(self, name: str) -> Callable[..., Any]:
        found: Callable[..., Any] = getattr(import_module(f"{__package__}.{self.module}"), name)
        return found


_MOTIONS = {
    ".bvh": _Format("bvh", "read_bvh", "write_bvh"),
    ".amc": _Format("acclaim", "read_amc", "write_amc", shares_skeletons=True),
    ".asf": _Format("acclaim", "read_asf", "write_asf", shares_skeletons=True),
    ".gltf": _Format("gltf", "read_gltf", "write_gltf"),
    ".glb": _Format("gltf", "read_gltf", "write_gltf"),
}
_TRACKS = {
    ".csv": _Format("trajectories", "read_tracks", "write_tracks"),
    ".trc": _Format("trajectories", "read_tracks", "write_tracks"),
    ".c3d": _Format("trajectories", "read_tracks", "write_tracks"),
}
_ALL = {**_MOTIONS, **_TRACKS}

READABLE = tuple(_ALL)
WRITABLE = tuple(name for name in _ALL if name != ".asf")  # an .asf is written beside its .amc


def holds_points(path: str | Path) -> bool:
    """Whether files of this name hold named points rather than a skeleton's motion."""
    return Path(path).suffix.lower() in _TRACKS


def read_motion(path: str | Path, options: ReadOptions | None = None) -> Reading:
    """The motion in a file of any format that holds one, told by its extension in any case."""
    if holds_points(path):
        raise MotionFileError(str(path), None, "the file holds points, not the motion of a skeleton")
    found = _by_extension(path, "read")
    reading: Reading = found.function(found.reader)(path, options)
    return reading


def read_points(path: str | Path, options: ReadOptions | None = None) -> "TracksReading":
    """The named points in a file of any format that holds them."""
    found = _by_extension(path, "read")
    reading: TracksReading = found.function(found.reader)(path, options)
    return reading


def check_writable(path: str | Path) -> None:
    """Raise MotionFileError unless `path` has the extension of a format that can be written."""
    _by_extension(path, "written")


def write_motion(
    motion: Motion,
    path: str | Path,
    unit: Unit | None = None,
    up: str | None = None,
    *,
    replace_skeleton: bool = False,
) -> tuple[Problem, ...]:
    """Write a motion in the format of the path's extension; formats of points get where its joints are.

    replace_skeleton : even if a file of another skeleton is replaced that other motions may use; ProtectedFileError is
    raised otherwise. -> what the format could not carry.
    """
    found = _by_extension(path, "written")
    what = joint_tracks(motion) if holds_points(path) else motion
    options = {"replace_skeleton": replace_skeleton} if found.shares_skeletons else {}
    problems: tuple[Problem, ...] = found.function(found.writer)(what, path, unit, up, **options)
    return problems


def write_points(
    tracks: "PointTracks", path: str | Path, unit: Unit | None = None, up: str | None = None
) -> tuple[Problem, ...]:
    """Write named points in the format of the path's extension. -> what the format could not carry."""
    found = _by_extension(path, "written")
    if not holds_points(path):
        raise MotionFileError(
            str(path), None, f"points are no skeleton: they can be written as {', '.join(_TRACKS)} only"
        )
    problems: tuple[Problem, ...] = found.function(found.writer)(tracks, path, unit, up)
    return problems


def joint_tracks(motion: Motion) -> "PointTracks":
    """Where the joints of a motion are, as points of their names."""
    from model.tracks import PointTracks, clean_names

    unit, up = (motion.origin.unit, motion.origin.up) if motion.origin is not None else (METRE, "+Y")
    return PointTracks(
        clean_names(motion.skeleton.names), motion.frame_time_s, motion.world.positions, unit=unit, up=up
    )


def _by_extension(path: str | Path, done: str) -> _Format:
    suffix = Path(path).suffix
    found = _ALL.get(suffix.lower())
    if found is None:
        named = f"files ending in {suffix!r} cannot be {done}" if suffix else "the file name has no extension"
        raise MotionFileError(str(path), None, f"{named}; known are {', '.join(_ALL)}")
    return found
