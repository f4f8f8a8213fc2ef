"""Frozen dataclasses as plain JSON values and back, by their type hints.

Each hint has a form that knows how its values are stored. A record (dataclass) is an object of its fields; fields that
were added later take their defaults, fields that are gone are told and dropped. What JSON lacks is an object with one
key that no field can have: {"$float": "nan"}, {"$int": "…"} beyond 64 bits, {"$text": "…"} for file names that are no
text, {"$array": …} for arrays, which somebody else keeps. Where a hint leaves open which record is meant, "$type" says
it. Nothing but the classes that hints name, or that the caller allows, is ever made.
"""

import dataclasses
import enum
import math
import types
import typing
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Protocol, Self

import numpy as np
import numpy.typing as npt

Json = Any
AnyArray = npt.NDArray[Any]

ARRAY = "$array"
_TYPE = "$type"
_LARGEST_INT = 2**63 - 1
_MOST_DIGITS = 1000
_FAULTS = (ArithmeticError, LookupError, TypeError, ValueError)


class MisfitError(ValueError):
    """A stored value that is not what it should be; `place` leads to it through fields and items."""

    def __init__(self, message: str, place: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.place = place

    def within(self, step: str) -> Self:
        """The same, seen from one level further out."""
        self.place = step + self.place
        return self

    def __str__(self) -> str:
        place = self.place.removeprefix(".")
        return shortened(f"{place}: {self.message}" if place else self.message, 160)


class LostArrayError(MisfitError):
    """An array that is missing or damaged."""


def shortened(text: str, length: int = 60) -> str:
    """A text as it may stand in a message: on one line and not longer than this."""
    line = " ".join(text[: 10 * length].split())
    line = line if line.isprintable() else repr(line)[1:-1]
    return line if len(line) <= length else line[: length - 1] + "…"


def shown(stored: Json) -> str:
    """A stored value as it may stand in a message."""
    if isinstance(stored, dict | list):
        return "an object" if isinstance(stored, dict) else f"a list of {len(stored)}"
    return shortened(repr(stored), 40)


class Packer(Protocol):
    """Keeps the arrays of values that are stored."""

    def pack(self, array: AnyArray) -> Json:
        """What stands for an array: an object whose first key is ARRAY."""
        ...


class Unpacker(Protocol):
    """Gives the arrays of stored values."""

    def unpack(self, reference: Json) -> AnyArray:
        """The array that an object stands for. Raises MisfitError, LostArrayError where it was there once."""
        ...

    def tell_unused(self, owner: str, field: str) -> None:
        """Take note of a stored field that its record does not have."""
        ...


class Form(ABC):
    """How the values of one hint are stored."""

    @abstractmethod
    def fits(self, value: object) -> bool:
        """Whether a value is of this form, judged from outside."""

    @abstractmethod
    def takes(self, stored: Json) -> bool:
        """Whether something stored may be of this form, judged from outside."""

    @abstractmethod
    def encode(self, value: Any, packer: Packer) -> Json:
        """A value that fits, as JSON. Raises TypeError for one that does not."""

    @abstractmethod
    def decode(self, stored: Json, unpacker: Unpacker) -> Any:
        """The value. Raises MisfitError."""


def _refuse(form: Form, value: object, due: str) -> None:
    if not form.fits(value):
        raise TypeError(f"{shortened(repr(value))} cannot be stored where {due} is due")


def _demand(form: Form, stored: Json, due: str) -> None:
    if not form.takes(stored):
        raise MisfitError(f"{due} is due, not {shown(stored)}")


def _marked(stored: Json, key: str) -> bool:
    return isinstance(stored, dict) and key in stored


class _Nothing(Form):
    def fits(self, value: object) -> bool:
        return value is None

    def takes(self, stored: Json) -> bool:
        return stored is None

    def encode(self, value: Any, packer: Packer) -> Json:
        _refuse(self, value, "nothing")
        return None

    def decode(self, stored: Json, unpacker: Unpacker) -> Any:
        _demand(self, stored, "nothing")
        return None


class _Truth(Form):
    def fits(self, value: object) -> bool:
        return isinstance(value, bool | np.bool_)

    def takes(self, stored: Json) -> bool:
        return isinstance(stored, bool)

    def encode(self, value: Any, packer: Packer) -> Json:
        _refuse(self, value, "true or false")
        return bool(value)

    def decode(self, stored: Json, unpacker: Unpacker) -> Any:
        _demand(self, stored, "true or false")
        return stored


class _Whole(Form):
    def fits(self, value: object) -> bool:
        return isinstance(value, int | np.integer) and not isinstance(value, bool)

    def takes(self, stored: Json) -> bool:
        return (isinstance(stored, int) and not isinstance(stored, bool)) or _marked(stored, "$int")

    def encode(self, value: Any, packer: Packer) -> Json:
        _refuse(self, value, "a whole number")
        return int(value) if abs(int(value)) <= _LARGEST_INT else {"$int": str(int(value))}

    def decode(self, stored: Json, unpacker: Unpacker) -> Any:
        _demand(self, stored, "a whole number")
        if isinstance(stored, int):
            return stored
        digits = stored["$int"]
        if not isinstance(digits, str) or not digits.removeprefix("-").isdecimal() or len(digits) > _MOST_DIGITS:
            raise MisfitError(f"a whole number is due, not {shown(digits)}")
        return int(digits)


class _Number(Form):
    _BEYOND_JSON: typing.ClassVar = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}

    def fits(self, value: object) -> bool:
        return isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)

    def takes(self, stored: Json) -> bool:
        return (isinstance(stored, int | float) and not isinstance(stored, bool)) or _marked(stored, "$float")

    def encode(self, value: Any, packer: Packer) -> Json:
        _refuse(self, value, "a number")
        number = float(value)
        return number if math.isfinite(number) else {"$float": str(number)}

    def decode(self, stored: Json, unpacker: Unpacker) -> Any:
        _demand(self, stored, "a number")
        if isinstance(stored, int | float):
            return float(stored)
        word = stored["$float"]
        if not isinstance(word, str) or word not in self._BEYOND_JSON:
            raise MisfitError(f"nan, inf or -inf is due, not {shown(word)}")
        return self._BEYOND_JSON[word]


