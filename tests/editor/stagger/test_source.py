import numpy as np
import pytest

from app.features import FEATURES
from editor.gait.parameters import Gait, Wave
from editor.gait.source import ProceduralGait
from editor.stagger.edit import StageTiming, Stagger
from editor.stagger.reshaping import non_staggered
from editor.stagger.source import StaggeredPose, StaggeredPosesSource, made_of
from model.roles import Role
from model.rotation import angle_between, from_rotation_vector
from model.skeleton import JointRef
from tests.editor.evaluated import Asked

SCRIPT_NAMES = FEATURES.values

SHOULDER, ELBOW, WRIST = (JointRef("", role) for role in (Role.RIGHT_SHOULDER, Role.RIGHT_ELBOW, Role.RIGHT_WRIST))
UP, DOWN = (0.0, 0.0, -1.0), (0.0, 0.0, 0.4)
LATE = ((ELBOW, 0.1), (WRIST, 0.2))


def beats(late=LATE, count=5):
    poses = tuple(
        StaggeredPose(0.5 + n, tuple((ref, (UP, DOWN)[n % 2]) for ref in (SHOULDER, ELBOW, WRIST)), late=late)
        for n in range(count)
    )
    return StaggeredPosesSource(poses)


def test_joints_are_in_their_poses_at_their_own_moments():
    motion = beats().make(Asked()).motion
    for ref, late in ((SHOULDER, 0.0), *LATE):
        joint = motion.skeleton.resolve(ref)
        for n in range(5):
            frame = round((0.5 + n + late) * 60.0)
            wanted = from_rotation_vector(np.array((UP, DOWN)[n % 2]))
            assert angle_between(motion.local_rotations[frame, joint], wanted) < 0.01
    assert motion.duration_s == pytest.approx(4.5 + 0.2 + 0.5, abs=0.02)


def test_stagger_that_was_made_is_found_again_within_a_frame():
    take = beats(count=8).make(Asked())
    poses = Stagger().plan(take, StageTiming()).found.poses
    joints = [take.motion.skeleton.resolve(ref) for ref in (SHOULDER, ELBOW, WRIST)]
    inside = (poses.times_s > 1.2) & (poses.times_s < 6.8)
    assert np.sum(inside) >= 5
    apart = poses.knots_s[inside][:, joints]
    assert np.all(np.abs(apart - apart[:, :1] - [0.0, 0.1, 0.2]) <= 1.0 / 60.0 + 1e-9)


def test_poses_of_a_clip_alone_make_a_clip_with_the_same_extremes():
    take = ProceduralGait(Gait(0.0), 5.0, wave=Wave(0.5)).make(Asked())
    poses = Stagger(level=1.0).plan(take, StageTiming()).found.poses
    source = made_of(take.motion, poses, "Sparse")
    made = source.make(Asked()).motion
    assert made.skeleton.names == take.motion.skeleton.names
    old, new = non_staggered(take.motion, poses), non_staggered(made, poses)
    assert np.max(angle_between(old, new)) < 0.1
    assert np.median(angle_between(old, new)) < 0.01


def test_knots_keep_their_order_and_missing_joints_are_told():
    told = Asked()
    poses = (
        StaggeredPose(0.5, ((WRIST, UP), (JointRef("Tail"), UP)), late=((WRIST, 2.0),)),
        StaggeredPose(1.0, ((WRIST, DOWN),)),
    )
    motion = StaggeredPosesSource(poses).make(told).motion
    assert "Tail" in told.notes[0]
    assert np.all(np.isfinite(motion.world.positions))


def test_source_is_a_value_that_prints_as_python_and_refuses_nonsense():
    source = beats(count=2)
    assert eval(repr(source), dict(SCRIPT_NAMES)) == source
    assert StaggeredPosesSource().make(Asked()).motion.frames >= 1
    with pytest.raises(ValueError, match="same moment"):
        StaggeredPosesSource((StaggeredPose(1.0), StaggeredPose(1.0)))
    with pytest.raises(ValueError, match="time_s"):
        StaggeredPose(-1.0)
