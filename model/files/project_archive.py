"""The zip around a project: one JSON text and array files, written plainly, read with suspicion.

Everything is stored, not compressed: motions shrink by a twentieth and take thirty times as long. The JSON comes first,
so that a file that was cut short still tells what it held. Where the table of contents at the end is gone or lies, the
entries are searched for. Nothing is unpacked to disk, so names cannot lead anywhere.
"""

import struct
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import BinaryIO

from model.files.file_state import FileState
from model.files.problems import MotionFileError, Problems
from model.files.reading import open_regular

# A small file may not ask for much memory: no honest project packs more than this.
MOST_BYTES = 64 << 30  # of a project, which is read in parts
_SPARE_BYTES = 64 << 20
_LARGEST_RATIO = 20
_MOST_ENTRIES = 200_000

_LOCAL_HEADER = struct.Struct("<4s5H3L2H")
_SIGNATURE = b"PK\3\4"
_LISTED_SIGNATURE = b"PK\1\2"
_TELLS_SIZE_LATER = 0x08
_ENCRYPTED = 0x01
_UNKNOWN_32 = 0xFFFFFFFF
# What zipfile raises where bytes are not what they should be.
_ZIP_FAULTS = (
    zipfile.BadZipFile, ArithmeticError, EOFError, LookupError, NotImplementedError, OSError, ValueError, struct.error,
)  # fmt: skip


# A part of an archive: its name, its size, and its bytes in pieces.
Part = tuple[str, int, Iterable[memoryview | bytes]]


class DamagedEntryError(ValueError):
    """A part of the archive that is missing or not what was written. data : its bytes as far as they were found."""

    def __init__(self, message: str, data: bytes = b"") -> None:
        super().__init__(message)
        self.data = data


@dataclass(frozen=True)
class _Entry:
    """Where a part is: its local header's place, its size there and unpacked, and its check sum."""

    offset: int
    packed_size: int
    size: int
    method: int
    crc: int


def write_archive(file: BinaryIO, parts: Iterable[Part]) -> None:
    """Write parts. The same parts always give the same bytes."""
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        for name, size, pieces in parts:
            info = zipfile.ZipInfo(name)
            info.file_size = size  # large parts need headers of another kind
            info.external_attr = 0o644 << 16
            with archive.open(info, "w") as part:
                for piece in pieces:
                    part.write(piece)


@contextmanager
def open_archive(path: str | Path, problems: Problems) -> Iterator["Archive"]:
    """An archive to read from. Raises MotionFileError for what is none."""
    with open_regular(path, MOST_BYTES) as file:
        try:
            yield Archive(file, str(path), problems)
        except OSError as error:
            raise MotionFileError(str(path), None, f"cannot be read: {error.strerror}") from error


