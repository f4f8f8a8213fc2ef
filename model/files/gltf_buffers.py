"""The outside of a glTF file: GLB chunks, JSON, buffers and the typed arrays (accessors) in them.

Knows nothing of nodes or motion. Everything a file says is checked where it is first used, because any
part of it may be missing, of the wrong type or a lie; numpy never sees an offset that was not checked.
"""

import base64
import binascii
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote, unquote_to_bytes

import numpy as np
import numpy.typing as npt
import orjson

from model.arrays import Array, freeze
from model.files.problems import MotionFileError, Problems
from model.files.reading import file_beside, read_bytes

Json = dict[str, Any]

GLB_MAGIC = b"glTF"
JSON_CHUNK = 0x4E4F534A
BIN_CHUNK = 0x004E4942

# Anything larger is damage: no body is 10^9 units away.
LARGEST = 1e9
_LARGEST_COUNT = 2**53

_COMPONENT: dict[int, npt.DTypeLike] = {5120: "i1", 5121: "u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
_COMPONENTS_OF = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}
# Accessors may share bytes, so a small file can ask for any number of numbers. No honest one asks for
# more than it has bytes, but for the odd accessor that is all zeros.
_SPARE_NUMBERS = 1_000_000


def as_object(value: object) -> Json:
    """The value if it is a JSON object, else an empty one."""
    return value if isinstance(value, dict) else {}


def as_list(value: object) -> list[Any]:
    """The value if it is a JSON array, else an empty one."""
    return value if isinstance(value, list) else []


def as_count(value: object, default: int = 0) -> int:
    """The value if it is a whole number from 0 on, of a size that can be one, else -1; `default` where it is absent."""
    if value is None:
        return default
    whole = isinstance(value, int) or (isinstance(value, float) and value.is_integer())
    if isinstance(value, bool) or not whole or not isinstance(value, (int, float)) or not 0 <= value <= _LARGEST_COUNT:
        return -1
    return int(value)


def as_numbers(value: object, count: int) -> Array | None:
    """The value as (count,) finite numbers of sane size, or None."""
    numbers = as_list(value)
    if len(numbers) != count or any(isinstance(x, bool) or not isinstance(x, (int, float)) for x in numbers):
        return None
    array = np.array([float(x) for x in numbers])
    return array if np.all(np.abs(array) <= LARGEST) else None


def as_name(value: object) -> str:
    """The value if it is text, else no text."""
    return value if isinstance(value, str) else ""


