"""What holds for every edit there is: it leaves its inputs alone, obeys its scope, and is never re-aimed by others."""

import inspect
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from app.features import FEATURES
from editor.clips.sequence import Part, Sequence
from editor.contacts.correct import Correction
from editor.contacts.edit import ContactCorrections, FootCleanUp, LevelFloor
from editor.curves.channels import Channel
from editor.curves.edit import Curve, CurveKeys
from editor.curves.keys import Key, Keys
from editor.exaggerate.edit import Exaggerate
from editor.extrema.correct import ExtremeCorrection, What
from editor.extrema.edit import ExtremePoses
from editor.gait.source import ProceduralGait
from editor.placing.edit import InPlace, Mirror, Place
from editor.posing.adapt_to_ground import AdaptToGround
from editor.posing.edit import TargetPose, TargetPoses
from editor.repair.edit import RepairFrames
from editor.repair.smoothing import Smooth
from editor.retarget.character import built_in
from editor.retarget.edit import Retarget
from editor.retarget.mapping import Pair
from editor.stagger.by_hand import StaggerChange
from editor.stagger.edit import Stagger
from editor.timing.edit import Resample, Retime, Trim
from editor.walking.source import StyleBand, WalkAlongPath
from model.clip import Clip, Layer, Take, settings_of
from model.contacts import Contacts
from model.ground import Box, Ground
from model.project import Project
from model.roles import Role
from model.rotation import from_rotation_vector, multiply
from model.scope import Scope
from model.skeleton import JointRef
from tests.clips import stepping_figure
from tests.editor import evaluated
from tests.editor.evaluated import Asked, positions_at, same_take, take_of, touching_at

EDITS = FEATURES.edits
SCRIPT_NAMES = FEATURES.values
SOURCES = FEATURES.sources

# What stands in the way of the clip below, at about its middle.
GROUND = Ground(boxes=(Box((1.4, 3.3), (3.0, 1.5), 0.1, 0.4),))
stages, after = partial(evaluated.stages, ground=GROUND), partial(evaluated.after, ground=GROUND)

HEAD = JointRef("Head", Role.HEAD)
ARM = JointRef("LeftArm", Role.LEFT_SHOULDER)

# One of every kind, each with an effect on the clip below, at about its middle.
EXAMPLES = {
    "trim": Trim(1.0, 5.0),
    "retime": Retime(((2.0, 1.0), (3.0, 0.4), (4.0, 2.0))),
    "resample": Resample(60.0),
    "place": Place(0.5, 0.1, -1.0, turn_rad=0.7, face_rad=0.3, time_s=3.0),
    "mirror": Mirror(time_s=3.0),
    "in_place": InPlace(window_s=0.5, time_s=3.0),
    "repair_frames": RepairFrames(zeroed=False, frozen=False, spiking=False, spans=((2.9, 3.1),)),
    "smooth": Smooth(0.2),
    "level_floor": LevelFloor("height", ground_m=0.25),
    "contact_corrections": ContactCorrections(
        (Correction("left_foot", 2.8, 3.2, True), Correction("left_hand", 3.0, 3.3, True))
    ),
    "foot_clean_up": FootCleanUp(),
    "extreme_poses": ExtremePoses(
        corrections=(ExtremeCorrection(What.ADDED, 3.0), ExtremeCorrection(What.MOVED, 2.0, 2.2))
    ),
    "target_poses": TargetPoses(
        (TargetPose(3.0, ((HEAD, (0.4, 0.2, 0.0)), (ARM, (0.0, 0.0, 0.8))), (0.0, -0.05, 0.1)),)
    ),
    "adapt_to_ground": AdaptToGround(),
    "curve_keys": CurveKeys((
        Curve(Channel(ARM, "ZXY", "X"), Keys((Key(2.0, 0.0), Key(3.0, 0.5), Key(4.0, 0.0)))),
        Curve(Channel(HEAD, "vector", "Y"), Keys((Key(2.5, 0.2), Key(3.0, 0.4, "linear"))), absolute=True),
    )),
    "exaggerate": Exaggerate(1.6, over_time=Keys((Key(0.0, 1.0), Key(6.0, 0.8))), time_s=3.0),
    "stagger": Stagger(
        0.04, 1.2, joint=JointRef("Chest", Role.CHEST), start_s=100.0, keep_contacts=False,  # poses by hand alone
        changes=(
            *(StaggerChange(moment) for moment in (1.7, 2.2, 2.6, 3.4, 3.8, 4.3)),
            StaggerChange(3.0, 3.03, ((ARM, 0.04),), ((ARM, (0.0, 0.0, 0.5)),), pace_before=0.8),
        ),
    ),
    "retarget": Retarget(built_in("child"), (Pair(JointRef("Head"), JointRef("Neck")),), time_s=3.0),
}  # fmt: skip
# Edits whose idea of a moment's neighbourhood is in seconds of what they see, so that another pace changes it.
WIDE = ("smooth", "foot_clean_up", "in_place", "repair_frames", "adapt_to_ground", "exaggerate", "stagger")
# Edits that have no half strength.
DONE_OR_NOT = ("resample", "contact_corrections", "retarget", "extreme_poses")
POSES = tuple(kind for kind, edit in EXAMPLES.items() if edit.reach == "pose")
WHOLE = tuple(kind for kind in EXAMPLES if kind not in POSES)
TAIL = JointRef("Tail")  # which nobody has