class _Text(Form):
    def fits(self, value: object) -> bool:
        return isinstance(value, str)

    def takes(self, stored: Json) -> bool:
        return isinstance(stored, str) or _marked(stored, "$text")

    def encode(self, value: Any, packer: Packer) -> Json:
        _refuse(self, value, "a text")
        try:
            value.encode()
        except UnicodeEncodeError:  # file names may hold bytes that are no text
            return {"$text": value.encode("utf-8", "surrogatepass").hex()}
        return str(value)

    def decode(self, stored: Json, unpacker: Unpacker) -> Any:
        _demand(self, stored, "a text")
        if isinstance(stored, str):
            return stored
        try:
            return bytes.fromhex(stored["$text"]).decode("utf-8", "surrogatepass")
        except (TypeError, ValueError):
            raise MisfitError(f"bytes of a text are due, not {shown(stored['$text'])}") from None


class _Choice(Form):
    """One of some values: of an enumeration, or literal ones. Stored as what it stands for."""

    def __init__(self, choices: Mapping[Any, Any]) -> None:
        self._choices = choices  # stored: value
        self._due = shortened(f"one of {', '.join(map(str, choices))}", 80)

    def fits(self, value: object) -> bool:
        stored = value.value if isinstance(value, enum.Enum) else value
        return isinstance(stored, str | int) and type(self._choices.get(stored)) is type(value)

    def takes(self, stored: Json) -> bool:
        return isinstance(stored, str | int) and stored in self._choices

    def encode(self, value: Any, packer: Packer) -> Json:
        _refuse(self, value, self._due)
        return value.value if isinstance(value, enum.Enum) else value

    def decode(self, stored: Json, unpacker: Unpacker) -> Any:
        _demand(self, stored, self._due)
        return self._choices[stored]


class _Items(Form):
    """A tuple or list. items : the forms of each of a fixed number, or one form for any number."""

    def __init__(self, items: tuple[Form, ...], any_number: bool, make: Callable[[list[Any]], Any]) -> None:
        self._items = items
        self._any_number = any_number
        self._make = make
        self._due = "a list" if any_number else f"a list of {len(items)}"

    def fits(self, value: object) -> bool:
        return isinstance(value, tuple | list) and (self._any_number or len(value) == len(self._items))

    def takes(self, stored: Json) -> bool:
        return isinstance(stored, list) and (self._any_number or len(stored) == len(self._items))

    def encode(self, value: Any, packer: Packer) -> Json:
        _refuse(self, value, self._due)
        return [form.encode(item, packer) for form, item in zip(self._forms(value), value, strict=True)]

    def decode(self, stored: Json, unpacker: Unpacker) -> Any:
        _demand(self, stored, self._due)
        made: list[Any] = []
        try:
            for form, item in zip(self._forms(stored), stored, strict=True):
                made.append(form.decode(item, unpacker))
        except MisfitError as misfit:
            raise misfit.within(f"[{len(made)}]") from None
        return self._make(made)

    def _forms(self, items: Sequence[Any]) -> Sequence[Form]:
        return self._items * len(items) if self._any_number else self._items


