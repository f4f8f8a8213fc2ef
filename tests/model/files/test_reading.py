"""Only regular files are opened, whatever a path names, and no more is read than a limit."""

import os

import pytest

from model.files.formats import read_motion
from model.files.ground_file import read_ground
from model.files.path_file import read_path
from model.files.problems import MotionFileError
from model.files.project_file import read_project
from model.files.reading import read_bytes
from model.files.trajectories import read_tracks
from tests.model.files.project_kinds import KINDS


def opened_project(path):
    return read_project(path, KINDS)


READERS = [(read_motion, end) for end in ("bvh", "amc", "asf", "glb", "gltf")]
READERS += [(read_tracks, end) for end in ("csv", "trc", "c3d")]
READERS += [(read_ground, "json"), (read_path, "json"), (read_path, "svg"), (opened_project, "mwright")]


@pytest.mark.parametrize(("read", "end"), READERS, ids=lambda value: getattr(value, "__name__", value))
def test_pipe_is_refused_by_every_reader_and_not_waited_for(read, end, tmp_path):
    pipe = tmp_path / f"pipe.{end}"
    os.mkfifo(pipe)
    with pytest.raises(MotionFileError, match="device or a pipe"):
        read(pipe)


@pytest.mark.parametrize(("read", "end"), READERS, ids=lambda value: getattr(value, "__name__", value))
def test_endless_device_is_refused_by_every_reader(read, end, tmp_path):
    link = tmp_path / f"link.{end}"
    link.symlink_to("/dev/zero")
    with pytest.raises(MotionFileError, match="device or a pipe"):
        read(link)


def test_folder_is_refused_by_name(tmp_path):
    with pytest.raises(MotionFileError, match="it is a folder"):
        read_bytes(tmp_path)


def test_file_over_the_limit_is_refused_unread(tmp_path):
    large = tmp_path / "large.bvh"
    large.touch()
    os.truncate(large, 40 << 30)
    with pytest.raises(MotionFileError, match=r"42,949,672,960 bytes, the limit is 2,048 MB"):
        read_motion(large)


def test_all_bytes_of_a_file_are_read(tmp_path):
    file = tmp_path / "some.bin"
    file.write_bytes(b"abc\0" * 5000)
    assert read_bytes(file) == b"abc\0" * 5000
