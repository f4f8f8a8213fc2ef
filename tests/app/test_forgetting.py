"""Once another project is open, nothing of the one before is held in memory."""

import gc
import weakref

import pytest

from app.features import FEATURES
from editor.extrema.edit import ExtremePoses
from editor.placing.edit import Mirror
from editor.repair.smoothing import Smooth
from editor.stack.layers import add_edit
from model.files.project_file import write_project
from model.project import Project
from tests.app.test_window import RUN, WALK, drop
from tests.app.windows import painted_window, state_of, wait_for
from widgets.extrema.extrema import Extrema


@pytest.fixture
def window(application, tmp_path):
    with painted_window(application, tmp_path) as made:
        yield made


@pytest.fixture
def used(window):
    """The window with two clips and edits, after every view has shown them. -> it, and what must go."""
    drop(window, WALK, RUN)
    wait_for(lambda: window.showing.current is not None)
    for name in ("Walk", "Timing", "Edit"):
        window.go_to_workspace(name)
    for clip in window.document.project.clips:
        window.session.look(clip=clip.id)
        for dock in window.docks.values():
            dock.show()
            dock.raise_()
            wait_for(lambda: not window.jobs.running)
    window.document.do(add_edit, clip.id, ExtremePoses())
    window.document.do(add_edit, clip.id, Mirror())
    window.document.do(add_edit, clip.id, Smooth())
    window.document.undo()
    wait_for(lambda: not window.jobs.running and state_of(window, Extrema).is_known)
    motions = [clip.source.motion for clip in window.document.project.clips]
    motions += [stage.take.motion for stage in window.showing.current.stages]
    held = [weakref.ref(motion.local_rotations) for motion in motions]
    held += [weakref.ref(motion.world.positions) for motion in motions]
    window.document.mark_saved(window.document.committed, None)
    return window, held


def count(held):
    gc.collect()
    return sum(one() is not None for one in held)


def test_new_project_holds_nothing_of_the_one_before(used):
    window, held = used
    assert count(held) == len(held)
    window.actions_["new_project"].trigger()
    wait_for(lambda: not window.jobs.running and count(held) == 0)
    assert window.evaluator.size == 0


def test_new_project_while_something_is_worked_out_holds_nothing_either(used):
    window, held = used
    window.document.do(add_edit, window.session.view.clip, Smooth(0.5))
    window.document.mark_saved(window.document.committed, None)
    window.actions_["new_project"].trigger()
    wait_for(lambda: not window.jobs.running and count(held) == 0)
    assert window.evaluator.size == 0


def test_another_project_holds_nothing_of_the_one_before(used, tmp_path):
    window, held = used
    path = tmp_path / "empty.mwright"
    write_project(Project(), path, FEATURES.kinds)
    drop(window, path)
    wait_for(lambda: window.document.path == path)
    wait_for(lambda: not window.jobs.running and count(held) == 0)
