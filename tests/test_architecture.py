"""Who may import whom, and what the sources must not hold. ARCHITECTURE.md has the table."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from app.features import FEATURES

ROOT = Path(__file__).resolve().parents[1]
OURS = {"app", "editor", "model", "resources", "tests", "widgets"}

# The part of `editor` that holds the document for the interface; the rest is its core.
DOCUMENT = "editor.document"

# The homes in `editor`, each of which may import those before it. `document` comes last and names none but the stack.
EDITOR_ORDER = (
    "stack", "contacts", "quality", "gait", "ground", "clips", "timing", "placing", "repair",
    "extrema", "curves", "posing", "retarget", "stagger", "exaggerate", "walking", "document",
)  # fmt: skip

# Of `widgets`: what the window consists of, and takes what features bring. All other homes there are features.
HOSTS = ("viewport", "timeline", "inspector", "library", "edits")
# The homes of `editor` that anybody may call, and contracts between features.
SHARED_CORE = ("stack", "contacts", "quality", "gait", "ground", "document")
CONTRACTS = ("editor.posing.place", "editor.posing.place.Place")

# Folder: packages beyond the standard library that it may import. Lower layers never name higher ones.
ALLOWED = {
    "model.files": {"model", "numpy", "scipy", "orjson"},
    "model": {"model", "numpy", "scipy"},
    "editor (document)": {"editor", "model", "numpy", "scipy", "PySide6.QtCore", "PySide6.QtGui"},
    "editor": {"editor", "model", "numpy", "scipy", "numba"},
    "widgets": {"widgets", "editor", "model", "resources", "numpy", "PySide6", "pyqtgraph", "OpenGL"},
    "app": {"app", "widgets", "editor", "model", "resources", "numpy", "PySide6", "pyqtgraph", "OpenGL", "tqdm"},
}


def layer_of(module):
    if module.startswith("model.files"):
        return "model.files"
    if module.startswith(DOCUMENT):
        return "editor (document)"
    return module.split(".")[0]


def modules():
    for folder in ("app", "editor", "model", "widgets"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            yield ".".join(path.relative_to(ROOT).with_suffix("").parts), path


def imports_of(path):
    """Every module that a file imports, wherever in the file."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative imports hide who imports whom"
            yield node.module
            for alias in node.names:  # from PySide6 import QtWidgets
                yield f"{node.module}.{alias.name}"


def allows(allowed, imported):
    if imported.split(".")[0] in sys.stdlib_module_names:
        return True
    # `PySide6` itself is named by `from PySide6 import QtCore`; the parts decide.
    parts_decide = any(entry.startswith(imported + ".") for entry in allowed)
    return parts_decide or any(imported == entry or imported.startswith(entry + ".") for entry in allowed)


@pytest.mark.parametrize(("module", "path"), list(modules()), ids=lambda value: value if isinstance(value, str) else "")
def test_imports_follow_the_table(module, path):
    allowed = ALLOWED[layer_of(module)]
    forbidden = [name for name in imports_of(path) if not allows(allowed, name)]
    assert not forbidden, f"{module} must not import {forbidden}"


def shelf_of(home):
    """Which homes of `widgets` one may import besides its own: hosts know no feature, a feature knows no other."""
    if home == "common":
        return ()
    if home in HOSTS:
        return ("common",)
    return ("common", *HOSTS) if home == "desk" else ("common", *HOSTS, "desk")


def core_of(home):
    """Which homes of `editor` a home of `widgets` may import: contracts and hosts those that know no feature."""
    if home in EDITOR_ORDER:
        return (*EDITOR_ORDER[: EDITOR_ORDER.index(home) + 1], "document")
    return SHARED_CORE


def siblings_in(module, imported):
    """What a module of `widgets` imports and must not."""
    home = module.split(".")[1]
    shelf, core = (home, *shelf_of(home)), core_of(home)
    for name in imported:
        parts = name.split(".")
        is_foreign_widget = parts[0] == "widgets" and len(parts) > 1 and parts[1] not in shelf
        is_foreign_core = parts[0] == "editor" and len(parts) > 2 and parts[1] not in core and name not in CONTRACTS
        if is_foreign_widget or is_foreign_core:
            yield name


@pytest.mark.parametrize(("module", "path"), list(modules()), ids=lambda value: value if isinstance(value, str) else "")
def test_hosts_know_no_feature_and_a_feature_knows_no_other(module, path):
    if module.startswith("widgets.") and module.count(".") > 1:
        assert not list(siblings_in(module, imports_of(path)))


