"""Acclaim files: what is in them comes out, and goes back."""

import re
from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from model.files.acclaim import read_amc, read_asf, write_amc
from model.files.bvh import read_bvh, write_bvh
from model.files.formats import read_motion, write_motion
from model.files.problems import MotionFileError, ReadOptions
from model.kinematics import end_site_positions
from model.motion import reordered
from model.rotation import from_axis_angle, multiply
from model.units import CENTIMETRE, METRE
from tests.clips import X, Y, random_motion, waving_figure
from tests.model.files.acclaim_text import AMC, ASF, FRAMES, HEAD


def put(folder, amc=AMC, asf=ASF, name="small"):
    """Write both files and give the motion file's path."""
    for text, suffix in ((amc, ".amc"), (asf, ".asf")):
        data = text if isinstance(text, bytes) else text.encode()
        (folder / (name + suffix)).write_bytes(data)
    return folder / f"{name}.amc"


def parse(folder, amc=AMC, asf=ASF, options=None):
    return read_amc(put(folder, amc, asf), options or ReadOptions(unit=CENTIMETRE, up="+Y"))


def messages(reading):
    return " | ".join(problem.message for problem in reading.problems)


def matrix(axes, *degrees):
    """Rotations about fixed axes, the first turned first, as Acclaim means them."""
    return Rotation.from_euler(axes.lower(), degrees, degrees=True).as_matrix()


def test_joints_are_where_the_definition_of_the_format_puts_them(tmp_path):
    """Worked by hand: a bone ends at its start plus its direction, turned by the rotations C M C^-1 down to its own."""
    motion = parse(tmp_path).motion
    assert motion.skeleton.names == ("root", "hip", "thigh", "shin", "back")
    assert motion.skeleton.parents == (-1, 0, 1, 2, 0)
    root = matrix("XYZ", 11, 21, 31)
    at = np.array([1.5, 91, 2.5])
    knee_frame = matrix("XYZ", 0, 0, 20)
    thigh = knee_frame @ matrix("XYZ", -5, 370, 7) @ knee_frame.T
    shin_frame = matrix("XYZ", 30, 0, 20)
    shin = shin_frame @ matrix("X", 41) @ shin_frame.T
    hip = at + root @ [10, 0, 0]
    knee = hip + root @ thigh @ [0, -40, 0]
    ankle = knee + root @ thigh @ shin @ [0, -38, 0]
    world = motion.world.positions[1] * 100
    np.testing.assert_allclose(world[[0, 1, 2, 3]], [at, at, hip, knee], atol=1e-9)
    tips = end_site_positions(motion.skeleton, motion.world)[1] * 100
    np.testing.assert_allclose(tips[0], ankle, atol=1e-9)
    back_frame = matrix("XYZ", 10, 20, 30)
    back = back_frame @ matrix("XZ", 2.5, -3) @ back_frame.T
    np.testing.assert_allclose(tips[1], at + root @ back @ [0, 50, 0], atol=1e-9)


def test_values_are_turned_in_the_order_in_which_they_are_listed(tmp_path):
    """As the walk of the format's own example data needs it for its feet to stand still."""
    asf = ASF.replace("RX RY RZ", "RZ RY RX").replace("dof rx ry rz", "dof rz rx ry")
    motion = parse(tmp_path, AMC, asf).motion
    root = matrix("ZYX", 11, 21, 31)
    frame = matrix("XYZ", 0, 0, 20)
    thigh = frame @ matrix("ZXY", -5, 370, 7) @ frame.T
    hip = np.array([1.5, 91, 2.5]) + root @ [10, 0, 0]
    shin = motion.world.positions[1, motion.skeleton.find("shin")] * 100
    np.testing.assert_allclose(shin, hip + root @ thigh @ [0, -40, 0], atol=1e-9)
    assert motion.skeleton.limits[motion.skeleton.find("thigh")].axes == "ZXY"


def test_limits_are_kept_with_the_joints(tmp_path):
    skeleton = parse(tmp_path).motion.skeleton
    thigh = skeleton.limits[skeleton.find("thigh")]
    assert thigh.axes == "XYZ"
    np.testing.assert_allclose(np.degrees(thigh.low), [-160, -70, -60])
    back = skeleton.limits[skeleton.find("back")]
    assert back.axes == "XZ"
    assert np.degrees(back.low).tolist() == pytest.approx([-45, -np.inf])
    assert skeleton.find("hip") not in skeleton.limits


def test_unit_comes_from_the_file_where_it_makes_a_person(tmp_path):
    motion = waving_figure(frames=3)
    write_amc(motion, tmp_path / "clip.amc", METRE)
    reading = read_amc(tmp_path / "clip.amc")
    assert reading.motion.origin.unit is METRE
    assert "as the file says" in messages(reading)
    text = (tmp_path / "clip.asf").read_text()
    (tmp_path / "clip.asf").write_text(re.sub("length 0.0254", "length 1.0", text))
    assert read_amc(tmp_path / "clip.amc").motion.origin.unit is METRE  # a person of 1.75 inches it is not


