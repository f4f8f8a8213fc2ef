"""BVH files and forward kinematics against other libraries and against bare limits."""

import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import orjson

from model.files.bvh import read_bvh, write_bvh
from model.kinematics import forward
from model.motion import Motion
from model.rotation import from_axis_angle, multiply
from tests.benchmarks.measuring import Report, peak_bytes, seconds
from tests.clips import Y, figure, random_motion
from tests.peers import RACERS, Peer, quietly

SHORT, LONG = 3_000, 30_000


def thirty_one_joints(frames: int) -> Motion:
    """A clip with as many joints as the common databases have."""
    body = figure()
    names, parents, offsets = list(body.names), list(body.parents), list(body.offsets)
    for n in range(31 - len(names)):
        names.append(f"Finger{n}")
        parents.append(body.find("LeftHand") if n % 2 else body.find("RightHand"))
        offsets.append([0.02 * n, -0.03, 0.04])
    skeleton = replace(
        body, names=tuple(names), parents=tuple(parents), offsets=np.array(offsets), roles=(*body.roles, *[None] * 9)
    )
    return random_motion(frames, skeleton=skeleton)


def run(report: Report) -> None:
    with tempfile.TemporaryDirectory() as folder:
        short, long = Path(folder) / "short.bvh", Path(folder) / "long.bvh"
        for path, frames in ((short, SHORT), (long, LONG)):
            write_six_decimals(thirty_one_joints(frames), path)
        peers = [quietly(RACERS[name]) for name in RACERS]
        reading(report, short, long, peers)
        kinematics(report, long, peers)
        writing(report, short, long, peers, Path(folder) / "out.bvh")
        memory(report, long)
    start_up(report)


def write_six_decimals(motion: Motion, path: Path) -> None:
    """Six decimals a number, as most programs write."""
    write_bvh(motion, path)
    head, rows = path.read_text().split("Frame Time:")
    rate, *numbers = rows.strip().split("\n")
    lines = [" ".join(f"{float(value):.6f}" for value in line.split()) for line in numbers]
    path.write_text(f"{head}Frame Time: {rate}\n" + "\n".join(lines) + "\n")


def reading(report: Report, short: Path, long: Path, peers: list[Peer]) -> None:
    report.title(f"File to motion, 31 joints ({SHORT} and {LONG} frames)")
    ours_short, ours = seconds(lambda: read_bvh(short)), seconds(lambda: read_bvh(long))
    report.time("ours, short", ours_short)
    report.time("ours, long", ours)
    fastest = float("inf")
    for peer in peers:
        taken = seconds(lambda peer=peer: quietly(peer.read, short), 1)
        report.time(f"{peer.name}, short", taken, ours_short)
        if not peer.slow:
            taken = seconds(lambda peer=peer: quietly(peer.read, long), 3)
            report.time(f"{peer.name}, long", taken, ours)
            fastest = min(fastest, taken)
    text = long.read_bytes()
    body = text[text.index(b"\n", text.index(b"Frame Time")) + 1 :].strip()
    table = bytes.maketrans(b" \n", b",,")
    bare = seconds(lambda: np.array(orjson.loads(b"[" + body.translate(table) + b"]")))
    report.time("limit: the numbers as floats, by orjson in one go", bare, ours)
    report.goal("reading: fastest peer / ours", fastest / ours, at_least=2.0)
    report.goal("reading: time a frame, long / short", ours / ours_short * SHORT / LONG, at_most=1.3)