class Document:
    """A parsed file: its JSON by kind of item, and the arrays it refers to."""

    def __init__(self, path: str, root: Json, chunk: bytes | None, size: int, problems: Problems) -> None:
        self.path = path
        self.root = root
        self.problems = problems
        self.bytes_held = size  # of the file and of the buffers it refers to, as far as they were read
        self._chunk = chunk
        self._buffers: dict[int, bytes] = {}
        self._files: dict[Path, bytes] = {}
        self._accessors: dict[int, Array | None] = {}
        self._numbers_read = 0

    def items(self, kind: str) -> list[Json]:
        """The objects of one kind ("nodes", "skins" …), an empty one in place of what is none."""
        return [as_object(item) for item in as_list(self.root.get(kind))]

    def item(self, kind: str, index: object) -> Json | None:
        """One object of a kind, or None if there is none with this index."""
        items = as_list(self.root.get(kind))
        place = as_count(index, -1)
        return as_object(items[place]) if 0 <= place < len(items) else None

    def fail(self, message: str) -> MotionFileError:
        return MotionFileError(self.path, None, message)

    def accessor(self, index: object, components: int) -> Array | None:
        """(N, components) an accessor's numbers, as floating point, or None (reported) if they cannot be had."""
        place = as_count(index, -1)
        if place not in self._accessors:
            self._accessors[place] = self._read_accessor(place)
        array = self._accessors[place]
        if array is not None and array.shape[1] != components:
            self._lost(place, f"holds {array.shape[1]} numbers at a time where {components} are due")
            return None
        return array

    def _lost(self, place: int, why: str) -> None:
        self.problems.warn(None, f"accessor {place} {why}; ignored", "accessors that are wrong")

    def _read_accessor(self, place: int) -> Array | None:
        accessor = self.item("accessors", place)
        if accessor is None:
            self._lost(place, "is missing")
            return None
        components = _COMPONENTS_OF.get(as_name(accessor.get("type")))
        kind = _COMPONENT.get(as_count(accessor.get("componentType"), -1))
        count = as_count(accessor.get("count"), -1)
        if components is None or kind is None or count < 1:
            self._lost(place, "has no usable type and count")
            return None
        values: npt.NDArray[Any] | None
        if accessor.get("bufferView") is None:
            self._spend(count * components)
            values = np.zeros((count, components), dtype=kind)
        else:
            values = self._elements(accessor, np.dtype(kind), count, components)
            self._spend(count * components if values is not None else 0)
        if values is not None and accessor.get("sparse") is not None:
            values = self._with_sparse(values, as_object(accessor["sparse"]))
        if values is None:
            self._lost(place, "lies outside its buffer")
            return None
        return freeze(_as_floats(values, accessor.get("normalized") is True))

    def _spend(self, numbers: int) -> None:
        self._numbers_read += numbers
        if self._numbers_read > _SPARE_NUMBERS + self.bytes_held:
            raise self.fail("its accessors ask for far more numbers than the file can hold")

    def _elements(self, place: Json, kind: np.dtype[Any], count: int, components: int) -> npt.NDArray[Any] | None:
        """(count, components) numbers at a byteOffset in a bufferView, or None if they lie outside."""
        view = self.item("bufferViews", place.get("bufferView"))
        if view is None or as_count(view.get("buffer"), -1) < 0:
            return None
        if "EXT_meshopt_compression" in as_object(view.get("extensions")):
            raise self.fail("its animation is compressed (EXT_meshopt_compression); export it without compression")
        data = self.buffer(as_count(view["buffer"]))
        start, length = as_count(view.get("byteOffset")), as_count(view.get("byteLength"), len(data))
        inside = as_count(place.get("byteOffset"))
        element = kind.itemsize * components
        stride = as_count(view.get("byteStride"), element)
        if min(start, length, inside) < 0 or not element <= stride <= 255 * element:
            return None
        end = inside + (count - 1) * stride + element
        if end > length or start + end > len(data):
            return None
        return np.ndarray(
            (count, components), dtype=kind, buffer=data, offset=start + inside, strides=(stride, kind.itemsize)
        )

    def _with_sparse(self, values: npt.NDArray[Any], sparse: Json) -> npt.NDArray[Any] | None:
        """The values with some of them replaced, or None if which and by what cannot be read."""
        count = as_count(sparse.get("count"), -1)
        indices, replaced = as_object(sparse.get("indices")), as_object(sparse.get("values"))
        kind = _COMPONENT.get(as_count(indices.get("componentType"), -1))
        if kind is None or np.dtype(kind).kind != "u" or not 1 <= count <= len(values):
            return None
        at = self._elements(indices, np.dtype(kind), count, 1)
        new = self._elements(replaced, values.dtype, count, values.shape[1])
        if at is None or new is None or int(np.max(at)) >= len(values):
            return None
        values = np.array(values)
        values[at[:, 0]] = new
        return values

    def buffer(self, index: int) -> bytes:
        """The bytes of a buffer: the GLB's own, a data URI, or a file beside this one."""
        if index not in self._buffers:
            buffer = self.item("buffers", index)
            if buffer is None:
                raise self.fail(f"buffer {index} is missing")
            data = self._buffer_bytes(index, as_name(buffer.get("uri")))
            expected = as_count(buffer.get("byteLength"), len(data))
            if expected > len(data):
                self.problems.warn(None, f"buffer {index} has {len(data)} bytes and should have {expected}")
            self._buffers[index] = data
        return self._buffers[index]

    def _buffer_bytes(self, index: int, uri: str) -> bytes:
        if not uri:
            if index != 0 or self._chunk is None:
                raise self.fail(f"buffer {index} has no data")
            return self._chunk
        if uri.startswith("data:"):
            head, comma, body = uri.partition(",")
            if not comma:
                raise self.fail(f"buffer {index} has an unreadable data URI")
            if not head.endswith(";base64"):
                return unquote_to_bytes(body)
            try:
                return base64.b64decode(body + "=" * (-len(body) % 4), validate=True)
            except (binascii.Error, ValueError) as error:
                raise self.fail(f"buffer {index} is not valid base64") from error
        return self._file(uri, index)

    def _file(self, uri: str, index: int) -> bytes:
        try:
            target = file_beside(self.path, unquote(uri))
        except ValueError as error:
            raise self.fail(f"buffer {index} is at {_shown(uri)}: {error}") from error
        if target not in self._files:
            try:
                self._files[target] = read_bytes(target)
            except MotionFileError as error:
                raise self.fail(f"its buffer {_shown(uri)} {error.message}") from error
            self.bytes_held += len(self._files[target])
        return self._files[target]


