"""BVH files read and written: what is in them comes out, what is odd is repaired and said."""

from dataclasses import replace

import numpy as np
import pytest

from model.euler import from_euler
from model.files.bvh import parse_bvh, read_bvh, write_bvh
from model.files.problems import MotionFileError, ReadOptions
from model.motion import Pose, reordered
from model.roles import Role
from model.rotation import IDENTITY, angle_between, from_axis_angle, multiply, normalize
from model.units import CENTIMETRE, METRE, MILLIMETRE
from tests.clips import X, Y, random_motion, waving_figure
from tests.model.files.bvh_text import HEADER, ROW_LIST, SMALL, with_rows

CM = ReadOptions(unit=CENTIMETRE, up="+Y")


def parse(text, options=CM):
    return parse_bvh(text.encode() if isinstance(text, str) else text, "clip.bvh", options)


def messages(reading):
    return " | ".join(problem.message for problem in reading.problems)


def same_motion(a, b):
    assert a.skeleton.names == b.skeleton.names
    assert a.skeleton.parents == b.skeleton.parents
    np.testing.assert_allclose(a.world.positions, b.world.positions, atol=1e-12)
    np.testing.assert_allclose(a.frame_time_s, b.frame_time_s)


PLAIN = parse(SMALL).motion


def test_values_arrive_where_they_belong():
    motion = PLAIN
    assert motion.skeleton.names == ("Hips", "Spine", "Leg")
    assert motion.skeleton.parents == (-1, 0, 0)
    assert motion.frame_time_s == 0.04
    np.testing.assert_allclose(motion.skeleton.offsets, [[0, 0, 0], [0, 0.1, 0], [0.04, -0.015, 0]])
    np.testing.assert_allclose([site.offset for site in motion.skeleton.end_sites], [[0, 0.05, 0.01], [0, -0.4, 0]])
    np.testing.assert_allclose(motion.root_positions[1], [0.015, 0.91, 0.025])
    z, x, y = (from_axis_angle(axis, np.radians(angle)) for axis, angle in ((np.eye(3)[2], 11), (X, 21), (Y, 31)))
    np.testing.assert_allclose(angle_between(motion.local_rotations[1, 0], multiply(multiply(z, x), y)), 0, atol=1e-12)
    assert parse(SMALL).problems == ()


# Each is the small file written otherwise; all must read the same.
VARIANTS = {
    "crlf": SMALL.replace("\n", "\r\n"),
    "cr": SMALL.replace("\n", "\r"),
    "mixed line ends": SMALL.replace("\n", "\r\n", 12).replace("}\r\n", "}\r", 1),
    "tabs": SMALL.replace("  ", "\t"),
    "byte-order mark": "\ufeff" + SMALL,
    "MOTION behind a brace": SMALL.replace("}\nMOTION", "} MOTION"),
    "EndSite in one word": SMALL.replace("End Site", "EndSite"),
    "frames on the next line": SMALL.replace("Frames: 3", "Frames:\n3"),
    "lower case": SMALL.lower().replace("hips", "Hips").replace("spine", "Spine").replace("leg", "Leg"),
    "no final newline": SMALL.rstrip(),
    "trailing blank lines": SMALL + "\n\n   \n\t\n",
    "blank lines everywhere": SMALL.replace("\n", "\n\n"),
    "trailing blanks": SMALL.replace("\n", "   \n"),
    "exponents": SMALL.replace("91", "9.1e1").replace(" 10 0", " 1E+1 0"),
    "plus signs": SMALL.replace(" 91", " +91"),
    "no leading zero": SMALL.replace("0.04", ".04"),
    "no digits after the point": SMALL.replace(" 92 ", " 92. "),
    "brace on the same line": SMALL.replace("\n  {", " {").replace("Hips\n{", "Hips {"),
    "hierarchy on one line": SMALL[: SMALL.index("MOTION")].replace("\n", " ") + "\n" + SMALL[SMALL.index("MOTION") :],
    "name on the next line": SMALL.replace("JOINT Spine", "JOINT\n  Spine"),
    "offset over lines": SMALL.replace("OFFSET 0 10 0", "OFFSET\n 0\n 10 0"),
    "channels over lines": SMALL.replace("CHANNELS 3 X", "CHANNELS 3\n X"),
    "tab after colon": SMALL.replace("Frames: ", "Frames:\t").replace("Time: ", "Time:\t"),
    "no blank after colon": SMALL.replace("Frames: ", "Frames:").replace("Time: ", "Time:"),
    "frame time first": SMALL.replace("Frames: 3\nFrame Time: 0.04\n", "Frame Time: 0.04\nFrames: 3\n"),
    "utf-16": None,
}


