"""Values held against the type hints of what takes them: arguments of commands, fields of edits and sources.

Python does not look at hints. What comes from a script or a form and is of another type would be accepted here and
break something far away: a project that cannot be saved, an edit that cannot be remembered.
"""

import dataclasses
import enum
import math
import operator
import reprlib
import types
import typing
from collections.abc import Callable
from functools import cache
from typing import Any, Self

import numpy as np

# From a value, and what it is called in messages, to the value as it is wanted.
Fitter = Callable[[Any, str], Any]
_Fit = Callable[[Any], Any]


class _MisfitError(Exception):
    """A value that is not as wanted; `place` leads to it through fields and items."""

    def __init__(self, value: Any, due: str) -> None:
        super().__init__(due)
        self.value, self.due, self.place = value, due, ""

    def within(self, step: str) -> Self:
        """The same, seen from one level further out."""
        self.place = step + self.place
        return self

    def told(self, name: str) -> str:
        shown = " ".join(_SHORT.repr(self.value).split())
        shown = shown if len(shown) <= 60 else shown[:59] + "…"
        return f"{name}{self.place} is {shown}; it must be {self.due}"


# Values in messages: what is large is not written out to be cut.
_SHORT = reprlib.Repr()
_SHORT.maxtuple = _SHORT.maxlist = 20
_SHORT.maxstring = _SHORT.maxother = _SHORT.maxlong = 60


def fitter(hint: Any) -> Fitter:
    """What makes values fit a hint: lists become tuples, and the numbers of numpy those of Python.

    It raises ValueError for what is of another type, a text where several are meant among it. Dataclasses that are
    compared by value are looked into, unless they made their fields fit themselves; others are taken as they are.
    """
    fit = _fit_of(hint)

    def fitted(value: Any, name: str) -> Any:
        try:
            return fit(value)
        except _MisfitError as misfit:
            raise ValueError(misfit.told(name)) from None

    return fitted


def fit_fields(value: Any) -> None:
    """Make every field of a frozen dataclass, while it is made, fit its hint. Raises ValueError naming the field."""
    for name, fit in _fields_of(value.__class__):
        given = getattr(value, name)
        try:
            fitted = fit(given)
        except _MisfitError as misfit:
            raise ValueError(misfit.told(name)) from None
        if fitted is not given:
            object.__setattr__(value, name, fitted)
    _FIT_THEMSELVES.add(value.__class__)


def require_finite(value: Any, name: str) -> None:
    """Raise ValueError where a number, or one in tuples and dataclasses that are compared by value, is not finite."""
    try:
        _look_for_infinity(value)
    except _MisfitError as misfit:
        raise ValueError(misfit.told(name)) from None


def require_finite_fields(value: Any) -> None:
    """Raise ValueError where a field of a dataclass, while it is made, is not finite. Nobody looks into it again."""
    for name, _ in _fields_of(value.__class__):
        require_finite(getattr(value, name), name)
    _FINITE_THEMSELVES.add(value.__class__)


def _look_for_infinity(value: Any) -> None:
    if value.__class__ in _FINITE_THEMSELVES:
        return
    if isinstance(value, float):
        if not math.isfinite(value):
            raise _MisfitError(value, "a finite number")
    elif isinstance(value, tuple):
        for n, one in enumerate(value):
            try:
                _look_for_infinity(one)
            except _MisfitError as misfit:
                raise misfit.within(f"[{n}]") from None
    elif value is not None and not isinstance(value, str) and dataclasses.is_dataclass(value):
        for name, _ in _fields_of(value.__class__):
            try:
                _look_for_infinity(getattr(value, name))
            except _MisfitError as misfit:
                raise misfit.within(f".{name}") from None


# The dataclasses that call `fit_fields`: their fields need not be looked at again.
_FIT_THEMSELVES: set[type] = set()
# Those that call `require_finite_fields`.
_FINITE_THEMSELVES: set[type] = set()


@cache
def _fields_of(cls: Any) -> tuple[tuple[str, _Fit], ...]:
    """The fields of a dataclass that is compared by value, with what makes them fit."""
    if not cls.__dataclass_params__.eq:
        return ()
    hints = typing.get_type_hints(cls)
    return tuple((one.name, _fit_of(hints[one.name])) for one in dataclasses.fields(cls) if one.init)


