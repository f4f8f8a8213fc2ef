"""Ground-aware pose editing: how well poses are followed on recorded clips, solves a second, and how cost grows."""

import itertools
from collections.abc import Callable
from dataclasses import astuple

import numpy as np

from editor.contacts.detect import find_contacts
from editor.posing.commands import set_pose
from editor.posing.edit import TargetPose, TargetPoses
from editor.posing.grounded.asked import PoseChange
from editor.posing.grounded.solve import solve
from editor.stack.evaluator import Evaluator
from model.clip import Clip as ProjectClip
from model.clip import Take
from model.contacts import Contacts
from model.ground import Box, Ground
from model.motion import Motion
from model.project import Project
from model.roles import Role, find_roles
from model.rotation import IDENTITY
from model.skeleton import EndSite, JointRef, Skeleton
from tests.benchmarks.measuring import Report, seconds
from tests.clips import DATA, stepping_figure
from tests.editor.evaluated import Given
from tests.editor.posing.grounded.asking import KINDS, Clip

FRAMES, JOINTS = 700, 31
SHORT, LONG, DRAGGED = 2_000, 20_000, 6_000
_TURNS = {
    Role.PELVIS: (0.0, 0.08, 0.0), Role.SPINE: (0.15, 0.0, 0.0), Role.HEAD: (0.1, 0.0, 0.0),
    Role.LEFT_HIP: (-0.1, 0.05, 0.1), Role.RIGHT_HIP: (0.1, -0.05, -0.1), Role.LEFT_SHOULDER: (0.2, 0.0, 0.0),
}  # fmt: skip
# Different kinds of motion, of different makers; long ones are cut.
CLIPS = {
    "walk": "cmu-bvh/02_01", "slow walk": "cmu-bvh/16_15", "walk 90": "cmu-bvh/16_17", "run": "cmu-bvh/16_45",
    "jog": "cmu-bvh/35_17", "jump": "cmu-bvh/16_01", "cartwheel": "cmu-bvh/49_06", "zombie": "cmu-bvh/104_41",
    "happy": "cmu-bvh/104_11", "walk to run": "cmu-bvh/127_04", "stand": "cmu-bvh/77_02",
    "traffic": "cmu-bvh/13_26", "ACCAD run, walk": "other-bvh/accad_male1/Male1_C04_RunToWalk",
    "ACCAD side step": "other-bvh/accad_male1/Male1_B22_SideStepLeft",
    "ACCAD backwards": "other-bvh/accad_male1/Male1_B6_WalkBackwards",
    "Bandai old": "other-bvh/bandai/dataset-1_walk_old_001", "Bandai run": "other-bvh/bandai/dataset-2_run_normal_001",
    "LAFAN1 walk": "other-bvh/lafan1_walk4_subject1", "100STYLE rushed": "other-bvh/100style_rushed_reference",
    "Rokoko dance": "other-bvh/rokoko_jesse_dance", "Xia strut": "other-bvh/xia/strutting_01_000",
    "SFU walk": "other-bvh/sfu_0005_Walking001_cut", "pirouette": "other-bvh/threejs_pirouette",
}  # fmt: skip
_LONGEST = 900


def run(report: Report) -> None:
    _quality(report)
    _speed(report)


def _quality(report: Report) -> None:
    """The table of "how well": of each clip and kind of pose the worst frame."""
    if not DATA.is_dir():
        print("  the recorded clips (../shared/data) are not here: no figures of them")
        return
    report.title("Poses followed on recorded clips, the worst frame of each; cm and degrees beyond the source")
    heads = ("identity m", "turn 90 m", "share cm", "poses", "met deg", "lowered", "drift", "deeper", "swing")
    heads = (*heads, "jerk ratio", "step ratio")
    print(f"  {'clip':<17}" + "".join(f"{head:>11}" for head in heads))
    worst: dict[str, float] = {}
    lowered = asked = 0
    for name, path in CLIPS.items():
        clip = Clip.read(DATA / f"{path}.bvh")
        if clip.motion.frames > _LONGEST:
            clip = Clip.of(clip.motion.sliced(0, _LONGEST))
        whole = {"identity": clip.identity_m(), "turn": clip.quarter_turn_m(), "share": clip.unequal_share_cm() or 0.0}
        start = f"{whole['identity']:11.0e}{whole['turn']:11.0e}{whole['share']:11.4f}"
        for kind in KINDS:
            told = clip.figures(kind)
            rest = "".join(f"{value:11.3f}" for value in astuple(told))
            print(f"  {name:<17}{start}{kind:>11}{rest}", flush=True)
            name, start = "", " " * 33
            lowered += told.lowered
            asked += len(clip.every(0.7))
            for figure, value in (*whole.items(), *vars(told).items()):
                worst[figure] = max(worst.get(figure, 0.0), value)
    print(f"  of {asked} poses the body must be lower in {lowered}, for feet could not reach the ground beside them")
    goals = {"identity": 1e-9, "turn": 1e-9, "share": 0.01, "met_deg": 0.1, "drift_cm": 0.1, "deeper_cm": 0.1}
    for figure, limit in goals.items():
        report.goal(f"worst {figure.replace('_', ', ')} of {limit:g}", worst[figure] / limit, at_most=1.0)