def test_a_host_that_knows_a_feature_would_be_seen():
    assert list(siblings_in("widgets.timeline.lane", ["widgets.stagger.lane"]))
    assert list(siblings_in("widgets.timeline.lane", ["editor.stagger.edit"]))
    assert list(siblings_in("widgets.posing.lane", ["widgets.stagger.lane"]))
    assert list(siblings_in("widgets.posing.lane", ["editor.stagger.edit"]))
    assert not list(siblings_in("widgets.stagger.lane", ["editor.posing.edit", "widgets.timeline.lane"]))


def test_every_home_of_widgets_is_a_host_or_that_of_a_feature():
    folders = {path.parent.name for path in (ROOT / "widgets").glob("*/__init__.py")}
    features = folders - {"common", "desk", *HOSTS}
    assert features <= set(EDITOR_ORDER)
    for feature in features:
        assert (ROOT / "widgets" / feature / "feature.py").exists(), f"widgets/{feature} brings nothing"


def test_the_window_names_no_feature():
    for path in sorted((ROOT / "app").rglob("*.py")):
        if path.name == "features.py" or path.parent.name == "verbs":
            continue
        for name in imports_of(path):
            parts = name.split(".")
            assert parts[0] != "widgets" or parts[1] in ("common", "desk", *HOSTS), f"{path.name} imports {name}"


@pytest.mark.parametrize(("module", "path"), list(modules()), ids=lambda value: value if isinstance(value, str) else "")
def test_homes_in_editor_import_those_before_them_only(module, path):
    parts = module.split(".")
    if parts[0] != "editor" or len(parts) < 3:
        return
    allowed = ("stack",) if parts[1] == "document" else EDITOR_ORDER[: EDITOR_ORDER.index(parts[1])]
    for name in imports_of(path):
        imported = name.split(".")
        if imported[0] == "editor" and imported[1] != parts[1]:
            assert imported[1] in allowed, f"{module} imports {name}, whose home comes after its own"


def is_verb(module):
    """Whether it is the module of a verb: `verb`, or one of several in its home, or one of the app's own."""
    home, _, name = module.rpartition(".")
    if home == "app.verbs":
        return name != "feature"
    return home.startswith("editor.") and (name == "verb" or name.endswith("_verb"))


def test_modules_of_verbs_are_those_that_features_bring():
    assert {module for module, _ in modules() if is_verb(module)} - {"app.verbs.__init__"} == {
        verb.module().__name__ for verb in FEATURES.verbs.values()
    }


@pytest.mark.parametrize(("module", "path"), list(modules()), ids=lambda value: value if isinstance(value, str) else "")
def test_verbs_are_imported_by_their_features_only(module, path):
    """Others that need what a verb does need the kernel that it calls."""
    verbs = [name for name in imports_of(path) if is_verb(name)]
    assert not verbs or module == f"{verbs[0].rpartition('.')[0]}.feature", f"{module} imports {verbs}"


def test_every_folder_of_editor_has_its_place_in_the_order():
    folders = {path.parent.name for path in (ROOT / "editor").glob("*/__init__.py")}
    assert folders == set(EDITOR_ORDER)
    assert [path.name for path in (ROOT / "editor").glob("*.py")] == ["__init__.py"]


def test_the_table_can_fail():
    assert not allows(ALLOWED["model"], "PySide6.QtCore")
    assert not allows(ALLOWED["model"], "editor.quality.figures")
    assert not allows(ALLOWED["editor (document)"], "PySide6.QtWidgets")
    assert allows(ALLOWED["editor (document)"], "PySide6.QtCore")


def test_model_and_editor_import_without_qt_or_opengl():
    code = """
import sys, pkgutil, importlib
class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("PySide6", "OpenGL", "pyqtgraph", "shiboken6"):
            raise ImportError(name + " is blocked")
sys.meta_path.insert(0, Blocked())
for package in ("model", "editor"):
    root = importlib.import_module(package)
    for module in pkgutil.walk_packages(root.__path__, package + "."):
        if not module.name.startswith("editor.document"):
            importlib.import_module(module.name)
"""
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)


def loaded_by(code):
    """The modules that are loaded after a process has run some code, whatever it prints."""
    code = f"import sys\n{code}\nprint(*sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, text=True)
    return set(done.stderr.splitlines()[-1].split())


def tops(names):
    return {name.split(".")[0] for name in names}


CALLS = [["--help"], ["fly"], *([verb, "--help"] for verb in FEATURES.verbs)]