@cache
def _fit_of(hint: Any) -> _Fit:
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if hint in _SINGLE:
        return _SINGLE[hint]
    if origin in (typing.Union, types.UnionType):
        return _either(arguments)
    if origin is typing.Literal:
        return _one_of(arguments)
    if origin is tuple:
        if arguments[-1] is Ellipsis:
            return _items(_fit_of(arguments[0]))
        return _each([_fit_of(one) for one in arguments])
    kind = origin or hint
    if not isinstance(kind, type) or kind in (object, Any):
        return lambda value: value
    return _record(kind) if dataclasses.is_dataclass(kind) else _instance(kind)


def _nothing(value: Any) -> None:
    if value is not None:
        raise _MisfitError(value, "None")


def _truth(value: Any) -> bool:
    if not isinstance(value, bool | np.bool_):
        raise _MisfitError(value, "True or False")
    return bool(value)


def _whole(value: Any) -> int:
    if not isinstance(value, int | np.integer) or isinstance(value, bool):
        raise _MisfitError(value, "a whole number")
    return int(value)


def _number(value: Any) -> float:
    if type(value) is float:
        return value
    if not isinstance(value, int | float | np.integer | np.floating) or isinstance(value, bool):
        raise _MisfitError(value, "a number")
    try:
        return float(value)
    except OverflowError:
        raise _MisfitError(value, "a number of moderate size") from None


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise _MisfitError(value, "a text")
    return value if isinstance(value, enum.Enum) else str(value)


_SINGLE: dict[Any, _Fit] = {None: _nothing, type(None): _nothing, bool: _truth, int: _whole, float: _number, str: _text}


def _either(hints: tuple[Any, ...]) -> _Fit:
    fits = [_fit_of(one) for one in hints]

    def fit(value: Any) -> Any:
        if value is None and type(None) in hints:
            return None
        faults = []
        for one in fits:
            try:
                return one(value)
            except _MisfitError as misfit:
                faults.append(misfit)
        raise faults[0]

    return fit


def _one_of(choices: tuple[Any, ...]) -> _Fit:
    def fit(value: Any) -> Any:
        if value not in choices:
            raise _MisfitError(value, f"one of {', '.join(map(str, choices))}")
        return value

    return fit


def _items(fit_one: _Fit) -> _Fit:
    """For tuples of any length."""

    def fit(value: Any) -> Any:
        if not isinstance(value, tuple | list):
            raise _MisfitError(value, "a tuple")
        return _fitted(value, [fit_one] * len(value))

    return fit


def _each(fits: list[_Fit]) -> _Fit:
    """For tuples of so many."""

    def fit(value: Any) -> Any:
        if not isinstance(value, tuple | list) or len(value) != len(fits):
            raise _MisfitError(value, f"a tuple of {len(fits)}")
        return _fitted(value, fits)

    return fit


def _fitted(value: Any, fits: list[_Fit]) -> Any:
    """Items made fit; the tuple that was given where all did."""
    fitted: list[Any] = []
    try:
        for one, fit in zip(value, fits, strict=True):
            fitted.append(fit(one))
    except _MisfitError as misfit:
        raise misfit.within(f"[{len(fitted)}]") from None
    same = isinstance(value, tuple) and all(map(operator.is_, value, fitted))
    return value if same else tuple(fitted)


def _instance(cls: type) -> _Fit:
    def fit(value: Any) -> Any:
        if not isinstance(value, cls):
            raise _MisfitError(value, f"of type {cls.__name__}")
        return value

    return fit


def _record(cls: type) -> _Fit:
    right_type = _instance(cls)

    def fit(given: Any) -> Any:
        value: Any = right_type(given)
        if value.__class__ in _FIT_THEMSELVES:
            return value
        changes = {}
        for name, fit_one in _fields_of(value.__class__):
            present = getattr(value, name)
            try:
                fitted = fit_one(present)
            except _MisfitError as misfit:
                raise misfit.within(f".{name}") from None
            if fitted is not present:
                changes[name] = fitted
        return dataclasses.replace(value, **changes) if changes else value

    return fit
