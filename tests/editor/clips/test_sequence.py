from dataclasses import replace

import numpy as np
import pytest

from app.features import FEATURES
from editor.clips.sequence import Part, Sequence, joined
from editor.quality.figures import contact_drifts, largest_step, seam
from editor.stack.evaluator import Evaluator, SourceError
from model.clip import Clip
from model.contacts import Contacts
from model.files.formats import read_motion
from model.motion import rest_motion
from model.placing import headings_rad
from model.project import Project
from model.rotation import angle_between
from model.skeleton import Skeleton
from tests.clips import figure, needs_data, random_motion, recorded, stepping_figure
from tests.editor.evaluated import Asked, Given, same_take, take_of

SCRIPT_NAMES = FEATURES.values


def made(takes, *parts):
    context = Asked(takes=takes)
    return Sequence(parts).make(context), context


@pytest.fixture(scope="module")
def walks():
    """A walk and the same walk elsewhere, facing elsewhere, at another rate, on other ground."""
    one, other = stepping_figure(seconds=3.0, fps=60.0), stepping_figure(seconds=3.0, fps=30.0, ground=0.5, turn=2.0)
    return {
        "a": take_of(one[0]),
        "b": take_of(replace(other[0], root_positions=other[0].root_positions + np.array([5.0, 0.0, 7.0]))),
    }


def test_sequence_of_one_clip_is_the_clip(walks):
    take, _ = made(walks, Part("a"))
    assert take is walks["a"]


def test_parts_overlap_by_their_blend(walks):
    take, context = made(walks, Part("a"), Part("b", 0.5, search_s=0.0), Part("a", 0.2, search_s=0.0))
    assert take.motion.frames == 180 + 179 + 180 - 30 - 12
    assert take.motion.frame_time_s == walks["a"].motion.frame_time_s
    assert not context.notes


def test_later_part_goes_on_where_the_one_before_ends(walks):
    take, _ = made(walks, Part("a"), Part("b", 0.5))
    motion = take.motion
    assert np.max(np.abs(np.unwrap(headings_rad(motion)))) < 0.05  # straight on
    assert take.contacts.ground_m == walks["a"].contacts.ground_m
    step = np.diff(motion.root_positions[:, 2])
    assert np.all(step > 0.0)
    assert np.max(np.abs(motion.root_positions[:, 1] - motion.root_positions[0, 1])) < 0.02


def test_frames_away_from_the_blend_are_those_of_the_clips(walks):
    take, _ = made({"a": walks["a"]}, Part("a"), Part("a", 0.3))
    assert np.array_equal(take.motion.local_rotations[:60], walks["a"].motion.local_rotations[:60])
    assert np.array_equal(take.motion.root_positions[:60], walks["a"].motion.root_positions[:60])
    assert np.array_equal(take.motion.local_rotations[-60:, 1:], walks["a"].motion.local_rotations[-60:, 1:])


def test_fade_falls_where_poses_are_alike():
    stride = 48  # frames; a walk of even steps repeats itself after each
    motion, _ = stepping_figure(seconds=3.0, fps=60.0, stance_s=0.45, swing_s=0.35, speed=1.2)
    whole = take_of(motion)
    later = type(whole)(motion.sliced(55, 175), whole.contacts.at(np.arange(55.0, 175.0)))

    def off_beat(search_s):
        take, _ = made({"a": whole, "b": later}, Part("a"), Part("b", 0.3, search_s))
        q = take.motion.local_rotations
        return np.max(np.mean(angle_between(q[stride:], q[:-stride]), axis=1))

    assert off_beat(0.6) < 0.2 * off_beat(0.0)


def test_clip_cut_in_two_comes_together_again(walks):
    whole = walks["a"]
    first, second = (
        type(whole)(whole.motion.sliced(*span), whole.contacts.at(np.arange(*span))) for span in ((0, 110), (90, 180))
    )
    again = joined(first, second, 20)
    assert np.allclose(again.motion.world.positions, whole.motion.world.positions, atol=1e-6)
    assert again.contacts.limbs == whole.contacts.limbs


