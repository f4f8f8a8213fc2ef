"""What the documents show works as they show it."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
SCRIPTS = re.findall(r"```python\n(.*?)```", README, flags=re.S)


@pytest.mark.parametrize("script", SCRIPTS, ids=range(len(SCRIPTS)))
def test_scripts_of_the_readme_run(script, tmp_path):
    (tmp_path / "resources").symlink_to(ROOT / "resources")
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "path.bvh").is_file()


def test_files_that_the_documents_link_to_are_there():
    for document in ROOT.glob("*.md"):
        for target in re.findall(r"\]\(([^)#:]+)\)", document.read_text(encoding="utf-8")):
            assert (ROOT / target).exists(), f"{document.name} links to {target}"


def test_verbs_that_the_readme_calls_exist():
    from app.features import FEATURES

    for verb in re.findall(r"^\$ motionwright (\w+)", README, flags=re.M):
        assert verb in FEATURES.verbs
