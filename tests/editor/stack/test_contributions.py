"""Features as values: put together, left out, refused where they do not fit."""

import pytest

from app.features import FEATURES
from editor.stack.contributions import CoreFeature, CoreFeatures, Verb
from model.clip import Unknown
from model.files.project_file import read_project, write_project
from tests.golden.test_projects import PROJECTS
from tests.stacks import Cut, Lift

NAMES = [feature.name for feature in FEATURES]


def test_features_bring_kinds_by_name_in_their_order():
    features = CoreFeatures((CoreFeature("cut", edits=lambda: (Cut,)), CoreFeature("lift", edits=lambda: (Lift,))))
    assert list(features.edits.items()) == [("cut", Cut), ("lift", Lift)]
    assert features.values == {"Cut": Cut, "Lift": Lift}
    assert features.kinds.edits == features.edits


def test_features_of_one_name_or_with_one_kind_are_refused():
    with pytest.raises(ValueError, match="two features called 'a'"):
        CoreFeatures((CoreFeature("a"), CoreFeature("a")))
    renamed = type("Raise", (Lift,), {})
    twice = CoreFeatures((CoreFeature("a", edits=lambda: (Lift,)), CoreFeature("b", edits=lambda: (renamed,))))
    with pytest.raises(ValueError, match="something called 'lift'"):
        _ = twice.edits


def test_verbs_are_listed_by_place_and_then_in_the_order_of_features():
    def unused():
        raise AssertionError("listing verbs imports none")

    late, usual = Verb("b", "", unused, 900), Verb("c", "", unused)
    early, equal = Verb("a", "", unused, 1), Verb("d", "", unused)
    features = CoreFeatures((CoreFeature("x", verbs=(late, usual)), CoreFeature("y", verbs=(equal, early))))
    assert list(features.verbs) == ["a", "c", "d", "b"]
    assert features.verbs["b"] is late
    with pytest.raises(ValueError, match="something called 'c'"):
        CoreFeatures((*features, CoreFeature("z", verbs=(Verb("c", "", unused),))))


def test_feature_goes_with_all_that_need_it():
    chain = CoreFeatures((CoreFeature("a"), CoreFeature("b", needs=("a",)), CoreFeature("c", needs=("b",))))
    assert [feature.name for feature in chain.without("b")] == ["a"]
    assert [feature.name for feature in chain.without("c")] == ["a", "b"]
    with pytest.raises(ValueError, match="'b' needs a"):
        CoreFeatures((CoreFeature("b", needs=("a",)),))


@pytest.mark.parametrize("name", NAMES)
def test_project_opens_without_a_feature_and_keeps_what_it_brought(name, tmp_path):
    left = FEATURES.without(name)
    gone = {*FEATURES.edits, *FEATURES.sources} - {*left.edits, *left.sources}
    for path in PROJECTS:
        present = tmp_path / "present.mwright"  # as the present version saves it
        write_project(read_project(path, FEATURES.kinds).project, present, FEATURES.kinds)
        project = read_project(present, left.kinds).project
        parts = [part for clip in project.clips for part in (clip.source, *(layer.edit for layer in clip.layers))]
        unknown = {part.kind for part in parts if isinstance(part, Unknown)}
        assert unknown == gone & {part.kind for part in parts}
        again, whole = tmp_path / "again.mwright", tmp_path / "whole.mwright"
        write_project(project, again, left.kinds)
        write_project(read_project(again, FEATURES.kinds).project, whole, FEATURES.kinds)
        assert whole.read_bytes() == present.read_bytes()
