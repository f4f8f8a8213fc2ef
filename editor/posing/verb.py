"""`motionwright pose FILE --edits EDITS.json -o OUT`: target poses that the whole motion follows."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from editor.contacts.reading import read_with_feet
from editor.stack.verbs import add_output, add_reading, read_options, write_output

if TYPE_CHECKING:
    from editor.posing.edit import TargetPose, Vector
    from model.motion import Motion
    from model.skeleton import JointRef, Skeleton

# A pose without fades holds until the next one, and to the ends of the clip.
_HELD_S = 1e9
# Every pose speaks of every joint that any of them names.
_MOST_TURNS = 200_000
_KEYS = ("frame", "rotate", "move", "before", "after", "strength", "lengths")
_LOOKS = 'edits look like {"poses": [{"frame": n, "rotate": {"JOINT": [rx, ry, rz]}}, …]}, angles in degrees'
_EPILOG = """

EDITS.json is {"poses": [{"frame": n, "rotate": {"JOINT": [rx, ry, rz]}}, ...]}: frames of the file from 0; joints by
name or role, each with a rotation vector in degrees in its parent's frame, applied after its own rotation. A pose may
have "move": [x, y, z], how the body moves in metres; "before" and "after", seconds over which it comes up and fades,
without which it holds until the next pose or the clip's end; "strength"; and "lengths": {"JOINT": factor} on the bones
that end in joints. GROUND.json has boxes, ramps, a grid or a mesh on the clip's floor."""

EXAMPLE = "motionwright pose walk.bvh --edits wide.json -o wide.bvh" + _EPILOG


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a motion file")
    parser.add_argument(
        "--edits", metavar="EDITS.json", help="the poses; without them the body only goes on the ground"
    )
    parser.add_argument("--ground", metavar="GROUND.json", help="the ground that the body shall go on")
    add_output(parser)
    add_reading(parser)


def run(parsed: argparse.Namespace) -> int:
    from dataclasses import replace
    from functools import partial

    import numpy as np

    from editor.posing.edit import TargetPoses, told_overrides
    from editor.posing.grounded.solve import solve
    from model.files.formats import check_writable
    from model.files.ground_file import read_ground
    from model.measures import moment_in_words

    if parsed.edits is None and parsed.ground is None:
        raise ValueError("--edits or --ground must be given: there is nothing to do")
    check_writable(parsed.output)
    ground = None if parsed.ground is None else read_ground(parsed.ground)
    motion, contacts = read_with_feet(parsed.file, read_options(parsed), hands=True)
    edit = TargetPoses(() if parsed.edits is None else read_edits(parsed.edits, motion), grounded=True)
    if ground is not None:  # heights in it are above the clip's own floor
        ground = replace(ground, height_m=contacts.ground_m)
    times = np.arange(float(motion.frames)) * motion.frame_time_s
    solution = solve(motion, contacts, edit.change(motion.skeleton, times), edited=ground)
    file_times = times + motion.first_frame * motion.frame_time_s
    for _, told in told_overrides(solution.overrides, file_times, partial(moment_in_words, step_s=None)):
        print(f"{parsed.output}: {told}", file=sys.stderr)
    write_output(parsed, solution.motion)
    return 0


def read_edits(path: str | Path, motion: "Motion") -> "tuple[TargetPose, ...]":
    """The poses that a file asks of a motion. Raises MotionFileError.

    A pose leaves a joint as it is that it does not name: it speaks of all joints that any of the poses names.
    """
    from model.files.json_text import read_json
    from model.files.problems import MotionFileError

    told = read_json(path)
    try:
        return _poses(told, motion)
    except ValueError as error:
        raise MotionFileError(str(path), None, str(error)) from None


