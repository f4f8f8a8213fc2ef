"""The command line as a person or a script calls it."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from app.command_line import run
from model.files.bvh import read_bvh, write_bvh
from tests.clips import data_name, needs_data, random_motion, recorded, stepping_figure, waving_figure
from tests.model.files.bvh_text import SMALL

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def clip(tmp_path):
    path = tmp_path / "clip.bvh"
    write_bvh(waving_figure(frames=31), path)
    return path


def call(capsys, *arguments):
    status = run([str(argument) for argument in arguments])
    return (status, *capsys.readouterr())


def test_info_as_json_holds_what_the_design_says(capsys, clip):
    status, out, err = call(capsys, "info", clip, "--json")
    told = json.loads(out)
    assert (status, err) == (0, "")
    assert told["frames"] == 31
    assert told["frame_time"] == pytest.approx(1 / 30)
    assert (told["unit"], told["up"]) == ("cm", "+Y")
    assert told["joints"][0] == {"name": "Hips", "parent": -1, "role": "pelvis"}
    assert told["joints"][8] == {"name": "LeftForeArm", "parent": 7, "role": "left_elbow"}
    assert all(set(problem) == {"severity", "line", "message"} for problem in told["problems"])


def test_info_counts_a_leading_rest_pose_as_a_frame(capsys, clip, tmp_path):
    lines = clip.read_text().split("\n")
    first = next(n for n, line in enumerate(lines) if line.startswith("Frame Time")) + 1
    lines.insert(first, " ".join(["0"] * len(lines[first].split())))
    (tmp_path / "rest.bvh").write_text("\n".join(lines))
    told = json.loads(call(capsys, "info", tmp_path / "rest.bvh", "--json")[1])
    assert (told["frames"], told["rest_pose"]) == (32, True)


def test_info_for_people_names_the_essentials(capsys, clip):
    status, out, _ = call(capsys, "info", clip)
    assert status == 0
    for words in ("31 at 30 fps", "cm", "+Y up", "LeftForeArm", "left_elbow", "unit: cm"):
        assert words in out


def test_guesses_can_be_overruled(capsys, clip):
    told = json.loads(call(capsys, "info", clip, "--json", "--from-unit", "mm", "--from-up=-z")[1])
    assert (told["unit"], told["up"]) == ("mm", "-Z")


def test_convert_keeps_the_numbers(capsys, clip, tmp_path):
    out = tmp_path / "out.bvh"
    status, printed, _ = call(capsys, "convert", clip, "-o", out)
    assert (status, printed) == (0, "")
    assert out.read_text() == clip.read_text()


def test_convert_resamples_and_changes_unit_and_axes(capsys, clip, tmp_path):
    out = tmp_path / "out.bvh"
    status, *_ = call(capsys, "convert", clip, "-o", out, "--fps", "15", "--unit", "m", "--up", "z")
    assert status == 0
    before, after = read_bvh(clip).motion, read_bvh(out).motion
    assert (after.origin.unit.name, after.origin.up, after.frames) == ("m", "+Z", 16)
    np.testing.assert_allclose(after.world.positions, before.world.positions[::2], atol=1e-7)


@pytest.mark.parametrize("extension", [".amc", ".gltf", ".glb"])
def test_convert_to_another_format_and_back_keeps_the_joints(capsys, clip, tmp_path, extension):
    there, back = tmp_path / f"there{extension}", tmp_path / "back.bvh"
    assert call(capsys, "convert", clip, "-o", there)[0] == 0
    assert call(capsys, "convert", there, "-o", back)[0] == 0
    before, after = read_bvh(clip).motion, read_bvh(back).motion
    assert after.skeleton.names == before.skeleton.names
    assert after.frame_time_s == pytest.approx(before.frame_time_s, rel=1e-12)
    np.testing.assert_allclose(after.world.positions, before.world.positions, atol=1e-4)


@pytest.mark.parametrize("extension", [".csv", ".trc", ".c3d"])
def test_convert_to_points_writes_where_the_joints_are(capsys, clip, tmp_path, extension):
    there, back = tmp_path / f"there{extension}", tmp_path / "back.csv"
    assert call(capsys, "convert", clip, "-o", there)[0] == 0
    assert call(capsys, "convert", there, "-o", back, "--unit", "m")[0] == 0
    told = json.loads(call(capsys, "info", back, "--json")[1])
    assert told["points"][0] == {"name": "Hips", "gaps": []}
    assert told["frames"] == 31
    text = call(capsys, "info", there)[1]
    assert "points    22" in text
    first = back.read_text().splitlines()[-31].split(",")
    np.testing.assert_allclose([float(v) for v in first[1:4]], read_bvh(clip).motion.root_positions[0], atol=1e-4)


def test_rate_and_skeleton_can_be_told(capsys, clip, tmp_path):
    assert call(capsys, "convert", clip, "-o", tmp_path / "there.amc")[0] == 0
    (tmp_path / "there.asf").rename(tmp_path / "else.where")
    status, _, err = call(capsys, "info", tmp_path / "there.amc")
    assert status == 2
    assert "needs the ASF file of its skeleton" in err
    told = call(
        capsys, "info", tmp_path / "there.amc", "--json", "--skeleton", tmp_path / "else.where", "--from-fps", "60"
    )
    assert json.loads(told[1])["frame_time"] == pytest.approx(1 / 60)


WRONG = {
    "no such verb": (["fly"], "invalid choice: 'fly'"),
    "no file": (["info"], "the following arguments are required: FILE"),
    "absent file": (["info", "absent.bvh"], "absent.bvh: cannot be read: No such file"),
    "a folder": (["info", "."], "the file name has no extension"),
    "unknown input": (["info", "clip.fbx"], "'.fbx' cannot be read; known are .bvh"),
    "points as a skeleton": (
        ["convert", "POINTS", "-o", "out.bvh"],
        "points are no skeleton: they can be written as .csv",
    ),
    "motion without skeleton": (["info", "lone.amc"], "cannot be read: No such file"),
    "unknown output": (["convert", "CLIP", "-o", "out.xyz"], "'.xyz' cannot be written"),
    "no output": (["convert", "CLIP"], "-o/--output"),
    "absent folder": (["convert", "CLIP", "-o", "absent/out.bvh"], "absent/out.bvh: cannot be written: No such file"),
    "rate of zero": (["convert", "CLIP", "-o", "o.bvh", "--fps", "0"], "0 frames a second are none"),
    "rate of text": (["convert", "CLIP", "-o", "o.bvh", "--fps", "fast"], "'fast' is not a number of frames"),
    "rate beyond sense": (["convert", "CLIP", "-o", "o.bvh", "--fps", "1e308"], "frames a second are none"),
    "rate of next to nothing": (["convert", "CLIP", "-o", "o.bvh", "--fps", "1e-320"], "frames a second are none"),
    "rate of very many": (
        ["convert", "CLIP", "-o", "o.bvh", "--fps", "100000"],
        "100000 frames a second are too many to make: use 0.1 to 1000",
    ),
    "batch into nowhere": (["batch", "convert", "--over", "DIR", "-o", "/proc/x/*.bvh"], "cannot be made"),
    "batch over a long name": (["batch", "info", "--over", "x" * 5000], "is not a folder"),
    "unknown unit": (["convert", "CLIP", "-o", "o.bvh", "--unit", "ell"], "--unit: 'ell' is not a unit"),
    "unknown axis": (["info", "CLIP", "--from-up", "w"], "--from-up: 'w' is not an axis"),
    "unknown option": (["info", "CLIP", "--colour"], "unrecognized arguments: --colour"),
    "seam outside": (["quality", "CLIP", "--seam", "30"], "--seam is 30: there must be two frames"),
    "absent path": (["quality", "CLIP", "--path", "none.json"], "none.json: cannot be read"),
    "absent reference": (["quality", "CLIP", "--reference", "none.bvh"], "none.bvh: cannot be read"),
    "clean to nowhere": (["clean", "CLIP", "-o", "out.xyz"], "'.xyz' cannot be written"),
    "batch of batch": (["batch", "batch", "--over", "DIR"], "batch cannot repeat batch"),
    "batch over a file": (["batch", "info", "--over", "CLIP"], "is not a folder"),
    "batch over nothing": (["batch", "info", "--over", "EMPTY"], "holds no motion files"),
    "batch without star": (["batch", "convert", "--over", "DIR", "-o", "out.bvh"], "must hold one star"),
    "batch of a wrong option": (["batch", "info", "--over", "DIR", "--colour"], "unrecognized arguments: --colour"),
    "batch with no workers": (["batch", "info", "--over", "DIR", "--jobs", "0"], "--jobs is 0"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_wrong_calls_say_why_and_exit_with_2(capsys, clip, tmp_path, monkeypatch, wrong):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    arguments, reason = WRONG[wrong]
    (tmp_path / "empty" / "points.csv").write_text("time,ax,ay,az\n0,1,2,3\n0.1,1,2,3\n")
    places = {"CLIP": clip, "DIR": tmp_path, "EMPTY": tmp_path / "void", "POINTS": tmp_path / "empty" / "points.csv"}
    (tmp_path / "void").mkdir()
    status, out, err = call(capsys, *(places.get(argument, argument) for argument in arguments))
    assert status == 2
    assert out == ""
    assert reason in err
    assert "Traceback" not in err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["clip.bvh", "empty", "void"]


def test_rate_that_makes_too_many_frames_of_a_slow_file_is_refused(capsys, tmp_path):
    write_bvh(waving_figure(frames=90), tmp_path / "slow.bvh")
    call_of = ["convert", tmp_path / "slow.bvh", "-o", tmp_path / "o.bvh", "--from-fps", "0.1", "--fps", "1000"]
    status, _, err = call(capsys, *call_of)
    assert status == 2
    assert "slow.bvh, --fps: A frame rate of 1000 fps would make 890,000 frames of 22 joints; 363,636 are the" in err


def test_damaged_file_names_path_and_line(capsys, clip, tmp_path):
    bad = tmp_path / "bad.bvh"
    bad.write_text(clip.read_text().replace("OFFSET", "OFFSET zero", 1))
    status, _, err = call(capsys, "info", bad)
    assert status == 2
    assert err == f"motionwright: {bad}:4: OFFSET expects a number, found 'zero'\n"


def test_contacts_count_frames_of_the_file(capsys, clip, tmp_path):
    status, out, _ = call(capsys, "contacts", clip, "--json")
    assert status == 0
    told = json.loads(out)
    assert told["limbs"] == {"left_foot": [[0, 31]], "right_foot": [[0, 31]], "left_hand": [], "right_hand": []}
    assert told["ground"] == pytest.approx(0.01, abs=0.02)
    lines = clip.read_text().split("\n")
    first = next(n for n, line in enumerate(lines) if line.startswith("Frame Time")) + 1
    lines.insert(first, " ".join(["0"] * len(lines[first].split())))
    (tmp_path / "rest.bvh").write_text("\n".join(lines))
    told = json.loads(call(capsys, "contacts", tmp_path / "rest.bvh", "--json")[1])
    assert told["limbs"]["left_foot"] == [[1, 32]]
    text = call(capsys, "contacts", clip)[1]
    assert "left foot   1 contacts: 0-30" in text
    assert "in the air  0 times" in text


def test_contacts_of_a_body_without_feet_say_so(capsys, tmp_path):
    (tmp_path / "thing.bvh").write_text(SMALL)
    status, _, err = call(capsys, "contacts", tmp_path / "thing.bvh")
    assert status == 2
    assert "has no feet" in err


@pytest.fixture
def skating_clip(tmp_path):
    motion, _ = stepping_figure(seconds=3.0)
    slide = np.outer(np.arange(motion.frames) / 60.0, [0.08, 0.0, 0.0])
    path = tmp_path / "skating.bvh"
    write_bvh(replace(motion, root_positions=motion.root_positions + slide), path)
    return path


def test_clean_writes_feet_that_stand(capsys, skating_clip, tmp_path):
    out = tmp_path / "clean.bvh"
    status, printed, err = call(capsys, "clean", skating_clip, "-o", out)
    assert (status, printed) == (0, "")
    assert float(re.search(r"planted feet drift ([\d.]+) cm at most", err)[1]) < 0.2
    told = json.loads(call(capsys, "quality", out, "--reference", skating_clip, "--json")[1])
    before = json.loads(call(capsys, "quality", skating_clip, "--json")[1])
    assert told["contact_drift_worst_cm"] < 0.2 < 0.5 < before["contact_drift_worst_cm"]
    assert before["jerk_ratio"] is None
    assert told["jerk_ratio"] < 1.3


def test_clean_levels_and_repairs_when_asked(capsys, skating_clip, tmp_path):
    motion = read_bvh(skating_clip).motion
    rise = np.outer(np.arange(motion.frames) / motion.frames, [0.0, 0.06, 0.0])
    rotations = motion.local_rotations.copy()
    rotations[90, 8] = [0.0, 1.0, 0.0, 0.0]
    tilted = replace(motion, root_positions=motion.root_positions + rise + 0.3, local_rotations=rotations)
    write_bvh(tilted, tmp_path / "tilted.bvh")
    status, _, err = call(capsys, "clean", tmp_path / "tilted.bvh", "-o", tmp_path / "out.bvh", "--level", "--repair")
    assert status == 0
    assert "frame 90: LeftForeArm jumps by" in err
    assert "The floor is tilted by 1." in err or "The floor drifts by" in err
    told = json.loads(call(capsys, "quality", tmp_path / "out.bvh", "--json")[1])
    assert told["penetration_cm"] < 0.6
    assert json.loads(call(capsys, "contacts", tmp_path / "out.bvh", "--json")[1])["ground"] == pytest.approx(
        0, abs=0.01
    )


def test_quality_as_json_holds_what_the_design_says(capsys, skating_clip, tmp_path):
    path = tmp_path / "path.json"
    path.write_text('{"points": [[0, 0], [0, 10]]}')
    status, out, _ = call(
        capsys, "quality", skating_clip, "--path", path, "--reference", skating_clip, "--seam", 60, "--json"
    )
    assert status == 0
    told = json.loads(out)
    assert list(told) == [
        "skate_ratio", "skate_ratio_fast", "contact_drift_mean_cm", "contact_drift_worst_cm", "penetration_cm",
        "seam_cm", "seam_angular_ratio", "path_error_mean_cm", "path_error_worst_cm", "heading_error_mean_deg",
        "stretch_percent", "jerk_p99", "jerk_ratio", "step_ratio", "pose_match_deg",
    ]  # fmt: skip
    assert [name for name, value in told.items() if value is None] == ["pose_match_deg"]
    assert told["path_error_worst_cm"] == pytest.approx(8 * 3, abs=1.0)
    text = call(capsys, "quality", skating_clip, "--path", path)[1]
    assert "distance from the path, mean" in text
    assert "against the reference" not in text


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("[[0, 0], [1, 1]]", 'a path looks like {"points"'),
        ('{"points": 3}', 'a path looks like {"points"'),
        ('{"points": [[0, 0], [1, "a"]]}', 'point 1 is [1,"a"]; it must be two numbers'),
        ('{"points": [[0, 0], [1, 2, 3]]}', "point 1 is [1,2,3]"),
        ('{"points": [[0, 0], [0, 0]]}', "two points that differ"),
        ('{"points": [[0, 0], [0, 1e9]]}', "lengths are metres"),
        ('{"points": [[0, 0],\n [0, }', "path.json:2: is not JSON"),
    ],
)
def test_paths_that_are_none_are_refused_with_the_reason(capsys, skating_clip, tmp_path, content, reason):
    (tmp_path / "path.json").write_text(content)
    status, out, err = call(capsys, "quality", skating_clip, "--path", tmp_path / "path.json")
    assert (status, out) == (2, "")
    assert reason in err


@pytest.mark.parametrize("verb", ["info", "convert", "contacts", "clean", "quality", "render", "batch"])
def test_every_verb_has_help_with_an_example(capsys, verb):
    status, out, _ = call(capsys, verb, "--help")
    assert status == 0
    assert f"example:\n  motionwright {verb}" in out


def test_help_names_every_verb(capsys):
    status, out, _ = call(capsys, "--help")
    assert status == 0
    for verb in ("info", "convert", "contacts", "clean", "quality", "render", "batch"):
        assert f"    {verb} " in out


@pytest.mark.parametrize("named", [False, True])
def test_editor_needs_a_screen_and_says_so(clip, named):
    bare = {
        key: value for key, value in os.environ.items() if key not in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    }
    done = subprocess.run(
        [sys.executable, "-m", "app", *([str(clip)] if named else [])],
        cwd=ROOT,
        env=bare,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert "there is no screen for a window" in done.stderr


def test_batch_over_a_folder_in_parallel(capsys, clip, tmp_path):
    (tmp_path / "sub").mkdir()
    shutil.copy(clip, tmp_path / "sub" / "other.BVH")
    (tmp_path / "broken.bvh").write_text("HIERARCHY")
    (tmp_path / "notes.txt").write_text("not a clip")
    status, out, err = call(capsys, "batch", "info", "--over", tmp_path, "--json", "--jobs", "2")
    files = json.loads(out)["files"]
    assert status == 1
    assert [Path(entry["file"]).name for entry in files] == ["broken.bvh", "clip.bvh", "other.BVH"]
    assert [entry["status"] for entry in files] == [2, 0, 0]
    assert files[1]["result"]["frames"] == 31
    assert "has no ROOT" in files[0]["messages"][0]
    assert "2 of 3 files done, 1 failed" in err


def test_batch_writes_where_the_star_says(capsys, clip, tmp_path):
    (tmp_path / "in" / "sub").mkdir(parents=True)
    shutil.copy(clip, tmp_path / "in" / "a.bvh")
    shutil.copy(clip, tmp_path / "in" / "sub" / "b.bvh")
    status, *_ = call(
        capsys, "batch", "convert", "--over", tmp_path / "in", "-o", tmp_path / "out" / "*_15.bvh", "--fps", "15"
    )
    assert status == 0
    assert read_bvh(tmp_path / "out" / "a_15.bvh").motion.frames == 16
    assert read_bvh(tmp_path / "out" / "sub" / "b_15.bvh").motion.frames == 16


def test_batch_refuses_two_clips_for_one_output(capsys, clip, tmp_path):
    shutil.copy(clip, tmp_path / "clip.BVH")
    status, _, err = call(capsys, "batch", "convert", "--over", tmp_path, "-o", tmp_path / "out" / "*.bvh")
    assert status == 2
    assert "would both be written" in err
    assert not (tmp_path / "out").exists()


# The program, which says when it begins: before that, Ctrl-C ends Python itself.
_STARTED = """
import sys
from app.__main__ import main
print("started", flush=True)
sys.exit(main())
"""


@pytest.mark.parametrize("moment", [0.0, 0.1, 0.3, 0.6])
def test_ctrl_c_leaves_no_half_written_file(tmp_path, moment):
    source, out = tmp_path / "long.bvh", tmp_path / "out.bvh"
    write_bvh(random_motion(frames=20_000), source)
    before = source.read_bytes()
    out.write_bytes(b"what was there")
    child = subprocess.Popen(
        [sys.executable, "-c", _STARTED, "convert", source, "-o", out, "--fps", "120"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    child.stdout.readline()
    time.sleep(moment)
    child.send_signal(signal.SIGINT)
    _, err = child.communicate(timeout=60)
    whole = out.read_bytes() == b"what was there" or read_bvh(out).motion.frames == 79_997
    assert whole
    assert source.read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["long.bvh", "out.bvh"]
    assert b"Traceback" not in err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_output_that_cannot_be_written_or_is_closed_is_no_traceback(clip):
    command = f"{sys.executable} -m app info {clip}"
    full = subprocess.run(f"{command} > /dev/full", shell=True, cwd=ROOT, capture_output=True, text=True)
    assert full.returncode == 1
    assert "No space left" in full.stderr
    assert "Traceback" not in full.stderr
    closed = subprocess.run(f"{command} >&-", shell=True, cwd=ROOT, capture_output=True, text=True)
    assert "Traceback" not in closed.stderr


def test_names_that_the_terminal_cannot_show_are_shown_somehow(clip, tmp_path):
    odd = tmp_path / "odd.bvh"
    odd.write_text(clip.read_text().replace("Spine1", "Wirbels\u00e4ule"))
    done = subprocess.run(
        [sys.executable, "-m", "app", "info", odd],
        cwd=ROOT,
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
    )
    assert done.returncode == 0
    assert b"Wirbels\\xe4ule" in done.stdout


def test_batch_takes_files_named_like_options(capsys, clip, tmp_path, monkeypatch):
    (tmp_path / "in").mkdir()
    shutil.copy(clip, tmp_path / "in" / "-x.bvh")
    monkeypatch.chdir(tmp_path / "in")
    assert call(capsys, "batch", "info", "--over", ".")[0] == 0


def test_output_that_nobody_reads_to_the_end_is_no_error(clip):
    reader = subprocess.Popen(["head", "-1"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
    writer = subprocess.run(
        [sys.executable, "-m", "app", "info", clip, "--json"], cwd=ROOT, stdout=reader.stdin, stderr=subprocess.PIPE
    )
    reader.stdin.close()
    reader.wait()
    assert writer.returncode == 0
    assert writer.stderr == b""


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="needs a user whom permissions bind")
def test_output_without_permission_is_named(capsys, clip, tmp_path):
    (tmp_path / "locked").mkdir(mode=0o500)
    status, _, err = call(capsys, "convert", clip, "-o", tmp_path / "locked" / "out.bvh")
    assert status == 2
    assert "cannot be written: Permission denied" in err


@needs_data
@pytest.mark.parametrize("path", recorded("quirks/bvh_*.bvh"), ids=data_name)
def test_info_on_odd_files(capsys, path):
    status, out, err = call(capsys, "info", path)
    assert status == (2 if "no_motion" in path.name or "small_walk" in path.name else 0)
    assert bool(out) != bool(err)