class Archive:
    """The parts of an archive by name."""

    def __init__(self, file: BinaryIO, path: str, problems: Problems) -> None:
        self._file = file
        self.size = file.seek(0, 2)
        self._path = path
        # How much memory is in proportion to the file.
        self.allowance = _SPARE_BYTES + _LARGEST_RATIO * self.size
        self._bytes_left = self.allowance
        try:
            listed = list(_listed(file))
        except _ZIP_FAULTS:
            listed = list(self._found.items())
            if not listed:
                what = "this is not a project file, or nothing is left of it" if self.size else "the file is empty"
                raise MotionFileError(path, None, what) from None
            problems.warn(None, "the end of the file is damaged or missing; what is left was searched for")
        self._entries = dict(listed)
        if len(listed) > _MOST_ENTRIES:
            raise MotionFileError(path, None, f"the file has {len(listed)} parts; no project has so many")
        if len(self._entries) < len(listed):
            raise MotionFileError(path, None, "the file has two parts of the same name: it is not to be trusted")

    @property
    def state(self) -> FileState:
        """The archive's file as it is read."""
        return FileState.of(self._file)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._entries)

    def read(self, name: str) -> bytes:
        """The bytes of a part. Raises DamagedEntryError, MotionFileError where the file asks for too much memory."""
        try:
            if name not in self._entries:
                raise DamagedEntryError("it is missing")
            return self._read(self._entries[name])
        except DamagedEntryError:
            # The table of contents may be what is wrong.
            if self._found.get(name) in (None, self._entries.get(name)):
                raise
            return self._read(self._found[name])

    def _read(self, entry: _Entry) -> bytes:
        if entry.packed_size > self.size or (entry.method == zipfile.ZIP_STORED and entry.size != entry.packed_size):
            raise DamagedEntryError("its size is wrong")
        self._bytes_left -= entry.size
        if self._bytes_left < 0:
            raise MotionFileError(
                self._path, None, f"the file of {self.size} bytes claims to hold much more: it is not to be trusted"
            )
        if entry.offset < 0:  # zipfile works it out from where the table of contents says it is
            raise DamagedEntryError("it is not where it should be")
        self._file.seek(entry.offset)
        header = self._file.read(_LOCAL_HEADER.size)
        if len(header) < _LOCAL_HEADER.size or not header.startswith(_SIGNATURE):
            raise DamagedEntryError("it is not where it should be")
        *_, name_size, extra_size = _LOCAL_HEADER.unpack(header)
        self._file.seek(name_size + extra_size, 1)
        data = self._file.read(entry.packed_size)
        if entry.method == zipfile.ZIP_DEFLATED:
            data = _inflated(data, entry.size)
        if len(data) != entry.size or zlib.crc32(data) != entry.crc:
            raise DamagedEntryError("its bytes are damaged", data)
        return data

    @cached_property
    def _found(self) -> dict[str, _Entry]:
        """The parts as their own headers tell of them; the first of a name counts."""
        self._file.seek(0)
        data = self._file.read()
        found: dict[str, _Entry] = {}
        at = data.find(_SIGNATURE)
        while at >= 0 and len(found) < _MOST_ENTRIES:
            after = at + 1
            header = _local_entry(data, at)
            if header is not None:
                name, entry, start = header
                found.setdefault(name, entry)
                # A part is jumped over where another follows, else its size may be wrong and others hide behind.
                end = start + entry.packed_size
                after = end if data[end : end + 4] in (_SIGNATURE, _LISTED_SIGNATURE) else after
            at = data.find(_SIGNATURE, after)
        return found


def _listed(file: BinaryIO) -> Iterator[tuple[str, _Entry]]:
    """The parts as the table of contents tells of them, those that cannot be read left out."""
    with zipfile.ZipFile(file) as archive:
        for info in archive.infolist():
            if info.compress_type in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) and not info.flag_bits & _ENCRYPTED:
                yield (
                    info.filename,
                    _Entry(info.header_offset, info.compress_size, info.file_size, info.compress_type, info.CRC),
                )


def _local_entry(data: bytes, at: int) -> tuple[str, _Entry, int] | None:
    """The name of the part whose header stands here, the part, and where its bytes start; None where none does."""
    if at + _LOCAL_HEADER.size > len(data):
        return None
    _, _, flags, method, _, _, crc, packed, size, name_size, extra_size = _LOCAL_HEADER.unpack_from(data, at)
    name_at = at + _LOCAL_HEADER.size
    start = name_at + name_size + extra_size
    if method != zipfile.ZIP_STORED or flags & _TELLS_SIZE_LATER or start > len(data):
        return None
    if _UNKNOWN_32 in (packed, size):  # the sizes stand in the first field behind the name
        if extra_size < 20:
            return None
        size, packed = struct.unpack_from("<2Q", data, name_at + name_size + 4)
    name = data[name_at : name_at + name_size].decode("utf-8", "replace")
    return name, _Entry(at, packed, size, method, crc), start


def _inflated(data: bytes, size: int) -> bytes:
    """Deflated bytes unpacked, never more than one beyond the size that is due."""
    try:
        return zlib.decompressobj(-zlib.MAX_WBITS).decompress(data, size + 1)
    except zlib.error as error:
        raise DamagedEntryError(f"its bytes are damaged: {error}") from error
