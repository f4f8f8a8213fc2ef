"""Bodies of all makes and what is measured of motions that went from one to another."""

from dataclasses import replace

import numpy as np

from editor.contacts.feet import find_limb
from editor.gait.figure import figure
from editor.quality.figures import contact_drifts
from editor.retarget.stance import stance_positions
from model.contacts import FEET, HANDS
from model.motion import Motion
from model.roles import Role
from model.rotation import conjugate, from_axis_angle, from_matrix, multiply, rotate
from model.skeleton import EndSite, Skeleton

X, Y, Z = np.eye(3)
ENDS = (Role.LEFT_ANKLE, Role.RIGHT_ANKLE, Role.LEFT_WRIST, Role.RIGHT_WRIST, Role.HEAD)
# A limb bent less than this has no plane worth the name.
_BENT_RAD = np.radians(25.0)


def reframed(motion: Motion, frames) -> Motion:
    """The same movement of a skeleton whose joints' frames are turned by frames (J, 4): its rest pose is another."""
    body = motion.skeleton
    world = multiply(motion.world.rotations, frames)
    local = np.array(world)
    offsets = np.array(body.offsets)
    for joint, parent in enumerate(body.parents):
        if parent >= 0:
            local[:, joint] = multiply(conjugate(world[:, parent]), world[:, joint])
            offsets[joint] = rotate(conjugate(frames[parent]), body.offsets[joint])
    sites = tuple(replace(one, offset=rotate(conjugate(frames[one.joint]), one.offset)) for one in body.end_sites)
    skeleton = Skeleton(body.names, body.parents, offsets, sites, body.roles)
    return Motion(skeleton, motion.frame_time_s, motion.root_positions, local, offsets)


def along_x(body: Skeleton):
    """(J, 4) frames in which every bone lies along X, as some programs have them: there the rest pose is no body."""
    frames = np.tile([1.0, 0.0, 0.0, 0.0], (len(body), 1))
    for joint, role in enumerate(body.roles):
        bones = [body.offsets[child] for child in body.children[joint]] or [Y]
        along = {Role.PELVIS: Y, Role.CHEST: Y}.get(role, bones[0])
        axis = np.eye(3)[int(np.argmax(np.abs(along)))] * np.sign(along[int(np.argmax(np.abs(along)))])
        other = Z if abs(axis[2]) < 0.5 else X
        frames[joint] = from_matrix(np.stack([axis, other, np.cross(axis, other)], axis=-1))
    return frames


def in_a_pose(body: Skeleton):
    """(J, 4) frames of a rest pose with arms that hang at 45 degrees and legs apart."""
    frames = np.tile([1.0, 0.0, 0.0, 0.0], (len(body), 1))
    for side, sign in (("LEFT", 1.0), ("RIGHT", -1.0)):
        for role, degrees in (("SHOULDER", 45.0), ("HIP", -15.0)):
            top = body.joint(Role[f"{side}_{role}"])
            foot = body.joint(Role[f"{side}_ANKLE"])
            for joint in body.subtree(top):
                if joint not in body.subtree(foot):
                    frames[joint] = from_axis_angle(Z, sign * np.radians(degrees))
    return frames


def renamed(motion: Motion) -> Motion:
    """The same motion with names that say nothing."""
    body = motion.skeleton
    names = tuple(f"Bone{n:02d}" for n in range(len(body)))
    return replace(motion, skeleton=replace(body, names=names))


def with_more_joints() -> Skeleton:
    """Our figure with five joints in its spine, and twist joints in its forearms."""
    body = figure()
    rows = [(name, body.names[parent] if parent >= 0 else "", offset)
            for name, parent, offset in zip(body.names, body.parents, body.offsets, strict=True)]  # fmt: skip
    result = []
    for name, parent, offset in rows:
        if name == "Spine1":
            result += [("Lumbar", parent, offset / 2), (name, "Lumbar", offset / 2)]
        elif name == "Chest":
            result += [("Thorax", parent, offset / 3), (name, "Thorax", 2 * offset / 3)]
        elif name.endswith("ForeArm"):
            result += [(name, parent, offset)]
        elif name in ("LeftHand", "RightHand"):
            result += [(f"{name}Twist", parent, offset / 2), (name, f"{name}Twist", offset / 2)]
        else:
            result += [(name, parent, offset)]
    names = [name for name, _, _ in result]
    parents = tuple(names.index(parent) if parent else -1 for _, parent, _ in result)
    roles = dict(zip(body.names, body.roles, strict=True))
    sites = tuple(EndSite(names.index(body.names[site.joint]), site.offset) for site in body.end_sites)
    offsets = np.array([offset for _, _, offset in result])
    return Skeleton(tuple(names), parents, offsets, sites, tuple(roles.get(name) for name in names))


def end_errors_cm(one: Motion, other: Motion):
    """(F, 5) how far ankles, wrists and head of two motions are apart."""
    places = [each.world.positions[:, [each.skeleton.joint(role) for role in ENDS]] for each in (one, other)]
    return 100.0 * np.linalg.norm(places[0] - places[1], axis=-1)


def plane_errors_deg(source: Motion, target: Motion):
    """(N,) angles between the planes in which limbs of two motions bend, of all limbs and frames where both do."""
    errors = [np.zeros(1)]
    for name in (*FEET, *HANDS):
        normals = []
        for motion in (source, target):
            root, middle, end = (motion.world.positions[:, joint] for joint in find_limb(motion.skeleton, name).bends)
            upper, lower = _unit(middle - root), _unit(end - middle)
            normals.append(np.cross(upper, lower))
        bent = np.all([np.linalg.norm(normal, axis=-1) > np.sin(_BENT_RAD) for normal in normals], axis=0)
        cosine = np.sum(_unit(normals[0][bent]) * _unit(normals[1][bent]), axis=-1)
        errors.append(np.degrees(np.arccos(np.clip(cosine, -1.0, 1.0))))
    return np.concatenate(errors)


def added_drift_cm(source: Motion, target: Motion, contacts, scale: float) -> float:
    """How much more planted feet drift than the source's, scaled."""
    return 100.0 * float(
        np.max(contact_drifts(target, contacts) - scale * contact_drifts(source, contacts), initial=0.0)
    )


def jerk_ratio(source: Motion, target: Motion, plan) -> float:
    """The 99th percentile of the jerk of joints with roles against the pelvis, over the source's.

    Each joint's is scaled with how far it is from the pelvis on both bodies: longer limbs move more.
    """
    rest = [stance_positions(body.skeleton, body.stance) for body in (plan.source, plan.target)]
    jerks: list[list] = [[], []]
    for role in Role:
        joints = [motion.skeleton.joint(role) for motion in (source, target)]
        if None in joints or role is Role.PELVIS:
            continue
        bodies = (plan.source, plan.target)
        reach = [np.linalg.norm(r[j] - r[b.pelvis]) for r, j, b in zip(rest, joints, bodies, strict=True)]
        scales = (reach[1] / max(reach[0], 0.05), 1.0)
        for motion, joint, body, scale, found in zip((source, target), joints, bodies, scales, jerks, strict=True):
            about = motion.world.positions[:, joint] - motion.world.positions[:, body.pelvis]
            found.append(scale * np.linalg.norm(np.diff(about, 3, axis=0), axis=-1))
    theirs, ours = (float(np.percentile(found, 99)) for found in jerks)
    return ours / theirs if theirs > 0.0 else 1.0


def _unit(v):
    return v / np.maximum(np.linalg.norm(v, axis=-1, keepdims=True), 1e-12)
