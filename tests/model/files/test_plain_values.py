"""Dataclasses as plain JSON and back."""

import dataclasses
import math
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np
import orjson
import pytest

from model.files.plain_values import ARRAY, Forms, MisfitError, shortened
from model.roles import Role
from tests.model.files.damage import extra_memory
from tests.model.files.project_kinds import Branch, Everything, Hold, Knot, assert_same


class Arrays:
    """Keeps arrays in a list."""

    def __init__(self):
        self.kept = []
        self.unused = []

    def pack(self, array):
        self.kept.append(array)
        return {ARRAY: len(self.kept) - 1}

    def unpack(self, reference):
        return self.kept[reference[ARRAY]]

    def tell_unused(self, owner, field):
        self.unused.append((owner, field))


def stored(value, forms=None):
    return orjson.loads(orjson.dumps((forms or Forms()).record(type(value)).encode(value, Arrays())))


def read(cls, json, arrays=None):
    return Forms().record(cls).decode(json, arrays or Arrays())


def test_every_form_survives():
    value = Everything()
    assert_same(value, read(Everything, stored(value)))


def test_infinities_and_not_a_number_are_standard_json():
    assert stored(Everything())["limits"] == [{"$float": "nan"}, {"$float": "inf"}, {"$float": "-inf"}]


@pytest.mark.parametrize("number", [0.1, 1e-320, 1.7976931348623157e308, -0.0, 1 / 3, math.pi * 1e-200, 2.0**60])
def test_numbers_survive_to_the_last_bit(number):
    found = read(Knot, stored(Knot(number))).time_s
    assert (found, math.copysign(1.0, found)) == (number, math.copysign(1.0, number))


@pytest.mark.parametrize("number", [0, -1, 2**53 + 1, 2**63 - 1, -(2**63), 2**64, -(10**40)])
def test_whole_numbers_of_any_size_survive(number):
    assert read(Everything, stored(Everything(seed=number))).seed == number


def test_numpy_numbers_are_stored_as_numbers():
    value = Everything(count=np.int32(4), size=np.float32(0.5), on=np.bool_(False), number_or_word=np.float64(1.5))
    found = read(Everything, stored(value))
    assert_same((4, 0.5, False, 1.5), (found.count, found.size, found.on, found.number_or_word))


@pytest.mark.parametrize("value", [3, 3.0, "3", None])
def test_union_keeps_the_type_of_its_value(value):
    assert_same(value, read(Everything, stored(Everything(number_or_word=value))).number_or_word)


def test_union_of_records_says_which():
    assert [key["$type"] for key in stored(Everything())["keys"]] == ["Knot", "Hold"]


def test_record_stored_before_its_field_became_a_union_is_the_first_that_may_be():
    json = stored(Everything()) | {"keys": [{"time_s": 1.0, "value": 2.0}]}
    assert read(Everything, json).keys == (Knot(1.0, 2.0),)


def test_field_added_later_takes_its_default():
    assert read(Knot, {"time_s": 2.0}) == Knot(2.0, 0.0)


def test_field_that_is_gone_is_told_and_dropped():
    arrays = Arrays()
    assert read(Hold, {"time_s": 2.0, "value": 3.0}, arrays) == Hold(2.0)
    assert arrays.unused == [("Hold", "value")]


def test_missing_field_without_default_is_named():
    with pytest.raises(MisfitError, match="time_s of Knot is missing"):
        read(Knot, {"value": 3.0})


@pytest.mark.parametrize(
    ("field", "wrong"),
    [
        ("count", 1.5), ("count", True), ("count", "1"), ("count", {"$int": "1x"}), ("count", {"$int": "9" * 5000}),
        ("size", "big"), ("size", None), ("size", False), ("size", {"$float": "huge"}), ("size", {"$float": []}),
        ("on", 1), ("text", 5), ("text", {"$text": "zz"}), ("text", {"$text": 5}), ("nothing", 0),
        ("limits", [1.0, 2.0]), ("limits", 5), ("roles", ["tail"]), ("roles", [[]]), ("colour", 3), ("colour", [1]),
        ("way", "up"), ("joints", [{"role": None}]), ("joints", [None]), ("keys", [{"$type": "Edit"}]),
        ("keys", [{"$type": ["Knot"], "time_s": 1.0}]), ("pairs", [["a", [1]]]), ("table", [[1]]), ("table", {"1": 2}),
        ("table", [[1, {"time_s": 1.0}], [1, {"time_s": 2.0}]]), ("by_role", [["tail", "n"]]), ("tree", []),
        ("anything", {"$type": "Everything"}), ("anything", {"a": 1}), ("anything", [1]), ("knot", {ARRAY: 0}),
    ],
)  # fmt: skip
def test_wrong_value_is_refused_and_its_place_named(field, wrong):
    with pytest.raises(MisfitError) as caught:
        read(Everything, stored(Everything()) | {field: wrong})
    assert str(caught.value).startswith(field)
    assert len(str(caught.value)) < 200
    assert "\n" not in str(caught.value)


