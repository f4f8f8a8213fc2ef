"""Reduce to keys: how near the body stays with a tenth of the keys, against other ways to choose them, and how fast.

The peer is greedy: it starts with a key at every frame and takes away the one that costs least, one at a time, by the
same measure of what an error is worth. Its keys are where they fit best; ours are on the extrema as well. Its tangents
are the best for each segment by itself, so they break at every key.
"""

import heapq
from dataclasses import replace
from functools import cache

import numpy as np

from editor.curves.body_errors import Body
from editor.curves.reduce import Tolerance, reduce_to_keys, reduce_to_share
from editor.curves.spline_fit import BROKEN, FREE, Knots, fit_spline
from editor.curves.turning_points import prominences
from model.files.formats import read_motion
from model.motion import Motion
from model.rotation import from_rotation_vector, multiply
from tests.benchmarks.measuring import Report, seconds
from tests.clips import data_name, recorded, stepping_figure

SHARE = 0.1
LONG = 2_000


def run(report: Report) -> None:
    clips = {"a made walk, shaken": _shaken_walk()}
    for path in recorded("cmu-bvh/02_01.bvh", "cmu-bvh/16_35.bvh", "cmu-bvh/49_06.bvh"):
        clips[data_name(path)] = read_motion(path).motion
        clips[f"{data_name(path)} at 30 frames a second"] = clips[data_name(path)].resampled(30.0)
    for name, motion in clips.items():
        _against_peers(report, name, motion)
    _speed(report)


def _shaken_walk() -> Motion:
    """A walk with the unrest of a recorded one: a degree or so, gone within a tenth of a second."""
    motion = stepping_figure(seconds=4.0)[0]
    noise = np.random.default_rng(1).normal(size=(*motion.local_rotations.shape[:-1], 3))
    for _ in range(3):
        noise = (np.roll(noise, 1, axis=0) + noise + np.roll(noise, -1, axis=0)) / 3.0
    unrest = from_rotation_vector(np.radians(2.0) * noise)
    return replace(motion, local_rotations=multiply(motion.local_rotations, unrest))


def _against_peers(report: Report, name: str, motion: Motion) -> None:
    body = Body.of(motion, None, None)
    frames = np.arange(float(motion.frames))
    count = int(SHARE * body.samples.size)
    reduction = reduce_to_share(motion, frames, SHARE)
    assert reduction.keys <= count
    ours = _errors(body, np.stack([curve.keys.at(frames) for curve in reduction.curves]))
    even = _even(body, count)
    uniform = _errors(body, _through(body, even, True, FREE))
    fitted = _errors(body, _through(body, even, False, BROKEN))
    greedy = _errors(body, _through(body, _greedy(body, count), True, BROKEN))

    report.title(f"A tenth of the keys: {name} ({motion.frames} frames, {len(motion.skeleton)} joints)")
    for what, (mean, worst) in {
        "ours": ours,
        "even steps, on the motion": uniform,
        "even steps, fitted, broken": fitted,
        "greedy": greedy,
    }.items():
        report.figure(f"{what}: joints off on average", mean, "cm")
        report.figure(f"{what}: joints off at worst", worst, "cm")
    report.figure("fitted even steps / ours, on average", fitted[0] / ours[0])
    report.figure("extrema that stand out and are keys", 100.0 * _on_extrema(body, reduction.curves), "%")
    report.goal("even steps / ours, on average", uniform[0] / ours[0], at_least=2.0)
    report.goal("even steps / ours, at worst", uniform[1] / ours[1], at_least=2.0)
    report.goal("ours / greedy, on average", ours[0] / greedy[0], at_most=1.2)
    report.goal("ours / greedy, at worst", ours[1] / greedy[1], at_most=1.2)


def _errors(body: Body, curves: np.ndarray) -> tuple[float, float]:
    """Mean and worst distance of joints from their places, over all joints and frames, in centimetres."""
    joints = 100.0 * body.errors(curves).distances_m[: len(body.motion.skeleton)]
    return float(np.mean(joints)), float(np.max(joints))


def _through(body: Body, at: np.ndarray, pinned: bool, mode: int) -> np.ndarray:
    knots = Knots(at, np.full(at.shape, pinned), np.full(at.shape, mode, dtype=np.int8))
    return fit_spline(np.arange(float(at.shape[1])), body.samples, knots).curve