def _speed(report: Report) -> None:
    motion, contacts = _walk(FRAMES)
    report.title(f"Pose editing, {FRAMES} frames x {len(motion.skeleton)} joints, a pose every 60 frames")
    change = _poses(motion, range(40, FRAMES - 10, 60))
    taken = seconds(lambda: solve(motion, contacts, change), repeats=30)
    report.time("a solve of the whole clip", taken)
    report.goal("solves a second against 60", 1.0 / taken / 60.0, at_least=1.0)
    report.figure("solves a second against the thesis' 5", 1.0 / taken / 5.0)
    ground = Ground(contacts.ground_m, tuple(Box((0.0, 2.0 * n), (4.0, 0.8), 0.1) for n in range(1, 6)))
    report.time("the same with boxes on the ground", seconds(lambda: solve(motion, contacts, change, edited=ground)))

    report.title(f"The same with {SHORT} and {LONG} frames, twelve poses")
    times = {}
    for frames in (SHORT, LONG):
        clip, held = _walk(frames)
        asked = _poses(clip, np.linspace(10, frames - 10, 12).astype(int), fade_s=1e6)
        times[frames] = seconds(lambda clip=clip, held=held, asked=asked: solve(clip, held, asked))
        report.time(f"{frames} frames", times[frames])
    report.goal("time a frame, long / short", times[LONG] / times[SHORT] * SHORT / LONG, at_most=1.5)

    report.title(f"A pose dragged on {DRAGGED} frames")
    clip, held = _walk(DRAGGED)
    asked = _poses(clip, [DRAGGED // 2])
    report.time("a solve of the frames that it reaches", seconds(lambda: solve(clip, held, asked)))
    taken = seconds(_drag(clip, held), repeats=20)
    report.time("from the pose to the new take with its joints in the world", taken)
    report.goal("updates a second against 20", 1.0 / taken / 20.0, at_least=1.0)


def _drag(motion: Motion, contacts: Contacts) -> Callable[[], object]:
    """What every move of a hand asks for: a command, its stages, and where joints are."""
    project = Project((ProjectClip("1", "Walk", Given(Take(motion, contacts))),), 2)
    evaluator, moves = Evaluator(), itertools.count()
    evaluator.take(project, "1")
    refs = [JointRef(role.value, role) for role in _TURNS]

    def move() -> object:
        turns = tuple((ref, (0.1 + 0.001 * next(moves), 0.0, 0.0)) for ref in refs)
        pose = TargetPose(DRAGGED / 2 * motion.frame_time_s, turns, (0.0, -0.05, 0.0))
        return evaluator.take(set_pose(project, "1", None, pose), "1").motion.world

    return move


def _walk(frames: int) -> tuple[Motion, Contacts]:
    """A walk on a body with fingers, as many joints as recordings have."""
    motion, _ = stepping_figure(seconds=frames / 60.0)
    bare = motion.skeleton
    extra = JOINTS - len(bare)
    hands = [bare.find("LeftHand"), bare.find("RightHand")]
    names = (*bare.names, *(f"Finger{n}" for n in range(extra)))
    parents = (*bare.parents, *(hands[n % 2] for n in range(extra)))
    offsets = np.concatenate([bare.offsets, np.tile([0.05, 0.0, 0.01], (extra, 1))])
    sites = tuple(EndSite(site.joint, site.offset) for site in bare.end_sites)
    skeleton = Skeleton(names, parents, offsets, sites, find_roles(names, parents))
    rotations = np.concatenate([motion.local_rotations, np.tile(IDENTITY, (motion.frames, extra, 1))], axis=1)
    rotations = np.moveaxis(np.ascontiguousarray(np.moveaxis(rotations, 0, -1)), -1, 0)  # frames last, as readers do
    body = Motion(skeleton, motion.frame_time_s, motion.root_positions, rotations, offsets)
    contacts = find_contacts(body)
    body.world.positions.sum()  # kinematics are measured elsewhere
    return body, contacts


def _poses(motion: Motion, frames, fade_s: float = 0.5) -> PoseChange:
    refs = [(JointRef(role.value, role), vector) for role, vector in _TURNS.items()]
    poses = tuple(
        TargetPose(float(frame) * motion.frame_time_s, tuple(refs), before_s=fade_s, after_s=fade_s) for frame in frames
    )
    times = np.arange(float(motion.frames)) * motion.frame_time_s
    return TargetPoses(poses, grounded=True).change(motion.skeleton, times)
