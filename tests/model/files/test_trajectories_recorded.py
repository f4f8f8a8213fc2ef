"""Every recorded C3D: read, compared with an independent reader, and through all formats and back."""

import numpy as np
import pytest

from model.files.trajectories import read_tracks, write_tracks
from model.units import from_y_up
from tests.clips import data_name, needs_data, recorded
from tests.model.files.test_trajectories import same

pytestmark = needs_data

FILES = recorded("c3d/*.c3d")


@pytest.mark.parametrize("path", FILES, ids=data_name)
def test_recorded_files_hold_people(path):
    tracks = read_tracks(path).tracks
    assert tracks.frames > 100
    assert 20.0 <= tracks.fps <= 500.0
    assert tracks.up == "+Z"
    heights = tracks.positions[..., 1][~np.isnan(tracks.positions[..., 1])]
    assert 0.0 < np.percentile(heights, 1) < 0.1  # feet; nobody is under the floor
    # One file has markers up to the pelvis only.
    assert 0.9 < np.percentile(heights, 99) < 2.2


@pytest.mark.parametrize("path", FILES, ids=data_name)
def test_an_independent_reader_sees_the_same(path):
    ezc3d = pytest.importorskip("ezc3d")
    tracks = read_tracks(path).tracks
    theirs = ezc3d.c3d(str(path))
    points = theirs["data"]["points"][:3].transpose(2, 1, 0)
    ours = from_y_up(tracks.positions, tracks.up) / tracks.unit.metres
    np.testing.assert_allclose(ours, points, rtol=1e-6, atol=1e-9)
    assert tracks.fps == pytest.approx(theirs["parameters"]["POINT"]["RATE"]["value"][0])
    first = theirs["header"]["points"]["first_frame"]
    assert tracks.start_time_s == pytest.approx(first / tracks.fps)
    labels = theirs["parameters"]["POINT"]["LABELS"]["value"][: len(tracks.names)]
    assert sum(a == b for a, b in zip(tracks.names, labels, strict=True)) >= len(set(labels))


@pytest.mark.parametrize("extension", [".csv", ".trc", ".c3d"])
@pytest.mark.parametrize("path", FILES, ids=data_name)
def test_recorded_files_survive_every_format(path, extension, tmp_path):
    tracks = read_tracks(path).tracks
    copy = tmp_path / ("copy" + extension)
    write_tracks(tracks, copy)
    again = read_tracks(copy).tracks
    same(tracks, again)
    assert (again.unit, again.up) == (tracks.unit, tracks.up)
    first = copy.read_bytes()
    write_tracks(again, copy)
    assert copy.read_bytes() == first