def test_place_of_a_wrong_value_leads_to_it():
    json = stored(Everything())
    json["tree"]["below"][1]["below"][0] = 5
    with pytest.raises(MisfitError, match=r"^tree\.below\[1\]\.below\[0\]: a Branch is due, not 5$"):
        read(Everything, json)


def test_record_that_refuses_its_values_says_why():
    @dataclass(frozen=True)
    class Even:
        number: int

        def __post_init__(self):
            if self.number % 2:
                raise ValueError("number is odd")

    with pytest.raises(MisfitError, match="number is odd"):
        read(Even, {"number": 3})


def test_arrays_of_another_type_are_refused():
    from tests.model.files.project_kinds import Weights

    arrays = Arrays()
    arrays.kept.append(np.arange(3))
    with pytest.raises(MisfitError, match="weights: an array of float64 is due, not of int64"):
        read(Weights, {"weights": {ARRAY: 0}}, arrays)


def test_only_allowed_classes_stand_where_anything_may():
    forms = Forms([Knot])
    value = Everything(anything=Knot(1.0, 2.0))
    json = stored(value, forms)
    assert json["anything"]["$type"] == "Knot"
    assert_same(value, forms.record(Everything).decode(json, Arrays()))
    with pytest.raises(MisfitError, match="anything"):
        read(Everything, json)
    with pytest.raises(TypeError, match="cannot be stored here"):
        stored(Everything(anything=Hold(1.0)), forms)


def test_value_that_is_not_of_its_type_is_not_stored():
    wrong = (("count", 1.5), ("size", "x"), ("roles", ("head",)), ("limits", (1.0,)), ("knot", Hold(1.0)))
    for name, misfit in wrong:
        value = Everything()
        object.__setattr__(value, name, misfit)  # past its own check
        with pytest.raises(TypeError, match="cannot be stored"):
            stored(value)


def test_class_with_a_field_that_cannot_be_stored_is_refused_beforehand():
    cls = dataclasses.make_dataclass("Odd", [("inner", set[int])], frozen=True)
    with pytest.raises(TypeError, match=r"Odd\.inner: values of set\[int\] cannot be stored"):
        Forms().record(cls)


def test_records_within_records_of_their_own_kind_survive():
    tree = Branch()
    for _ in range(50):
        tree = Branch((tree,))
    assert read(Branch, stored(tree)) == tree


def test_choices_are_read_as_what_they_are():
    found = read(Everything, stored(Everything()))
    assert found.roles[0] is Role.HEAD
    assert found.by_role == {Role.NECK: "n"}


def test_very_long_text_is_shortened_without_taking_it_apart():
    text = "words of a name " * 100_000
    assert shortened(text).startswith("words of a name words")
    assert len(shortened(text)) == 60
    assert extra_memory(lambda: shortened(text)) < 100_000


_Item = TypeVar("_Item")


@dataclass(frozen=True)
class Series(Generic[_Item]):
    items: tuple[_Item, ...] = ()
    last: _Item | None = None


@dataclass(frozen=True)
class Holder:
    knots: Series[Knot]
    numbers: Series[float] = Series()


def test_generic_records_hold_what_their_arguments_say():
    value = Holder(Series((Knot(0.1), Knot(1 / 3)), Knot(2.0)), Series((1.5,)))
    assert read(Holder, stored(value)) == value
    with pytest.raises(MisfitError, match="number"):
        read(Holder, {"knots": {"items": []}, "numbers": {"items": ["1.5"]}})


def test_generic_record_without_arguments_cannot_be_stored():
    with pytest.raises(TypeError, match="items"):
        Forms().record(Series)