def test_blend_has_no_jumps_and_feet_stay_in_place(walks):
    motion, _ = stepping_figure(seconds=3.0, fps=60.0, speed=0.8)
    slow = take_of(motion)
    take, _ = made({**walks, "slow": slow}, Part("a"), Part("slow", 0.6))
    sources = max(largest_step(one.motion) for one in (walks["a"], slow))
    assert largest_step(take.motion) < 1.3 * sources
    for frame in (144, 180):  # where the fade starts and ends
        assert seam(take.motion, frame)[0] < 1.0
    assert np.max(contact_drifts(take.motion, take.contacts)) < 0.01


def test_blend_longer_than_the_clips_is_cut_short_and_told(walks):
    take, context = made(walks, Part("a"), Part("b", 10.0), Part("a", 10.0))
    assert len(context.notes) == 2
    assert np.all(np.isfinite(take.motion.world.positions))
    assert take.motion.frames >= 180


@pytest.mark.parametrize("frames", [1, 2, 5])
def test_short_clips_are_joined(frames):
    take = take_of(random_motion(frames))
    joined_up, _ = made({"a": take}, Part("a"), Part("a", 0.1), Part("a", 0.0))
    assert np.all(np.isfinite(joined_up.motion.world.positions))
    assert joined_up.contacts.frames == joined_up.motion.frames >= frames


def test_inputs_stay_as_they_are(walks):
    copies = {key: np.array(take.motion.local_rotations) for key, take in walks.items()}
    one, other = (made(walks, Part("a"), Part("b"))[0] for _ in range(2))
    assert same_take(one, other)
    assert all(np.array_equal(copies[key], walks[key].motion.local_rotations) for key in walks)


def test_limbs_that_move_against_each_other_are_joined_with_fixed_ones():
    takes = {"a": take_of(random_motion(30)), "b": take_of(random_motion(30, seed=2, moving_limbs=True))}
    take, _ = made(takes, Part("a"), Part("b", 0.2))
    assert np.array_equal(take.motion.local_offsets[0], takes["a"].motion.local_offsets)
    assert np.allclose(take.motion.local_offsets[-1, 1:], takes["b"].motion.local_offsets[-1, 1:])


def test_other_bodies_are_refused(walks):
    bare = figure()
    taller = Skeleton(bare.names, bare.parents, 1.1 * bare.offsets, (), bare.roles)
    renamed = Skeleton(tuple(name + "_" for name in bare.names), bare.parents, bare.offsets, (), bare.roles)
    for skeleton in (taller, renamed):
        other = take_of(rest_motion(skeleton, frames=30), Contacts(30, {}, 0.0))
        with pytest.raises(ValueError, match="'x' has another skeleton"):
            made({**walks, "x": other}, Part("a"), Part("x"))


def test_no_parts_and_no_frames_are_refused(walks):
    with pytest.raises(ValueError, match="at least one"):
        made(walks)
    nothing = take_of(random_motion(1)).motion.sliced(0, 0)
    with pytest.raises(ValueError, match="'n' has no frames"):
        made({**walks, "n": take_of(nothing, Contacts(0, {}, 0.0))}, Part("a"), Part("n"))


def test_sequence_is_evaluated_from_the_clips_of_a_project(walks):
    clips = [Clip(key, key, Given(take)) for key, take in walks.items()]
    source = Sequence((Part("a"), Part("b", 0.5), Part("a")))
    assert source.clips_used() == ("a", "b")
    project = Project((*clips, Clip("s", "Both", source)))
    evaluator = Evaluator()
    assert evaluator.take(project, "s") is evaluator.take(project, "s")
    with pytest.raises(SourceError, match="'b'"):
        evaluator.take(project.without(["b"]), "s")


def test_sequence_prints_as_python():
    source = Sequence((Part("a"), Part("b", 0.5)))
    assert eval(repr(source), dict(SCRIPT_NAMES)) == source


@needs_data
def test_recorded_walks_go_over_into_each_other_without_sliding():
    takes = {name: take_of(read_motion(recorded(f"cmu-acclaim/{name}.amc")[0]).motion) for name in ("16_16", "16_11")}
    take, _ = made(takes, Part("16_16"), Part("16_11", 0.6))
    before = [np.max(contact_drifts(one.motion, one.contacts)) for one in takes.values()]
    assert np.max(contact_drifts(take.motion, take.contacts)) < 1.1 * max(before)
    assert largest_step(take.motion) < 1.1 * max(largest_step(one.motion) for one in takes.values())
