"""Files of named points: CSV, TRC, C3D."""

from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from model.files.formats import joint_tracks, read_points, write_points
from model.tracks import PointTracks
from tests.fuzzing.format import Files, Format, broken_text, written
from tests.fuzzing.motions import small_motions
from tests.fuzzing.mutating import mutated_bytes

_POINT_WORDS = [
    "time", "frame", "Frame#", "Time", "lx", "ly", "lz", "X1", "Y1", "Z1", "PathFileType", "DataRate", "NumFrames",
    "NumMarkers", "Units", "mm", "# unit: cm", "# up: +Z", "# fps: 1e-4", "sep=;", ",", ";", "\t", '"', ",,,,,,",
    "a_x,a_y,a_z", "[mm]", "-",
]  # fmt: skip


def _tracks() -> list[PointTracks]:
    whole = [joint_tracks(motion) for motion in small_motions()]
    positions = np.array(whole[2].positions)
    positions[2:5, 3] = np.nan
    return [*whole, PointTracks(whole[2].names, whole[2].frame_time_s, positions)]


@cache
def _points(extension: str) -> list[Files]:
    name = f"a.{extension}"
    made = [written(name, lambda path, one=one: write_points(one, path)) for one in _tracks()]
    if extension == "csv":
        made.append({name: b"time,lx,ly,lz,rx,ry,rz\n0,1,2,3,4,5,6\n0.1,1,2,3,4,5,6\n0.2,1,,3,4,5,6\n"})
    return made


def _broken_c3d(files: Files, rng: Random) -> Files:
    return {name: mutated_bytes(data, rng) for name, data in files.items()}


def _write(reading: Any, path: Path) -> None:
    write_points(reading.tracks, path)


FORMATS = (
    Format("csv", lambda: _points("csv"), broken_text(_POINT_WORDS), read_points, _write),
    Format("trc", lambda: _points("trc"), broken_text(_POINT_WORDS), read_points, _write),
    Format("c3d", lambda: _points("c3d"), _broken_c3d, read_points, _write),
)