class _Table(Form):
    """A mapping, stored as pairs: its keys need not be texts."""

    def __init__(self, key: Form, value: Form) -> None:
        self._pairs = _Items((_Items((key, value), False, tuple),), True, list)

    def fits(self, value: object) -> bool:
        return isinstance(value, Mapping)

    def takes(self, stored: Json) -> bool:
        return isinstance(stored, list)

    def encode(self, value: Any, packer: Packer) -> Json:
        _refuse(self, value, "a mapping")
        return self._pairs.encode(list(value.items()), packer)

    def decode(self, stored: Json, unpacker: Unpacker) -> Any:
        pairs = self._pairs.decode(stored, unpacker)
        table = dict(pairs)
        if len(table) < len(pairs):
            raise MisfitError("a key stands there twice")
        return table


class _Numbers(Form):
    """An array of one type of number."""

    def __init__(self, dtype: np.dtype[Any]) -> None:
        self._dtype = dtype

    def fits(self, value: object) -> bool:
        return isinstance(value, np.ndarray) and value.dtype == self._dtype

    def takes(self, stored: Json) -> bool:
        return _marked(stored, ARRAY)

    def encode(self, value: Any, packer: Packer) -> Json:
        _refuse(self, value, f"an array of {self._dtype}")
        return packer.pack(value)

    def decode(self, stored: Json, unpacker: Unpacker) -> Any:
        _demand(self, stored, "an array")
        array = unpacker.unpack(stored)
        if array.dtype != self._dtype:
            raise MisfitError(f"an array of {self._dtype} is due, not of {array.dtype}")
        return array


class Record(Form):
    """A dataclass, stored as an object of its fields. arguments : what its type parameters stand for."""

    def __init__(self, cls: type, arguments: tuple[Any, ...], check: Callable[[Any], None] | None) -> None:
        self._cls, self._arguments = cls, arguments
        self._check = check
        self._forms: dict[str, Form] = {}
        self._required: set[str] = set()

    @property
    def name(self) -> str:
        return self._cls.__name__

    def learn(self, forms: "Forms") -> None:
        """Find the forms of the fields; apart from making the record, for it may hold records of its own kind."""
        hints = typing.get_type_hints(self._cls)
        stands_for = dict(zip(getattr(self._cls, "__parameters__", ()), self._arguments, strict=False))
        for field in dataclasses.fields(self._cls):
            if not field.init:
                continue
            try:
                self._forms[field.name] = forms.of(_with_arguments(hints[field.name], stands_for))
            except TypeError as error:
                raise TypeError(f"{self.name}.{field.name}: {error}") from None
            if field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING:
                self._required.add(field.name)

    def fits(self, value: object) -> bool:
        return type(value) is self._cls

    def takes(self, stored: Json) -> bool:
        return isinstance(stored, dict) and ARRAY not in stored and stored.get(_TYPE, self.name) == self.name

    def encode(self, value: Any, packer: Packer, leave: Collection[str] = ()) -> Json:
        """The fields of a record, but for some that the caller stores."""
        _refuse(self, value, f"a {self.name}")
        stored = {}
        for name, form in self._forms.items():
            if name not in leave:
                stored[name] = form.encode(getattr(value, name), packer)
        return stored

    def decode(self, stored: Json, unpacker: Unpacker) -> Any:
        _demand(self, stored, f"a {self.name}")
        values, misfits = self.decode_fields(stored, unpacker)
        if misfits:
            raise misfits[0]
        missing = sorted(self._required - values.keys())
        if missing:
            raise MisfitError(f"{missing[0]} of {self.name} is missing")
        try:
            made = self._cls(**values)
            if self._check is not None:
                self._check(made)
        except _FAULTS as error:
            raise MisfitError(str(error)) from error
        return made

    def decode_fields(
        self, stored: dict[str, Json], unpacker: Unpacker, leave: Collection[str] = ()
    ) -> tuple[dict[str, Any], list[MisfitError]]:
        """The values of the fields that are stored, but for some that the caller reads; and those that do not fit."""
        values: dict[str, Any] = {}
        misfits: list[MisfitError] = []
        for name, form in self._forms.items():
            if name in stored and name not in leave:
                try:
                    values[name] = form.decode(stored[name], unpacker)
                except MisfitError as misfit:
                    misfits.append(misfit.within(f".{name}"))
        for name in stored:
            if name not in self._forms and name not in leave and name != _TYPE:
                unpacker.tell_unused(self.name, name)
        return values, misfits


