"""What a frame of the viewport costs the processor, from take and time to what is sent to the driver."""

import os
import time
from collections.abc import Callable

import numpy as np

from editor.contacts.detect import find_contacts
from model.clip import Take
from model.motion import Motion
from model.skeleton import Skeleton
from tests.benchmarks.measuring import Report
from tests.clips import figure, random_motion, stepping_figure
from widgets.common.theme import DARK
from widgets.viewport.body import make_body
from widgets.viewport.camera import Camera
from widgets.viewport.composing import Composer, Moment, ViewOptions, Wanted
from widgets.viewport.picking import pick

FRAMES, SHORT = 6_000, 600
_STEPS = 60
_EVERYTHING = ViewOptions(trails=True, centre_of_mass=True, ghost_around=True, names=True)


def run(report: Report) -> None:
    # Rows for the driver are made without a context; where there is no display PyOpenGL must not look for one.
    os.environ.setdefault("PYOPENGL_PLATFORM", "egl")
    take, short = (long_take(frames) for frames in (FRAMES, SHORT))
    joints = len(take.motion.skeleton)
    report.title(f"Viewport, {joints} joints ({SHORT} and {FRAMES} frames), milliseconds of the processor a frame")
    plain, brief, full = (
        _frame_ms(*one) for one in ((take, ViewOptions()), (short, ViewOptions()), (take, _EVERYTHING))
    )
    report.figure("figure, shadow and contacts", plain, "ms")
    report.figure("the same of the short clip", brief, "ms")
    report.figure("with trails, ghosts, mass and names", full, "ms")
    report.goal("scrubbing, milliseconds", plain, at_most=8.0)
    report.goal("scrubbing with everything, milliseconds", full, at_most=8.0)
    report.goal("time a frame, long / short", plain / brief, at_most=1.3)

    report.title("Takes that are new each time, as while an edit is dragged")
    fresh = _processor_ms(lambda: _sent(Composer(), Take(_again(take.motion), take.contacts), 20.0, ViewOptions()))
    report.figure("first frame of a new body", fresh, "ms")
    composer = Composer()
    _sent(composer, take, 20.0, ViewOptions(contacts=False))
    known = _processor_ms(
        lambda: _sent(composer, Take(_again(take.motion), take.contacts), 20.0, ViewOptions(contacts=False))
    )
    report.figure("first frame of a new take of a known body", known, "ms")
    report.goal("known body, milliseconds", known, at_most=8.0)
    report.figure("making a body", _processor_ms(lambda: make_body(take.motion)), "ms")

    scene = Composer().scene(Wanted(Moment(take, 20.0)), ViewOptions(), DARK)
    camera = Camera().framing(scene.outline(), (1280.0, 720.0))
    picked = _processor_ms(lambda: pick(scene.solids, scene.joints, camera, (640.0, 360.0), (1280.0, 720.0)))
    report.figure("picking a joint", picked, "ms")
    report.goal("picking, milliseconds", picked, at_most=8.0)


def _processor_ms(call: Callable[[], object], repeats: int = 5) -> float:
    """The least processor time of several runs: what the view itself costs, however busy the machine is."""
    best = float("inf")
    for _ in range(repeats):
        start = time.thread_time()
        call()
        best = min(best, time.thread_time() - start)
    return 1000.0 * best


def _frame_ms(take: Take, options: ViewOptions) -> float:
    """The mean of frames all over the take, between its own frames."""
    composer = Composer()
    times = np.random.default_rng(1).uniform(0.0, take.motion.duration_s, size=_STEPS)
    _sent(composer, take, 0.0, options)

    def scrub() -> None:
        for time_s in times:
            _sent(composer, take, float(time_s), options)

    return _processor_ms(scrub) / _STEPS


def _sent(composer: Composer, take: Take, time_s: float, options: ViewOptions) -> int:
    """All that is done for a frame but the driver's calls. -> the bytes that are sent."""
    from widgets.viewport.gl_renderer import solid_rows

    scene = composer.scene(Wanted(Moment(take, time_s)), options, DARK)
    camera = Camera().framing(scene.outline(), (1280.0, 720.0))
    camera.matrix((1280.0, 720.0))
    rows = [solid_rows(one) for one in (scene.solids, scene.ghosts) if len(one)]
    return sum(one.nbytes for one in rows) + sum(shadow.darkness.nbytes for shadow in scene.shadows)


def long_take(frames: int = FRAMES) -> Take:
    """A person of 62 joints, with fingers, who walks and moves every joint."""
    skeleton = with_fingers(figure(), 62)
    walk, _ = stepping_figure(seconds=frames / 60.0)
    moving = random_motion(frames, skeleton=skeleton)
    rotations = np.array(moving.local_rotations)
    rotations[:, : len(walk.skeleton)] = walk.local_rotations
    motion = Motion(skeleton, walk.frame_time_s, walk.root_positions, rotations, skeleton.offsets)
    take = Take(motion, find_contacts(motion))
    assert len(motion.skeleton) == 62
    return take


def with_fingers(body: Skeleton, joints: int) -> Skeleton:
    """The same body with chains of finger joints on its hands."""
    names, parents, offsets = list(body.names), list(body.parents), list(body.offsets)
    hands = [body.find("LeftHand"), body.find("RightHand")]
    while len(names) < joints:
        n = len(names) - len(body)
        hand, finger, part = n % 2, (n // 2) % 5, n // 10
        side = 1.0 if hand == 0 else -1.0
        first = part == 0
        parents.append(hands[hand] if first else len(names) - 10)
        offsets.append(np.array([side * (0.09 if first else 0.03), 0.0, 0.02 * (finger - 2) if first else 0.0]))
        names.append(f"{'LeftHand' if hand == 0 else 'RightHand'}Finger{finger}{part}")
    return Skeleton(tuple(names), tuple(parents), np.array(offsets), (), (*body.roles, *[None] * (joints - len(body))))


def _again(motion: Motion) -> Motion:
    """The same motion as a new object, of which nothing is known yet."""
    return Motion(
        motion.skeleton, motion.frame_time_s, motion.root_positions, motion.local_rotations, motion.local_offsets
    )  # fmt: skip
