"""glTF 2.0 (.gltf and .glb): motion read from any exporter's files; writing is in `gltf_write`.

A glTF joint has a rest orientation of its own, and rotations are against the parent's. Ours has none: the
rest pose is the bind pose in world axes, and a rotation is what has happened since. With R the rest
orientation of a joint in the world and q its node's rotation, ours is R(parent) q R(joint)^-1.
"""

from dataclasses import replace
from pathlib import Path

import numpy as np

from model.arrays import Array, freeze
from model.files.gltf_animation import (
    Animation,
    Grid,
    Sampler,
    choose_animation,
    find_grid,
    mind_others,
    read_animations,
)
from model.files.gltf_buffers import Document, Json, as_count, as_list, as_numbers, as_object, open_document
from model.files.gltf_pose import Stance, Tracks, rest_rotations, stand, tip_offset
from model.files.gltf_scene import Rig, find_rig, own_extras, read_nodes
from model.files.gltf_write import GENERATOR, write_gltf
from model.files.guesses import Body, find_body, leading_rest_pose
from model.files.problems import Problems, Reading, ReadOptions
from model.files.reading import read_bytes
from model.motion import Motion, Origin, Pose
from model.roles import Role
from model.rotation import IDENTITY, angle_between
from model.skeleton import EndSite, Skeleton
from model.units import METRE, rotations_to_y_up, to_y_up

__all__ = ["parse_gltf", "read_gltf", "write_gltf"]

# Joints times frames that any file may unfold into; more only in proportion to its bytes: the smallest keys of a
# rotation have four. A few keys can stand for hours, and many channels can share the same keys.
_SPARE_JOINT_FRAMES = 500_000
_FEWEST_BYTES = 4
# Beyond this a product of transforms is damage.
_FARTHEST_M = 1e12


def read_gltf(path: str | Path, options: ReadOptions | None = None) -> Reading:
    """The motion in a glTF file, with what had to be assumed or repaired.

    Raises MotionFileError for what cannot be read, and no other exception, whatever the file holds.
    """
    return parse_gltf(read_bytes(path), str(path), options)


def parse_gltf(data: bytes, path: str = "", options: ReadOptions | None = None) -> Reading:
    """The motion in the bytes of a glTF file; buffers are looked for beside `path`. See `read_gltf`."""
    options = options or ReadOptions()
    problems = Problems()
    with np.errstate(all="ignore"):  # absurd numbers overflow; the result is checked
        document = open_document(data, path, problems)
        nodes = read_nodes(document)
        animations = read_animations(document, nodes)
        animated = {channel.node for animation in animations for channel in animation.channels}
        is_own = as_object(document.root.get("asset")).get("generator") == GENERATOR
        rig = find_rig(document, nodes, animated, is_own)
        sampler = Sampler(document)
        matter = {*rig.joints, *rig.carriers}
        animation = choose_animation(animations, matter, sampler)
        own = own_extras(animation.item) if is_own and animation is not None else {}
        if animation is None:
            problems.note(None, "there is no animation; the skeleton stands still for one frame")
        else:
            mind_others(animations, animation, problems)
        grid = _grid(animation, matter, sampler, own, options, problems)
        _mind_size(document, rig, grid)
        tracks = Tracks(rig.nodes, {} if animation is None else _sampled(animation, matter, sampler, grid))
        return _reading(document, rig, tracks, grid, own if is_own else None, options)


def _grid(
    animation: Animation | None,
    matter: set[int],
    sampler: Sampler,
    own: Json,
    options: ReadOptions,
    problems: Problems,
) -> Grid:
    """The frames: as Motionwright noted them where that still fits the keys, else as the keys stand."""
    if animation is None:
        return Grid(0.0, options.frame_time_s or 1.0 / 30.0, 1)
    used = {channel.times for channel in animation.channels if channel.node in matter}
    key_times = [times for times in map(sampler.key_times, sorted(used)) if times is not None]
    noted, frames = as_numbers([own.get("frame_time_s")], 1), as_count(own.get("frames"), 0)
    if noted is not None and options.frame_time_s is None and frames > 0 and 1e-6 < noted[0] < 1e6:
        frame_time_s = float(noted[0])
        end = max(float(times[-1]) for times in key_times)
        if abs(end - (frames - 1) * frame_time_s) < 0.5 * frame_time_s:
            return Grid(0.0, frame_time_s, frames)
    return find_grid(key_times, options.frame_time_s, problems)


