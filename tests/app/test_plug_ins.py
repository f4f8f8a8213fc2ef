"""Features of other packages: found through their entry points, used as our own, and harmless where they are broken."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from app import features as app_features
from app.features import FEATURES, core_features
from app.plug_ins import PlugInError, plug_ins, with_plug_ins
from model.files.bvh import read_bvh, write_bvh
from tests.calls import call
from tests.clips import waving_figure

ROOT = Path(__file__).resolve().parents[2]
RAISING = ROOT / "tests" / "raising"
CORE = "from motionwright.editor.stack.contributions import CoreFeature, Verb\n"


def install(folder, name, *entries, **modules):
    """Put a package into a folder as an installer does. entries : lines of its entry points; modules : by name."""
    folder.mkdir(exist_ok=True)
    metadata = folder / f"{name}-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text("\n".join(("[motionwright.features]", *entries, "")))
    for module, code in modules.items():
        (folder / f"{module}.py").write_text(code)


@pytest.fixture
def packages(tmp_path, monkeypatch):
    """A folder in which this process finds packages; it forgets what it loaded afterwards, as if it had begun anew."""
    folder = tmp_path / "packages"
    folder.mkdir()
    monkeypatch.syspath_prepend(folder)
    monkeypatch.setattr(app_features, "_core", None)
    known = set(sys.modules)
    plug_ins.cache_clear()
    yield folder
    plug_ins.cache_clear()
    for name in set(sys.modules) - known:
        if str(getattr(sys.modules[name], "__file__", "")).startswith(str(folder)):
            del sys.modules[name]


@pytest.fixture
def clip(tmp_path):
    path = tmp_path / "clip.bvh"
    write_bvh(waving_figure(frames=31), path)
    return path


@pytest.fixture
def installed(tmp_path):
    """The feature of the tests installed as a package of its own. -> the environment in which programs find it."""
    folder = tmp_path / "installed"
    install(folder, "motion-raising", "raising = raising.feature:RAISING")
    shutil.copytree(RAISING, folder / "raising", ignore=shutil.ignore_patterns("__pycache__"))
    return {**os.environ, "PYTHONPATH": os.pathsep.join((str(folder), str(ROOT)))}


def program(environment, folder, *arguments):
    return subprocess.run(
        [sys.executable, *map(str, arguments)], cwd=folder, env=environment, capture_output=True, text=True
    )


def test_verb_of_a_package_is_listed_and_called(installed, clip, tmp_path):
    listed = program(installed, tmp_path, "-m", "app", "--help")
    assert listed.returncode == 0
    assert "    raise     put a motion higher above the floor\n" in listed.stdout
    done = program(installed, tmp_path, "-m", "app", "raise", "clip.bvh", "--by", "0.25", "-o", "high.bvh")
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    before, after = (read_bvh(path).motion.root_positions for path in (clip, tmp_path / "high.bvh"))
    np.testing.assert_allclose(after - before, np.tile([0.0, 0.25, 0.0], (31, 1)), atol=1e-6)


def test_batch_repeats_the_verb_of_a_package(installed, clip, tmp_path):
    (tmp_path / "clips").mkdir()
    shutil.move(clip, tmp_path / "clips" / "clip.bvh")
    over = ["-m", "app", "batch", "raise", "--over", "clips", "-o", "out/*.bvh", "--jobs", "1"]
    done = program(installed, tmp_path, *over, "--by", "1")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out" / "clip.bvh").is_file()
    wrong = program(installed, tmp_path, *over, "--force", "--height", "1")
    assert wrong.returncode == 2
    assert "unrecognized arguments: --height" in wrong.stderr


def test_edit_of_a_package_is_a_method_in_python_and_is_kept_in_projects(installed, clip, tmp_path):
    code = """
