"""AMC files against BVH files of the same motion."""

import tempfile
from pathlib import Path

from model.files.acclaim import read_amc, write_amc
from model.files.bvh import read_bvh, write_bvh
from tests.benchmarks.bvh import LONG, SHORT, thirty_one_joints
from tests.benchmarks.measuring import Report, peak_bytes, seconds


def run(report: Report) -> None:
    report.title(f"Acclaim, 31 joints ({SHORT} and {LONG} frames)")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for stem, frames in (("short", SHORT), ("long", LONG)):
            motion = thirty_one_joints(frames)
            write_bvh(motion, folder / f"{stem}.bvh")
            write_amc(motion, folder / f"{stem}.amc")
        bvh = seconds(lambda: read_bvh(folder / "long.bvh"))
        short, long = (seconds(lambda stem=stem: read_amc(folder / f"{stem}.amc")) for stem in ("short", "long"))
        report.time("reading BVH, long", bvh)
        report.time("reading AMC, short", short)
        report.time("reading AMC, long", long, bvh)
        motion = read_amc(folder / "long.amc").motion
        report.time("writing AMC, long", seconds(lambda: write_amc(motion, folder / "out.amc")), bvh)
        report.goal("reading: AMC / BVH of the same motion", long / bvh, at_most=2.5)
        report.goal("reading AMC: time a frame, long / short", long / short * SHORT / LONG, at_most=1.3)
        arrays = motion.local_rotations.nbytes + motion.root_positions.nbytes + motion.origin.channels.nbytes
        peak = peak_bytes(lambda: read_amc(folder / "long.amc"))
        report.goal("reading AMC: peak memory / arrays", peak / arrays, at_most=4.0)