def _mind_size(document: Document, rig: Rig, grid: Grid) -> None:
    """Refuse what would unfold out of proportion to the file."""
    nodes = len(rig.joints) + len(rig.carriers)
    most = _SPARE_JOINT_FRAMES + document.bytes_held // _FEWEST_BYTES
    if grid.frames * nodes > most and grid.frames > 1:
        raise document.fail(
            f"its keys span {grid.frames:,} frames of {nodes:,} nodes, which the file is far too small for: "
            f"the limit is {most:,} together"
        )


def _sampled(animation: Animation, matter: set[int], sampler: Sampler, grid: Grid) -> dict[tuple[int, str], Array]:
    """The values of every channel that counts, by node and path."""
    values = {}
    for channel in animation.channels:
        if channel.node in matter:
            sampled = sampler.at(channel, grid)
            if sampled is not None:
                values[channel.node, channel.path] = sampled
    return values


def _reading(
    document: Document, rig: Rig, tracks: Tracks, grid: Grid, own: Json | None, options: ReadOptions
) -> Reading:
    """The motion of a rig whose nodes are sampled; `own` is what Motionwright noted, None in others' files."""
    problems = document.problems
    rest = rest_rotations(document, rig, use_bind_pose=own is None)
    stance = stand(rig, tracks, rest, grid.frames, problems)
    rest_offsets, local_offsets = _offsets(rig, stance, rest, own is not None)
    for values in (stance.rotations, stance.roots, rest_offsets, local_offsets):
        if not np.all(np.abs(values) <= _FARTHEST_M):
            raise document.fail("its transforms grow beyond all measure")
    names = tuple(rig.nodes[node].name for node in rig.joints)
    body = _body(names, rig, stance, local_offsets, own is not None, options, problems)
    up, metres = body.up, body.unit.metres

    def ours(vectors: Array) -> Array:
        return np.asarray(to_y_up(vectors, up) * metres)

    skeleton = Skeleton(
        names, tuple(rig.parents), ours(rest_offsets), _end_sites(rig, stance, rest, up, metres, problems), body.roles
    )  # fmt: skip
    roots, rotations = freeze(ours(stance.roots)), freeze(rotations_to_y_up(stance.rotations, up))
    offsets = freeze(ours(local_offsets))
    first, first_frame, rest_pose = 0, 0, None
    if own is not None:
        first_frame = max(as_count(own.get("first_frame")), 0)
        if noted := _noted_rest(own, len(names)):
            turns = freeze(rotations_to_y_up(noted.local_rotations, up))
            rest_pose = Pose(freeze(ours(noted.root_position)), turns, freeze(ours(noted.local_offsets)))
    elif _starts_at_rest(rotations):
        problems.note(None, "the first frame is a rest pose; it is kept beside the motion")
        first = first_frame = 1
        rest_pose = Pose(roots[0], rotations[0], offsets[0] if offsets.ndim == 3 else offsets)
    motion = Motion(
        skeleton=skeleton,
        frame_time_s=grid.frame_time_s,
        root_positions=roots[first:],
        local_rotations=rotations[first:],
        local_offsets=offsets[first:] if offsets.ndim == 3 else offsets,
        rest=rest_pose,
        first_frame=first_frame,
        origin=Origin(document.path, body.unit, up, (), freeze(np.zeros((grid.frames - first, 0))), format="gltf"),
    )
    return Reading(motion, problems.all())


