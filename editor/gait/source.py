"""Clips made from published gait kinematics, with contacts that are known and not found."""

from dataclasses import dataclass
from typing import ClassVar

from editor.gait.figure import figure
from editor.gait.parameters import Gait, Wave
from editor.gait.procedural import generate, steps_more_than_asked
from model.clip import Context, Source, Take, setting

_USUAL = Gait()


@dataclass(frozen=True)
class ProceduralGait(Source):
    """A person who walks, runs or stands as the parameters say, from the origin towards +Z."""

    kind: ClassVar[str] = "procedural_gait"
    title: ClassVar[str] = "Procedural gait"

    gait: Gait = setting(_USUAL, "Gait", tip="How the person moves along.")
    seconds: float = setting(6.0, "Length", "s", 0.1, 600.0, tip="How long the clip lasts.")
    fps: float = setting(60.0, "Frame rate", "fps", 1.0, 480.0, tip="How many frames a second has.")
    height_m: float = setting(1.75, "Height", "m", 0.5, 2.5, tip="How tall the person is.")
    turn_rad_s: float = setting(0.0, "Turning", "rad/s", -3.0, 3.0, tip="How fast the person turns; left is positive.")
    wave: Wave | None = setting(None, "Wave", tip="A greeting with one hand on the way.")

    def make(self, context: Context) -> Take:
        skeleton = figure(self.height_m)
        if steps_more_than_asked(self.gait, skeleton):
            context.note("More steps are taken than asked for: longer ones are out of the legs' reach.")
        return Take(*generate(self.gait, self.seconds, self.fps, skeleton, self.wave, self.turn_rad_s))
