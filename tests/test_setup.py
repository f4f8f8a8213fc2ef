"""Everything that sets the program up is pinned: what it runs with, what it is tested with, and what builds it."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("lock", ["requirements.lock", "requirements-test.lock"])
def test_what_builds_the_package_is_locked_with_hashes(lock):
    required = PROJECT["build-system"]["requires"]
    assert PROJECT["dependency-groups"]["build"] == required
    text = (ROOT / lock).read_text(encoding="utf-8")
    for requirement in required:
        name = re.match(r"[\w-]+", requirement)[0]
        assert re.search(rf"^{name}==\S+ \\\n    --hash=sha256:", text, flags=re.M)


def test_every_installation_is_from_a_lock_or_builds_with_what_is_locked():
    commands = re.findall(r"pip install .*", (ROOT / "environment.sh").read_text(encoding="utf-8"))
    assert len(commands) == 2
    for command in commands:
        assert "--require-hashes -r" in command or "--no-deps --no-build-isolation" in command