@pytest.mark.parametrize("variant", VARIANTS)
def test_ways_of_writing_read_the_same(variant):
    text = VARIANTS[variant]
    reading = parse(SMALL.encode("utf-16") if text is None else text)
    same_motion(reading.motion, PLAIN)
    assert not [problem for problem in reading.problems if problem.severity == "warning"]


# Each is the small file with something wrong; what is done about it is said in these words.
REPAIRS = {
    "no HIERARCHY": (SMALL.replace("HIERARCHY\n", ""), "HIERARCHY is missing"),
    "decimal commas": (
        with_rows(*(row.replace(".", ",") for row in ROW_LIST)).replace("0.04", "0,04").replace("-1.5", "-1,5"),
        "decimal commas",
    ),
    "decimal commas over lines": (
        with_rows(*(row.replace(".", ",").replace("  ", "\n") for row in ROW_LIST)), "decimal commas",
    ),
    "comma separated": (with_rows(*(", ".join(row.split()) for row in ROW_LIST)), "separated by commas"),
    "glued": (with_rows(*ROW_LIST[:2], ROW_LIST[2].replace(" -185.5", "-185.5")), "is read as 2 numbers"),
    "glued offset": (SMALL.replace("4 -1.5 0", "4-1.5 0"), ""),
    "rows broken over lines": (with_rows(*(row.replace("  ", "\n") for row in ROW_LIST)), ""),
    "all rows on one line": (with_rows(" ".join(ROW_LIST)), ""),
    "frames missing": (SMALL.replace("Frames: 3\n", ""), "Frames: is missing"),
    "frames too few": (SMALL.replace("Frames: 3", "Frames: 2"), "announces 2 frames and holds 3"),
    "frames too many": (SMALL.replace("Frames: 3", "Frames: 101"), "announces 101 frames and holds 3"),
    "frames negative": (SMALL.replace("Frames: 3", "Frames: -3"), "the rows are counted"),
    "frames not a number": (SMALL.replace("Frames: 3", "Frames: three"), "the rows are counted"),
    "frames giant": (SMALL.replace("Frames: 3", "Frames: 1000000000"), "announces 1000000000 frames"),
    "frame as a rate": (SMALL.replace("0.04", "25"), "read as frames a second"),
    "frame time in milliseconds": (SMALL.replace("0.04", "16.667"), "read as milliseconds"),
    "surplus closing brace": (SMALL.replace("MOTION", "}\nMOTION"), "without a block to close"),
    "missing closing brace": (SMALL.replace("}\nMOTION", "MOTION"), "not closed before MOTION"),
    "wrong channel count": (SMALL.replace("CHANNELS 3 X", "CHANNELS 6 X"), "declares 6 channels and names 3"),
    "root inside": (SMALL.replace("JOINT Spine", "ROOT Spine"), "read as JOINT"),
    "joint outside": (SMALL.replace("ROOT Hips", "JOINT Hips"), "read as ROOT"),
    "text after the frames": (SMALL + "the end\n", "text after the last frame is ignored"),
    "truncated last frame": (SMALL + "1 2 3 4", "has 4 of 12 values"),
    "truncated inside a number": (SMALL + "1 2 3 4 -", "has 4 of 12 values"),
    "surplus values": (with_rows(*ROW_LIST[:2], ROW_LIST[2] + " 77"), "surplus is ignored"),
}  # fmt: skip


@pytest.mark.parametrize("fault", REPAIRS)
def test_faults_are_repaired_and_said(fault):
    text, said = REPAIRS[fault]
    reading = parse(text)
    told = reading.motion if "milliseconds" not in fault else replace(reading.motion, frame_time_s=0.04)
    same_motion(told, PLAIN)
    assert said in messages(reading)