def in_radians(word, degrees):
    return " ".join([word, *(repr(float(np.radians(float(value)))) for value in degrees)])


# Each means the same motion as the small files.
SAME = {
    "crlf": (AMC.replace("\n", "\r\n"), ASF.replace("\n", "\r\n")),
    "cr": (AMC.replace("\n", "\r"), ASF.replace("\n", "\r")),
    "byte-order mark": ("\ufeff" + AMC, "\ufeff" + ASF),
    "latin-1": (AMC.encode(), ASF.replace("made for tests", "f\xfcr Tests").encode("latin-1")),
    "no comment": (AMC.replace("#!OML:ASF small.ASF\n", ""), ASF.replace("# a small skeleton\n", "")),
    "comments anywhere": (AMC, ASF.replace("length 40", "length 40   # about").replace(":root", "  # indented\n:root")),
    "lower-case axis": (AMC, ASF.replace("XYZ", "xyz")),
    "keywords in capitals": (AMC, ASF.replace("direction", "DIRECTION").replace("dof", "DOF")),
    "tabs and blanks": (AMC.replace(" ", "\t"), ASF.replace(" ", "\t ")),
    "blank lines": (AMC.replace("\n", "\n\n"), ASF.replace("\n", "\n\n")),
    "no final newline": (AMC.rstrip(), ASF.rstrip()),
    "limits on one line": (AMC, re.sub(r"\)\s+\(", ") (", ASF)),
    "no limits": (AMC, re.sub(r"\s+limits[^e]*(\(-[^e]*)*(?=\n  end)", "", ASF.replace("(-inf inf)", ""))),
    "other sections": (AMC, ASF.replace(":root", ":namespace x\n:root") + ":skin small.obj\n"),
    "no documentation": (AMC, ASF.replace(":documentation\n  made for tests\n", "")),
    "same ids": (AMC, re.sub(r"id \d", "id 3", ASF)),
    "mass of segments": (AMC, ASF.replace("    dof rx\n", "    bodymass 3\n    cofmass 0.4\n    dof rx\n")),
    "rotation before translation": (
        re.sub(r"root (\S+ \S+ \S+) (\S+ \S+ \S+)", r"root \2 \1", AMC),
        ASF.replace("TX TY TZ RX RY RZ", "RX RY RZ TX TY TZ"),
    ),
    "radians in the skeleton": (
        AMC,
        re.sub(r"axis (\d+) (\d+) (\d+)", lambda m: in_radians("axis", m.groups()), ASF).replace("deg", "rad"),
    ),
    "bones in another order": (
        re.sub(r"(thigh .*\n)(shin .*\n)(back .*\n)", r"\3\2\1", AMC), ASF,
    ),
    "no leading zeros": (AMC.replace(" 1e-14", " .00000000000001"), ASF),
}  # fmt: skip


@pytest.mark.parametrize("variant", SAME)
def test_ways_of_writing_read_the_same(variant, tmp_path):
    amc, asf = SAME[variant]
    plain = parse(tmp_path).motion
    reading = parse(tmp_path, amc, asf)
    assert reading.motion.skeleton.names == plain.skeleton.names
    np.testing.assert_allclose(reading.motion.world.positions, plain.world.positions, atol=1e-12)
    assert not [problem for problem in reading.problems if problem.severity == "warning"]


def test_radians_in_the_motion(tmp_path):
    text = re.sub(r"(root \S+ \S+ \S+|thigh|shin|back) (.*)", lambda m: in_radians(m[1], m[2].split()), FRAMES)
    reading = parse(tmp_path, HEAD.replace(":DEGREES", ":RADIANS") + text)
    np.testing.assert_allclose(reading.motion.world.positions, parse(tmp_path).motion.world.positions, atol=1e-12)


def test_translation_and_length_dofs_move_joints(tmp_path):
    asf = ASF.replace("    dof rx\n    limits (-10.0 170.0)\n", "    dof rx tx tz\n")
    asf = asf.replace(
        "dof rx ry rz\n    limits (-160.0 20.0)\n           (-70.0 70.0)\n           (-60.0 70.0)", "dof l rx ry rz"
    )
    amc = (
        HEAD
        + "1\nroot 0 90 0 0 0 0\nthigh 3 0 0 0\nshin 0 2 5\nback 0 0\n"
        + "2\nroot 0 90 0 0 0 0\nthigh 0 0 0 0\nshin 0 0 0\nback 0 0\n"
    )
    motion = parse(tmp_path, amc, asf).motion
    shin = motion.skeleton.find("shin")
    moved = (motion.world.positions[0, shin] - motion.world.positions[1, shin]) * 100
    frame = matrix("XYZ", 30, 0, 20)
    np.testing.assert_allclose(moved, np.array([0, -3, 0]) + frame @ [2, 0, 5], atol=1e-9)
    write_amc(motion, tmp_path / "again.amc")
    again = read_amc(tmp_path / "again.amc", ReadOptions(unit=CENTIMETRE, up="+Y")).motion
    np.testing.assert_array_equal(again.origin.channels, motion.origin.channels)


