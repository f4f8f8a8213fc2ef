"""The arrays of a project: small ones stand in the JSON, large ones in files of their own, named by their content.

An array's order of axes in memory is kept: what is stored is the array with its axes as they lie in memory, and "axes"
says how to turn it back. So the large arrays of motions, frames last in memory, are written as they lie and are used as
they are read. Arrays of the same content are stored once, and are one array after reading.
"""

import base64
import binascii
import hashlib
import io
import math
import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from model.files.plain_values import ARRAY, AnyArray, Json, LostArrayError, MisfitError, shortened, shown
from model.files.problems import Problems
from model.files.project_archive import Archive, DamagedEntryError, Part

# Up to so many bytes an array stands in the JSON: an end site's offset needs no file of its own.
_SMALL = 1024
# Every use of an array is looked through: however small the file, that must come to an end.
_SPARE_USES = 1 << 30
_MOST_USES = 100
_MOST_AXES = 8
_LARGEST_AXIS = 1 << 32
_TYPES = ("|b1", "|i1", "|u1", "<i2", "<u2", "<i4", "<u4", "<i8", "<u8", "<f4", "<f8")
_NAME = re.compile(r"[0-9a-f]{64}")
# What numpy writes for plain arrays, word for word: a header is never evaluated.
_HEADER = re.compile(
    rb"\x93NUMPY\x01\x00..\{'descr': '([|<][a-z]\d)', 'fortran_order': False, 'shape': \(([\d, ]*)\), \} *\n", re.S
)


class ArrayPack:
    """Takes the arrays of values that are stored, and writes them out."""

    def __init__(self) -> None:
        self._references: dict[int, tuple[AnyArray, Json]] = {}  # with the array: ids of the dead are given again
        self._stored: dict[str, AnyArray] = {}

    def pack(self, array: AnyArray) -> Json:
        """What stands for an array in JSON."""
        if id(array) not in self._references:
            self._references[id(array)] = (array, self._reference(array))
        return self._references[id(array)][1]

    def _reference(self, array: AnyArray) -> Json:
        order = _memory_order(array)
        stored = array.transpose(order)
        if _dtype_name(array.dtype) not in _TYPES:
            raise TypeError(f"arrays of {array.dtype} cannot be stored")
        reference: dict[str, Json] = {ARRAY: _inline(stored) if array.nbytes <= _SMALL else self._outside(stored)}
        if order != tuple(range(array.ndim)):
            reference["axes"] = list(order)
        return reference

    def _outside(self, stored: AnyArray) -> str:
        digest = hashlib.sha256()
        digest.update(_header(stored))
        digest.update(_bytes_of(stored))
        self._stored.setdefault(digest.hexdigest(), stored)
        return digest.hexdigest()

    def parts(self) -> Iterator[Part]:
        """The name, size and pieces of each file of an array."""
        for name, stored in self._stored.items():
            header = _header(stored)
            yield _entry_name(name), len(header) + stored.nbytes, (header, _bytes_of(stored))

    def outlined(self, value: Json) -> Json:
        """JSON whose large arrays stand in it, with references in their places; undoes `ArrayShelf.inlined`."""
        if isinstance(value, list):
            return [self.outlined(item) for item in value]
        if not isinstance(value, dict):
            return value
        if isinstance(value.get(ARRAY), dict):
            try:
                stored = _unpacked_inline(value[ARRAY])
            except MisfitError:
                return value  # it was no better in the file
            return value if stored.nbytes <= _SMALL else {**value, ARRAY: self._outside(stored)}
        return {key: self.outlined(item) for key, item in value.items()}


class ArrayShelf:
    """Gives the arrays of a project that is read, each once."""

    def __init__(self, archive: Archive, problems: Problems) -> None:
        self._archive = archive
        self._problems = problems
        self._stored: dict[str, AnyArray] = {}
        self._turned: dict[tuple[str, tuple[int, ...]], AnyArray] = {}
        self._lost: dict[str, str] = {}
        self._copies_left = archive.allowance
        self._uses_left = _SPARE_USES + _MOST_USES * archive.size  # bytes

    def unpack(self, reference: Json) -> AnyArray:
        """The array that an object stands for. Raises MisfitError, LostArrayError where it was there once."""
        name = reference[ARRAY]
        if isinstance(name, dict):
            stored = _unpacked_inline(name)
            return _turned(stored, _axes(reference, stored.ndim))
        stored = self._outside(name)
        self._uses_left -= stored.nbytes
        if self._uses_left < 0:
            raise LostArrayError("its numbers are used more often than in any honest file")
        key = (name, _axes(reference, stored.ndim))
        if key not in self._turned:
            self._turned[key] = _turned(stored, key[1])
        return self._turned[key]

    def tell_unused(self, owner: str, field: str) -> None:
        """Take note of a stored field that its record does not have."""
        self._problems.warn(
            None,
            f"{owner} has no {shortened(field)!r} in this version; dropped",
            f"values of {owner} that this version does not have",
        )

    def inlined(self, value: Json) -> Json:
        """JSON with its arrays in it, so that it can be kept without the file. Raises LostArrayError."""
        if isinstance(value, list):
            return [self.inlined(item) for item in value]
        if not isinstance(value, dict):
            return value
        if isinstance(value.get(ARRAY), str) and _NAME.fullmatch(value[ARRAY]):
            stored = self._outside(value[ARRAY])
            self._copies_left -= 2 * stored.nbytes  # and a little, as text
            if self._copies_left < 0:
                raise LostArrayError("it is much larger than its file")
            return {**value, ARRAY: _inline(stored)}
        return {key: self.inlined(item) for key, item in value.items()}

    def _outside(self, name: Json) -> AnyArray:
        """An array of a file of its own, as it is stored."""
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            raise MisfitError(f"the name of an array is due, not {shown(name)}")
        if name in self._lost:
            raise LostArrayError(self._lost[name])
        if name not in self._stored:
            try:
                self._stored[name] = _from_file(self._archive.read(_entry_name(name)))
            except (DamagedEntryError, MisfitError) as error:
                self._lost[name] = f"its numbers are lost: {error}"
                raise LostArrayError(self._lost[name]) from error
        return self._stored[name]