@pytest.fixture(scope="module")
def take():
    """A walk of six seconds on a floor at 0.3 m, whose joints sway to and fro three times a second."""
    motion, _ = stepping_figure(seconds=6.0, fps=30.0, ground=0.3, turn=0.4)
    phases, sizes = np.random.default_rng(5).uniform(0.0, 6.0, size=(2, len(motion.skeleton), 3))
    sway = 0.006 * sizes * np.sin(np.arange(motion.frames)[:, None, None] * 2.0 * np.pi * 3.0 / 30.0 + phases)
    return take_of(replace(motion, local_rotations=multiply(from_rotation_vector(sway), motion.local_rotations)))


def each(kinds=tuple(EXAMPLES)):
    return pytest.mark.parametrize("kind", kinds)


def tolerance_m(kind):
    """What edits may differ by that look at other steps than the one they are changing, to find the floor."""
    return 0.01 if kind in ("smooth", "foot_clean_up", "level_floor") else 0.002


def seen(stage, times_s):
    """What is to be seen of a stage at moments of the source: places, contacts, extremes, pace and floor."""
    moments = stage.time_map(times_s)
    low, high = float(moments[0]), float(moments[-1])
    extremes = () if stage.take.extremes is None else stage.take.extremes.found
    found = stage.time_map.inverse()(np.array([one.time_s for one in extremes if low <= one.time_s <= high]))
    contacts = stage.take.contacts
    return (
        np.round(positions_at(stage, times_s), 4).tobytes(),
        {limb: touching_at(stage, limb, times_s).tobytes() for limb, held in contacts.limbs.items() if held},
        None if stage.take.extremes is None else np.round(found, 3).tolist(),
        np.round(np.diff(moments), 6).tobytes(),
        (stage.take.motion.frame_time_s, stage.take.motion.duration_s, contacts.ground_m),
    )


def test_every_kind_has_an_example():
    assert list(EXAMPLES) == list(EDITS)
    assert all(type(EXAMPLES[kind]) is EDITS[kind] and EDITS[kind].kind == kind for kind in EDITS)


@pytest.mark.parametrize("one", [*EDITS.values(), *SOURCES.values()], ids=lambda one: one.kind)
def test_every_kind_tells_what_it_is(one):
    assert one.title
    assert inspect.getdoc(one).endswith(".")
    assert "(" not in inspect.getdoc(one).split("\n")[0].split(".")[0], "the docstring is dataclass' own"
    for field, shown in settings_of(one):
        assert shown.label, field.name
        assert shown.tip.endswith("."), field.name
    if one in EDITS.values():
        assert len(settings_of(one)) == len(inspect.signature(one).parameters)


@each()
def test_edit_has_an_effect_at_full_strength(take, kind):
    stage = after(take, EXAMPLES[kind])
    assert not same_take(stage.take, take)


@each()
@pytest.mark.parametrize("scope", [Scope(strength=0.0), Scope(joints=())], ids=["no strength", "no joints"])
def test_nothing_changes_without_strength_or_joints(take, kind, scope):
    stage = after(take, (EXAMPLES[kind], scope))
    assert stage.take is take
    assert stage.time_map.is_identity


@each(WHOLE)
def test_edits_on_all_of_time_heed_their_strength(take, kind):
    context = Asked(strength=0.0, ground=GROUND)
    assert EXAMPLES[kind].apply(take, context) is take
    assert EXAMPLES[kind].time_map(take, context).is_identity


