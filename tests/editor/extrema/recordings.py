"""How well extremes fit the steps of recorded walks and runs, and whether they stay at other rates and with noise."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from editor.extrema.find import ExtremaSettings, body_measured, measured, selected
from editor.extrema.parts import body_root, joints_of_part
from editor.extrema.turning import turned_back
from model.files.formats import read_motion
from model.retiming import frames_at_rate, sampled
from tests.editor.extrema.swings import matched, times, widest_steps

A_FRAME_S = 1.0 / 30.0
_STEP_S = 0.1  # a step and its extreme are no farther apart
_END_S = 0.3  # as near to the ends of a clip nothing is asked

WALKS = (
    "cmu-acclaim/16_1[135679].amc", "cmu-acclaim/16_2[1279].amc", "cmu-acclaim/16_47.amc", "cmu-acclaim/16_58.amc",
    "cmu-acclaim/35_0[125].amc", "cmu-acclaim/35_29.amc", "cmu-acclaim/07_*.amc", "cmu-acclaim/137_2[49].amc",
    "cmu-bvh/02_01.bvh", "other-bvh/accad_male1/Male1_B[36]_*.bvh", "other-bvh/accad_male1/Male1_B1[0234]_*.bvh",
    "other-bvh/osu_Swagger.bvh", "other-bvh/sfu_0005_*.bvh", "other-bvh/bandai/dataset-[12]_walk*.bvh",
)  # fmt: skip
RUNS = (
    "cmu-acclaim/16_3[5679].amc", "cmu-acclaim/16_4[1356].amc", "cmu-acclaim/16_5[14].amc", "cmu-acclaim/35_1*.amc",
    "cmu-acclaim/35_2[01].amc", "cmu-acclaim/09_*.amc", "cmu-acclaim/104_04.amc", "cmu-acclaim/104_37.amc",
    "cmu-acclaim/127_06.amc", "cmu-acclaim/127_09.amc", "cmu-acclaim/127_11.amc",
    "other-bvh/accad_male1/Male1_C0[37]_*.bvh", "other-bvh/accad_male1/Male1_C1[1245]_*.bvh",
    "other-bvh/bandai/dataset-2_run_*.bvh",
)  # fmt: skip


@dataclass(frozen=True)
class StepScores:
    """recall : the share of steps with an extreme; precision : of extremes at a step, not near clips' ends."""

    steps: int
    recall: float
    precision: float


@dataclass(frozen=True)
class Sameness:
    """The share of extremes that are also found, within a frame at 30 fps, at other rates; with 2 mm of noise."""

    at_other_rates: float
    with_noise: float


def step_scores(paths: Iterable[Path]) -> StepScores:
    """Over all these clips, in which people walk or run."""
    hits, right = [], []
    for path in paths:
        motion = read_motion(path).motion
        wanted, found = widest_steps(motion), times(selected(body_measured(motion)))
        inside = [one[(one > _END_S) & (one < motion.duration_s - _END_S)] for one in (wanted, found)]
        hits += list(matched(inside[0], found, _STEP_S))
        right += list(matched(inside[1], wanted, _STEP_S))
    return StepScores(len(hits), float(np.mean(hits)), float(np.mean(right)))


def sameness(paths: Iterable[Path]) -> Sameness:
    """Over all these clips."""
    rates, noise = [], []
    for path in paths:
        motion = read_motion(path).motion
        wanted = noisy_times(motion, 0.0, 0)
        for fps in (30.0, 60.0):
            other = sampled(motion, frames_at_rate(motion, fps), 1.0 / fps)
            rates += list(matched(wanted, times(selected(body_measured(other))), A_FRAME_S))
        noise += list(matched(wanted, noisy_times(motion, 0.002, 1), A_FRAME_S))
    return Sameness(float(np.mean(rates)), float(np.mean(noise)))


def noisy_times(motion, noise_m, seed):
    """Moments of extremes when joint positions tremble."""
    rng = np.random.default_rng(seed)
    world = motion.world.positions + rng.normal(scale=noise_m, size=motion.world.positions.shape)
    pelvis = body_root(motion.skeleton)
    root = world[:, [pelvis]]
    facing = world[:, joints_of_part(motion.skeleton, "whole body")] - root
    stance = turned_back(facing, motion.world.rotations[:, pelvis], motion.frame_time_s)
    way = facing + root * np.array([0.0, 1.0, 0.0])
    return times(selected(measured([stance], stance, motion.frame_time_s, ExtremaSettings(), way=way)))
