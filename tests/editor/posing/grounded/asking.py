"""What tests of the grounded solver ask for, and how they judge what they get."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from editor.contacts.detect import find_contacts
from editor.contacts.feet import find_limb, limb_points
from editor.posing.edit import TargetPose, TargetPoses
from editor.posing.grounded.asked import BODY, PoseChange, Solution
from editor.posing.grounded.solve import solve
from editor.quality import figures as quality
from model.contacts import FEET, Contacts
from model.files.formats import read_motion
from model.ground import Ground
from model.motion import Motion
from model.placing import turned
from model.roles import Role
from model.rotation import angle_between, conjugate, from_rotation_vector, multiply, to_rotation_vector
from resources import path_of

HELD_S = 1e9
CROUCH = {"left_hip": (-20, 0, 0), "right_hip": (-20, 0, 0), "left_knee": (38, 0, 0), "right_knee": (38, 0, 0)}
WIDE = {"left_hip": (-6, 3, 6), "right_hip": (6, -3, -6), "spine": (8, 0, 0)}
TURN = {"pelvis": (0, 25, 0), "chest": (0, 15, 0)}
KINDS = {"crouch": CROUCH, "wide": WIDE, "turn": TURN}
# Contacts longer than this are posed more than once, and poses nearer to each other than that are one.
_LONG_S, _APART_S = 0.9, 0.12


@dataclass(frozen=True)
class Figures:
    """How well poses of one kind are followed: the worst of each. met_deg : above ankles and wrists, the root with it,
    at poses of which the solver does not tell that the body must be lower; lowered : how many it tells that of;
    drift_cm, deeper_cm, swing_cm : beyond what the source has.
    """

    met_deg: float
    lowered: int
    drift_cm: float
    deeper_cm: float
    swing_cm: float
    jerk_ratio: float
    step_ratio: float


@dataclass(frozen=True)
class Clip:
    motion: Motion
    contacts: Contacts

    @staticmethod
    def of(motion: Motion) -> "Clip":
        return Clip(motion, find_contacts(motion, hands=True))

    @staticmethod
    def read(path) -> "Clip":
        return Clip.of(read_motion(path).motion)

    @staticmethod
    def sample(name: str) -> "Clip":
        return Clip.read(path_of("samples", f"{name}.bvh"))

    def limbs(self):
        """Limbs in contact somewhere: name, contacts, joints."""
        for name, held in self.contacts.limbs.items():
            limb = find_limb(self.motion.skeleton, name)
            if held and limb is not None and limb.bends is not None:
                yield name, held, limb

    def pose(self, frame: int, fade_s: float = 0.5, move=(0.0, 0.0, 0.0), lengths=(), **degrees) -> TargetPose:
        """A pose with joints, by role, turned by vectors in degrees; roles that the body lacks are left out."""
        skeleton = self.motion.skeleton
        refs = {name: skeleton.joint(Role[name.upper()]) for name in degrees}
        offsets = tuple(
            (skeleton.ref(refs[name]), tuple(np.radians(vector).tolist()))
            for name, vector in degrees.items()
            if refs[name] is not None
        )
        return TargetPose(frame * self.motion.frame_time_s, offsets, move, fade_s, fade_s, lengths=tuple(lengths))

    def change(self, *poses: TargetPose) -> PoseChange:
        times = np.arange(float(self.motion.frames)) * self.motion.frame_time_s
        return TargetPoses(poses, grounded=True).change(self.motion.skeleton, times)

    def solve(self, *poses: TargetPose, ground: Ground | None = None) -> Solution:
        return solve(self.motion, self.contacts, self.change(*poses), edited=ground)

    def taken_from(self, motion: Motion, frames) -> list[TargetPose]:
        """Poses that make `motion` of this clip at some frames; where that keeps contacts, so do they."""
        poses = []
        for frame in frames:
            apart = multiply(motion.local_rotations[frame], conjugate(self.motion.local_rotations[frame]))
            turned = [
                (self.motion.skeleton.ref(joint), tuple(vector.tolist()))
                for joint, vector in enumerate(to_rotation_vector(apart))
                if np.linalg.norm(vector) > 1e-9
            ]
            rise = float(motion.root_positions[frame, 1] - self.motion.root_positions[frame, 1])
            poses.append(TargetPose(frame * self.motion.frame_time_s, tuple(turned), (0.0, rise, 0.0)))
        return poses

    def off_targets_deg(self, poses, result: Motion) -> float:
        """How far joints above ankles and wrists are from what poses ask, at most."""
        feet = {joint for _, _, limb in self.limbs() for joint in self.motion.skeleton.subtree(limb.end)}
        worst = 0.0
        for pose in poses:
            frame = round(pose.time_s / self.motion.frame_time_s)
            wanted = np.array(self.motion.local_rotations[frame])
            for ref, vector in pose.offsets:
                joint = self.motion.skeleton.resolve(ref)
                wanted[joint] = multiply(from_rotation_vector(np.array(vector)), wanted[joint])
            off = np.degrees(angle_between(wanted, result.local_rotations[frame]))
            worst = max(worst, max(off[joint] for joint in range(len(off)) if joint not in feet))
        return worst

    def slips_cm(self, result: Motion) -> float:
        """How far an ankle in contact gets from its original way, turned, shifted and lifted as a whole, at most."""
        worst = 0.0
        for _, held, limb in self.limbs():
            was, now = (motion.world.positions[:, limb.end] for motion in (self.motion, result))
            turns = multiply(result.world.rotations[:, limb.end], conjugate(self.motion.world.rotations[:, limb.end]))
            yaws = 2.0 * np.arctan2(turns[:, 2], turns[:, 0])
            for contact in held:
                part = slice(contact.start, contact.stop)
                yaw = np.angle(np.mean(np.exp(1j * yaws[part])))
                slip = (now[part, 2] + 1j * now[part, 0]) - np.exp(1j * yaw) * (was[part, 2] + 1j * was[part, 0])
                lift = now[part, 1] - was[part, 1]
                worst = max(worst, float(np.max(np.abs(slip - np.mean(slip)))), float(np.ptp(lift)))
        return 100.0 * worst

    def deeper_cm(self, result: Motion, ground: Ground | None = None) -> float:
        """How much deeper a point of a foot is under the ground than it was, at most."""
        before = Ground(self.contacts.ground_m)
        worst = 0.0
        for name, _, limb in self.limbs():
            if name in FEET:
                was, now = limb_points(self.motion, limb), limb_points(result, limb)
                sunk = np.maximum(before.heights(was[..., [0, 2]]) - was[..., 1], 0.0)
                worst = max(worst, float(np.max((ground or before).heights(now[..., [0, 2]]) - now[..., 1] - sunk)))
        return 100.0 * worst

    def swings_cm(self, result: Motion, frames) -> float:
        """How far feet are from as high as they were, in swings without a target."""
        worst = 0.0
        for name, held, limb in self.limbs():
            for before, after in pairwise(held):
                part = slice(before.stop, after.start)
                if name in FEET and not any(part.start <= frame < part.stop for frame in frames):
                    was, now = (one.world.positions[part, limb.end, 1] for one in (self.motion, result))
                    worst = max(worst, float(np.max(np.abs(now - was))))
        return 100.0 * worst

    def every(self, seconds: float) -> range:
        """Frames so far apart."""
        step = round(seconds / self.motion.frame_time_s)
        return range(step // 2, self.motion.frames - 2, step)

    def stances(self) -> list[int]:
        """Frames in the middle of contacts; several in long ones."""
        step_s, found = self.motion.frame_time_s, set()
        for _, held, _ in self.limbs():
            for one in held:
                count = max(round((one.stop - one.start) * step_s / _LONG_S), 1)
                found |= {int(frame) for frame in np.linspace(one.start, one.stop - 1, count + 2)[1:-1]}
        kept: list[int] = []
        for frame in sorted(found):
            if not kept or (frame - kept[-1]) * step_s > _APART_S:
                kept.append(frame)
        return kept

    def consistent(self, kind: str) -> list[TargetPose]:
        """Poses, most of them between steps, of a motion that keeps contacts: of this one, posed where feet stand."""
        edited = self.solve(*(self.pose(frame, **KINDS[kind]) for frame in self.stances())).motion
        return self.taken_from(edited, self.every(0.7))

    def figures(self, kind: str) -> Figures:
        """How well consistent poses are followed."""
        poses = self.consistent(kind)
        solution = self.solve(*poses)
        result, lowered = solution.motion, {one.frame for one in solution.overrides if one.limb == BODY}
        met = [pose for pose in poses if round(pose.time_s / self.motion.frame_time_s) not in lowered]
        drifts = [quality.contact_drifts(one, self.contacts) for one in (result, self.motion)]
        measured = quality.measure(result, self.contacts, [self.motion])
        return Figures(
            self.off_targets_deg(met, result),
            len(lowered),
            100.0 * float(np.max(drifts[0] - drifts[1], initial=0.0)),
            self.deeper_cm(result),
            self.swings_cm(result, self.every(0.7)),
            measured.jerk_ratio,
            measured.step_ratio,
        )

    def identity_m(self) -> float:
        """How far joints move where the poses ask for next to nothing, which goes through all of the solver."""
        tiny = {"head": (1e-9, 0, 0), "pelvis": (0, 1e-9, 0), "left_hip": (1e-9, 0, 0)}
        result = self.solve(*(self.pose(frame, **tiny) for frame in self.every(0.7))).motion
        return float(np.max(np.abs(result.world.positions - self.motion.world.positions)))

    def quarter_turn_m(self) -> float:
        """How far joints are from the clip turned as a whole where all poses are turned by 90 degrees (figure 6.18)."""
        motion, pelvis = self.motion, self.motion.skeleton.joint(Role.PELVIS) or 0
        frames = (0, motion.frames // 3, motion.frames - 1)
        result = self.solve(*(self.pose(frame, HELD_S, pelvis=(0, 90, 0)) for frame in frames)).motion
        expected = turned(motion, np.pi / 2, motion.world.positions[0, pelvis], np.zeros(3))
        body = motion.skeleton.subtree(pelvis)
        return float(np.max(np.abs(result.world.positions - expected.world.positions)[:, body]))

    def unequal_share_cm(self) -> float | None:
        """How unequally two feet share a height that contradicts; None where they never stand together (6.3.1)."""
        worst = None
        for frame in self.double_supports():
            solution = self.solve(self.pose(frame, left_knee=(40, 0, 0), left_hip=(-20, 0, 0)))
            off = [one.distance_m for one in solution.overrides if one.frame == frame and one.limb in FEET]
            if len(off) == 2:
                worst = max(worst or 0.0, 100.0 * abs(off[0] - off[1]))
        return worst

    def double_supports(self) -> list[int]:
        """The middle of each stretch of frames in which both feet stand."""
        both = np.flatnonzero(self.contacts.mask("left_foot") & self.contacts.mask("right_foot"))
        runs = np.split(both, np.flatnonzero(np.diff(both) > 1) + 1)
        return [int(run[len(run) // 2]) for run in runs if len(run)]