@pytest.mark.parametrize("first", [10, 130])
def test_frame_numbers_may_start_anywhere_and_are_written_back(tmp_path, first):
    amc = re.sub(r"^(\d+)$", lambda m: str(int(m[1]) + first - 1), AMC, flags=re.M)
    reading = parse(tmp_path, amc)
    assert reading.motion.frames == 3
    assert f"numbered from {first}" in messages(reading)
    write_amc(reading.motion.sliced(1, 3), tmp_path / "cut.amc")
    assert f"\n{first + 1}\nroot" in (tmp_path / "cut.amc").read_text()


def test_frame_numbers_that_jump_are_said(tmp_path):
    reading = parse(tmp_path, AMC.replace("\n3\nroot", "\n1\nroot"))
    assert reading.motion.frames == 3
    assert "jump 1 times, first from 2 to 1" in messages(reading)


def test_rate_is_120_unless_told_and_remembered_when_written(tmp_path):
    reading = parse(tmp_path)
    assert reading.motion.frame_time_s == pytest.approx(1 / 120)
    assert "120 frames a second are assumed" in messages(reading)
    told = parse(tmp_path, options=ReadOptions(frame_time_s=0.04)).motion
    assert told.frame_time_s == 0.04
    write_amc(told, tmp_path / "out.amc")
    assert read_amc(tmp_path / "out.amc").motion.frame_time_s == 0.04


# The skeleton's file


def test_skeleton_is_found_by_name_then_by_subject_then_alone(tmp_path):
    path = put(tmp_path, name="16_15")
    (tmp_path / "16_15.asf").rename(tmp_path / "16.ASF")
    (tmp_path / "1.asf").write_text("not this one")
    assert read_amc(path).motion.frames == 3
    (tmp_path / "16.ASF").rename(tmp_path / "other.asf")
    with pytest.raises(MotionFileError, match="none of the 2 beside it has its name"):
        read_amc(path)
    (tmp_path / "1.asf").unlink()
    assert read_amc(path).motion.frames == 3
    (tmp_path / "other.asf").unlink()
    with pytest.raises(MotionFileError, match="needs the ASF file of its skeleton, and there is none beside it"):
        read_amc(path)


def test_skeleton_that_is_named_is_used(tmp_path):
    path = put(tmp_path)
    (tmp_path / "small.asf").rename(tmp_path / "far.txt")
    assert read_amc(path, ReadOptions(skeleton=str(tmp_path / "far.txt"))).motion.frames == 3
    with pytest.raises(MotionFileError, match=r"nowhere\.asf: cannot be read"):
        read_amc(path, ReadOptions(skeleton=str(tmp_path / "nowhere.asf")))


def test_skeleton_alone_stands_in_its_rest_pose(tmp_path):
    put(tmp_path)
    reading = read_asf(tmp_path / "small.asf")
    assert reading.motion.frames == 1
    np.testing.assert_allclose(reading.motion.world.positions[0], reading.motion.skeleton.rest_positions())
    assert "without motion" in messages(reading)


# Writing


def test_unchanged_motion_keeps_its_values_and_its_skeleton(tmp_path):
    motion = parse(tmp_path).motion
    assert write_amc(motion, tmp_path / "out.amc") == ()
    frames = (tmp_path / "out.amc").read_text().split(":DEGREES\n")[1]
    assert [t if t[0].isalpha() else float(t) for t in frames.split()] == [
        t if t[0].isalpha() else float(t) for t in FRAMES.split()
    ]
    again = read_amc(tmp_path / "out.amc", ReadOptions(unit=CENTIMETRE, up="+Y")).motion
    np.testing.assert_array_equal(again.world.positions, motion.world.positions)
    np.testing.assert_array_equal(again.origin.channels, motion.origin.channels)
    for joint, limits in motion.skeleton.limits.items():
        np.testing.assert_array_equal(again.skeleton.limits[joint].low, limits.low)


