"""Who may import whom, and what the sources must not hold. ARCHITECTURE.md has the table."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
OURS = {"app", "editor", "model", "resources", "tests", "widgets"}

# The parts of `editor` that hold the document for the interface; the rest is its core.
EDITOR_QT = ("editor.document", "editor.session", "editor.commands", "editor.jobs", "editor.showing")

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
    if module.startswith(EDITOR_QT):
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


@pytest.mark.parametrize(("module", "path"), list(modules()), ids=lambda value: value if isinstance(value, str) else "")
def test_widgets_do_not_import_their_siblings(module, path):
    parts = module.split(".")
    if parts[0] != "widgets" or len(parts) < 2:
        return
    for name in imports_of(path):
        imported = name.split(".")
        if imported[0] == "widgets" and len(imported) > 1:
            assert imported[1] in (parts[1], "common"), f"{module} imports its sibling {name}"


def test_the_table_can_fail():
    assert not allows(ALLOWED["model"], "PySide6.QtCore")
    assert not allows(ALLOWED["model"], "editor.quality")
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
qt = ("editor.document", "editor.session", "editor.commands", "editor.jobs", "editor.showing")
for package in ("model", "editor"):
    root = importlib.import_module(package)
    for module in pkgutil.walk_packages(root.__path__, package + "."):
        if not module.name.startswith(qt):
            importlib.import_module(module.name)
"""
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)


def test_nothing_heavy_is_imported_before_a_verb_runs():
    code = "import sys, app.command_line as c; c.parser(); print(*sorted(m.split('.')[0] for m in sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    assert not {"numpy", "scipy", "PySide6", "orjson", "tqdm", "multiprocessing"} & set(loaded.split())


def test_reading_a_file_imports_neither_scipy_nor_qt():
    code = (
        "import sys; from app.command_line import run; run(['info', 'resources/samples/wave.bvh']); "
        "print(*sys.modules, file=sys.stderr)"
    )
    loaded = subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, text=True).stderr
    assert not {"scipy", "PySide6", "OpenGL"} & {name.split(".")[0] for name in loaded.split()}


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