@pytest.mark.parametrize(
    "bad", ["nan", "NaN", "-nan", "inf", "-Infinity", "1.#QNAN", "-1.#IND", "1.#INF", "1e999", "2e30"]
)
def test_values_that_are_no_numbers_are_interpolated(bad):
    rows = ["5 90 2 0 0 0 0 0 0 0 0 0", f"{bad} 90 2 0 0 {bad} 0 0 0 0 0 0", "7 90 2 0 0 8 0 0 0 0 0 0"]
    reading = parse(with_rows(*rows))
    np.testing.assert_allclose(reading.motion.root_positions[:, 0], [0.05, 0.06, 0.07])
    assert reading.motion.origin.channels[1, 5] == 4.0
    assert "2 values in 1 frames" in messages(reading)


def test_short_row_amid_others_keeps_its_place_in_time():
    rows = ["5 90 2 0 0 0 0 0 0 0 0 0", "6 90", "7 90 2 0 0 8 0 0 0 0 0 0"]
    reading = parse(with_rows(*rows))
    assert reading.motion.frames == 3
    assert reading.motion.origin.channels[1].tolist() == [6, 90, 2, 0, 0, 4, 0, 0, 0, 0, 0, 0]
    assert "has 2 of 12 values" in messages(reading)
    assert reading.problems[0].line == SMALL[: SMALL.index("1 90 2")].count("\n") + 2


@pytest.mark.parametrize("text", ["0", "-0.04", "abc", "1e-9", "1e9", ""])
def test_impossible_frame_time_is_a_thirtieth_and_said(text):
    reading = parse(SMALL.replace("Frame Time: 0.04", f"Frame Time: {text}"))
    assert reading.motion.frame_time_s == pytest.approx(1 / 30)
    assert "1/30 s is assumed" in messages(reading)


def test_missing_frame_time_is_a_thirtieth_and_said():
    reading = parse(SMALL.replace("Frame Time: 0.04\n", ""))
    assert reading.motion.frame_time_s == pytest.approx(1 / 30)
    assert "Frame Time: is missing" in messages(reading)


def test_names_may_hold_blanks_colons_and_keywords():
    text = SMALL.replace("Spine", "Left Collar").replace("JOINT Leg", "JOINT mixamorig:End Site#2")
    assert parse(text).motion.skeleton.names == ("Hips", "Left Collar", "mixamorig:End Site#2")
    assert parse(SMALL.replace("Leg", "MOTION")).motion.skeleton.names[2] == "MOTION"
    assert parse(SMALL.replace("Leg", "Ärm").encode("latin-1")).motion.skeleton.names[2] == "Ärm"


def test_end_sites_of_every_kind():
    named = parse(SMALL.replace("End Site", "End Site5", 1)).motion
    assert [site.label for site in named.skeleton.end_sites] == ["Site5", "Site"]
    without = parse(SMALL.replace("End Site\n    {\n      OFFSET 0 5 1\n    }\n", "")).motion
    assert len(without.skeleton.end_sites) == 1
    inner = SMALL.replace(
        "  JOINT Leg",
        "  End Site\n  {\n    OFFSET 1 1 1\n  }\n  End Hat\n  {\n    OFFSET 2 2 2\n  }\n  JOINT Leg",
    )
    sites = parse(inner).motion.skeleton.end_sites
    assert [(site.joint, site.label) for site in sites] == [(0, "Site"), (0, "Hat"), (1, "Site"), (2, "Site")]


def test_several_roots_are_several_roots():
    second = SMALL[SMALL.index("ROOT") : SMALL.index("MOTION")].replace("Hips", "Prop")
    rows = [row + " " + row for row in ROW_LIST]
    text = SMALL[: SMALL.index("MOTION")] + second + "MOTION\nFrames: 3\nFrame Time: 0.04\n" + "\n".join(rows)
    motion = parse(text).motion
    assert motion.skeleton.roots == (0, 3)
    np.testing.assert_allclose(motion.world.positions[:, 3:], motion.world.positions[:, :3], atol=1e-15)


def test_rotation_before_position_and_missing_axes():
    text = SMALL.replace("6 Xposition Yposition Zposition Zrotation", "5 Zrotation Yposition Xposition")
    text = text.replace("ROOT Hips\n{\n  OFFSET 0 0 0", "ROOT Hips\n{\n  OFFSET 0 0 7")
    rows = [" ".join([*row.split()[:5], *row.split()[6:]]) for row in ROW_LIST]
    motion = parse(text[: text.index("1 90")] + "\n".join(rows)).motion
    # An axis without a channel stays at OFFSET.
    np.testing.assert_allclose(motion.root_positions[0], [0.02, 0.90, 0.07])