def _on_extrema(body: Body, curves) -> float:
    """Of the most prominent extrema, a fifth of as many as there are keys, how many have a key at their very frame."""
    weights = np.sqrt(np.mean(body.effects**2, axis=1))
    prominence = prominences(body.samples) * weights[:, None]
    least = np.sort(prominence.ravel())[-int(0.2 * sum(len(curve.keys) for curve in curves))]
    at = np.zeros(prominence.shape, dtype=bool)
    for row, curve in zip(at, curves, strict=True):
        row[np.rint(curve.keys.times_s).astype(int)] = True
    return float(np.mean(at[(prominence >= least) & (prominence > 0.0)]))


def _even(body: Body, count: int) -> np.ndarray:
    """The same even steps on all channels."""
    channels, frames = body.samples.shape
    at = np.zeros((channels, frames), dtype=bool)
    at[:, np.unique(np.rint(np.linspace(0, frames - 1, max(2, count // channels))).astype(int))] = True
    return at


@cache
def _slopes_of(width: int) -> tuple[np.ndarray, ...]:
    """For a segment so many frames wide: what its values and slopes add to the frames within, and slopes from these."""
    u = np.arange(1, width) / width
    v = 1.0 - u
    slopes = np.stack([width * u * v * v, -width * u * u * v], axis=1)
    return v * v * (1.0 + 2.0 * u), u * u * (1.0 + 2.0 * v), slopes, np.linalg.pinv(slopes)


def _squares(samples: np.ndarray, start: int, stop: int) -> float:
    """The squared error of the best segment through two samples."""
    first, last, slopes, solve = _slopes_of(stop - start)
    off = samples[start + 1 : stop] - first * samples[start] - last * samples[stop]
    off = off - slopes @ (solve @ off)
    return float(off @ off)


def _greedy(body: Body, count: int) -> np.ndarray:
    """Keys taken away one at a time, always the one whose loss adds least to the squared error."""
    channels, frames = body.samples.shape
    weights = np.mean(body.effects**2, axis=1)
    before = [list(range(-1, frames - 1)) for _ in range(channels)]
    after = [list(range(1, frames + 1)) for _ in range(channels)]
    valid: dict[tuple[int, int], float] = {}

    def cost(channel: int, frame: int) -> float:
        samples, start, stop = body.samples[channel], before[channel][frame], after[channel][frame]
        lost = _squares(samples, start, stop) - _squares(samples, start, frame) - _squares(samples, frame, stop)
        valid[channel, frame] = weights[channel] * lost
        return float(valid[channel, frame])

    heap = [(cost(channel, frame), channel, frame) for channel in range(channels) for frame in range(1, frames - 1)]
    heapq.heapify(heap)
    at = np.ones((channels, frames), dtype=bool)
    left = at.size
    while left > count and heap:
        price, channel, frame = heapq.heappop(heap)
        if not at[channel, frame] or valid[channel, frame] != price:
            continue
        at[channel, frame] = False
        left -= 1
        start, stop = before[channel][frame], after[channel][frame]
        after[channel][start], before[channel][stop] = stop, start
        for near in (start, stop):
            if 0 < near < frames - 1:
                heapq.heappush(heap, (cost(channel, near), channel, near))
    return at


def _speed(report: Report) -> None:
    """A long clip of 31 joints where there is one, else of our own figure."""
    found = recorded("cmu-bvh/13_26.bvh")
    motion = read_motion(found[0]).motion if found else stepping_figure(seconds=LONG / 60.0)[0]
    motion = motion.sliced(0, LONG)
    times = np.arange(LONG) * motion.frame_time_s
    motion.world.positions.sum()  # kinematics are measured elsewhere
    report.title(f"Reduce to keys: {len(motion.skeleton)} joints, {LONG} frames")
    for what, call in {
        "within 1 cm": lambda: reduce_to_keys(motion, times, Tolerance(centimetres=1.0)),
        "within 1 degree": lambda: reduce_to_keys(motion, times, Tolerance(degrees=1.0)),
        "within 2 mm": lambda: reduce_to_keys(motion, times, Tolerance(centimetres=0.2)),
        "a tenth of the keys": lambda: reduce_to_share(motion, times, SHARE),
    }.items():
        taken = seconds(call, repeats=3)
        report.time(what, taken)
        report.figure(f"{what}: keys to frames", 100.0 * call().share, "%")
        report.goal(f"time / 2 s, {what}", taken / 2.0, at_most=1.0)
