"""The animations of a glTF file: which is read, at which times, and the value of every node then."""

import math
from dataclasses import dataclass

import numpy as np

from model.arrays import Array, IntArray
from model.files.gltf_buffers import LARGEST, Document, Json, as_count, as_name, as_object
from model.files.gltf_scene import Node
from model.files.problems import Problems
from model.rotation import normalize, slerp

_WIDTH = {"translation": 3, "rotation": 4, "scale": 3}
_INTERPOLATIONS = ("LINEAR", "STEP", "CUBICSPLINE")
_USUAL_FRAME_TIME_S = 1.0 / 30.0
_USUAL_RATES = (30.0, 24.0, 25.0, 60.0, 50.0, 120.0)
# Keys farther apart than this are an animator's, not a recording's: the motion between them counts.
_SPARSE_S = 0.1


@dataclass(frozen=True)
class Channel:
    """What moves one property of a node: accessors of key times and values, and what is between them."""

    node: int
    path: str  # translation, rotation or scale
    times: int
    values: int
    interpolation: str


@dataclass(frozen=True)
class Animation:
    """One animation: its channels that move nodes, in file order, and the item of the file it is."""

    name: str
    channels: tuple[Channel, ...]
    item: Json


@dataclass(frozen=True)
class Grid:
    """The times of the frames: frame n is at start_s + n * frame_time_s."""

    start_s: float
    frame_time_s: float
    frames: int


def read_animations(document: Document, nodes: list[Node]) -> list[Animation]:
    """Every animation with the channels that move nodes; morph targets and pointers are left aside."""
    found = []
    for index, item in enumerate(document.items("animations")):
        samplers = item.get("samplers")
        channels: dict[tuple[int, str], Channel] = {}
        given = item.get("channels")
        for value in given if isinstance(given, list) else []:
            channel = _channel(as_object(value), samplers if isinstance(samplers, list) else [], len(nodes))
            if channel is None:
                if as_object(as_object(value).get("target")).get("path") not in ("weights", "pointer"):
                    document.problems.warn(None, f"animation {index} has a broken channel; ignored", "broken channels")
            elif (channel.node, channel.path) in channels:
                document.problems.warn(
                    None,
                    f"{channel.path} of node {channel.node} is animated twice; the first counts",
                    "double channels",
                )
            else:
                channels[channel.node, channel.path] = channel
        found.append(Animation(as_name(item.get("name")) or f"animation {index}", tuple(channels.values()), item))
    return found


def _channel(item: Json, samplers: list[object], node_count: int) -> Channel | None:
    target = as_object(item.get("target"))
    place, node = as_count(item.get("sampler"), -1), as_count(target.get("node"), -1)
    path = as_name(target.get("path"))
    if path not in _WIDTH or not 0 <= node < node_count or not 0 <= place < len(samplers):
        return None
    sampler = as_object(samplers[place])
    interpolation = sampler.get("interpolation", "LINEAR")
    if interpolation not in _INTERPOLATIONS:
        interpolation = "LINEAR"
    return Channel(node, path, as_count(sampler.get("input"), -1), as_count(sampler.get("output"), -1), interpolation)


