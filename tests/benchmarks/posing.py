"""Posing: from where the mouse is to the pose that is shown."""

import numpy as np

from editor.clips.imported import ImportedFile
from editor.contacts.detect import find_contacts
from editor.posing.commands import set_pose
from editor.posing.drag import drag
from editor.posing.edit import TargetPose, TargetPoses
from editor.posing.keying import seen_pose, target_pose
from editor.posing.pose import Pose, pins_of
from model.clip import Clip, Take
from model.files.problems import ReadOptions
from model.ground import FLAT
from model.motion import Motion
from model.project import Project
from model.roles import Role
from model.rotation import from_rotation_vector, multiply
from model.skeleton import Skeleton
from model.time_map import IDENTITY_MAP
from tests.benchmarks.measuring import Report, seconds
from tests.clips import figure, stepping_figure

SHORT, LONG, JOINTS, FPS = 2_000, 6_000, 31, 60.0
DRAG_S, APPLY_S = 0.008, 0.008


class _Plain:
    """A context without anything before the edit."""

    strength = 1.0
    ground = FLAT

    def to_stage(self, source_times_s):
        return IDENTITY_MAP(source_times_s)

    def to_source(self, stage_times_s):
        return IDENTITY_MAP(stage_times_s)

    def note(self, text):
        pass


def _person() -> Skeleton:
    """The figure with some fingers, until it has 31 joints."""
    plain = figure()
    names, parents, offsets = list(plain.names), list(plain.parents), list(plain.offsets)
    for n in range(JOINTS - len(plain)):
        side, sign = ("Left", 1.0) if n % 2 else ("Right", -1.0)
        names.append(f"{side}Finger{n // 2}")
        parents.append(plain.find(f"{side}Hand"))
        offsets.append(np.array([0.08 * sign, 0.01 * (n // 2), 0.0]))
    roles = (*plain.roles, *[None] * (JOINTS - len(plain)))
    return Skeleton(tuple(names), tuple(parents), np.array(offsets), plain.end_sites, roles)


def _walk(frames: int) -> Motion:
    """Somebody who walks and swings the arms a little."""
    steps, _ = stepping_figure(seconds=frames / FPS, fps=FPS)
    skeleton, rng = _person(), np.random.default_rng(2)
    swing = 0.2 * np.sin(7.0 * np.arange(frames)[:, None, None] / FPS + rng.uniform(0.0, 6.0, (JOINTS, 3)))
    swing[:, [n for n, name in enumerate(skeleton.names) if name == "Hips" or "Leg" in name or "Foot" in name]] = 0.0
    rotations = from_rotation_vector(swing)
    rotations[:, : len(steps.skeleton)] = multiply(rotations[:, : len(steps.skeleton)], steps.local_rotations)
    straight = np.moveaxis(np.ascontiguousarray(np.moveaxis(rotations, 0, -1)), -1, 0)
    return Motion(skeleton, 1.0 / FPS, steps.root_positions, straight, skeleton.offsets)


def run(report: Report) -> None:
    motion = _walk(SHORT)
    take = Take(motion, find_contacts(motion))
    frame = next(n for n in range(SHORT // 2, SHORT) if len(pins_of(take, n)) == 2)
    time_s = frame / FPS
    project = Project((Clip("1", "Walk", ImportedFile("walk.bvh", "", ReadOptions(), (), motion)),), 2)
    seen, pins = seen_pose(take, frame, None, time_s), pins_of(take, frame)
    hand, context = motion.skeleton.joint(Role.LEFT_WRIST), _Plain()
    assert hand is not None

    def shown(way: tuple[float, float, float], grounded: bool) -> Take:
        posed = drag(seen, hand, seen.world.positions[hand] + np.array(way), pins).pose
        target = target_pose(take, frame, None, time_s, seen, posed)
        new = set_pose(project, "1", None, target, grounded=grounded)
        edit = new.clip("1").layers[-1].edit
        assert isinstance(edit, TargetPoses)
        return edit.apply(take, context)

    report.title(f"Posing, {JOINTS} joints x {SHORT} frames, both feet pinned")
    report.time("where the joints of one pose are", seconds(lambda: Pose(*_parts(seen)).world, 20))
    near, far = (0.1, 0.1, 0.1), (0.2, -0.5, 0.7)
    for name, way in (("within the arm's reach", near), ("beyond it", far)):
        goal = seen.world.positions[hand] + np.array(way)
        report.time(f"dragging a hand {name}", seconds(lambda goal=goal: drag(seen, hand, goal, pins), 20))
        taken = seconds(lambda way=way: shown(way, False), 20)
        report.time("  from the mouse to the new take", taken)
        # The figure stands in its new pose at once; steps follow it on a worker's thread.
        report.time("  with the feet of all frames on the ground", seconds(lambda way=way: shown(way, True), 5))
        report.goal(f"time to drag a hand {name} and see it, of {DRAG_S * 1000:.0f} ms", taken / DRAG_S, at_most=1.0)

    long = _walk(LONG)
    pose = TargetPose(
        LONG / 2 / FPS, tuple((long.skeleton.ref(n), (0.1, 0.2, 0.0)) for n in range(12)), (0.0, 0.1, 0.0)
    )
    edit, whole = TargetPoses((pose,)), Take(long, find_contacts(long))
    report.title(f"Target poses, {JOINTS} joints x {LONG} frames")
    copying = seconds(lambda: np.array(long.local_rotations), 10)
    taken = seconds(lambda: edit.apply(whole, context), 10)
    report.time("copying the rotations", copying)
    report.time("one pose of twelve joints", taken, copying)
    report.goal(f"time for one pose, of {APPLY_S * 1000:.0f} ms", taken / APPLY_S, at_most=1.0)


def _parts(pose: Pose) -> tuple:
    return pose.skeleton, pose.root_position, pose.local_rotations, pose.local_offsets
