"""What shows newcomers how things are done, made of the samples."""

from editor.clips.imported import ImportedFile, import_file
from model.path import Path
from resources import samples

WALK_PATH = Path.through(
    [(0.0, 0.0), (0.6, 2.5), (3.0, 3.6), (5.2, 2.2), (7.4, 2.4), (8.0, 5.0), (5.6, 6.6), (2.6, 6.2)], "smooth"
)


def sample_style(name: str = "walk") -> ImportedFile:
    """A sample whose way of going can be used."""
    return import_file(next(path for path in samples() if path.stem == name))


def walk_styles() -> tuple[tuple[float, ImportedFile], ...]:
    """Three styles for the example's path, and from where on each is walked."""
    return tuple((from_m, sample_style(name)) for from_m, name in ((0.0, "walk"), (7.0, "happy"), (13.0, "sneak")))
