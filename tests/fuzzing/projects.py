"""Projects, and the pose edits that the command line takes."""

import io
import tempfile
import zipfile
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from app.features import FEATURES
from editor.posing.verb import read_edits
from model.clip import Clip, Layer
from model.files.formats import write_motion
from model.files.project_file import read_project, write_project
from model.ground import Box, Ground, Stairs
from model.motion import Motion
from model.project import Project
from model.scope import Scope
from tests.clips import waving_figure
from tests.fuzzing.format import Files, Format, written
from tests.fuzzing.mutating import MOST_BYTES, mutated_bytes, mutated_json

_KINDS = FEATURES.kinds

# Poses

_POSE_WORDS = [
    "poses", "frame", "rotate", "move", "before", "after", "strength", "lengths", "Hips", "pelvis", "LeftArm", "head",
]  # fmt: skip
_POSES = [{
    "a.json": b'{"poses": [{"frame": 2, "rotate": {"Hips": [0, 90, 0], "LeftArm": [1, 2, 3]}, "before": 0.5, '
    b'"after": 0.4},{"frame": 7, "rotate": {"pelvis": [0, 9, 0]}, "move": [0.1, 0, 0], "strength": 0.5, '
    b'"lengths": {"LeftArm": 1.5}}]}'
}]  # fmt: skip


@cache
def _posed_motion() -> Motion:
    return waving_figure(12)


def _read_poses(path: Path) -> Any:
    return read_edits(path, _posed_motion())


def _broken_poses(files: Files, rng: Random) -> Files:
    return {name: mutated_json(data, rng, _POSE_WORDS) for name, data in files.items()}


# Projects

_PROJECT_WORDS = [
    "clips", "source", "layers", "edit", "kind", "id", "name", "markers", "scope", "on", "next_id", "ground",
    "characters", "motion", "skeleton", "names", "parents", "offsets", "$array", "$int", "$float", "$text", "$type",
    "axes", "dtype", "shape", "data", "<f8", "format", "version", "joints", "path", "points", "smooth", "arc",
    "poses", "curves", "corrections", "time_s", "1",
]  # fmt: skip


@cache
def _projects() -> list[Files]:
    from tests.editor.stack.test_edit_laws import EXAMPLES
    from tests.model.files.test_project_file_kinds import sources

    with tempfile.TemporaryDirectory() as folder:
        sample = Path(folder) / "sample.bvh"
        write_motion(waving_figure(12), sample)
        made = sources(sample)
    imported = made["imported_file"]
    # The same path at each run: cases can be made again.
    motion = replace(imported.motion, origin=replace(imported.motion.origin, path="sample.bvh"))
    made["imported_file"] = replace(imported, path="sample.bvh", motion=motion)
    clips = [Clip(f"source {n}", kind, source) for n, (kind, source) in enumerate(made.items(), 1)]
    layers = tuple(Layer(str(n), edit, scope=Scope(0.75)) for n, edit in enumerate(EXAMPLES.values()))
    edited = Clip("edited", "edited", clips[1].source, layers)
    ground = Ground(boxes=(Box((1.0, 2.0), (0.5, 0.6), 0.3, 0.4),), stairs=(Stairs((1.0, 2.0), 0.5, 4, 0.3, 0.15),))
    characters = (made["staggered_poses"].character,)
    projects = [
        Project((*clips, edited), 100, ground, characters),
        Project((clips[0],), 100),
        Project((clips[4], edited), 100),
    ]
    return [written("a.mwright", lambda path, one=one: write_project(one, path, _KINDS)) for one in projects]


def _read_project(path: Path) -> Any:
    return read_project(path, _KINDS)


def _write_project(reading: Any, path: Path) -> None:
    write_project(reading.project, path, _KINDS)


def _broken_project(files: Files, rng: Random) -> Files:
    ((name, data),) = files.items()
    kind = rng.randrange(8)
    if kind == 0:
        return {name: mutated_bytes(data, rng)}
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        parts = {entry: archive.read(entry) for entry in archive.namelist()}
    arrays = [entry for entry in parts if entry != "project.json"]
    if kind == 1 and arrays:
        entry = rng.choice(arrays)
        parts[entry] = mutated_bytes(parts[entry], rng)
    elif kind == 2:
        parts = dict(rng.sample(list(parts.items()), rng.randrange(len(parts) + 1)))
    else:
        parts["project.json"] = mutated_json(parts["project.json"], rng, _PROJECT_WORDS)
    packed = io.BytesIO()
    method = rng.choice([zipfile.ZIP_STORED, zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2])
    with zipfile.ZipFile(packed, "w", method) as archive:
        for entry, content in parts.items():
            archive.writestr(zipfile.ZipInfo(entry), content, method)  # without the time of day
    return {name: packed.getvalue()[: 4 * MOST_BYTES]}


FORMATS = (
    Format("pose", lambda: _POSES, _broken_poses, _read_poses),
    Format("project", _projects, _broken_project, _read_project, _write_project),
)