class Sampler:
    """Key times and values of a document, cleaned, and their values at the times of a grid."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._keys: dict[int, tuple[Array, IntArray] | None] = {}
        self._places: dict[tuple[int, Grid], tuple[IntArray, Array]] = {}

    def key_times(self, accessor: int) -> Array | None:
        """(K,) the times of an accessor, rising; None where there is none to use."""
        keys = self._clean_keys(accessor)
        return None if keys is None else keys[0]

    def _clean_keys(self, accessor: int) -> tuple[Array, IntArray] | None:
        """Rising times and which of the file's keys they are."""
        if accessor not in self._keys:
            stored = self._document.accessor(accessor, 1)
            self._keys[accessor] = None if stored is None else self._rising(stored[:, 0])
        return self._keys[accessor]

    def _rising(self, times: Array) -> tuple[Array, IntArray] | None:
        usable: IntArray = np.flatnonzero(np.abs(times) <= LARGEST)
        order = usable[np.argsort(times[usable], kind="stable")]
        kept = order[np.diff(times[order], prepend=-np.inf) > 0.0]
        if len(kept) < len(times) or np.any(np.diff(kept) < 0):
            self._document.problems.warn(
                None, f"{len(times)} key times do not rise; {len(kept)} are used, in order", "key times in disorder"
            )
        return (times[kept], kept) if len(kept) else None

    def at(self, channel: Channel, grid: Grid) -> Array | None:
        """(F, width) the channel's values at the grid's times, (1, width) if it never changes.

        Rotations are `w x y z` and of unit length. None where the file holds none to use.
        """
        keys = self._clean_keys(channel.times)
        stored = self._document.accessor(channel.values, _WIDTH[channel.path])
        if keys is None or stored is None:
            return None
        times, kept = keys
        each = 3 if channel.interpolation == "CUBICSPLINE" else 1
        values = stored[: len(stored) // each * each].reshape(-1, each, stored.shape[1])
        usable = kept < len(values)
        usable[usable] = np.all(np.abs(values[kept[usable]]) <= LARGEST, axis=(1, 2))
        if not np.all(usable):
            self._document.problems.warn(
                None,
                f"{np.count_nonzero(~usable)} keys of node {channel.node}'s {channel.path} have no usable value",
                "keys without values",
            )
            if not np.any(usable):
                return None
        if channel.path == "rotation":
            values = values[..., [3, 0, 1, 2]]
        whole = bool(np.all(usable))
        below, part = self._place(channel.times, grid) if whole else _placed(times[usable], grid)
        if not whole or len(kept) != len(values) or not np.array_equal(kept, np.arange(len(values))):
            values = values[kept[usable]]
        return _between(values, times[usable], below, part, channel)

    def _place(self, accessor: int, grid: Grid) -> tuple[IntArray, Array]:
        """As `_placed`, remembered: most channels share their key times."""
        if (accessor, grid) not in self._places:
            times = self.key_times(accessor)
            assert times is not None
            self._places[accessor, grid] = _placed(times, grid)
        return self._places[accessor, grid]


def _placed(times: Array, grid: Grid) -> tuple[IntArray, Array]:
    """For each frame the key at or before it (F,) and how far on the way to the next key it is (F,), 0 to 1.

    A frame that misses a key by no more than single precision does is on it.
    """
    at = grid.start_s + grid.frame_time_s * np.arange(grid.frames)
    last = len(times) - 1
    below: IntArray = np.clip(np.searchsorted(times, at, side="right") - 1, 0, last)
    near = 1e-4 * grid.frame_time_s + 2e-7 * np.abs(at)
    above = np.minimum(below + 1, last)
    below = np.where(np.abs(times[above] - at) <= near, above, below)
    above = np.minimum(below + 1, last)
    span = times[above] - times[below]
    part = np.clip((at - times[below]) / np.where(span > 0.0, span, 1.0), 0.0, 1.0)
    return below, np.where((np.abs(at - times[below]) <= near) | (span <= 0.0), 0.0, part)


def _between(values: Array, times: Array, below: IntArray, part: Array, channel: Channel) -> Array:
    """Values (K, 1 or 3, width) at places between keys; (1, width) where all keys are alike."""
    turns = channel.path == "rotation"
    keys = values[:, len(values[0]) // 2]
    if turns:
        keys = normalize(keys)
    is_flat = channel.interpolation != "CUBICSPLINE" or not np.any(values[:, ::2])
    if len(keys) == 1 or (is_flat and np.all(keys == keys[0])):
        return keys[:1]
    if channel.interpolation == "STEP" or not np.any(part):
        return np.asarray(keys[below])
    above = np.minimum(below + 1, len(keys) - 1)
    if channel.interpolation == "LINEAR":
        if turns:
            return slerp(keys[below], keys[above], part)
        return np.asarray(keys[below] + part[:, None] * (keys[above] - keys[below]))
    # glTF 2.0, appendix C: the raw values are interpolated, rotations made unit afterwards.
    span, t = (times[above] - times[below])[:, None], part[:, None]
    t2, t3 = t * t, t * t * t
    result = (2 * t3 - 3 * t2 + 1) * values[below, 1] + (-2 * t3 + 3 * t2) * values[above, 1]
    result += span * ((t3 - 2 * t2 + t) * values[below, 2] + (t3 - t2) * values[above, 0])
    return normalize(result) if turns else np.asarray(result)


def choose_animation(animations: list[Animation], matter: set[int], sampler: Sampler) -> Animation | None:
    """The longest animation that moves nodes that matter, the first of equals."""
    best, longest = None, -1.0
    for animation in animations:
        times = [sampler.key_times(channel.times) for channel in animation.channels if channel.node in matter]
        spans = [float(keys[-1] - keys[0]) for keys in times if keys is not None]
        if spans and max(spans) > longest:
            best, longest = animation, max(spans)
    return best


def mind_others(animations: list[Animation], chosen: Animation, problems: Problems) -> None:
    """Say which animations are left out."""
    others = [animation.name for animation in animations if animation is not chosen and animation.channels]
    if others:
        shown = ", ".join(repr(name[:40]) for name in others[:5]) + (", …" if len(others) > 5 else "")
        problems.warn(None, f"animation {chosen.name[:40]!r} is read, the longest; {len(others)} more are not: {shown}")


def find_grid(key_times: list[Array], frame_time_s: float | None, problems: Problems) -> Grid:
    """Uniform frames over all keys, at the rate the keys have, or at `frame_time_s` where that is given.

    key_times : of every channel that counts, each rising.
    """
    start = min(float(times[0]) for times in key_times)
    end = max(float(times[-1]) for times in key_times)
    if frame_time_s is None:
        frame_time_s = _frame_time_of(key_times, start, problems)
    if start > 0.5 * frame_time_s:
        problems.note(None, f"the animation starts at {start:.4g} s, which becomes frame 0")
    # A key that single precision has put a little early still makes a frame.
    frames = math.floor((end - start) / frame_time_s + 1e-2) + 1
    return Grid(start, frame_time_s, frames)


def _frame_time_of(key_times: list[Array], start: float, problems: Problems) -> float:
    """The time between frames: the most common step between keys, as a usual rate where it is one."""
    steps = np.concatenate([np.diff(times) for times in key_times])
    steps = steps[steps > 1e-5]
    if not len(steps):
        problems.note(None, "frame time: 1/30 s assumed, there are no two keys")
        return _USUAL_FRAME_TIME_S
    common = _rounded_rate(_common_step(steps))
    every = np.unique(np.concatenate(key_times)) - start
    rates = [1.0 / common] if common <= _SPARSE_S else []
    for rate in [*rates, *(r for r in _USUAL_RATES if r > 1.01 / common), 2.0 / common, 3.0 / common]:
        frames = every * rate
        off = np.abs(frames - np.round(frames)) > np.maximum(0.02, 4e-7 * rate * (np.abs(every) + start))
        if rate >= 1.0 / _SPARSE_S and np.mean(off) < 0.01:
            problems.note(None, f"frame time: 1/{rate:.6g} s, as the keys stand")
            return 1.0 / rate
    frame_time_s = common if common <= _SPARSE_S else _USUAL_FRAME_TIME_S
    problems.warn(None, f"the keys are at no even times; the motion is sampled at {1.0 / frame_time_s:.6g} a second")
    return frame_time_s


def _common_step(steps: Array) -> float:
    """The most common step, refined by the mean of all that are alike."""
    bins = np.round(np.log(steps) / np.log(1.1)).astype(np.intp)
    values, counts = np.unique(bins, return_counts=True)
    rough = float(np.median(steps[bins == values[np.argmax(counts)]]))
    return float(np.mean(steps[np.abs(steps - rough) < 0.2 * rough]))


def _rounded_rate(step: float) -> float:
    """The step of the whole or NTSC rate within 0.02 % of it, or itself."""
    rate = 1.0 / step
    for usual in (float(round(rate)), round(rate * 1.001) / 1.001):
        if usual > 0.0 and abs(rate - usual) <= 2e-4 * usual:
            return 1.0 / usual
    return step
