"""Walks and runs made from figures of gait."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from editor.stack.contributions import CoreFeature

if TYPE_CHECKING:
    from model.clip import Source


def _sources() -> "tuple[type[Source], ...]":
    from editor.gait.source import ProceduralGait

    return (ProceduralGait,)


def _values() -> "tuple[Callable[..., Any], ...]":
    from editor.gait.parameters import Gait, Wave

    return Gait, Wave


GAIT = CoreFeature("gait", sources=_sources, values=_values)