def _with_arguments(hint: Any, stands_for: Mapping[Any, Any]) -> Any:
    """A hint with what its type parameters stand for, as far as that is known."""
    parameters = getattr(hint, "__parameters__", ())
    return hint[tuple(stands_for.get(one, one) for one in parameters)] if parameters else stands_for.get(hint, hint)


class _Either(Form):
    """One of several forms. The first that may be meant is: no form is tried that was not meant."""

    def __init__(self, members: Sequence[Form]) -> None:
        # A whole number is a number too, and a choice a text: the narrower form must have the first say.
        self._members = sorted(members, key=lambda form: isinstance(form, _Number | _Text))
        self._says_which = sum(isinstance(form, Record) for form in members) > 1

    def fits(self, value: object) -> bool:
        return any(form.fits(value) for form in self._members)

    def takes(self, stored: Json) -> bool:
        return any(form.takes(stored) for form in self._members)

    def encode(self, value: Any, packer: Packer) -> Json:
        for form in self._members:
            if form.fits(value):
                stored = form.encode(value, packer)
                return {_TYPE: form.name, **stored} if self._says_which and isinstance(form, Record) else stored
        raise TypeError(f"{shortened(repr(value))} cannot be stored here")

    def decode(self, stored: Json, unpacker: Unpacker) -> Any:
        for form in self._members:
            if form.takes(stored):
                return form.decode(stored, unpacker)
        raise MisfitError(f"{shown(stored)} does not belong here")


class _Anything(_Either):
    """What stands where a hint says nothing: a record that the caller allows, named, or a single value."""

    def __init__(self, allowed: Sequence[Record]) -> None:
        super().__init__([_Nothing(), _Truth(), _Whole(), _Number(), _Text(), *allowed])
        self._says_which = True


class Forms:
    """The forms of all hints met so far.

    allowed : the records that a field without a type (object) may hold; checks : by class, what is asked of a value
    after it was made, raising ValueError.
    """

    _SINGLE: typing.ClassVar[dict[Any, Callable[[], Form]]] = {
        type(None): _Nothing, bool: _Truth, int: _Whole, float: _Number, str: _Text,
    }  # fmt: skip

    def __init__(
        self, allowed: Sequence[type] = (), checks: Mapping[type, Callable[[Any], None]] | None = None
    ) -> None:
        self._allowed = tuple(allowed)
        self._checks = checks or {}
        self._records: dict[Any, Record] = {}

    def record(self, hint: Any) -> Record:
        """The form of a dataclass, a generic one with arguments. Raises TypeError naming the field it cannot store."""
        if hint not in self._records:
            cls = typing.get_origin(hint) or hint
            self._records[hint] = Record(cls, typing.get_args(hint), self._checks.get(cls))
            self._records[hint].learn(self)
        return self._records[hint]

    def of(self, hint: Any) -> Form:
        """The form of a hint. Raises TypeError for one that cannot be stored."""
        if hint in self._SINGLE:
            return self._SINGLE[hint]()
        if hint in (object, Any):
            return _Anything([self.record(cls) for cls in self._allowed])
        if isinstance(hint, type) and issubclass(hint, enum.Enum):
            return _Choice({choice.value: choice for choice in hint})
        if dataclasses.is_dataclass(typing.get_origin(hint) or hint):
            return self.record(hint)
        return self._generic(hint, typing.get_origin(hint), typing.get_args(hint))

    def _generic(self, hint: Any, origin: Any, arguments: tuple[Any, ...]) -> Form:
        """The form of a hint with arguments."""
        if origin in (typing.Union, types.UnionType):
            return _Either([self.of(member) for member in arguments])
        if origin is typing.Literal:
            return _Choice({choice: choice for choice in arguments})
        if origin is np.ndarray:
            return _Numbers(np.dtype(typing.get_args(arguments[1])[0]))
        if origin is tuple:
            if len(arguments) == 2 and arguments[1] is Ellipsis:
                return _Items((self.of(arguments[0]),), True, tuple)
            return _Items(tuple(self.of(item) for item in arguments), False, tuple)
        if origin in (list, Sequence):
            return _Items((self.of(arguments[0]),), True, list if origin is list else tuple)
        if origin in (dict, Mapping):
            return _Table(self.of(arguments[0]), self.of(arguments[1]))
        raise TypeError(f"values of {hint} cannot be stored")
