"""Blender opens what we write and we open what Blender writes: joints at the same places at the same times.

Blender comes as the Python module `bpy`, which is large and brings its own numpy, so it is no dependency.
The tests run where `MOTIONWRIGHT_BPY_PYTHON` names an interpreter that has it, or where ours does.
"""

import importlib.util
import json
import os
import re
import subprocess
import sys

import numpy as np
import pytest

from model.files.bvh import read_bvh, write_bvh
from model.files.gltf import read_gltf, write_gltf
from model.motion import reordered
from model.rotation import angle_between, conjugate, from_matrix, multiply
from tests.clips import data_name, random_motion, recorded, waving_figure

PYTHON = os.environ.get("MOTIONWRIGHT_BPY_PYTHON") or (sys.executable if importlib.util.find_spec("bpy") else None)
pytestmark = pytest.mark.skipif(
    PYTHON is None, reason="Blender is not here: set MOTIONWRIGHT_BPY_PYTHON to a Python that can import bpy"
)

# Prints the world matrices (in Blender's axes) of all bones at the given times, and what else shows.
LOOK = """
import bpy, json, sys
path, fps, times = sys.argv[1], int(sys.argv[2]), json.loads(sys.argv[3])
bpy.ops.wm.read_factory_settings(use_empty=True)
scene = bpy.context.scene
scene.render.fps = fps
bpy.ops.import_scene.gltf(filepath=path)
rigs = [o for o in bpy.data.objects if o.type == "ARMATURE"]
figures = [o for o in bpy.data.objects if o.type == "MESH" and any(m.type == "ARMATURE" for m in o.modifiers)]
bones = {}
for time in times:
    frame = round(time * fps, 3)
    scene.frame_set(int(frame), subframe=frame - int(frame))
    for rig in rigs:
        for bone in rig.pose.bones:
            matrix = rig.matrix_world @ bone.matrix
            bones.setdefault(bone.name, []).append([list(row) for row in matrix])
ranges = [[frame / fps for frame in action.frame_range] for action in bpy.data.actions]
empties = sum(o.type == "EMPTY" for o in bpy.data.objects)
print("RESULT" + json.dumps({"rigs": len(rigs), "figures": len(figures), "bones": bones, "ranges": ranges,
      "empties": empties, "parents": {b.name: b.parent.name if b.parent else None for b in rigs[0].data.bones}}))
"""

# A BVH file through Blender to glTF, as people do it: scaled to metres, and the armature perhaps turned.
CONVERT = """
import bpy, math, sys
source, target, scale, fps, turned = sys.argv[1], sys.argv[2], float(sys.argv[3]), float(sys.argv[4]), sys.argv[5]
bpy.ops.wm.read_factory_settings(use_empty=True)
scene = bpy.context.scene
scene.render.fps, scene.render.fps_base = round(fps), round(fps) / fps
scene.frame_start = 1
bpy.ops.import_anim.bvh(filepath=source, global_scale=scale if turned == "no" else 1.0, update_scene_duration=True,
                        rotate_mode="QUATERNION")
rig = bpy.context.object
if turned == "yes":  # as files from other programs come: the armature carries the scale and a turn
    rig.scale = (scale,) * 3
    rig.rotation_euler = (0.0, 0.0, math.pi / 2)
    rig.location = (1.0, 2.0, 0.5)
mesh = bpy.data.meshes.new("skin")
mesh.from_pydata([(0, 0, 0), (0, 0, 1), (0, 1, 0)], [], [(0, 1, 2)])
skin = bpy.data.objects.new("skin", mesh)
scene.collection.objects.link(skin)
skin.parent = rig
skin.modifiers.new("rig", "ARMATURE").object = rig
skin.vertex_groups.new(name=rig.data.bones[0].name).add([0, 1, 2], 1.0, "REPLACE")
bpy.ops.export_scene.gltf(filepath=target, export_format="GLB" if target.endswith("glb") else "GLTF_SEPARATE")
"""


