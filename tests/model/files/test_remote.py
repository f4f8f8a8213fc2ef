"""Paths that lead to other machines are known without going there."""

import os

import pytest

from model.files.remote import names_server


@pytest.mark.parametrize(
    "path",
    [
        r"\\server\share\walk.bvh",
        r"\\?\UNC\server\share\walk.bvh",
        "//server/share/walk.bvh",
        "smb://server/share/walk.bvh",
        "https://server/walk.bvh",
        "/net/server/walk.bvh",
        "/afs/cell/walk.bvh",
        "/tmp/../net/server/walk.bvh",
        "/run/user/1000/gvfs/smb-share:server=a,share=b/walk.bvh",
        os.path.expanduser("~/.gvfs/share/walk.bvh"),
        "/walk\0.bvh",
    ],
)
def test_path_of_another_machine_names_a_server(path):
    assert names_server(path)


@pytest.mark.parametrize(
    "path",
    ["/srv/net/walk.bvh", "/network/walk.bvh", "walk.bvh", r"C:\clips\walk.bvh", "C:/clips/walk.bvh", "/", ""],
)
def test_path_on_this_machine_names_none(path):
    assert not names_server(path)


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_links_are_followed_up_to_a_server_but_not_to_it(tmp_path, monkeypatch):
    (tmp_path / "far").symlink_to("/net/server/share")
    (tmp_path / "farther").symlink_to("far/clips")
    (tmp_path / "round").symlink_to("round")
    (tmp_path / "near").symlink_to(tmp_path)
    looked, read_link = [], os.readlink
    monkeypatch.setattr(os, "readlink", lambda path: looked.append(str(path)) or read_link(path))
    for name in ("far/walk.bvh", "farther", "round/walk.bvh"):
        assert names_server(tmp_path / name)
    assert not names_server(tmp_path / "near" / "walk.bvh")
    assert not any(path.startswith("/net") for path in looked)
