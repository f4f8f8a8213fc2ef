"""How a wheel is made of the checkout: `app`, `editor` and the others go into one package `motionwright`.

At the top level of site-packages such names would meet those of others (there is an `editor` on PyPI), so the wheel has
`motionwright/__init__.py`, which is `motionwright.py` here, and `motionwright/app`, `motionwright/editor` … with their
import lines rewritten to say so. In the checkout and in an editable install the short names stay: mypy and editors
follow them, and no import depends on where the folder lies. What the rest of `pyproject.toml` says holds for both.
"""

import re
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py
from setuptools.command.egg_info import egg_info

PACKAGES = ("app", "editor", "model", "resources", "widgets")
_OURS = "|".join(PACKAGES)
_FROM = re.compile(rf"^(\s*)from ({_OURS})(?=[. ])(?=[\w.]* import )", re.MULTILINE)
_IMPORT = re.compile(rf"^(\s*)import ({_OURS})(?=[.\w]*(?:\s|$))", re.MULTILINE)


def inside_the_package(text: str) -> str:
    """A module's text with the imports of our packages as they are inside `motionwright`."""
    return _IMPORT.sub(r"\1import motionwright.\2", _FROM.sub(r"\1from motionwright.\2", text))


class BuildPackage(build_py):
    """Copies modules and data as usual, then moves them into the package."""

    def run(self) -> None:
        super().run()
        if self.editable_mode:
            return
        library = Path(self.build_lib)
        package = library / "motionwright"
        package.mkdir(exist_ok=True)
        (library / "motionwright.py").replace(package / "__init__.py")
        for name in PACKAGES:
            (library / name).replace(package / name)
        for module in package.rglob("*.py"):
            module.write_text(inside_the_package(module.read_text(encoding="utf-8")), encoding="utf-8")
        (package / "__main__.py").write_text("import sys\n\nfrom motionwright import main\n\nsys.exit(main())\n")


class OneTopLevelName(egg_info):
    """Says in the metadata what is at the top level."""

    def run(self) -> None:
        super().run()
        (Path(self.egg_info) / "top_level.txt").write_text("motionwright\n")


if __name__ == "__main__":
    setup(cmdclass={"build_py": BuildPackage, "egg_info": OneTopLevelName})
