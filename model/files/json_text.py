"""JSON that people write by hand: read from a file, and values of it shown in messages."""

from pathlib import Path
from typing import Any

import orjson

from model.files.problems import MotionFileError
from model.files.reading import read_bytes

# Brackets take forty times their size in memory; a grid of four million heights is as large.
_MOST_BYTES = 32 << 20


def read_json(path: str | Path) -> Any:
    """The value in a file, in UTF-8 or marked as UTF-16. Raises MotionFileError with the line."""
    content = read_bytes(path, _MOST_BYTES)
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        content = content.decode("utf-16", "replace").encode("utf-8", "replace")
    try:
        return orjson.loads(content.removeprefix(b"\xef\xbb\xbf"))
    except orjson.JSONDecodeError as error:
        raise MotionFileError(str(path), error.lineno, f"is not JSON: {error.msg}") from None


def shown_json(value: Any, length: int = 60) -> str:
    """A value as it may stand in a message: on one line and not longer than this."""
    if isinstance(value, list | dict) and len(value) > length:  # need not be written to be cut
        return f"a list of {len(value):,}" if isinstance(value, list) else "an object"
    try:
        text = orjson.dumps(value).decode()
    except TypeError:  # what can be read may be nested too deeply to be written
        return "a deeply nested list" if isinstance(value, list) else "a deeply nested object"
    return text if len(text) <= length else text[: length - 1] + "…"
