"""Scenes: what is shown at a moment, as finite arrays."""

from dataclasses import fields, is_dataclass, replace

import numpy as np
import pytest

from editor.document.showing import Shown
from model.clip import Take
from model.contacts import Contacts
from model.ground import Ground
from model.motion import rest_motion
from tests.clips import Y, figure, stepping_figure, waving_figure
from tests.stacks import Cut, Lift
from tests.widgets.viewport.stage import blob, desk, stepping_take
from widgets.common.theme import DARK, LIGHT
from widgets.viewport.composing import Composer, Moment, ViewOptions, Wanted, wanted_of
from widgets.viewport.mass import centre_of_mass, joint_masses
from widgets.viewport.overlay import Ghost
from widgets.viewport.scene import rgb
from widgets.viewport.shadow import cast

ALL = ViewOptions(
    ghost_source=True, ghost_around=True, trails=True, centre_of_mass=True, names=True
)  # fmt: skip


def scene_of(wanted, options=ViewOptions(), theme=DARK):  # noqa: B008
    return Composer().scene(wanted, options, theme)


def arrays_in(value):
    if isinstance(value, np.ndarray):
        yield value
    elif is_dataclass(value):
        for one in fields(value):
            yield from arrays_in(getattr(value, one.name))
    elif isinstance(value, tuple):
        for one in value:
            yield from arrays_in(one)


@pytest.mark.parametrize("time_s", [-1.0, 0.0, 0.51, 99.0])
def test_arrays_of_a_full_scene_are_finite(time_s):
    take = stepping_take(seconds=3.0)
    edited = Moment(take, time_s)
    ref = take.motion.skeleton.ref(8)
    wanted = Wanted(
        edited, Moment(stepping_take(seconds=2.0), time_s), beside=(Moment(stepping_take(seconds=1.0), time_s),),
        joints=(ref,), hovered=3, ghosts=(Ghost(0.2, np.ones((3, 4))), Ghost(0.9, np.ones((3, 4)))),
    )  # fmt: skip
    scene = scene_of(wanted, ALL)
    for values in arrays_in(scene):
        assert np.all(np.isfinite(values))
    assert len(scene.solids)
    assert len(scene.ghosts)
    assert len(scene.shadows) == 2
    assert len(scene.labels) == len(take.motion.skeleton)


def test_nothing_to_show_is_an_empty_scene():
    scene = scene_of(Wanted(None))
    assert not len(scene.solids)
    assert scene.outline().shape == (0, 3)
    none = rest_motion(figure(), frames=1).sliced(0, 0)
    assert not len(scene_of(Wanted(Moment(Take(none, Contacts(0, {}, 0.0)), 0.0))).solids)


def test_body_without_roles_has_neither_mass_nor_contacts_but_is_shown():
    motion = rest_motion(blob(), frames=10)
    scene = scene_of(Wanted(Moment(Take(motion, Contacts(10, {}, 0.0)), 0.1)), ALL)
    assert len(scene.solids) == 4
    assert not len(scene.front_dots)


def test_ghosts_stand_where_source_and_final_are_at_that_moment():
    _, session, shows = desk(Cut(0.5), Lift(2.0))
    session.look(layer="e0")
    shown = shows.current
    assert isinstance(shown, Shown)
    wanted = wanted_of(shown, (), 0.25)
    assert wanted.source.time_s == pytest.approx(0.75)
    assert wanted.final.time_s == pytest.approx(0.25)
    only_final = scene_of(wanted, ViewOptions(ghost_final=True))
    np.testing.assert_allclose(
        only_final.ghosts.starts, only_final.solids.starts + np.array([0.0, 2.0, 0.0]), atol=1e-9
    )
    only_source = scene_of(wanted, ViewOptions(ghost_final=False, ghost_source=True))
    np.testing.assert_allclose(only_source.ghosts.starts, only_source.solids.starts, atol=1e-9)
    np.testing.assert_allclose(only_source.ghosts.colours[0, :3], rgb(DARK.source))


def test_finished_take_without_edits_has_no_ghosts():
    _, _, shows = desk()
    scene = scene_of(wanted_of(shows.current, (), 0.2), ViewOptions(ghost_source=True, ghost_final=True))
    assert not len(scene.ghosts)


def test_contacts_that_hold_now_are_filled_under_the_foot():
    take = stepping_take(seconds=3.0)
    contact = take.contacts.limbs["left_foot"][1]
    frame = (contact.start + contact.stop) // 2
    scene = scene_of(Wanted(Moment(take, frame * take.motion.frame_time_s)))
    filled = scene.prints.centres[scene.prints.fills > 0.0]
    toe = take.motion.world.positions[frame, take.motion.skeleton.find("LeftToe")]
    assert np.min(np.linalg.norm((filled - toe)[:, [0, 2]], axis=-1)) < 0.12
    np.testing.assert_allclose(filled[:, 1], take.contacts.ground_m, atol=0.01)
    airborne = [c for limb in take.contacts.limbs.values() for c in limb if c.start <= frame < c.stop]
    assert len(filled) == len(airborne)