def test_root_offset_is_not_added_to_position_channels():
    motion = parse(SMALL.replace("OFFSET 0 0 0", "OFFSET 100 200 300")).motion
    np.testing.assert_allclose(motion.root_positions, PLAIN.root_positions)


def test_positions_on_a_joint_replace_its_offset():
    text = SMALL.replace("CHANNELS 3 X", "CHANNELS 6 Xposition Yposition Zposition X")
    rows = [f"{' '.join(row.split()[:9])} 1 {n} 3 {' '.join(row.split()[9:])}" for n, row in enumerate(ROW_LIST)]
    motion = parse(text[: text.index("1 90")] + "\n".join(rows)).motion
    assert not motion.limbs_are_fixed
    np.testing.assert_allclose(motion.local_offsets[:, 2], [[0.01, n / 100, 0.03] for n in range(3)])


def test_positions_of_about_zero_are_moves_from_the_offset(tmp_path):
    """As MakeHuman writes them; taken as positions they would collapse the body."""
    text = SMALL.replace("CHANNELS 3 X", "CHANNELS 6 Xposition Yposition Zposition X")
    rows = [f"{' '.join(row.split()[:9])} 0 0.001 0 {' '.join(row.split()[9:])}" for row in ROW_LIST]
    reading = parse(text[: text.index("1 90")] + "\n".join(rows))
    assert "read as moves from OFFSET" in messages(reading)
    np.testing.assert_allclose(reading.motion.local_offsets[2], [0.04, -0.01499, 0.0], atol=1e-12)
    write_bvh(reading.motion, tmp_path / "out.bvh")
    again = read_bvh(tmp_path / "out.bvh", CM).motion
    np.testing.assert_array_equal(again.origin.channels, reading.motion.origin.channels)
    np.testing.assert_allclose(again.world.positions, reading.motion.world.positions, atol=1e-12)


@pytest.mark.parametrize("up", ["+Z", "-X", "-Y"])
def test_other_axes_only_rename_channels_and_turn_signs(tmp_path, up):
    text = SMALL.replace("CHANNELS 3 Xrotation Yrotation Zrotation", "CHANNELS 2 Xrotation Zrotation")
    rows = [" ".join(row.split()[:11]) for row in ROW_LIST]
    motion = parse(text[: text.index("1 90")] + "\n".join(rows)).motion
    assert write_bvh(motion, tmp_path / "out.bvh", up=up) == ()
    again = read_bvh(tmp_path / "out.bvh", ReadOptions(unit=CENTIMETRE, up=up)).motion
    np.testing.assert_allclose(again.world.positions, motion.world.positions, atol=1e-12)
    np.testing.assert_array_equal(np.abs(again.origin.channels), np.abs(motion.origin.channels))


@pytest.mark.parametrize("axes", ["ZX", "XY", "YZ", "XZ"])
def test_joint_with_two_channels_keeps_what_they_can_say_when_resampled(tmp_path, axes):
    channels = " ".join(f"{axis}rotation" for axis in axes)
    text = SMALL.replace("3 Xrotation Yrotation Zrotation", f"2 {channels}")
    rows = [
        f"{' '.join(row.split()[:9])} {a} {b}"
        for row, a, b in zip(ROW_LIST, (10, 30, 50), (100, 130, 160), strict=True)
    ]
    motion = parse(text[: text.index("1 90")] + "\n".join(rows)).motion
    write_bvh(motion.resampled(50.0), tmp_path / "out.bvh")
    angles = read_bvh(tmp_path / "out.bvh", CM).motion.origin.channels[:, 9:]
    np.testing.assert_array_equal(angles[::2], [[10, 100], [30, 130], [50, 160]])
    np.testing.assert_allclose(angles[1::2], [[20, 115], [40, 145]], atol=3.0)


