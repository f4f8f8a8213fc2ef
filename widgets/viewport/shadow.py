"""The shadow under a figure: what is near the ground darkens it, softly; what is high leaves only a hint.

It falls straight down, so it tells where a figure is over the ground. The same small picture is laid on the ground
whichever way the rest is drawn.
"""

import numpy as np
import numpy.typing as npt

from model.arrays import Array
from model.ground import Ground
from widgets.viewport.figure import Solids
from widgets.viewport.scene import Shadow

Floats = npt.NDArray[np.float32]

_TEXELS = 96
_PIECE = 24
_SMALLEST_M = 0.5
_MARGIN_M = 0.35
_ALONG = np.array([0.0, 0.34, 0.67, 1.0])  # blots on each part
_FADES_M = 0.30  # a part this high casts 1/e of the shadow of one on the ground
_LEAST = 0.10  # but never less than this
_SOFTER = 0.16  # metres of blur a metre of height


def cast(solids: Solids, ground: Ground) -> Shadow | None:
    """The shadow of a figure on a ground; None where there is none. It is laid on the floor, and on what stands there.

    Every part leaves some round blots. A blot is a Gaussian along X times one along Z, so all of them together are a
    product of two matrices.
    """
    if not len(solids):
        return None
    share = _ALONG[:, None]
    points = ((1.0 - share[..., None]) * solids.starts + share[..., None] * solids.ends).reshape(-1, 3)
    start_sizes, end_sizes = np.mean(solids.radii, axis=-1).T
    sizes = ((1.0 - share) * start_sizes + share * end_sizes).ravel()
    low, high = np.min(points, axis=0), np.max(points, axis=0)
    middle = 0.5 * (low + high)
    half = max(0.5 * float(np.max((high - low)[[0, 2]])), _SMALLEST_M) + _MARGIN_M
    heights = np.maximum(points[:, 1] - sizes - ground.heights(points[:, [0, 2]]), 0.0)
    spreads = 0.75 * sizes + 0.008 + _SOFTER * heights
    strengths = (_LEAST + (1.0 - _LEAST) * np.exp(-heights / _FADES_M)) * (sizes / spreads) ** 2 * 0.55
    texels = ((np.arange(_TEXELS) + 0.5) / _TEXELS * 2.0 - 1.0) * half
    along_x, along_z = (_blots(texels, points[:, axis] - middle[axis], spreads) for axis in (0, 2))
    depth = _sum_of_products(along_z * strengths[:, None].astype(np.float32), along_x)
    darkness = np.rint(255.0 * (1.0 - np.exp(-depth))).astype(np.uint8)
    return Shadow(darkness, np.array([middle[0], ground.height_m, middle[2]]), half)


def _blots(texels: Array, places: Array, spreads: Array) -> Floats:
    """(N, S) Gaussians about N places, of these spreads."""
    away = ((texels - places[:, None]) / spreads[:, None]).astype(np.float32)
    return np.asarray(np.exp(np.float32(-0.5) * away * away))


def _sum_of_products(rows: Floats, columns: Floats) -> Floats:
    """rows' columns, for (N, S) each, in small pieces.

    A large product would be split between threads, which wait for each other for long where all cores are busy.
    """
    missing = -len(rows) % _PIECE
    rows, columns = (np.pad(one, ((0, missing), (0, 0))).reshape(-1, _PIECE, _TEXELS) for one in (rows, columns))
    return np.asarray(np.sum(np.swapaxes(rows, 1, 2) @ columns, axis=0))