def test_changed_rotation_is_written_nearest_to_the_old_values(tmp_path):
    motion = parse(tmp_path).motion
    thigh = motion.skeleton.find("thigh")
    rotations = motion.local_rotations.copy()
    rotations[1, thigh] = multiply(rotations[1, thigh], from_axis_angle(X, np.radians(0.5)))
    changed = replace(motion, local_rotations=rotations)
    assert write_amc(changed, tmp_path / "out.amc") == ()
    again = read_amc(tmp_path / "out.amc", ReadOptions(unit=CENTIMETRE, up="+Y")).motion
    np.testing.assert_allclose(again.world.positions, changed.world.positions, atol=1e-9)
    assert again.origin.channels[1, 7] == pytest.approx(370, abs=1.0)
    unchanged = np.ones(motion.origin.channels.shape, dtype=bool)
    unchanged[1, 6:9] = False
    np.testing.assert_array_equal(again.origin.channels[unchanged], motion.origin.channels[unchanged])


def test_what_the_dofs_cannot_carry_is_said(tmp_path):
    motion = parse(tmp_path).motion
    shin = motion.skeleton.find("shin")
    rotations = motion.local_rotations.copy()
    rotations[0, shin] = multiply(rotations[0, shin], from_axis_angle(Y, np.radians(10)))
    stretched = np.array(motion.local_offsets)
    stretched[shin] *= 1.01
    said = " | ".join(
        problem.message
        for problem in write_amc(
            replace(motion, local_rotations=rotations, local_offsets=stretched), tmp_path / "out.amc"
        )
    )
    assert "'shin' has too few rotation channels" in said
    assert "'shin' has no position channels" in said


@pytest.mark.parametrize("moving_limbs", [False, True])
def test_any_skeleton_becomes_bones_and_comes_back_as_it_was(tmp_path, moving_limbs):
    motion = random_motion(moving_limbs=moving_limbs)
    assert write_amc(motion, tmp_path / "out.amc") == ()
    again = read_amc(tmp_path / "out.amc").motion
    assert again.skeleton.names == motion.skeleton.names
    assert again.skeleton.parents == motion.skeleton.parents
    assert again.skeleton.roles == motion.skeleton.roles
    assert again.frame_time_s == motion.frame_time_s
    np.testing.assert_allclose(again.skeleton.offsets, motion.skeleton.offsets, atol=1e-12)
    np.testing.assert_allclose(again.world.positions, motion.world.positions, atol=1e-7)
    np.testing.assert_allclose(
        end_site_positions(again.skeleton, again.world), end_site_positions(motion.skeleton, motion.world), atol=1e-7
    )


def test_joints_in_any_order_are_written_depth_first(tmp_path):
    motion = random_motion()
    skeleton = motion.skeleton
    by_depth = tuple(sorted(range(len(skeleton)), key=lambda joint: len(skeleton.chain(0, joint))))
    write_amc(reordered(motion, by_depth), tmp_path / "out.amc")
    again = read_amc(tmp_path / "out.amc").motion
    for joint, name in enumerate(again.skeleton.names):
        np.testing.assert_allclose(
            again.world.positions[:, joint], motion.world.positions[:, skeleton.find(name)], atol=1e-7
        )


def test_names_are_made_fit_and_unique(tmp_path):
    motion = random_motion()
    names = list(motion.skeleton.names)
    names[1:5] = ["with blank", "with blank", "1st", "#hash"]
    write_amc(replace(motion, skeleton=replace(motion.skeleton, names=tuple(names))), tmp_path / "out.amc")
    again = read_amc(tmp_path / "out.amc").motion
    assert again.skeleton.names[:5] == ("Hips", "with_blank", "with_blank_2", "_1st", "_hash")
    np.testing.assert_allclose(again.world.positions, motion.world.positions, atol=1e-7)


def test_several_roots_are_refused(tmp_path):
    motion = random_motion()
    parents = (-1, -1, *motion.skeleton.parents[2:])
    two = replace(motion, skeleton=replace(motion.skeleton, parents=parents))
    with pytest.raises(MotionFileError, match="has one root; this motion has 2"):
        write_amc(two, tmp_path / "out.amc")
    assert list(tmp_path.iterdir()) == []


def test_motion_goes_from_format_to_format_and_back(tmp_path):
    motion = waving_figure()
    write_motion(motion, tmp_path / "a.bvh")
    first = read_motion(tmp_path / "a.bvh").motion
    write_motion(first, tmp_path / "b.amc")
    write_motion(read_motion(tmp_path / "b.amc").motion, tmp_path / "c.bvh")
    again = read_bvh(tmp_path / "c.bvh").motion
    assert again.skeleton.names == motion.skeleton.names
    np.testing.assert_allclose(again.world.positions, motion.world.positions, atol=1e-6)


def test_acclaim_origin_does_not_confuse_the_bvh_writer(tmp_path):
    motion = parse(tmp_path).motion
    assert write_bvh(motion, tmp_path / "out.bvh") == ()
    again = read_bvh(tmp_path / "out.bvh", ReadOptions(unit=CENTIMETRE, up="+Y")).motion
    np.testing.assert_allclose(again.world.positions, motion.world.positions, atol=1e-9)
