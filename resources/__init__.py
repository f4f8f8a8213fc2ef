"""Data that comes with Motionwright: samples, shaders, icons, help."""

from importlib.resources import files
from pathlib import Path


def path_of(*parts: str) -> Path:
    """Where a file or folder of the program's data is."""
    return Path(str(files(__name__).joinpath(*parts)))


def samples() -> list[Path]:
    """The clips that come with the program, in order of their names."""
    return sorted(path_of("samples").glob("*.bvh"))