@each(POSES)
@pytest.mark.parametrize("scope", [Scope(joints=(TAIL,)), Scope(start_s=99.0)], ids=["no such joint", "no such moment"])
def test_edits_on_poses_leave_alone_what_is_outside_their_scope(take, kind, scope):
    assert Layer("1", EXAMPLES[kind], scope=scope).acts, "the edit is done, and then put back"
    stage = after(take, (EXAMPLES[kind], scope))
    assert stage.take is take
    assert stage.time_map.is_identity


@each([kind for kind in EXAMPLES if kind not in DONE_OR_NOT])
def test_little_strength_has_little_effect(take, kind):
    times, plain = np.linspace(0.5, 5.5, 40), after(take)
    little, fully = (after(take, (EXAMPLES[kind], Scope(strength=strength))) for strength in (1e-4, 1.0))

    def effect(stage):
        lifted = abs(stage.take.contacts.ground_m - take.contacts.ground_m)
        return max(float(np.max(np.abs(positions_at(stage, times) - positions_at(plain, times)))), 2.0 * lifted)

    assert effect(little) < 0.002 < effect(fully)


@each(DONE_OR_NOT)
def test_edit_without_half_strength_is_done_fully_at_little(take, kind):
    little, fully = (after(take, (EXAMPLES[kind], Scope(strength=strength))) for strength in (1e-4, 1.0))
    assert same_take(little.take, fully.take)
    assert not same_take(little.take, take)


@each()
def test_inputs_stay_as_they_are(take, kind):
    motion = take.motion
    copies = [np.array(a) for a in (motion.root_positions, motion.local_rotations, motion.local_offsets)]
    limbs = dict(take.contacts.limbs)
    after(take, (EXAMPLES[kind], Scope(strength=0.5)), EXAMPLES[kind])
    for copy, now in zip(copies, (motion.root_positions, motion.local_rotations, motion.local_offsets), strict=True):
        assert np.array_equal(copy, now)
    assert dict(take.contacts.limbs) == limbs


@each()
def test_result_is_sound_and_always_the_same(take, kind):
    one, other = (after(take, EXAMPLES[kind]).take for _ in range(2))
    assert same_take(one, other)
    assert np.all(np.isfinite(one.motion.world.positions))
    assert np.allclose(np.sum(one.motion.local_rotations**2, axis=-1), 1.0, atol=1e-9)
    assert one.contacts.frames == one.motion.frames


@each()
@pytest.mark.parametrize("frames", [0, 1, 2, 5])
def test_short_clips_are_edited_or_refused_with_a_sentence(take, kind, frames):
    motion = take.motion.sliced(0, frames)
    contacts = take_of(motion).contacts if frames else Contacts(0, {}, 0.0)
    for strength in (1.0, 0.5):
        stage = stages(Take(motion, contacts), (EXAMPLES[kind], Scope(strength=strength)))[-1]
        assert np.all(np.isfinite(stage.take.motion.world.positions))
        assert not stage.failed or (stage.notes and " " in stage.notes[0])


@each()
def test_clip_without_roles_is_edited_or_refused_with_a_sentence(take, kind):
    nameless = replace(take.motion, skeleton=take.motion.skeleton.with_roles([None] * len(take.motion.skeleton)))
    stage = stages(take_of(nameless), EXAMPLES[kind])[-1]
    assert np.all(np.isfinite(stage.take.motion.world.positions))
    assert not stage.failed or stage.notes


@each()
def test_trimming_before_does_not_aim_an_edit_elsewhere(take, kind):
    alone, trimmed = after(take, EXAMPLES[kind]), after(take, Trim(0.5, 5.5), EXAMPLES[kind])
    assert_acts(take, alone)
    assert moments_by_hand(alone) == pytest.approx(moments_by_hand(trimmed))
    shorter = alone.take.motion.frames - trimmed.take.motion.frames
    assert (shorter == 0) == (kind == "trim")  # what it keeps lies within what was kept before
    times = np.linspace(2.5, 3.5, 61)
    assert np.allclose(positions_at(alone, times), positions_at(trimmed, times), atol=tolerance_m(kind))
    for limb in alone.take.contacts.limbs:  # moments that lie between two frames may be rounded either way
        assert np.mean(touching_at(alone, limb, times) != touching_at(trimmed, limb, times)) < 0.12


