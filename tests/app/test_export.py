"""What the window's export leaves as it is: the files that clips were read from, and skeletons of others."""

import shutil
from pathlib import Path

import pytest

from resources import samples
from tests.app.windows import painted_window, wait_for
from tests.model.files.acclaim_text import ASF

WALK = next(path for path in samples() if path.stem == "walk")


@pytest.fixture
def window(application, tmp_path):
    """A window on a clip of the user's own."""
    source = tmp_path / "mine.bvh"
    shutil.copy(WALK, source)
    with painted_window(application, tmp_path) as made:
        made.files.open_paths([source])
        wait_for(lambda: made.document.project.clips and not made.jobs.running)
        yield made


def choose(monkeypatch, path):
    """Answer the dialog with a path. -> a list of what it proposes."""
    proposed = []

    def answer(_, title, start, kinds):
        proposed.append(Path(start))
        return str(path), ""

    monkeypatch.setattr("app.file_actions.QFileDialog.getSaveFileName", answer)
    return proposed


@pytest.mark.parametrize("spelling", ["itself", "symbolic link", "hard link", "another way there"])
def test_source_is_neither_proposed_nor_replaced(window, tmp_path, monkeypatch, spelling):
    source, target = tmp_path / "mine.bvh", tmp_path / "link.bvh"
    if spelling == "symbolic link":
        target.symlink_to(source)
    elif spelling == "hard link":
        target.hardlink_to(source)
    elif spelling == "another way there":
        (tmp_path / "sub").mkdir()
        target = tmp_path / "sub" / ".." / "mine.bvh"
    else:
        target = source
    proposed = choose(monkeypatch, target)
    window.file_actions.export()
    wait_for(lambda: "is not replaced: choose another name" in window.banner.text)
    assert "--force" not in window.banner.text
    assert proposed == [tmp_path / "mine_edited.bvh"]
    assert source.read_bytes() == WALK.read_bytes()


def test_skeleton_that_others_may_need_stays_and_a_name_is_proposed(window, tmp_path, monkeypatch):
    (tmp_path / "16.asf").write_text(ASF)
    choose(monkeypatch, tmp_path / "16.amc")
    window.file_actions.export()
    wait_for(lambda: "choose another name such as 16_new.amc" in window.banner.text)
    assert (tmp_path / "16.asf").read_text() == ASF
    assert not (tmp_path / "16.amc").exists()
    choose(monkeypatch, tmp_path / "16_new.amc")
    window.file_actions.export()
    wait_for(lambda: (tmp_path / "16_new.asf").exists() and not window.jobs.running)