@pytest.mark.parametrize("arguments", CALLS, ids=" ".join)
def test_nothing_heavy_is_imported_before_a_verb_runs(arguments):
    loaded = loaded_by(f"from app.command_line import run; run({arguments!r})")
    assert not {"numpy", "scipy", "PySide6", "orjson", "tqdm", "multiprocessing"} & tops(loaded)
    verbs = {name for name in loaded if is_verb(name)}
    called = FEATURES.verbs.get(arguments[0])
    assert verbs == ({called.module().__name__} if called else set()), "no verb is imported but that which is called"
    assert "importlib.metadata" not in loaded, "no package brings features: that is seen without it"


def test_listing_features_imports_nothing_but_what_lists_them():
    ours = {name for name in loaded_by("import app.features") if name.split(".")[0] in OURS}
    halves = {name for name in ours if name.endswith(".feature")} - {"app.feature", "widgets.desk.feature"}
    core = {name for name in halves if not name.startswith("widgets.")}
    assert len(core) == len(list(FEATURES))
    listing = {"app.feature", "app.features", "app.plug_ins", "editor.stack.contributions", "widgets.desk.feature"}
    packages = {".".join(name.split(".")[:depth]) for name in (*listing, *halves) for depth in (1, 2)} - listing
    assert ours == {*listing, *halves, *packages}


def test_reading_a_file_imports_neither_scipy_nor_qt():
    loaded = loaded_by("from app.command_line import run; run(['info', 'resources/samples/wave.bvh'])")
    assert not {"scipy", "PySide6", "OpenGL"} & tops(loaded)


def test_sources_name_no_machine():
    """No absolute paths of somebody's machine, no package registry, in anything that is committed."""
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True)
    if listed.returncode != 0:
        pytest.skip("not a git checkout")
    suspicious = re.compile(r"(?<![\w.])/(?:home|root|work|Users)/\w|pypi\.org|files\.pythonhosted")
    for name in listed.stdout.split("\n"):
        path = ROOT / name
        if name and path.is_file() and path.suffix != ".png":
            assert not suspicious.search(path.read_text(errors="replace")), name


def unguarded_painters(source):
    """The lines on which a painter begins to draw outside of a `with`, which alone ends it when drawing fails."""
    tree = ast.parse(source)
    guarded = {id(item.context_expr) for node in ast.walk(tree) if isinstance(node, ast.With) for item in node.items}
    return [
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "QPainter"
        and id(node) not in guarded
    ]


@pytest.mark.parametrize(("module", "path"), list(modules()), ids=lambda value: value if isinstance(value, str) else "")
def test_painters_end_whatever_happens_while_they_draw(module, path):
    """A painter that outlives its paint event, kept by a traceback, spoils every later one."""
    assert not unguarded_painters(path.read_text()), f"{module} uses QPainter without a with statement"


def test_a_painter_without_with_is_seen():
    assert unguarded_painters("def draw(self):\n    painter = QPainter(self)\n    painter.end()") == [2]
    assert unguarded_painters("def draw(self):\n    with QPainter(self) as painter:\n        pass") == []


_HEAVY = re.compile(r"\b(Take|Motion|Stage)\b")
_KEEPERS = re.compile(r"\b(recent|cache|lru_cache)\b")


def hidden_caches(source):
    """The lines on which takes or motions are kept beside the evaluator's budget: by functions that keep results of
    them, in lookups, and in what a module holds by them.
    """
    tree = ast.parse(source)
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            keeps = any(_KEEPERS.search(ast.unparse(one)) for one in node.decorator_list)
            found += [node.lineno] * (keeps and bool(_HEAVY.search(ast.unparse(node.args))))
        elif isinstance(node, ast.AnnAssign) and ast.unparse(node.annotation).startswith("Recent["):
            found += [node.lineno] * bool(_HEAVY.search(ast.unparse(node.annotation)))
    for node in tree.body:
        if isinstance(node, ast.AnnAssign) and "Weak" in ast.unparse(node.annotation):
            found += [node.lineno] * bool(_HEAVY.search(ast.unparse(node.annotation)))
    return found


@pytest.mark.parametrize(("module", "path"), list(modules()), ids=lambda value: value if isinstance(value, str) else "")
def test_takes_are_kept_by_the_evaluator_alone(module, path):
    assert not hidden_caches(path.read_text()), f"{module}: use `derived` of the context or the evaluator"


def test_a_hidden_cache_is_seen():
    assert hidden_caches("@recent(2)\ndef headings(motion: Motion) -> Array:\n    pass") == [2]
    assert hidden_caches("_KNOWN: WeakKeyDictionary[Take, Evidence] = WeakKeyDictionary()") == [1]
    assert hidden_caches('_KNOWN: "WeakKeyDictionary[Take, Evidence]" = WeakKeyDictionary()') == [1]
    assert hidden_caches("class A:\n    def __init__(self):\n        self.a: Recent[Take, int] = Recent(2)") == [3]
    assert not hidden_caches("@recent(2)\ndef parts(skeleton: Skeleton) -> Body:\n    pass")