def _shown(uri: str) -> str:
    return repr(uri if len(uri) <= 60 else uri[:60] + "…")


def _as_floats(values: npt.NDArray[Any], normalized: bool) -> Array:
    """Stored numbers as floating point; normalized integers mean -1 … 1 or 0 … 1 (glTF 2.0, 3.6.2.2)."""
    floats = np.array(values, dtype=np.float64)
    if normalized and values.dtype.kind in "iu":
        floats /= np.iinfo(values.dtype).max
        np.maximum(floats, -1.0, out=floats)
    return floats


def open_document(data: bytes, path: str, problems: Problems) -> Document:
    """The document in the bytes of a .gltf or .glb file, told apart by how they begin."""
    if not data or data.isspace():
        raise MotionFileError(path, None, "the file is empty")
    text, chunk = _chunks(data, path, problems) if data.startswith(GLB_MAGIC) else (data, None)
    try:
        root = orjson.loads(text.removeprefix(b"\xef\xbb\xbf"))
    except ValueError as error:
        raise MotionFileError(path, None, f"this is not a glTF file: its JSON is broken ({error})") from error
    if not isinstance(root, dict):
        raise MotionFileError(path, None, "this is not a glTF file: its JSON is not an object")
    _mind_version(root, path, problems)
    return Document(path, root, chunk, len(data), problems)


def _chunks(data: bytes, path: str, problems: Problems) -> tuple[bytes, bytes | None]:
    """The JSON and the binary chunk of a GLB file."""
    if len(data) < 20:
        raise MotionFileError(path, None, "the file is cut short: it ends inside the GLB header")
    version, length = struct.unpack_from("<II", data, 4)
    if version != 2:
        raise MotionFileError(path, None, f"GLB version {version} cannot be read, only 2")
    if length > len(data):
        raise MotionFileError(path, None, f"the file is cut short: {len(data)} of {length} bytes are there")
    if length < len(data):
        problems.warn(None, f"{len(data) - length} bytes after the end of the GLB are ignored")
    found: dict[int, bytes] = {}
    for kind, content in _each_chunk(data[: max(length, 20)], path):
        found.setdefault(kind, content)
    if JSON_CHUNK not in found:
        raise MotionFileError(path, None, "this is not a glTF file: the GLB has no JSON chunk")
    return found[JSON_CHUNK], found.get(BIN_CHUNK)


def _each_chunk(data: bytes, path: str) -> Iterator[tuple[int, bytes]]:
    place = 12
    while place + 8 <= len(data):
        length, kind = struct.unpack_from("<II", data, place)
        place += 8
        if place + length > len(data):
            raise MotionFileError(path, None, "the file is cut short: a GLB chunk goes beyond its end")
        yield kind, data[place : place + length]
        place += length


def _mind_version(root: Json, path: str, problems: Problems) -> None:
    version = as_name(as_object(root.get("asset")).get("version"))
    if not version:
        problems.warn(None, "the file does not say which glTF it is; read as 2.0")
    elif version.split(".")[0] != "2":
        raise MotionFileError(path, None, f"glTF {version[:20]!r} cannot be read, only 2.0")