def run(script, *arguments):
    command = [PYTHON, "-c", script, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr[-2000:] + done.stdout[-2000:]
    return done.stdout


def look(path, frame_time_s, frames):
    """What Blender shows at these frames; it counts in whole frames a second, so they are given as times."""
    out = run(LOOK, path, round(1.0 / frame_time_s), json.dumps([frame * frame_time_s for frame in frames]))
    return json.loads(out[out.index("RESULT") + 6 :].splitlines()[0])


def in_blender_axes(positions):
    return np.stack([positions[..., 0], -positions[..., 2], positions[..., 1]], axis=-1)


CLIPS = recorded(
    "cmu-bvh/16_15.bvh", "other-bvh/accad_male1/Male1_B3_Walk.bvh", "other-bvh/bandai/dataset-1_walk_normal_001.bvh",
    "other-bvh/rokoko_jesse_dance.bvh", "other-bvh/lafan1_walk4_subject1.bvh",
)  # fmt: skip
MADE = {"waving": lambda: waving_figure(60), "moving limbs": lambda: random_motion(30, moving_limbs=True)}


def shows_what_we_wrote(motion, path):
    """-> the largest distance of a joint from where it should be, in metres."""
    write_gltf(motion, path)
    frames = sorted({0, 1, motion.frames // 3, motion.frames // 2, motion.frames - 1})
    seen = look(path, motion.frame_time_s, frames)
    assert seen["rigs"] == 1
    assert seen["figures"] == 1
    assert seen["empties"] == 0
    assert len(seen["bones"]) == len(motion.skeleton) + len(motion.skeleton.end_sites)
    start, stop = seen["ranges"][0]
    np.testing.assert_allclose([start, stop], [0, motion.duration_s], atol=0.01 * motion.frame_time_s)
    expected = in_blender_axes(motion.world.positions[frames])
    names = motion.skeleton.names
    worst = 0.0
    for joint, name in enumerate(names):
        heads = np.array(seen["bones"][name])[:, :3, 3]
        worst = max(worst, float(np.max(np.abs(heads - expected[:, joint]))))
        parent = motion.skeleton.parents[joint]
        assert seen["parents"][name] == (names[parent] if parent >= 0 else None)
    return worst


@pytest.mark.parametrize("suffix", ["glb", "gltf"])
@pytest.mark.parametrize("name", MADE)
def test_blender_shows_made_clips_as_they_are(name, suffix, tmp_path, record_property):
    worst = shows_what_we_wrote(MADE[name](), tmp_path / f"clip.{suffix}")
    record_property("worst_m", worst)
    assert worst < 1e-4


@pytest.mark.parametrize("path", CLIPS, ids=data_name)
def test_blender_shows_recorded_clips_as_they_are(path, tmp_path, record_property):
    worst = shows_what_we_wrote(read_bvh(path).motion, tmp_path / "clip.glb")
    record_property("worst_m", worst)
    assert worst < 1e-4


def test_blender_shows_the_bones_turned_as_they_are(tmp_path):
    motion = waving_figure(40)
    write_gltf(motion, tmp_path / "clip.glb")
    seen = look(tmp_path / "clip.glb", motion.frame_time_s, [0, 20])
    for joint, name in enumerate(motion.skeleton.names):
        turns = from_matrix(np.array(seen["bones"][name])[:, :3, :3])
        change = multiply(turns[1], conjugate(turns[0]))
        ours = multiply(motion.world.rotations[20, joint], conjugate(motion.world.rotations[0, joint]))
        ours = np.array([ours[0], ours[1], -ours[3], ours[2]])
        assert angle_between(change, ours) < 1e-4


@pytest.mark.parametrize("turned", ["no", "yes"])
@pytest.mark.parametrize("suffix", ["glb", "gltf"])
def test_what_blender_writes_is_read_as_it_shows_it(suffix, turned, tmp_path):
    source, target = tmp_path / "clip.bvh", tmp_path / f"clip.{suffix}"
    motion = waving_figure(45)
    write_bvh(motion, source)
    run(CONVERT, source, target, 0.01, motion.fps, turned)
    compare_with_blender(target, motion)


@pytest.mark.parametrize("path", CLIPS, ids=data_name)
def test_recorded_clips_come_through_blender(path, tmp_path):
    motion = read_bvh(path).motion
    motion = motion.sliced(0, min(motion.frames, 300))
    source, target = tmp_path / "clip.bvh", tmp_path / "clip.glb"
    write_bvh(motion, source)
    motion = read_bvh(source).motion
    run(CONVERT, source, target, motion.origin.unit.metres, motion.fps, "no")
    read = compare_with_blender(target, motion)
    again = reordered(motion, motion.skeleton.depth_first())
    assert read.frames + read.first_frame == again.frames + again.first_frame
    np.testing.assert_allclose(read.frame_time_s, motion.frame_time_s, rtol=2e-4)
    for joint, name in enumerate(again.skeleton.names):
        found = read.skeleton.find(name)
        np.testing.assert_allclose(
            read.world.positions[-200:, found], again.world.positions[-200:, joint], atol=5e-4, err_msg=name
        )


def compare_with_blender(path, motion):
    """Read a file with ours and with Blender; both must put all joints at the same places. -> ours."""
    reading = read_gltf(path)
    read = reading.motion
    frames = [0, read.frames // 2, read.frames - 1]
    starts = [re.search(r"starts at (\S+) s", problem.message) for problem in reading.problems]
    skipped = [float(start[1]) / read.frame_time_s for start in starts if start]
    shift = round(sum(skipped)) + read.first_frame
    seen = look(path, read.frame_time_s, [frame + shift for frame in frames])
    assert set(read.skeleton.names) == set(motion.skeleton.names)
    expected = in_blender_axes(read.world.positions[frames])
    for joint, name in enumerate(read.skeleton.names):
        heads = np.array(seen["bones"][name])[:, :3, 3]
        np.testing.assert_allclose(heads, expected[:, joint], atol=1e-4, err_msg=name)
    return read