def _is_plain(tip):
    """Whether a tooltip holds nothing but words of ours, or was made by `plain_tip`; or is another's tooltip."""
    if isinstance(tip, ast.IfExp):
        return _is_plain(tip.body) and _is_plain(tip.orelse)
    if isinstance(tip, ast.Call):
        name = tip.func.id if isinstance(tip.func, ast.Name) else getattr(tip.func, "attr", "")
        return name in ("plain_tip", "toolTip")
    return isinstance(tip, ast.Constant)


def unguarded_texts(source):
    """The lines on which a name could be shown as HTML: labels that guess what they hold, and tooltips."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        tips = {"setToolTip": node.args[-1:], "showText": node.args[1:2]}.get(name, [])
        if name in ("QLabel", "setHtml", "insertHtml", "setRichText") or not all(map(_is_plain, tips)):
            found.append(node.lineno)
        if isinstance(node.func, ast.Attribute) and getattr(node.func.value, "id", "") == "QMessageBox":
            found.append(node.lineno)  # the ready-made questions take HTML
    return found


@pytest.mark.parametrize(("module", "path"), list(modules()), ids=lambda value: value if isinstance(value, str) else "")
def test_names_are_never_shown_as_html(module, path):
    assert not unguarded_texts(path.read_text()), f"{module}: use PlainLabel, plain_tip of widgets.common"


def test_a_text_that_may_be_html_is_seen():
    assert unguarded_texts("QLabel(name)") == [1]
    assert unguarded_texts("item.setToolTip(0, name)") == [1]
    assert unguarded_texts('item.setToolTip(f"<p>{name}</p>")') == [1]
    assert unguarded_texts("QMessageBox.warning(self, title, name)") == [1]
    assert not unguarded_texts('item.setToolTip(plain_tip(name)); item.setToolTip("Open a clip")')


def test_no_module_is_longer_than_one_can_keep_in_mind():
    longest = {module: len(path.read_text().splitlines()) for module, path in modules()}
    assert [f"{module}: {lines} lines" for module, lines in longest.items() if lines > 500] == []
    assert sum(lines for module, lines in longest.items() if module.startswith("widgets.common.")) < 2000


# Tests that are about no single module, and what they are about instead.
ABOUT_MORE = {
    "tests/app/test_access.py": "every control of the window by keyboard and screen reader",
    "tests/app/test_disk_faults.py": "full disks, lost folders and permissions",
    "tests/app/test_export.py": "exporting from the window",
    "tests/app/test_faults.py": "bugs of ours, told in the window",
    "tests/app/test_outputs.py": "what files verbs may replace",
    "tests/app/test_plain_text.py": "names and messages that look like HTML",
    "tests/app/test_quitting.py": "closing the window while files do not answer",
    "tests/editor/exaggerate/test_figures.py": "the figures of the document on recorded clips",
    "tests/editor/posing/grounded/test_obstacles.py": "grounded poses on boxes, stairs and hills",
    "tests/editor/stack/test_commands.py": "laws over all commands",
    "tests/editor/stack/test_derived.py": "values derived from takes, kept in the evaluator's budget",
    "tests/editor/stack/test_edit_laws.py": "laws over all edits",
    "tests/editor/test_growth.py": "what long clips cost, edit by edit",
    "tests/editor/test_limits.py": "what edits and sources may ask for",
    "tests/editor/walking/test_steps.py": "edits that stay with their steps",
    "tests/widgets/curves/test_drawing.py": "what the curve editor draws",
    "tests/widgets/test_access.py": "every control of the panels by keyboard and screen reader",
}


def mirrored(test):
    """The module that a test is about: that of its name, or of the beginning of it, as `test_bvh_broken` of `bvh`."""
    folder, name = test.relative_to(ROOT / "tests").parent, test.stem.removeprefix("test_")
    while name:
        for module in (ROOT / folder / f"{name}.py", ROOT / folder / name / "__init__.py"):
            if module.exists():
                return module
        name = name.rpartition("_")[0]
    return None


def test_tests_mirror_the_sources():
    tests = [
        test for top in ("app", "editor", "model", "widgets") for test in (ROOT / "tests" / top).rglob("test_*.py")
    ]
    astray = {str(test.relative_to(ROOT)) for test in tests if mirrored(test) is None}
    assert astray == set(ABOUT_MORE)
