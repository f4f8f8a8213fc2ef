"""Other BVH libraries behind one face, for the tests to compare with and the benchmarks to race.

Each peer reads a file into something of its own, gives world positions by joint name for chosen frames,
and writes. Libraries are imported when they are used, and what they print is swallowed.
"""

import contextlib
import io
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

Positions = dict[str, np.ndarray]  # joint name: (frames asked for, 3) in the file's unit and axes


@dataclass(frozen=True)
class Peer:
    name: str
    read: Callable[[Path], Any]  # up to rotations, where the library makes any
    positions: Callable[[Any, Sequence[int]], Positions] | None = None
    forward: Callable[[Any], Any] | None = None  # world positions of all frames, as the library likes it
    write: Callable[[Any, Path], Any] | None = None
    slow: bool = False  # raced on the short file only


def quietly(call: Callable[..., Any], *arguments: Any) -> Any:
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return call(*arguments)


def _pybvh() -> Peer:
    import pybvh

    def positions(clip: Any, frames: Sequence[int]) -> Positions:
        world = clip.joint_positions()
        return {name: world[list(frames), n] for n, name in enumerate(clip.joint_names)}

    return Peer(
        "pybvh", lambda path: quietly(pybvh.read_bvh_file, str(path)), positions,
        lambda clip: clip.joint_positions(), lambda clip, path: pybvh.write_bvh_file(clip, str(path)),
    )  # fmt: skip


def _pymotion() -> Peer:
    from pymotion.io.bvh import BVH
    from pymotion.ops.skeleton_np import fk

    def read(path: Path) -> Any:
        clip = BVH()
        quietly(clip.load, str(path))
        return clip, clip.get_data()

    def forward(read_clip: Any) -> Any:
        rotations, positions, parents, offsets, *_ = read_clip[1]
        return fk(rotations, positions[:, 0], offsets, parents)[0]

    def positions(read_clip: Any, frames: Sequence[int]) -> Positions:
        world = forward(read_clip)
        return {name: world[list(frames), n] for n, name in enumerate(read_clip[0].data["names"])}

    return Peer("upc-pymotion", read, positions, forward, lambda clip, path: clip[0].save(str(path)))


def _bvhtools() -> Peer:
    from bvhTools import bvhIO

    def positions(clip: Any, frames: Sequence[int]) -> Positions:
        world = [clip.getFKAtFrame(frame) for frame in frames]
        return {name: np.array([at[name][1] for at in world]) for name in world[0]}

    def forward(clip: Any) -> Any:
        return [clip.getFKAtFrame(frame) for frame in range(clip.motion.numFrames)]

    return Peer(
        "bvhTools", lambda path: quietly(bvhIO.readBvh, str(path)), positions, forward,
        lambda clip, path: quietly(bvhIO.writeBvh, clip, str(path)),
    )  # fmt: skip


def _bvh() -> Peer:
    from bvh import Bvh

    def read(path: Path) -> Any:
        return Bvh(path.read_text()).frames

    return Peer("bvh", read)


def _bvhio() -> Peer:
    import bvhio

    return Peer(
        "bvhio", lambda path: bvhio.readAsHierarchy(str(path)),
        write=lambda clip, path: bvhio.writeHierarchy(str(path), clip, 1 / 120), slow=True,
    )  # fmt: skip


READERS = {"pybvh": _pybvh, "bvhTools": _bvhtools, "upc-pymotion": _pymotion}
RACERS = {**READERS, "bvh": _bvh, "bvhio": _bvhio}
