"""Values derived from takes: what a function makes of a take or a motion, computed once where somebody keeps it.

The evaluator keeps them beside its stages. Kernels that a slider asks again and again are given a deriver and know
nothing of who keeps what: `derive(evidence_of, take, settings)` is `evidence_of(take, settings)`.
"""

from collections.abc import Callable
from typing import ParamSpec, Protocol, TypeVar

_P = ParamSpec("_P")
_T = TypeVar("_T")


class Deriver(Protocol):
    """Calls a pure function of takes, motions and hashable values, or gives what it made of them before."""

    def __call__(self, work: Callable[_P, _T], *arguments: _P.args, **named: _P.kwargs) -> _T: ...


def uncached(work: Callable[_P, _T], *arguments: _P.args, **named: _P.kwargs) -> _T:
    """A deriver that keeps nothing."""
    return work(*arguments, **named)