def test_trails_go_through_the_joint_and_follow_the_selection():
    take = stepping_take(seconds=3.0)
    skeleton = take.motion.skeleton
    hand = skeleton.find("RightHand")
    frame = 80
    scene = scene_of(
        Wanted(Moment(take, frame * take.motion.frame_time_s), joints=(skeleton.ref(hand),)), ViewOptions(trails=True)
    )
    np.testing.assert_allclose(
        np.min(np.linalg.norm(scene.dots.positions - scene.joints[hand], axis=-1)), 0.0, atol=1e-9
    )
    np.testing.assert_allclose(scene.lines.starts[1:], scene.lines.ends[:-1], atol=1e-12)
    assert len(scene.dots) > 60


def test_selected_joint_is_marked_and_its_parts_stand_out():
    take = stepping_take(seconds=1.0)
    skeleton = take.motion.skeleton
    plain = scene_of(Wanted(Moment(take, 0.0)))
    knee = skeleton.find("LeftLeg")
    marked = scene_of(Wanted(Moment(take, 0.0), joints=(skeleton.ref(knee),)))
    changed = np.any(plain.solids.colours != marked.solids.colours, axis=-1)
    assert np.any(changed)
    assert set(marked.solids.joints[changed]) == {knee}
    np.testing.assert_allclose(marked.front_dots.positions[-1], marked.joints[knee])
    assert [label.text for label in marked.labels] == ["LeftLeg"]


def test_themes_give_other_colours():
    take = stepping_take(seconds=1.0)
    dark, light = (scene_of(Wanted(Moment(take, 0.0)), theme=theme) for theme in (DARK, LIGHT))
    assert np.any(dark.backdrop.ground != light.backdrop.ground)
    assert np.any(dark.solids.colours != light.solids.colours)


def test_masses_of_a_whole_body_sum_to_one_and_its_centre_is_in_the_pelvis():
    skeleton = figure()
    masses = joint_masses(skeleton)
    assert np.sum(masses) == pytest.approx(1.0)
    centre = centre_of_mass(masses, skeleton.rest_positions())
    # Standing people have it at 55 to 57 % of their height; with raised arms a little higher.
    assert 0.54 < centre[1] / 1.75 < 0.60
    assert centre[0] == pytest.approx(0.0, abs=1e-9)
    assert joint_masses(blob()) is None


def test_shadow_is_darkest_under_the_feet_and_follows_the_figure():
    motion, _ = stepping_figure(seconds=1.0)
    scene = scene_of(Wanted(Moment(Take(motion, Contacts(motion.frames, {}, 0.0)), 0.5)))
    shadow = scene.shadows[0]
    row, column = np.unravel_index(np.argmax(shadow.darkness), shadow.darkness.shape)
    texel = 2.0 * shadow.half_m / len(shadow.darkness)
    darkest = shadow.corners()[0] + np.array([column + 0.5, 0.0, row + 0.5]) * texel
    low = scene.solids.starts[scene.solids.starts[:, 1] < 0.12]
    assert np.min(np.linalg.norm((low - darkest)[:, [0, 2]], axis=-1)) < 0.1
    assert np.max(shadow.darkness[[0, -1]]) < 30, "it ends before its picture does"
    higher = cast(scene.solids, Ground(-0.5))
    assert np.max(higher.darkness) < np.max(shadow.darkness)
    assert np.sum(higher.darkness) < 0.9 * np.sum(shadow.darkness)


def test_composing_changes_nothing_and_repeats():
    motion = waving_figure()
    take = Take(motion, Contacts(motion.frames, {}, 0.0))
    composer = Composer()
    first = composer.scene(Wanted(Moment(take, 0.4)), ALL, DARK)
    composer.scene(Wanted(Moment(take, 1.1)), ALL, DARK)
    again = composer.scene(Wanted(Moment(take, 0.4)), ALL, DARK)
    for one, other in zip(arrays_in(first), arrays_in(again), strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize(("apart_m", "seen_m"), [(0.01, 0.01), (-1.0, 0.0)])
def test_clip_beside_stands_on_the_same_ground_wherever_its_recording_had_it(apart_m, seen_m):
    take = stepping_take()
    motion = replace(take.motion, root_positions=take.motion.root_positions + apart_m * Y)
    other = Take(motion, replace(take.contacts, ground_m=take.contacts.ground_m + apart_m))
    wanted = Wanted(Moment(take, 0.5), beside=(Moment(other, 0.5),))
    solids = Composer().scene(wanted, ViewOptions(), DARK).solids
    half = len(solids) // 2
    np.testing.assert_allclose(solids.starts[half:, 1] - solids.starts[:half, 1], seen_m, atol=1e-9)
