"""Which ASF file belongs to an AMC file: it stands beside it, and the names say so.

A new ASF file could so become the skeleton of motions that have another; this module knows when.
"""

from collections.abc import Callable
from pathlib import Path

from model.files.problems import MissingSkeletonError, ProtectedFileError
from model.files.saving import is_same_file


def skeleton_beside(path: Path) -> Path:
    """The ASF file of an AMC file: of the same name, of the same subject ("16_15" has "16"), or the only one.

    The only one may also be the only one that has not the name of another AMC file. Raises MissingSkeletonError.
    """
    found = _beside(path, ".asf")
    by_name = _named_like(path, found)
    if by_name is not None:
        return by_name
    motions = {entry.stem.lower() for entry in _beside(path, ".amc")}
    shared = [entry for entry in found if entry.stem.lower() not in motions]
    for candidates in (found, shared):
        if len(candidates) == 1:
            return candidates[0]
    reason = "there is none beside it" if not found else f"none of the {len(found)} beside it has its name"
    raise MissingSkeletonError(str(path), None, f"an AMC file needs the ASF file of its skeleton, and {reason}")


def own_skeleton(path: Path) -> Path:
    """The ASF file to write with an AMC file: of the same name; one that is there may be called .ASF."""
    same = [entry for entry in _beside(path, ".asf") if entry.stem.lower() == path.stem.lower()]
    return min(same, default=path.with_suffix(".asf"))


def check_new_skeleton(skeleton_path: Path, path: Path, holds_it: Callable[[Path], bool]) -> None:
    """Raise ProtectedFileError where an ASF file, written with an AMC file, would give others another skeleton.

    holds_it : whether an ASF file that is there holds the very skeleton that is to be written.
    """
    if skeleton_path.exists():
        reason = "holds another skeleton, which other files may need, and is not replaced"
    else:
        others = {found: entry for entry, found in _taken_over(skeleton_path, path).items() if not holds_it(found)}
        if not others:
            return
        motion = min(entry.name for entry in others.values())
        reason = f"would become the skeleton of {motion}, which has another, and is not written"
    raise ProtectedFileError(str(skeleton_path), None, f"{reason}: choose another name such as {_free_name(path)}")


def _taken_over(skeleton_path: Path, path: Path) -> dict[Path, Path]:
    """AMC files that a new ASF file would belong to by its name, and the ASF files that they have now."""
    skeletons = [*_beside(path, ".asf"), skeleton_path]
    found = {}
    for entry in _beside(path, ".amc"):
        if _named_like(entry, skeletons) == skeleton_path and not is_same_file(entry, path):
            try:
                found[entry] = skeleton_beside(entry)
            except MissingSkeletonError:  # it has none that it could lose
                continue
    return found


def _beside(path: Path, extension: str) -> list[Path]:
    """The files with an extension, in any case, in the folder of a file."""
    try:
        return [entry for entry in path.parent.iterdir() if entry.suffix.lower() == extension]
    except OSError:
        return []


def _named_like(path: Path, skeletons: list[Path]) -> Path | None:
    """The ASF file whose name says that it belongs to an AMC file, the longest name first; None where there is none."""
    stem = path.stem.lower()
    for entry in sorted(skeletons, key=lambda entry: (-len(entry.stem), entry.name)):
        if stem == entry.stem.lower() or stem.startswith(entry.stem.lower() + "_"):
            return entry
    return None


def _free_name(path: Path) -> str:
    """A name beside `path`, of the same extension, that neither an AMC nor an ASF file has yet."""
    taken = {entry.stem.lower() for extension in (".amc", ".asf") for entry in _beside(path, extension)}
    number, stem = 1, f"{path.stem}_new"
    while stem.lower() in taken:
        number += 1
        stem = f"{path.stem}_new{number}"
    return stem + path.suffix