def _entry_name(name: str) -> str:
    """Where in the archive an array is."""
    return f"arrays/{name}.npy"


def is_entry_name(name: str) -> bool:
    """Whether a part of an archive may be an array."""
    return bool(re.fullmatch(r"arrays/[0-9a-f]{64}\.npy", name))


def _memory_order(array: AnyArray) -> tuple[int, ...]:
    """The axes as they lie in memory, the widest step first; those of one item do not count and go first."""
    long = [axis for axis in range(array.ndim) if array.shape[axis] != 1]
    short = [axis for axis in range(array.ndim) if array.shape[axis] == 1]
    return (*short, *sorted(long, key=lambda axis: -abs(array.strides[axis])))


def _dtype_name(dtype: np.dtype[Any]) -> str:
    """A type of number as it is stored, the lowest byte first."""
    return dtype.newbyteorder("<").str


def _header(stored: AnyArray) -> bytes:
    file = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        file, {"descr": _dtype_name(stored.dtype), "fortran_order": False, "shape": stored.shape}
    )
    return file.getvalue()


def _bytes_of(stored: AnyArray) -> memoryview:
    """The bytes of an array, without copying it where it lies in one run."""
    plain = np.ascontiguousarray(stored, dtype=stored.dtype.newbyteorder("<"))
    return plain.reshape(-1).view(np.uint8).data


def _inline(stored: AnyArray) -> Json:
    """An array that stands in the JSON."""
    text = base64.b64encode(_bytes_of(stored)).decode()
    return {"dtype": _dtype_name(stored.dtype), "shape": list(stored.shape), "data": text}


def _from_file(data: bytes) -> AnyArray:
    """The array in the bytes of a file. Raises MisfitError."""
    header = _HEADER.match(data)
    if header is None:
        raise MisfitError("they are not in the form that is due")
    return _from_bytes(data, header.end(), header[1].decode(), _shape(header[2]))


def _shape(text: bytes) -> tuple[int, ...]:
    words = [word for word in text.replace(b" ", b"").split(b",") if word]
    return tuple(int(word) for word in words) if max(map(len, words), default=0) < 12 else (_LARGEST_AXIS + 1,)


def _unpacked_inline(inline: dict[str, Json]) -> AnyArray:
    """An array that stands in the JSON, as it is stored. Raises MisfitError."""
    dtype, shape, text = inline.get("dtype"), inline.get("shape"), inline.get("data")
    if not (isinstance(dtype, str) and isinstance(shape, list) and isinstance(text, str)):
        raise MisfitError("an array needs its dtype, shape and data")
    if not all(isinstance(size, int) and not isinstance(size, bool) for size in shape):
        raise MisfitError(f"{shown(shape)} is not the shape of an array")
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise MisfitError("the data of an array cannot be read") from None
    return _from_bytes(data, 0, dtype, tuple(shape))


def _from_bytes(data: bytes, start: int, dtype: str, shape: tuple[int, ...]) -> AnyArray:
    """A read-only array of exactly the bytes from `start` on. Raises MisfitError where they are not those of one."""
    if dtype not in _TYPES:
        raise MisfitError(f"arrays of {shortened(dtype)!r} are not used in projects")
    if len(shape) > _MOST_AXES or any(not 0 <= size <= _LARGEST_AXIS for size in shape):
        raise MisfitError(f"{shortened(str(shape))} is not the shape of an array")
    if math.prod(shape) * np.dtype(dtype).itemsize != len(data) - start:
        raise MisfitError(f"an array of shape {shape} does not have {len(data) - start} bytes")
    if dtype == "|b1" and data[start:].strip(b"\0\1"):
        raise MisfitError("true and false are 1 and 0, and nothing else")
    try:
        array = np.frombuffer(data, dtype, offset=start).reshape(shape) if len(data) > start else np.zeros(shape, dtype)
    except ValueError as error:  # large sizes although there is nothing in them
        raise MisfitError(f"{shape} is not the shape of an array") from error
    array = array.astype(array.dtype.newbyteorder("="), copy=False)
    array.setflags(write=False)
    return array


def _axes(reference: dict[str, Json], count: int) -> tuple[int, ...]:
    """Which axis of the array each stored axis is."""
    axes = reference.get("axes", list(range(count)))
    if not isinstance(axes, list) or not all(type(axis) is int for axis in axes) or sorted(axes) != list(range(count)):
        raise MisfitError(f"{shown(axes)} are not the axes of an array of {count}")
    return tuple(axes)


def _turned(stored: AnyArray, axes: tuple[int, ...]) -> AnyArray:
    """A stored array with its axes in their places."""
    turned = stored.transpose(np.argsort(axes)) if axes else stored
    turned.setflags(write=False)
    return turned