def assert_acts(take, stage):
    """That an edit is to be seen about the middle of the clip, so that it is told apart from what does nothing."""
    times = np.linspace(2.5, 3.5, 61)
    assert seen(stage, times) != seen(after(take), times)


def moments_by_hand(stage):
    """The moments of the source at which a hand has put extremes."""
    extremes = () if stage.take.extremes is None else stage.take.extremes.found
    return stage.time_map.inverse()(np.array([one.time_s for one in extremes if one.pinned])).tolist()


SLOWER = Retime(((0.0, 0.5), (6.0, 0.8)))


@each([kind for kind in EXAMPLES if kind not in WIDE])
def test_retiming_before_does_not_aim_an_edit_elsewhere(take, kind):
    alone, retimed = after(take, EXAMPLES[kind]), after(take, SLOWER, EXAMPLES[kind])
    assert_acts(take, alone)
    assert moments_by_hand(alone) == pytest.approx(moments_by_hand(retimed), abs=1e-3)
    assert retimed.take.motion.duration_s > 1.2 * alone.take.motion.duration_s
    times = np.arange(75, 106) / 30.0
    assert np.allclose(positions_at(alone, times), positions_at(retimed, times), atol=0.005)
    for limb in alone.take.contacts.limbs:
        assert np.mean(touching_at(alone, limb, times) != touching_at(retimed, limb, times)) < 0.12


def changed_s(before, stage):
    """When, in the source's time, an edit has changed poses: from the first frame to the last."""
    one, other = before.take.motion.local_rotations, stage.take.motion.local_rotations
    frames = np.flatnonzero(np.any(one != other, axis=(1, 2)))
    return before.time_map.inverse()(frames[[0, -1]] * before.take.motion.frame_time_s)


def root_x_z(stage, source_s):
    return positions_at(stage, np.array([source_s]))[0, 0, [0, 2]]


# What of edits that look about them must stay at its moment at any pace: of those before and after, whether it does.
AIMS = {
    "repair_frames": lambda before, stage: np.allclose(changed_s(before, stage), [2.9, 3.1], atol=0.06),
    "in_place": lambda before, stage: np.allclose(root_x_z(stage, 3.0), root_x_z(before, 3.0), atol=0.01),
    "exaggerate": lambda before, stage: np.allclose(root_x_z(stage, 3.0), root_x_z(before, 3.0), atol=0.02),
    "stagger": lambda before, stage: abs(stage.time_map(3.0) - before.time_map(3.03)) < 0.005,
    # These do the same at all moments.
    "smooth": lambda before, stage: not EXAMPLES["smooth"].moments_s(),
    "foot_clean_up": lambda before, stage: not EXAMPLES["foot_clean_up"].moments_s(),
    "adapt_to_ground": lambda before, stage: not EXAMPLES["adapt_to_ground"].moments_s(),
}


@each(WIDE)
@pytest.mark.parametrize("pace", [(), (SLOWER,)], ids=["as it was", "slower"])
def test_edits_that_look_about_them_are_aimed_at_the_same_moment_at_any_pace(take, kind, pace):
    *_, before, stage = stages(take, *pace, EXAMPLES[kind])
    times = np.linspace(2.5, 3.5, 61)
    assert seen(stage, times) != seen(before, times)
    assert AIMS[kind](before, stage)


@each()
def test_order_with_a_trim_does_not_matter(take, kind):
    edit = Trim(2.0, 4.0) if kind == "trim" else EXAMPLES[kind]
    before, behind = after(take, Trim(1.0, 5.0), edit), after(take, edit, Trim(1.0, 5.0))
    times = np.arange(75, 106) / 30.0
    assert np.allclose(positions_at(before, times), positions_at(behind, times), atol=tolerance_m(kind))
    assert moments_by_hand(before) == pytest.approx(moments_by_hand(behind))


@pytest.mark.parametrize("shift", [Trim(1.0, None), Retime(((0.0, 0.5),))], ids=["trim", "retime"])
def test_range_of_an_edit_stays_at_its_moment_of_the_source(take, shift):
    scope = Scope(start_s=2.5, stop_s=3.5, ease_s=0.2)
    for edits in ([(EXAMPLES["smooth"], scope)], [shift, (EXAMPLES["smooth"], scope)]):
        *_, before, edited = stages(take, *edits)
        times = before.time_map.inverse()(np.arange(before.take.motion.frames) * before.take.motion.frame_time_s)
        same = np.all(before.take.motion.local_rotations == edited.take.motion.local_rotations, axis=(1, 2))
        assert np.all(same[(times <= 2.3 - 1e-9) | (times >= 3.7 + 1e-9)])
        assert not np.any(same[(times > 2.35) & (times < 3.65)])


