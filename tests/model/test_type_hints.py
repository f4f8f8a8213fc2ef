"""Values held against type hints: what fits, what is made fit, and what is refused with its name."""

from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import pytest

from model.roles import Role
from model.skeleton import JointRef
from model.type_hints import fit_fields, fitter, require_finite, require_finite_fields
from tests.model.files.damage import extra_memory


@dataclass(frozen=True)
class Spot:
    time_s: float
    place: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True, eq=False)
class Heavy:
    """Compared by identity: nobody looks into it."""

    weight: float


@dataclass(frozen=True)
class Outer:
    spots: tuple[Spot, ...] = ()
    count: int | None = None
    heavy: Heavy | None = None
    anything: Any = None
    notes: list[str] = field(default_factory=list)

    def __post_init__(self):
        fit_fields(self)


@pytest.mark.parametrize(
    ("hint", "value"),
    [
        (float, 1.5), (int, 3), (bool, True), (str, "walk"), (float | None, None), (tuple[str, ...], ("a", "b")),
        (tuple[float, float], (1.0, 2.0)), (Literal["x", "z"], "z"), (Role | None, Role.HEAD), (Any, [1]), (object, {}),
        (tuple[tuple[JointRef, float], ...], ((JointRef("Head", Role.HEAD), 1.0),)), (Heavy, Heavy("odd")),
        (int | str, "7"),
    ],
)  # fmt: skip
def test_value_that_fits_is_given_back_itself(hint, value):
    assert fitter(hint)(value, "x") is value


@pytest.mark.parametrize(
    ("hint", "value", "wanted"),
    [
        (float, np.float64(1.5), 1.5), (float, np.float32(0.5), 0.5), (float, 2, 2.0), (int, np.int64(3), 3),
        (bool, np.bool_(True), True), (str, np.str_("a"), "a"), (tuple[str, ...], ["a", "b"], ("a", "b")),
        (tuple[tuple[float, float], ...], [[0, 1], (2.0, 3)], ((0.0, 1.0), (2.0, 3.0))),
        (Spot, Spot(np.float64(1.0), [2, 3]), Spot(1.0, (2.0, 3.0))),
    ],
)  # fmt: skip
def test_simple_misfits_are_made_fit(hint, value, wanted):
    fitted = fitter(hint)(value, "x")
    assert fitted == wanted
    assert repr(fitted) == repr(wanted)


@pytest.mark.parametrize(
    ("hint", "value", "reason"),
    [
        (float, "0.1", "x is '0.1'; it must be a number"),
        (float, True, "x is True; it must be a number"),
        (float, 10**400, "it must be a number of moderate size"),
        (float | None, "none", "x is 'none'; it must be a number"),
        (int, 1.5, "x is 1.5; it must be a whole number"),
        (bool, "off", "x is 'off'; it must be True or False"),
        (str, 5, "x is 5; it must be a text"),
        (None, 5, "x is 5; it must be None"),
        (tuple[str, ...], "12", "x is '12'; it must be a tuple"),
        (tuple[str, ...], ("1", 2), r"x\[1\] is 2; it must be a text"),
        (tuple[float, float], (1.0, 2.0, 3.0), "it must be a tuple of 2"),
        (Literal["x", "z"], "y", "it must be one of x, z"),
        (Role, "head", "it must be of type Role"),
        (Spot, Heavy(1.0), "it must be of type Spot"),
        (Spot, Spot("now"), "x.time_s is 'now'; it must be a number"),
    ],
)
def test_other_types_are_refused_by_name(hint, value, reason):
    with pytest.raises(ValueError, match=reason):
        fitter(hint)(value, "x")


def test_fields_are_made_fit_while_a_value_is_made():
    outer = Outer([Spot(1, [0, 1])], np.int64(2), Heavy(3.0))
    assert outer.spots == (Spot(1.0, (0.0, 1.0)),)
    assert type(outer.count) is int
    hash(outer.spots)
    with pytest.raises(ValueError, match=r"spots\[0\] is 5; it must be of type Spot"):
        Outer((5,))


@pytest.mark.parametrize("value", [np.inf, (1.0, -np.inf), (Spot(1.0, (0.0, np.nan)),)])
def test_numbers_that_are_not_finite_are_found_in_depth(value):
    with pytest.raises(ValueError, match=r"x.* is -?(inf|nan); it must be a finite number"):
        require_finite(value, "x")
    require_finite((1.0, None, Spot(2.0), Heavy(np.inf)), "x")


@dataclass(frozen=True)
class Finite:
    spots: tuple[Spot, ...] = ()

    def __post_init__(self):
        require_finite_fields(self)


def test_record_that_looks_for_infinity_itself_names_the_field_and_is_not_looked_into_again():
    with pytest.raises(ValueError, match=r"spots\[1\].place\[0\] is inf"):
        Finite((Spot(1.0), Spot(1.0, (np.inf, 0.0))))
    made = Finite((Spot(1.0),))
    object.__setattr__(made, "spots", (Spot(np.nan),))
    require_finite((made,), "values")


def test_message_about_a_very_long_value_takes_little_memory():
    fit = fitter(tuple[int, ...])
    names = tuple(f"name {n}" for n in range(300_000))

    def message():
        with pytest.raises(ValueError, match="it must be a whole number"):
            fit((names,), "joints")

    assert extra_memory(message) < 1e6