def _offsets(rig: Rig, stance: Stance, rest: Array, is_own: bool) -> tuple[Array, Array]:
    """Rest offsets (J, 3) and local offsets (J, 3) or (F, J, 3), in the file's unit and axes."""
    still = stand(rig, Tracks(rig.nodes, {}), rest, 1, Problems())
    steady = stance.steady_offsets()
    rest_offsets = np.empty((len(rig.joints), 3))
    for joint, parent in enumerate(rig.parents):
        placed, constant = still.offsets[joint][0], steady[joint]
        if is_own or parent < 0:
            rest_offsets[joint] = placed
        elif constant is not None:
            # Bones are as long as they are in the motion, whatever the nodes say while nothing plays.
            rest_offsets[joint] = constant
        else:
            rest_offsets[joint] = placed if np.any(placed) else np.mean(stance.offsets[joint], axis=0)
    return rest_offsets, stance.local_offsets(steady, rest_offsets[0])


def _body(
    names: tuple[str, ...],
    rig: Rig,
    stance: Stance,
    local_offsets: Array,
    is_own: bool,
    options: ReadOptions,
    problems: Problems,
) -> Body:
    """Roles and unit of the body. glTF is in metres, Y up; exporters that forget to convert are noticed."""
    arrays = stance.roots, stance.rotations, local_offsets
    parents = tuple(rig.parents)
    told = replace(options, unit=options.unit or (METRE if is_own else None), up=options.up or "+Y")
    body = find_body(names, parents, *arrays, told, problems, declared=METRE)
    if told.unit is None and body.unit != METRE:
        problems.warn(None, f"glTF is in metres, but the body is the size of a person in {body.unit.name} only")
    if not is_own and options.up is None and Role.LEFT_KNEE in body.roles:
        seen = find_body(names, parents, *arrays, ReadOptions(unit=METRE), Problems())
        if seen.up != "+Y":
            problems.warn(None, f"the body stands along {seen.up}, but glTF has +Y up; read as lying")
    return body


def _end_sites(
    rig: Rig, stance: Stance, rest: Array, up: str, metres: float, problems: Problems
) -> tuple[EndSite, ...]:
    """The tips, in our unit and axes."""
    joint_of = {node: joint for joint, node in enumerate(rig.joints)}
    sites = []
    for tip in rig.tips:
        node = rig.nodes[tip]
        joint = joint_of[node.parent]
        offset = to_y_up(tip_offset(rig, tip, joint, stance, rest), up) * metres
        if np.all(np.abs(offset) <= _FARTHEST_M):
            sites.append(EndSite(joint, freeze(offset), node.tip or "Site"))
        else:
            problems.warn(None, f"{node.name[:40]!r} is beyond all measure; left out", "tips beyond measure")
    return tuple(sites)


def _starts_at_rest(rotations: Array) -> bool:
    """Whether a rest pose stands before the motion; in single precision it is not at rest to the last digit."""
    head = rotations[:32]
    nearly = angle_between(head, IDENTITY)[..., None] < 1e-4
    return leading_rest_pose(np.where(nearly, IDENTITY, head))


def _noted_rest(own: Json, joints: int) -> Pose | None:
    """The rest pose that Motionwright noted beside the motion, if it is whole."""
    noted = as_object(own.get("rest"))
    root = as_numbers(noted.get("root_position"), 3)
    rotations = [as_numbers(row, 4) for row in as_list(noted.get("local_rotations"))]
    offsets = [as_numbers(row, 3) for row in as_list(noted.get("local_offsets"))]
    turns = [row for row in rotations if row is not None]
    places = [row for row in offsets if row is not None]
    if root is None or len(turns) != joints or len(places) != joints:
        return None
    local_rotations = np.array(turns)
    if float(np.max(np.abs(np.sum(local_rotations**2, axis=-1) - 1.0))) > 1e-6:
        return None
    return Pose(root, local_rotations, np.array(places))
