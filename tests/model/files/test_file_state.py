"""Whether a file is as it was: by size and time, and by its bytes where these do not tell."""

import os

import pytest

from model.files.file_state import FileState


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"abc")
    os.utime(path, ns=(1000, 1000))
    return path


@pytest.fixture
def state(path):
    with path.open("rb") as file:
        file.seek(1)
        state = FileState.of(file)
        assert file.read() == b"bc"
    return state


def is_same(path, state):
    with path.open("rb") as file:
        return state.is_that_of(file)


def test_file_with_other_bytes_is_another_and_with_another_time_alone_is_not(path, state):
    assert is_same(path, state)
    os.utime(path, ns=(500, 500))  # as after the clock was set back
    assert is_same(path, state)
    path.write_bytes(b"abd")
    assert not is_same(path, state)
    path.write_bytes(b"abcd")
    assert not is_same(path, state)


def test_file_is_read_only_where_size_and_time_do_not_tell(path, state, monkeypatch):
    monkeypatch.setattr(FileState, "of", lambda file: pytest.fail("it was read"))
    assert is_same(path, state)
    path.write_bytes(b"abcd")
    assert not is_same(path, state)