@pytest.mark.parametrize("axes", ["Y", "ZX"])
def test_joint_with_few_channels_gets_the_nearest_rotation(tmp_path, axes):
    rng = np.random.default_rng(7)
    channels = " ".join([str(len(axes)), *(f"{axis}rotation" for axis in axes)])
    text = SMALL.replace("3 Xrotation Yrotation Zrotation", channels)
    rows = "\n".join(" ".join(row.split()[: 9 + len(axes)]) for row in ROW_LIST)
    motion = parse(text[: text.index("1 90")] + rows).motion
    rotations = motion.local_rotations.copy()
    rotations[:, 2] = normalize(rng.normal(size=(3, 4)))
    write_bvh(replace(motion, local_rotations=rotations), tmp_path / "out.bvh")
    written = read_bvh(tmp_path / "out.bvh", CM).motion.local_rotations[:, 2]
    tries = from_euler(rng.uniform(-np.pi, np.pi, size=(5000, 1, len(axes))), axes)
    best = np.min(angle_between(tries, rotations[:, 2]), axis=0)
    assert np.all(angle_between(written, rotations[:, 2]) <= best + 1e-6)


def test_joint_with_one_channel_and_joint_with_none():
    text = SMALL.replace("CHANNELS 3 Xrotation Yrotation Zrotation", "CHANNELS 1 Xrotation")
    text = text.replace("    CHANNELS 3 Zrotation Xrotation Yrotation\n", "")
    rows = ["1 90 2 0 0 0 30"] * 3
    motion = parse(text[: text.index("1 90")] + "\n".join(rows)).motion
    np.testing.assert_allclose(motion.local_rotations[0, 1], [1, 0, 0, 0])
    np.testing.assert_allclose(motion.local_rotations[0, 2], from_axis_angle(X, np.radians(30)))


def test_channels_without_effect_are_kept():
    text = SMALL.replace("CHANNELS 3 Xrotation", "CHANNELS 4 Xscale Xrotation")
    rows = [" ".join([*row.split()[:9], "1.5", *row.split()[9:]]) for row in ROW_LIST]
    reading = parse(text[: text.index("1 90")] + "\n".join(rows))
    same_motion(reading.motion, PLAIN)
    assert "has no effect" in messages(reading)


def test_radians_are_read_when_told_and_suspected_when_not():
    rows = [
        " ".join([*row.split()[:3], *(f"{np.radians(float(v)):.17g}" for v in row.split()[3:])]) for row in ROW_LIST
    ]
    motion = parse(with_rows(*rows), ReadOptions(unit=CENTIMETRE, up="+Y", radians=True)).motion
    same_motion(motion, PLAIN)


def test_unit_and_axes_can_be_told():
    motion = parse(SMALL, ReadOptions(unit=MILLIMETRE, up="+Z")).motion
    np.testing.assert_allclose(motion.root_positions[1], np.array([1.5, 2.5, -91.0]) * 0.001)
    standing = PLAIN.world.positions * 0.1
    np.testing.assert_allclose(
        motion.world.positions, np.stack([standing[..., 0], standing[..., 2], -standing[..., 1]], -1)
    )


def test_unreadable_file_is_named():
    with pytest.raises(MotionFileError, match=r"nowhere\.bvh: cannot be read: No such file"):
        read_bvh("nowhere.bvh")


# Writing


@pytest.mark.parametrize("variant", ["plain", "told in metres, Z up"])
def test_unchanged_motion_is_written_with_its_own_numbers(tmp_path, variant):
    options = CM if variant == "plain" else ReadOptions(unit=METRE, up="+Z")
    text = SMALL.replace("Spine", "Left Collar").replace("End Site", "End Tip", 1)
    motion = parse(text, options).motion
    assert write_bvh(motion, tmp_path / "out.bvh") == ()
    written = (tmp_path / "out.bvh").read_text()
    rows = written.split("Frame Time: 0.04\n")[1].split()
    assert [float(value) for value in rows] == [float(value) for value in " ".join(ROW_LIST).split()]
    assert "370.0" in rows
    assert "JOINT Left Collar" in written
    assert "End Tip" in written
    assert "OFFSET 4.0 -1.5 0.0" in written
    again = read_bvh(tmp_path / "out.bvh", options).motion
    np.testing.assert_array_equal(again.local_rotations, motion.local_rotations)
    np.testing.assert_array_equal(again.root_positions, motion.root_positions)


