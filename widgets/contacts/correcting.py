"""What a contact that is moved on the timeline means as corrections, which are laid on the source. No widgets.

Between the stage where corrections act and the one that is shown, edits may cut and stretch time and change the rate.
Edges that are moved go to the frame that the shown one is made of; those that are not stay exactly where they are.
"""

from dataclasses import dataclass

from editor.contacts.correct import Correction, move
from editor.contacts.edit import ContactCorrections
from editor.document.showing import Shown
from editor.stack.evaluator import Stage

SpanS = tuple[float, float]


@dataclass(frozen=True)
class Bar:
    """A contact as it is shown: a limb, and the time [start_s, stop_s) of the shown take."""

    limb: str
    start_s: float
    stop_s: float

    @property
    def middle_s(self) -> float:
        return 0.5 * (self.start_s + self.stop_s)


def bars_of(shown: Shown, limb: str) -> tuple[Bar, ...]:
    """The contacts of a limb in the take that is shown."""
    step_s = shown.take.motion.frame_time_s
    contacts = shown.take.contacts.limbs.get(limb, ())
    return tuple(Bar(limb, contact.start * step_s, contact.stop * step_s) for contact in contacts)


def source_bars_of(shown: Shown, limb: str) -> tuple[Bar, ...]:
    """The contacts of a limb as they were before all edits, at their times in the take that is shown."""
    step_s, to_shown = shown.source.motion.frame_time_s, shown.from_source
    contacts = shown.source.contacts.limbs.get(limb, ())
    return tuple(
        Bar(limb, float(to_shown(contact.start * step_s)), float(to_shown(contact.stop * step_s)))
        for contact in contacts
    )


def has_corrections(shown: Shown) -> bool:
    """Whether contacts of the clip were set right."""
    return any(isinstance(layer.edit, ContactCorrections) and layer.acts for layer in shown.clip.layers)


def corrections_to_move(shown: Shown, bar: Bar, to: Bar) -> tuple[Correction, ...]:
    """What makes a contact end up elsewhere, longer or shorter; nothing where it stays."""
    if to == bar:
        return ()
    old = _span_where_corrected(shown, bar)
    start_s = old[0] if to.start_s == bar.start_s else _corrected_time(shown, to.start_s)
    stop_s = old[1] if to.stop_s == bar.stop_s else _corrected_time(shown, to.stop_s)
    return move(bar.limb, old, _with_length(shown, start_s, stop_s))


def corrections_to_add(shown: Shown, bar: Bar) -> tuple[Correction, ...]:
    """What makes a limb touch the ground."""
    span = _with_length(shown, _corrected_time(shown, bar.start_s), _corrected_time(shown, bar.stop_s))
    return (Correction(bar.limb, *span, touches=True),)


def corrections_to_remove(shown: Shown, bar: Bar) -> tuple[Correction, ...]:
    """What takes a contact away, with what edits cut off of it."""
    return (Correction(bar.limb, *_span_where_corrected(shown, bar), touches=False),)


def _corrected_stage(shown: Shown) -> Stage:
    """The stage whose contacts corrections change: after the clip's first edit that holds some, else the source."""
    for place, layer in enumerate(shown.clip.layers):
        if isinstance(layer.edit, ContactCorrections):
            return shown.stages[min(place + 1, len(shown.stages) - 1)]
    return shown.stages[0]


def _corrected_time(shown: Shown, shown_s: float) -> float:
    """The source time of the frame, where corrections act, that is seen at a time of the shown take."""
    stage = _corrected_stage(shown)
    step_s = stage.take.motion.frame_time_s
    at_s = float(stage.time_map(shown.stage.time_map.inverse()(shown_s)))
    # Edits show the nearest frame: a contact up to between two frames is one up to the nearer.
    return float(stage.time_map.inverse()(round(at_s / step_s) * step_s))


def _span_where_corrected(shown: Shown, bar: Bar) -> SpanS:
    """The source time of a contact as it is where corrections act, longer than what is seen of it if that was cut."""
    stage = _corrected_stage(shown)
    to_source, step_s = stage.time_map.inverse(), stage.take.motion.frame_time_s
    seen = shown.stage.time_map.inverse()
    start_s, stop_s = float(seen(bar.start_s)), float(seen(bar.stop_s))
    spans = [
        (float(to_source(contact.start * step_s)), float(to_source(contact.stop * step_s)))
        for contact in stage.take.contacts.limbs.get(bar.limb, ())
    ]
    under = [span for span in spans if span[0] < stop_s - 1e-9 and span[1] > start_s + 1e-9]
    if not under:
        return start_s, stop_s
    return min(start for start, _ in under), max(stop for _, stop in under)


def _with_length(shown: Shown, start_s: float, stop_s: float) -> SpanS:
    """A span of at least one frame."""
    stage = _corrected_stage(shown)
    next_s = float(stage.time_map(start_s)) + stage.take.motion.frame_time_s
    return start_s, max(stop_s, float(stage.time_map.inverse()(next_s)))