def kinematics(report: Report, long: Path, peers: list[Peer]) -> None:
    report.title(f"Forward kinematics, 31 joints x {LONG} frames")
    motion = read_bvh(long).motion
    arrays = (motion.root_positions, motion.local_rotations, motion.local_offsets)
    ours = seconds(lambda: forward(motion.skeleton.parents, *arrays))
    report.time("ours, as read", ours)
    packed = np.ascontiguousarray(motion.local_rotations)
    report.time(
        "ours, frames first in memory",
        seconds(lambda: forward(motion.skeleton.parents, motion.root_positions, packed, motion.local_offsets)),
        ours,
    )
    part = motion.sliced(0, SHORT)
    ours_short = seconds(
        lambda: forward(part.skeleton.parents, part.root_positions, part.local_rotations, part.local_offsets)
    )
    report.time("ours, short", ours_short)
    fastest = float("inf")
    for peer in peers:
        if peer.forward is None or peer.name == "bvhTools":  # which takes minutes
            continue
        # Read anew for each run: a peer may remember positions.
        clips = [quietly(peer.read, long) for _ in range(3)]
        taken = seconds(lambda peer=peer, clips=clips: peer.forward(clips.pop()), 3)
        report.time(peer.name, taken, ours)
        fastest = min(fastest, taken)
    copy = seconds(lambda: (motion.local_rotations.copy(), motion.local_rotations[..., 1:].copy()))
    report.time("limit: copying arrays of the results' size", copy, ours)
    report.goal("forward kinematics: fastest peer / ours", fastest / ours, at_least=10.0)
    report.goal("forward kinematics: time a frame, long / short", ours / ours_short * SHORT / LONG, at_most=1.3)


def writing(report: Report, short: Path, long: Path, peers: list[Peer], out: Path) -> None:
    report.title(f"Writing, 31 joints ({SHORT} and {LONG} frames)")
    motion = read_bvh(long).motion
    turned = np.array(motion.local_rotations)
    turned[:, 5] = multiply(from_axis_angle(Y, 0.1), turned[:, 5])
    ours = seconds(lambda: write_bvh(motion, out))
    changed = seconds(lambda: write_bvh(replace(motion, local_rotations=turned), out))
    scratch = seconds(lambda: write_bvh(replace(motion, origin=None), out))
    part = read_bvh(short).motion
    report.time("ours, as read", ours)
    report.time("ours, one joint changed", changed, ours)
    report.time("ours, every angle computed", scratch, ours)
    report.time("ours, as read, short", ours_short := seconds(lambda: write_bvh(part, out)))
    fastest = float("inf")
    for peer in peers:
        if peer.write is None:
            continue
        path = short if peer.slow else long
        clip = quietly(peer.read, path)
        taken = seconds(lambda peer=peer, clip=clip: quietly(peer.write, clip, out), 2)
        report.time(f"{peer.name}{', short' if peer.slow else ''}", taken, ours_short if peer.slow else scratch)
        if not peer.slow:
            fastest = min(fastest, taken)
    report.goal("writing: fastest peer / ours with every angle computed", fastest / scratch, at_least=2.0)
    report.goal("writing: time a frame, long / short", ours / ours_short * SHORT / LONG, at_most=1.3)


def memory(report: Report, long: Path) -> None:
    report.title(f"Memory, 31 joints x {LONG} frames")
    motion = read_bvh(long).motion
    arrays = motion.local_rotations.nbytes + motion.root_positions.nbytes + motion.origin.channels.nbytes
    report.figure("arrays of the motion", arrays / 1e6, "MB")
    peak = peak_bytes(lambda: read_bvh(long))
    report.figure("peak while reading", peak / 1e6, "MB")
    report.goal("peak / arrays", peak / arrays, at_most=4.0)


def start_up(report: Report) -> None:
    report.title("Start-up")
    sample = Path(__file__).resolve().parents[2] / "resources" / "samples" / "wave.bvh"
    command = Path(sys.executable).with_name("motionwright")
    taken = seconds(lambda: subprocess.run([command, "info", sample], check=True, capture_output=True))
    bare = seconds(lambda: subprocess.run([sys.executable, "-c", "import numpy"], check=True))
    report.time("motionwright info on a short file", taken)
    report.time("limit: Python importing numpy", bare, taken)
    report.goal("seconds for an answer", taken, at_most=1 / 3)