def test_changed_rotation_is_written_nearest_to_the_old_numbers_and_others_stay(tmp_path):
    rotations = PLAIN.local_rotations.copy()
    rotations[1, 2] = multiply(rotations[1, 2], from_axis_angle(X, np.radians(0.5)))
    changed = replace(PLAIN, local_rotations=rotations)
    write_bvh(changed, tmp_path / "out.bvh")
    again = read_bvh(tmp_path / "out.bvh", CM).motion
    np.testing.assert_allclose(np.degrees(angle_between(again.local_rotations, rotations)), 0.0, atol=1e-7)
    before, after = PLAIN.origin.channels, again.origin.channels
    assert after[1, 9] == pytest.approx(370.5, abs=0.1)
    unchanged = np.ones(before.shape, dtype=bool)
    unchanged[1, 9:] = False
    np.testing.assert_array_equal(after[unchanged], before[unchanged])


def test_cut_and_resampled_motions_keep_their_numbers_where_they_can(tmp_path):
    write_bvh(PLAIN.sliced(1, 3), tmp_path / "cut.bvh")
    cut = read_bvh(tmp_path / "cut.bvh", CM).motion
    np.testing.assert_array_equal(cut.origin.channels, PLAIN.origin.channels[1:])
    write_bvh(PLAIN.resampled(50.0), tmp_path / "fine.bvh")
    fine = read_bvh(tmp_path / "fine.bvh", CM).motion
    np.testing.assert_array_equal(fine.origin.channels[::2], PLAIN.origin.channels)
    assert fine.frames == 5
    np.testing.assert_allclose(fine.world.positions, PLAIN.resampled(50.0).world.positions, atol=1e-9)


@pytest.mark.parametrize("moving_limbs", [False, True])
def test_motion_without_a_file_is_written_and_read_back(tmp_path, moving_limbs):
    motion = random_motion(moving_limbs=moving_limbs)
    assert write_bvh(motion, tmp_path / "out.bvh") == ()
    again = read_bvh(tmp_path / "out.bvh", CM).motion
    np.testing.assert_allclose(again.world.positions, motion.world.positions, atol=1e-7)
    assert again.skeleton.joint(Role.LEFT_KNEE) == motion.skeleton.joint(Role.LEFT_KNEE)


def test_joints_in_any_order_are_nested_as_the_format_wants(tmp_path):
    motion = random_motion()
    skeleton = motion.skeleton
    by_depth = tuple(sorted(range(len(skeleton)), key=lambda joint: len(skeleton.chain(0, joint))))
    shuffled = reordered(motion, by_depth)
    assert shuffled.skeleton.names != skeleton.names
    write_bvh(shuffled, tmp_path / "out.bvh")
    again = read_bvh(tmp_path / "out.bvh", CM).motion
    for joint, name in enumerate(again.skeleton.names):
        was = skeleton.find(name)
        assert again.skeleton.roles[joint] == skeleton.roles[was]
        np.testing.assert_allclose(again.world.positions[:, joint], motion.world.positions[:, was], atol=1e-7)


def test_angles_written_without_a_model_do_not_jump(tmp_path):
    time = np.linspace(0.0, 1.0, 200)
    motion = random_motion(frames=200)
    rotations = motion.local_rotations.copy()
    rotations[:, 0] = from_axis_angle(Y, 15.0 * time)
    write_bvh(replace(motion, local_rotations=rotations), tmp_path / "out.bvh")
    channels = read_bvh(tmp_path / "out.bvh", CM).motion.origin.channels
    assert np.max(np.abs(np.diff(channels[:, 3:6], axis=0))) < 10.0


@pytest.mark.parametrize("unit", [METRE, MILLIMETRE])
@pytest.mark.parametrize("up", ["+Y", "+Z", "-X"])
def test_other_units_and_axes_describe_the_same_motion(tmp_path, unit, up):
    motion = waving_figure(frames=5)
    write_bvh(motion, tmp_path / "out.bvh", unit, up)
    again = read_bvh(tmp_path / "out.bvh").motion
    assert (again.origin.unit, again.origin.up) == (unit, up)
    np.testing.assert_allclose(again.world.positions, motion.world.positions, atol=1e-7)


