"""What a file held when it was read or written, and whether it still does."""

import hashlib
import os
from dataclasses import dataclass
from typing import BinaryIO

_PIECE = 1 << 20  # bytes


@dataclass(frozen=True)
class FileState:
    """A file at some moment. modified_ns : when the system says that it was last written, whatever its clock says."""

    size: int
    modified_ns: int
    sha256: str

    @classmethod
    def of(cls, file: BinaryIO) -> "FileState":
        """The state of an open file; where it is read from next is not changed."""
        place, state = file.tell(), os.fstat(file.fileno())
        file.seek(0)
        digest = hashlib.sha256()
        while piece := file.read(_PIECE):
            digest.update(piece)
        file.seek(place)
        return cls(state.st_size, state.st_mtime_ns, digest.hexdigest())

    def seems_that_of(self, file: BinaryIO) -> bool | None:
        """Whether an open file holds what it held, by its size and time; None where only its bytes can tell."""
        now = os.fstat(file.fileno())
        if now.st_size != self.size:
            return False
        return True if now.st_mtime_ns == self.modified_ns else None

    def is_that_of(self, file: BinaryIO) -> bool:
        """Whether an open file holds what it held. It is read only where its size is the same and its time is not."""
        seems = self.seems_that_of(file)
        return FileState.of(file).sha256 == self.sha256 if seems is None else seems
