"""What tests of the grounded solver ask for, and how they judge what they get."""

from dataclasses import dataclass

import numpy as np

from editor.contacts.detect import find_contacts
from editor.contacts.feet import find_limb, limb_points
from editor.edits.target_poses import TargetPose, TargetPoses
from editor.posing.grounded.asked import PoseChange, Solution
from editor.posing.grounded.solve import solve
from model.contacts import FEET, Contacts
from model.files.formats import read_motion
from model.ground import Ground
from model.motion import Motion
from model.roles import Role
from model.rotation import angle_between, conjugate, from_rotation_vector, multiply, to_rotation_vector
from resources import path_of

HELD_S = 1e9


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

    def double_supports(self) -> list[int]:
        """The middle of each stretch of frames in which both feet stand."""
        both = np.flatnonzero(self.contacts.mask("left_foot") & self.contacts.mask("right_foot"))
        runs = np.split(both, np.flatnonzero(np.diff(both) > 1) + 1)
        return [int(run[len(run) // 2]) for run in runs if len(run)]