import json, motionwright as mw
clip = mw.read("clip.bvh").raise_body(0.25)
mw.save_project([clip], "raised.mwright")
(opened,) = mw.open_project("raised.mwright")
higher_m = (opened.positions - mw.read("clip.bvh").positions)[0, 0, 1]
print(json.dumps([repr(opened), "raise_body" in dir(clip), float(higher_m)]))
"""
    done = program(installed, tmp_path, "-c", code)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == ["<Clip 'clip'.raise_body(…)>", True, pytest.approx(0.25)]
    without = {**installed, "PYTHONPATH": str(ROOT)}
    code = "import motionwright as mw; mw.save_project(mw.open_project('raised.mwright'), 'again.mwright')"
    assert program(without, tmp_path, "-c", code).returncode == 0
    code = "import motionwright as mw; print(mw.open_project('again.mwright'))"
    assert "raise_body(…)" in program(installed, tmp_path, "-c", code).stdout


def test_our_own_verbs_do_not_wait_for_packages(installed, clip, tmp_path):
    code = (
        "import sys; from app.command_line import run; run(['info', 'clip.bvh']);"
        "print([name for name in ('raising', 'importlib.metadata') if name in sys.modules], file=sys.stderr)"
    )
    done = program(installed, tmp_path, "-c", code)
    assert done.stderr == "[]\n"


BROKEN = {
    "absent module": ("absent:FEATURE", "", "ModuleNotFoundError: No module named 'absent'"),
    "absent value": ("broken:FEATURE", "", "AttributeError: module 'broken' has no attribute 'FEATURE'"),
    "module that fails": ("broken:FEATURE", "1 / 0", "ZeroDivisionError: division by zero"),
    "module that exits": ("broken:FEATURE", "raise SystemExit('bye\\n bye')", "SystemExit: bye bye"),
    "syntax": ("broken:FEATURE", "FEATURE = (", "SyntaxError: '(' was never closed (broken.py, line 2)"),
    "no feature": ("broken:FEATURE", "FEATURE = 7", "TypeError: a int is neither a CoreFeature nor a VisibleFeature"),
    "name of ours": ("broken:FEATURE", "FEATURE = CoreFeature('stagger')", "ValueError: there are two features called"),
    "verb of ours": (
        "broken:FEATURE",
        "FEATURE = CoreFeature('x', verbs=(Verb('info', 'tell', lambda: None),))",
        "ValueError: two features bring something called 'info'",
    ),
    "absent need": ("broken:FEATURE", "FEATURE = CoreFeature('x', needs=('wings',))", "the feature 'x' needs wings"),
    "wrong verbs": ("broken:FEATURE", "FEATURE = CoreFeature('x', verbs=('fly',))", "TypeError: "),
}
LATER = {
    "edits": ("FEATURE = CoreFeature('x', edits=lambda: 1 / 0)", "ZeroDivisionError: division by zero"),
    "sources": ("FEATURE = CoreFeature('x', sources=lambda: 7)", "TypeError: 'int' object is not iterable"),
    "commands": ("def add_edit(project): ...\nFEATURE = CoreFeature('x', commands=lambda: (add_edit,))", "'add_edit'"),
    "values": ("def trim(): ...\ntrim.__name__ = 'Trim'\nFEATURE = CoreFeature('x', values=lambda: (trim,))", "'Trim'"),
}


@pytest.mark.parametrize("broken", BROKEN)
def test_broken_package_is_reported_in_one_sentence_and_costs_only_itself(capsys, packages, broken):
    value, code, reason = BROKEN[broken]
    install(packages, "broken-one", f"x = {value}", broken=CORE + code if code else "")
    install(packages, "good-one", "good = good:FEATURE", good=CORE + "FEATURE = CoreFeature('good')")
    features = core_features()
    err = capsys.readouterr().err
    assert err.startswith("motionwright: a feature of the package 'broken-one' cannot be used: ")
    assert reason in err
    assert err.count("\n") == 1
    assert [feature.name for feature in features] == [*(feature.name for feature in FEATURES), "good"]
    assert core_features() is features
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("broken", LATER)
def test_what_a_package_fails_to_bring_is_left_out_when_it_is_asked_for(capsys, packages, broken):
    code, reason = LATER[broken]
    install(packages, "broken-one", "x = broken:FEATURE", broken=CORE + code)
    features = core_features()
    assert capsys.readouterr().err == ""
    for name in ("edits", "sources", "commands", "values"):
        assert getattr(features, name) == getattr(FEATURES, name)
    assert features.kinds.edits == FEATURES.edits
    err = capsys.readouterr().err
    assert err.startswith("motionwright: a feature of the package 'broken-one' cannot be used: ")
    assert reason in err
    assert err.count("\n") == 1


def test_package_whose_metadata_is_broken_costs_only_itself(capsys, packages):
    install(packages, "garbled", "x = garbled:FEATURE", "no entry at all")
    install(packages, "nameless", "x = nameless:FEATURE")
    (packages / "nameless-1.0.dist-info" / "METADATA").unlink()
    install(packages, "good-one", "good = good:FEATURE", good=CORE + "FEATURE = CoreFeature('good')")
    assert [plug_in.package for plug_in in plug_ins()] == ["good-one"]
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 2
    for line, name in zip(lines, ("garbled", "nameless"), strict=True):
        assert line.startswith(f"motionwright: a feature of the package '{name}-1.0.dist-info' cannot be used: ")


def test_package_that_is_there_twice_is_loaded_once(packages, tmp_path, monkeypatch):
    for folder in (packages, tmp_path / "before"):
        install(folder, "twice", "x = twice:FEATURE", twice=CORE + "FEATURE = CoreFeature('x')")
    monkeypatch.syspath_prepend(tmp_path / "before")
    (plug_in,) = plug_ins()
    assert Path(sys.modules["twice"].__file__).parent == tmp_path / "before"
    assert plug_in.value is sys.modules["twice"].FEATURE
    del sys.modules["twice"]


def test_packages_may_need_each_other_in_any_order_but_not_bring_the_same(capsys, packages):
    for name, feature in (
        ("a-first", "CoreFeature('first', needs=('second',))"),
        ("b-second", "CoreFeature('second', verbs=(Verb('fly', 'fly', lambda: None),))"),
        ("c-third", "CoreFeature('third', verbs=(Verb('fly', 'fly', lambda: None),))"),
    ):
        install(packages, name, f"x = {name[2:]}:FEATURE", **{name[2:]: f"{CORE}FEATURE = {feature}"})
    names = {feature.name for feature in with_plug_ins(FEATURES)} - {feature.name for feature in FEATURES}
    assert "first" not in names or "second" in names
    assert len(names & {"second", "third"}) == 1
    assert "two features bring something called 'fly'" in capsys.readouterr().err


def test_verb_whose_module_cannot_be_imported_is_one_sentence(capsys, packages):
    code = "def load():\n    import absent\nFEATURE = CoreFeature('x', verbs=(Verb('fly', 'fly away', load),))"
    install(packages, "broken-one", "x = broken:FEATURE", broken=CORE + code)
    assert "fly away" in call(capsys, "--help")[1]
    status, out, err = call(capsys, "fly", "--help")
    assert (status, out) == (1, "")
    assert err == (
        "motionwright: the verb 'fly' of the package 'broken-one' cannot be used: "
        "ModuleNotFoundError: No module named 'absent'\n"
    )
    with pytest.raises(PlugInError):
        core_features().verbs["fly"].module()


def test_verb_with_odd_help_and_options_of_its_own_works(capsys, packages, clip):
    code = """