def test_what_the_channels_cannot_carry_is_said(tmp_path):
    text = SMALL.replace("CHANNELS 3 Xrotation Yrotation Zrotation", "CHANNELS 1 Xrotation")
    rows = [" ".join(row.split()[:10]) for row in ROW_LIST]
    motion = parse(text[: text.index("1 90")] + "\n".join(rows)).motion
    rotations = motion.local_rotations.copy()
    rotations[0, 2] = from_axis_angle(Y, np.radians(10))
    stretched = replace(motion, local_rotations=rotations, local_offsets=motion.local_offsets * 1.01)
    problems = write_bvh(stretched, tmp_path / "out.bvh")
    said = " | ".join(problem.message for problem in problems)
    assert "'Leg' has too few rotation channels" in said
    assert "'Spine' has no position channels" in said


def test_motion_with_not_finite_numbers_is_not_written(tmp_path):
    roots = PLAIN.root_positions.copy()
    roots[1] = np.nan
    with pytest.raises(ValueError, match="root positions that are not finite"):
        write_bvh(replace(PLAIN, root_positions=roots), tmp_path / "out.bvh")
    assert list(tmp_path.iterdir()) == []


def test_names_that_would_break_the_file_are_mended(tmp_path):
    skeleton = replace(PLAIN.skeleton, names=("a{b", "c\nd", "e}"))
    write_bvh(replace(PLAIN, skeleton=skeleton), tmp_path / "out.bvh")
    assert read_bvh(tmp_path / "out.bvh", CM).motion.skeleton.names == ("a_b", "c_d", "e_")


def test_rest_pose_before_the_motion_is_kept_beside_it_and_written_first(tmp_path):
    motion = waving_figure(frames=30)
    write_bvh(motion, tmp_path / "plain.bvh")
    lines = (tmp_path / "plain.bvh").read_text().split("\n")
    first = next(n for n, line in enumerate(lines) if line.startswith("Frame Time")) + 1
    rest_row = " ".join(["1.25", "94", "-3", *["0"] * (len(lines[first].split()) - 3)])
    (tmp_path / "rest.bvh").write_text("\n".join([*lines[:first], rest_row, *lines[first:]]))
    reading = read_bvh(tmp_path / "rest.bvh")
    again = reading.motion
    assert again.first_frame == 1
    assert again.frames == 30
    np.testing.assert_allclose(again.world.positions, motion.world.positions, atol=1e-7)
    np.testing.assert_allclose(again.rest.root_position, [0.0125, 0.94, -0.03])
    assert "rest pose" in messages(reading)
    write_bvh(again, tmp_path / "again.bvh")
    twice = read_bvh(tmp_path / "again.bvh").motion
    np.testing.assert_array_equal(twice.origin.rest_channels, again.origin.rest_channels)
    np.testing.assert_array_equal(twice.local_rotations, again.local_rotations)


@pytest.mark.parametrize("fps", [8.0, 10.0, 15.0])
def test_rest_pose_is_told_at_low_rates_too(tmp_path, fps):
    motion = waving_figure(frames=60).resampled(fps)
    rest = Pose(np.array([0.0, 0.94, 0.0]), np.tile(IDENTITY, (22, 1)), motion.skeleton.offsets)
    write_bvh(replace(motion, rest=rest, first_frame=1), tmp_path / "out.bvh")
    again = read_bvh(tmp_path / "out.bvh").motion
    assert (again.first_frame, again.frames) == (1, motion.frames)


def test_body_that_lies_all_the_time_is_read_as_it_rests(tmp_path):
    motion = waving_figure(frames=20)
    rotations = motion.local_rotations.copy()
    rotations[:, 0] = multiply(from_axis_angle(np.eye(3)[2], np.pi / 2), rotations[:, 0])
    write_bvh(replace(motion, local_rotations=rotations), tmp_path / "out.bvh")
    reading = read_bvh(tmp_path / "out.bvh")
    assert reading.motion.origin.up == "+Y"
    assert "as the body rests" in messages(reading)


def test_motion_that_begins_in_the_rest_pose_smoothly_keeps_its_first_frame():
    motion = random_motion(frames=40)
    from model.displacement import apply, difference
    from model.files.guesses import leading_rest_pose
    from model.motion import rest_motion

    still = rest_motion(motion.skeleton, motion.frame_time_s, motion.frames)
    growing = apply(difference(motion, still), still, np.linspace(0.0, 1.0, 40))
    assert not leading_rest_pose(growing.local_rotations)


def test_header_alone_says_so():
    with pytest.raises(MotionFileError, match="before the first frame"):
        parse(HEADER)
