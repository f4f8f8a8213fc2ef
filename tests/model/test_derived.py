"""Derived values where nobody keeps them."""

from model.derived import uncached


def test_value_is_computed_with_its_arguments_each_time():
    calls = []

    def joined(*parts, sep):
        calls.append(parts)
        return sep.join(parts)

    assert uncached(joined, "a", "b", sep="-") == "a-b"
    assert uncached(joined, "a", "b", sep="-") == "a-b"
    assert len(calls) == 2