class Module:
    EXAMPLE = ""
    def add_arguments(parser): parser.add_argument("-o", "--output")
    def run(parsed): return print(parsed.output) or 0
FEATURE = CoreFeature('x', verbs=(Verb('fly', '100 % of it', lambda: Module), Verb('sit', '', lambda: Module)))
"""
    install(packages, "odd", "x = odd:FEATURE", odd=CORE + code)
    status, out, err = call(capsys, "--help")
    assert (status, err) == (0, "")
    assert "100 % of it" in out
    assert "100 % of it." in call(capsys, "fly", "--help")[1]
    assert call(capsys, "sit", "-o", "out.bvh") == (0, "out.bvh\n", "")


def test_package_may_use_the_public_face_while_it_is_loaded(capsys, packages):
    code = "import motionwright as mw\nmw.procedural_gait\nfrom motionwright import editor\nFEATURE = CoreFeature('x')"
    install(packages, "eager", "x = eager:FEATURE", eager=CORE + code)
    assert [feature.name for feature in core_features()][-1] == "x"
    assert capsys.readouterr().err == ""


def test_packages_in_a_zip_file_are_found(packages, tmp_path, monkeypatch):
    install(tmp_path / "zipped", "zipped-one", "x = zipped:FEATURE", zipped=CORE + "FEATURE = CoreFeature('x')")
    archive = shutil.make_archive(str(tmp_path / "packages"), "zip", tmp_path / "zipped")
    monkeypatch.syspath_prepend(archive)
    assert [plug_in.package for plug_in in plug_ins()] == ["zipped-one"]