def _poses(told: Any, motion: "Motion") -> "tuple[TargetPose, ...]":
    from dataclasses import replace

    poses = told.get("poses") if isinstance(told, dict) else None
    if not isinstance(poses, list) or len(told) != 1:
        raise ValueError(_LOOKS)
    made = [_pose(one, f"pose {n}", motion) for n, one in enumerate(poses)]
    if len({pose.time_s for pose in made}) != len(made):
        raise ValueError("two poses are at the same frame")
    still = {ref: (ref, (0.0, 0.0, 0.0)) for pose in made for ref, _ in pose.offsets}
    if len(made) * len(still) > _MOST_TURNS:
        raise ValueError(
            f"{len(made):,} poses turn {len(still):,} joints; the limit is {_MOST_TURNS:,} turns: use fewer poses"
        )
    return tuple(
        replace(pose, offsets=tuple((still | {one[0]: one for one in pose.offsets}).values()), holds_root=True)
        for pose in made
    )


def _pose(told: Any, what: str, motion: "Motion") -> "TargetPose":
    import math

    from editor.posing.edit import TargetPose

    if not isinstance(told, dict):
        raise ValueError(f"{what} is no object: {_LOOKS}")
    for key in told:
        if key not in _KEYS:
            raise ValueError(f"{what} has {key[:40]!r}, which is none of {', '.join(_KEYS)}")
    frame = told.get("frame")
    first = motion.first_frame
    if type(frame) is not int or not first <= frame < first + motion.frames:
        raise ValueError(f"the frame of {what} must be a whole number, {first} to {first + motion.frames - 1}")
    turns = [
        (ref, tuple(math.radians(angle) for angle in _vector(value, f"what {what} turns {ref.name} by")))
        for ref, value in _by_joint(told.get("rotate", {}), f"'rotate' of {what}", motion.skeleton)
    ]
    lengths = [
        (ref, _number(value, f"the length of {ref.name} in {what}"))
        for ref, value in _by_joint(told.get("lengths", {}), f"'lengths' of {what}", motion.skeleton)
    ]
    return TargetPose(
        (frame - first) * motion.frame_time_s,
        tuple((ref, (x, y, z)) for ref, (x, y, z) in turns),
        _vector(told.get("move", [0.0, 0.0, 0.0]), f"'move' of {what}"),
        _seconds(told.get("before", _HELD_S), f"'before' of {what}"),
        _seconds(told.get("after", _HELD_S), f"'after' of {what}"),
        _number(told.get("strength", 1.0), f"the strength of {what}"),
        lengths=tuple(lengths),
    )


def _by_joint(told: Any, what: str, skeleton: "Skeleton") -> "list[tuple[JointRef, Any]]":
    if not isinstance(told, dict):
        raise ValueError(f'{what} must look like {{"JOINT": …}}')
    found = [(skeleton.ref(_joint(skeleton, name, what)), value) for name, value in told.items()]
    named = [ref.name for ref, _ in found]
    if len(named) != len(set(named)):
        twice = next(name for name in named if named.count(name) > 1)
        raise ValueError(f"{what} names {twice} twice, by its name and by its role")
    return found


def _joint(skeleton: "Skeleton", name: str, what: str) -> int:
    """The joint of this name, or of this role."""
    from model.roles import Role

    if name in skeleton.names:
        return skeleton.names.index(name)
    joint = skeleton.joint(Role(name)) if name in set(Role) else None
    if joint is None:
        raise ValueError(f"{what}: there is no joint named {name[:40]!r}; `motionwright info` lists them")
    return joint


def _vector(value: Any, what: str) -> "Vector":
    if not isinstance(value, list) or len(value) != 3:
        raise ValueError(f"{what} must be three numbers")
    x, y, z = (_number(one, what) for one in value)
    return x, y, z


def _seconds(value: Any, what: str) -> float:
    seconds = _number(value, what)
    if not seconds > 0.0:
        raise ValueError(f"{what} is {seconds:g}; it must be more than 0 seconds")
    return seconds


def _number(value: Any, what: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= _HELD_S:
        raise ValueError(f"{what} must be a number")
    return float(value)
