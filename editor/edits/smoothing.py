"""Smoothing: the jitter of a recording taken out, in place and time."""

from dataclasses import dataclass, replace
from typing import ClassVar

from editor.contacts.plant import clean_feet
from model.clip import Context, Edit, Take, setting
from model.smoothing import smoothed, smoothed_rotations


@dataclass(frozen=True)
class Smooth(Edit):
    """Takes quick movement out and leaves slow movement as it is, without delay. First and last frame stay."""

    kind: ClassVar[str] = "smooth"
    title: ClassVar[str] = "Smooth"

    window_s: float = setting(
        0.15, "Window", "s", 0.0, 10.0,
        tip="A movement to and fro that takes this long keeps half its size, a quicker one less.",
    )  # fmt: skip
    keep_peaks: bool = setting(
        True, "Keep peaks", tip="Leave the turning points of larger movements as high as they are; off is softer."
    )
    root: bool = setting(True, "Root", tip="Smooth where the body is, too, and not only how its joints are turned.")
    keep_contacts: bool = setting(
        True, "Keep contacts", tip="Afterwards put feet that stand on the ground back in their places."
    )

    def apply(self, take: Take, context: Context) -> Take:
        motion = take.motion
        window = self.window_s / motion.frame_time_s
        if window <= 0.0 or motion.frames < 3:
            return take
        roots, offsets = motion.root_positions, motion.local_offsets
        if self.root:
            roots = smoothed(roots, window, self.keep_peaks)
        if not motion.limbs_are_fixed:
            offsets = smoothed(offsets, window, self.keep_peaks)
        rotations = smoothed_rotations(motion.local_rotations, window, self.keep_peaks)
        motion = replace(motion, root_positions=roots, local_rotations=rotations, local_offsets=offsets)
        if self.keep_contacts and any(take.contacts.limbs.values()):
            context.progress(0.5)
            motion = clean_feet(motion, take.contacts)
        return Take(motion, take.contacts)
