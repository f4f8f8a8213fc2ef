"""Live engines: pure steps, and recordings that give the same frames again."""

from dataclasses import replace

import numpy as np
import pytest

from editor.stack.evaluator import Evaluator
from editor.stack.live import STEP_S, LivePose, Recording, replay, take_of
from model.clip import Cancelled, Clip
from model.contacts import Contact
from model.files.project_file import Kinds, check_kinds, read_project, write_project
from model.ground import Box, Ground
from model.project import Project
from model.rotation import IDENTITY
from tests.live import Steer, SteeredClip, ToyEngine, straight, wandering

KINDS = Kinds({SteeredClip.kind: SteeredClip}, {})


def same_frames(one, other):
    """Whether two takes are the same to the last bit."""
    return (
        one.motion.root_positions.tobytes() == other.motion.root_positions.tobytes()
        and one.motion.local_rotations.tobytes() == other.motion.local_rotations.tobytes()
        and one.contacts == other.contacts
    )


def steered_by_hand(engine, recording):
    """The take that somebody sees who calls the engine step by step."""
    state, pose = engine.start()
    poses = [pose]
    for controls in recording.controls:
        state, pose = engine.advance(state, controls, recording.dt_s)
        poses.append(pose)
    return take_of(engine.skeleton, recording.dt_s, poses, len(poses))


def test_steps_are_pure():
    engine, controls = ToyEngine(), Steer(1.3, 0.4)
    state, _ = engine.start()
    for _ in range(5):
        before = replace(state)
        first, again = (engine.advance(state, controls, STEP_S) for _ in range(2))
        assert state == before
        assert controls == Steer(1.3, 0.4)
        assert first[0] == again[0]
        assert first[1].local_rotations.tobytes() == again[1].local_rotations.tobytes()
        assert first[1].root_position.tobytes() == again[1].root_position.tobytes()
        state = first[0]


def test_replay_gives_the_same_frames_bit_for_bit():
    engine, recording = ToyEngine(), wandering(300)
    take = replay(engine, recording)
    assert take.motion.frames == 301
    assert take.motion.frame_time_s == STEP_S
    assert take.motion.duration_s == pytest.approx(recording.duration_s)
    assert same_frames(take, steered_by_hand(engine, recording))
    assert same_frames(take, replay(ToyEngine(), recording)), "an equal engine"
    assert not same_frames(take, replay(engine, wandering(300, seed=2)))
    assert not same_frames(take, replay(engine, Recording(recording.controls, 1.0 / 50.0)))


def test_replay_starts_as_the_body_stood():
    engine = ToyEngine()
    _, pose = engine.start()
    take = replay(engine, Recording())
    assert take.motion.frames == 1
    np.testing.assert_array_equal(take.motion.root_positions[0], pose.root_position)
    np.testing.assert_array_equal(take.motion.local_rotations[0], pose.local_rotations)


def test_take_tells_contacts_and_ground():
    take = replay(ToyEngine(), straight(60))
    # The toy stands for one frame, then a foot at a time has the ground for half a second.
    assert take.contacts.limbs == {
        "left_foot": (Contact(0, 30), Contact(60, 61)),
        "right_foot": (Contact(0, 1), Contact(30, 60)),
    }
    assert take.contacts.ground_m == 0.0
    assert take.ground is None
    ground = Ground(0.0, (Box((0.0, 1.0), (1.0, 1.0), 0.2),))
    assert replay(ToyEngine(ground=ground), straight(3)).ground is ground


def test_hands_are_listed_where_they_touch():
    skeleton = ToyEngine().skeleton
    rotations = np.tile(IDENTITY, (len(skeleton), 1))
    poses = [LivePose(np.zeros(3), rotations, frozenset(limbs)) for limbs in ((), ("left_hand",), ())]
    assert take_of(skeleton, STEP_S, poses, 3).contacts.limbs == {
        "left_foot": (), "right_foot": (), "left_hand": (Contact(1, 2),),
    }  # fmt: skip


def test_poses_cannot_be_written_to_and_leave_their_arrays_alone():
    root, rotations = np.zeros(3), np.tile(IDENTITY, (22, 1))
    pose = LivePose(root, rotations)
    with pytest.raises(ValueError, match="read-only"):
        pose.root_position[0] = 1.0
    root[0] = rotations[0, 0] = 0.5  # still the engine's own


@pytest.mark.parametrize(
    ("values", "word"),
    [
        ((np.zeros(2), np.zeros((3, 4))), "root_position"),
        ((np.zeros(3), np.zeros((3, 3))), "local_rotations"),
        ((np.zeros(3), np.zeros((3, 4)), frozenset(["tail"])), "tail"),
    ],
)
def test_poses_that_are_none_are_refused(values, word):
    with pytest.raises(ValueError, match=word):
        LivePose(*values)


def test_poses_of_another_skeleton_are_refused():
    with pytest.raises(ValueError, match="3 joints"):
        take_of(ToyEngine().skeleton, STEP_S, [LivePose(np.zeros(3), np.zeros((3, 4)))], 1)


@pytest.mark.parametrize("dt_s", [0.0, -1.0, float("nan"), float("inf")])
def test_steps_must_last(dt_s):
    with pytest.raises(ValueError, match="dt_s"):
        Recording((), dt_s)


def test_recordings_are_values():
    one, other = wandering(50), wandering(50)
    assert one == other
    assert hash(one) == hash(other)
    assert one != wandering(51)
    assert one != Recording(one.controls, 0.02)
    assert Recording([Steer()]).controls == (Steer(),)


def test_recording_that_is_too_long_is_refused_before_it_is_replayed():
    with pytest.raises(ValueError, match="Record less"):
        replay(ToyEngine(), straight(400_000))


def test_replay_can_be_cancelled():
    told = []

    def progress(fraction):
        told.append(fraction)
        if fraction >= 0.5:
            raise Cancelled

    with pytest.raises(Cancelled):
        replay(ToyEngine(), wandering(600), progress)
    assert told == sorted(told)
    assert told[-1] == pytest.approx(0.5)


def test_clip_that_was_steered_survives_its_project_file(tmp_path):
    check_kinds(KINDS)
    recording = wandering(120)
    project = Project((Clip("1", "steered", SteeredClip(recording, 0.25)),), 2)
    write_project(project, tmp_path / "live.mwright", KINDS)
    reading = read_project(tmp_path / "live.mwright", KINDS)
    assert reading.problems == ()
    source = reading.project.clip("1").source
    assert source == SteeredClip(recording, 0.25)
    take = Evaluator().take(reading.project, "1")
    assert same_frames(take, replay(ToyEngine(start_x=0.25), recording))


def test_equal_recordings_are_worked_out_once():
    evaluator = Evaluator()
    for _ in range(2):
        evaluator.take(Project((Clip("1", "steered", SteeredClip(wandering(30))),), 2), "1")
    assert evaluator.runs == 1
