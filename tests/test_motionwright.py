"""The public face: clips as values for scripts, the same from a checkout and from a wheel."""

import importlib
import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest

import motionwright as mw
from app.features import FEATURES
from editor.stack.evaluator import Evaluator
from model.files.formats import read_motion
from resources import path_of

EDITS = FEATURES.edits
SOURCES = FEATURES.sources

ROOT = Path(__file__).resolve().parents[1]
WALK = str(path_of("samples", "walk.bvh"))
OURS = ("app", "editor", "model", "resources", "widgets")


def test_edits_chain_and_leave_the_clip_before_them_as_it_was():
    walk = mw.read(WALK)
    frames = walk.frames
    short = walk.trim(1.0, 2.0).clean()
    assert short.frames == 61
    assert walk.frames == frames
    assert short.positions.shape == (61, len(walk.motion.skeleton), 3)
    assert repr(short) == "<Clip 'walk'.trim(…).foot_clean_up(…)>"


def test_clip_of_a_script_is_what_the_evaluator_makes_of_its_project():
    clip = mw.read(WALK).trim(0.5, 2.0).smooth(0.2, strength=0.5, joints=["left_elbow", "Head"], start_s=0.8)
    project = mw.project([clip])
    again = Evaluator().take(project, project.clips[-1].id).motion
    np.testing.assert_array_equal(clip.rotations, again.local_rotations)
    scope = project.clips[-1].layers[-1].scope
    assert (scope.strength, scope.start_s) == (0.5, 0.8)
    assert [(joint.name, joint.role) for joint in scope.joints] == [("left_elbow", "left_elbow"), ("Head", None)]


@pytest.mark.parametrize("kind", EDITS)
def test_every_edit_is_a_method_with_its_settings(kind):
    method = getattr(mw.read(WALK), kind)
    assert kind in dir(mw.read(WALK))
    assert method.__name__ == kind
    assert method.__doc__.startswith(EDITS[kind].__doc__[:20])


@pytest.mark.parametrize("kind", [kind for kind in SOURCES if kind != "imported_file"])
def test_every_source_is_a_function(kind):
    assert getattr(mw, kind).__name__ == kind
    assert kind in dir(mw)


def test_wrong_settings_and_unknown_names_are_refused_by_name():
    walk = mw.read(WALK)
    with pytest.raises(ValueError, match="amount is -1"):
        walk.exaggerate(-1.0)
    with pytest.raises(AttributeError, match=r"a clip has no 'fly'; its edits are trim,"):
        walk.fly()
    with pytest.raises(AttributeError, match="motionwright has no 'fly'"):
        _ = mw.fly
    with pytest.raises(ValueError, match="walk: trim"):
        _ = walk.trim(50.0, 60.0).frames


def test_walk_joins_styles_and_is_written(tmp_path):
    calm, tired = mw.read(WALK), mw.read(str(path_of("samples", "tired.bvh"))).renamed("Tired")
    path = mw.walk([[0, 0], [0, 4], [3, 7]], styles=[calm.trim(0.0, 3.0), tired], stops="standing")
    written = tmp_path / "path.bvh"
    assert path.write(str(written)) is path
    assert read_motion(written).motion.frames == path.frames
    assert np.linalg.norm(path.positions[-1, 0, [0, 2]] - [3, 7]) < 0.5
    with pytest.raises(ValueError, match="2 styles need 1"):
        mw.walk([[0, 0], [0, 4]], styles=[calm, tired], switches_m=[1.0, 2.0])


def test_clips_of_two_projects_can_be_put_together(tmp_path):
    walk = mw.procedural_gait(seconds=2.0)
    for name, clip in (("a", walk), ("b", walk.mirror())):
        mw.save_project([mw.join([clip, walk])], str(tmp_path / f"{name}.mwright"))
    both = [mw.open_project(str(tmp_path / f"{name}.mwright"))[-1] for name in "ab"]
    joined = mw.join(both)
    assert joined.frames > max(clip.frames for clip in both)
    assert len({clip.id for clip in mw.project([joined]).clips}) == len(mw.project([joined]).clips) == 6


def test_packages_are_the_same_modules_by_either_name():
    import editor.curves.keys

    assert importlib.import_module("motionwright.editor.curves.keys") is editor.curves.keys
    assert editor.curves.keys.__spec__.name == "editor.curves.keys"
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("motionwright.tests")


def test_importing_it_loads_nothing_heavy():
    code = "import sys, motionwright; print(*{name.split('.')[0] for name in sys.modules})"
    loaded = subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    assert not {"numpy", "scipy", "PySide6", *OURS} & set(loaded.split())


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """A wheel built of the checkout, unpacked."""
    pytest.importorskip("setuptools", "68", reason="wheels are built by setuptools")
    folder = tmp_path_factory.mktemp("wheel")
    names = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True)
    if names.returncode:
        pytest.skip("this is not a git checkout")
    for name in names.stdout.splitlines():
        if not name.startswith("tests/") and (ROOT / name).is_file():
            target = folder / "source" / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes((ROOT / name).read_bytes())
    build = "from setuptools.build_meta import build_wheel; print(build_wheel('..'))"
    subprocess.run([sys.executable, "-c", build], cwd=folder / "source", check=True, capture_output=True)
    (built,) = folder.glob("*.whl")
    with zipfile.ZipFile(built) as archive:
        archive.extractall(folder / "installed")
    return folder / "installed"


def test_wheel_has_one_name_at_the_top_level(wheel):
    names = {path.name for path in wheel.iterdir()}
    assert {name for name in names if not name.endswith(".dist-info")} == {"motionwright"}
    (metadata,) = wheel.glob("*.dist-info")
    assert (metadata / "top_level.txt").read_text().split() == ["motionwright"]
    for name in ("resources/samples/walk.bvh", "resources/icons", "resources/help", "resources/shaders"):
        assert (wheel / "motionwright" / name).exists()


def test_wheel_imports_every_module_and_reads_under_its_own_name_only(wheel, tmp_path):
    code = """
import importlib, json, pkgutil, sys
sys.meta_path[:] = [finder for finder in sys.meta_path if "Editable" not in repr(finder)]
import motionwright as mw
for module in pkgutil.walk_packages(mw.__path__, "motionwright."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)
from motionwright.resources import path_of
frames = mw.read(str(path_of("samples", "walk.bvh"))).trim(1.0, 2.0).frames
sys.argv = ["motionwright", "info", str(path_of("samples", "walk.bvh")), "--json"]
assert mw.main() == 0
print(json.dumps([mw.__file__, frames, sorted(name for name in sys.modules if "." not in name)]), file=sys.stderr)
"""
    environment = {**os.environ, "PYTHONPATH": str(wheel), "QT_QPA_PLATFORM": "offscreen", "PYOPENGL_PLATFORM": "egl"}
    done = subprocess.run(
        [sys.executable, "-P", "-c", code], cwd=tmp_path, env=environment, check=True, capture_output=True, text=True
    )
    file, frames, modules = json.loads(done.stderr.splitlines()[-1])
    assert Path(file) == wheel / "motionwright" / "__init__.py"
    assert frames == 61
    assert not set(OURS) & set(modules)
    assert json.loads(done.stdout)["frames"] == 360