@each(POSES)
def test_joints_outside_a_mask_keep_their_very_numbers(take, kind):
    head = take.motion.skeleton.joint(Role.HEAD)
    others = [joint for joint in range(len(take.motion.skeleton)) if joint != head]
    fully, edited = (after(take, (EXAMPLES[kind], scope)).take.motion for scope in (Scope(), Scope(joints=(HEAD,))))
    assert not np.array_equal(fully.local_rotations[:, others], take.motion.local_rotations[:, others])
    assert np.array_equal(edited.local_rotations[:, others], take.motion.local_rotations[:, others])
    assert np.array_equal(edited.root_positions, take.motion.root_positions)
    assert np.array_equal(edited.local_rotations[:, head], fully.local_rotations[:, head])


@each(POSES)
def test_frames_outside_a_range_keep_their_very_numbers(take, kind):
    fully, edited = (
        after(take, (EXAMPLES[kind], scope)).take.motion for scope in (Scope(), Scope(start_s=3.0, ease_s=0.0))
    )
    before = take.motion
    assert not np.array_equal(fully.local_rotations[:90], before.local_rotations[:90])
    assert np.array_equal(edited.local_rotations[:90], before.local_rotations[:90])
    assert np.array_equal(edited.root_positions[:90], before.root_positions[:90])
    assert np.array_equal(edited.local_rotations[90:], fully.local_rotations[90:])


@each([kind for kind in EXAMPLES if kind != "contact_corrections"])  # see below
def test_feet_can_be_cleaned_after_any_edit_without_tearing_the_body_along(take, kind):
    """Contacts must tell the truth of what an edit made: planting feet that slide on purpose would drag the pelvis."""
    *_, edited, cleaned = stages(take, EXAMPLES[kind], FootCleanUp())
    assert not cleaned.failed
    moved = cleaned.take.motion.root_positions - edited.take.motion.root_positions
    assert np.max(np.linalg.norm(moved, axis=-1)) < 0.06


def test_feet_that_a_hand_says_stand_are_planted_there(take):
    """The word of a hand stands, true or not."""
    edited, cleaned = (after(take, EXAMPLES["contact_corrections"], *more) for more in ((), (FootCleanUp(),)))
    toe, times = take.motion.skeleton.joint(Role.LEFT_TOE), np.linspace(2.85, 3.15, 10)
    slid, stood = (np.ptp(positions_at(stage, times)[:, toe][:, [0, 2]], axis=0) for stage in (edited, cleaned))
    assert np.max(slid) > 0.5, "the foot was in the air"
    assert np.max(stood) < 0.1 * np.max(slid)


@each(WHOLE)
@pytest.mark.parametrize("scope", [Scope(start_s=1.0), Scope(stop_s=1.0), Scope(joints=(HEAD,))])
def test_edits_on_all_of_time_take_no_range_and_no_joints(kind, scope):
    with pytest.raises(ValueError, match="takes no joints and no range"):
        Layer("1", EXAMPLES[kind], scope=scope)


@each()
def test_edits_are_values_that_print_as_python(kind):
    edit = EXAMPLES[kind]
    assert hash(edit) == hash(replace(edit))
    assert eval(repr(edit), dict(SCRIPT_NAMES)) == edit


def test_every_kind_can_be_stored_and_read_again(tmp_path):
    from model.files.project_file import check_kinds, read_project, write_project

    kinds = FEATURES.kinds
    check_kinds(kinds)
    layers = tuple(Layer(str(n), edit) for n, edit in enumerate(EXAMPLES.values(), 10))
    project = Project(
        (
            Clip("1", "Walk", ProceduralGait(), layers),
            Clip("2", "Twice", Sequence((Part("1"), Part("1")))),
            Clip("3", "Path", WalkAlongPath(styles=(StyleBand("1"), StyleBand("1", 3.0, 0.5)), speeds=((1.0, 0.8),))),
        ),
        99,
    )
    write_project(project, tmp_path / "all.mwright", kinds)
    assert read_project(tmp_path / "all.mwright", kinds).project == project
