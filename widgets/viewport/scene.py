"""What is to be drawn, as plain arrays in the world: the one thing that the ways of drawing are given.

Colours are red, green, blue and opacity from 0 to 1. Nothing here knows of clips, cameras or Qt's widgets.
"""

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from model.arrays import Array
from widgets.common.theme import Theme
from widgets.viewport.figure import NOTHING, Solids
from widgets.viewport.terrain import NO_TERRAIN, Terrain


@dataclass(frozen=True, eq=False)
class Backdrop:
    """Colours (3,) of what is behind the figures. block, edge : of what stands on the floor, chosen : of what of it is
    selected; dark : how black a shadow is, 0 to 1.
    """

    sky: Array
    horizon: Array
    ground: Array
    grid: Array
    block: Array
    edge: Array
    chosen: Array
    dark: float


@dataclass(frozen=True, eq=False)
class Lines:
    """N straight lines. starts, ends : (N, 3); colours : (N, 4); widths : (N,) pixels."""

    starts: Array = field(default_factory=lambda: np.zeros((0, 3)))
    ends: Array = field(default_factory=lambda: np.zeros((0, 3)))
    colours: Array = field(default_factory=lambda: np.zeros((0, 4)))
    widths: Array = field(default_factory=lambda: np.zeros(0))

    def __len__(self) -> int:
        return len(self.starts)

    def __add__(self, other: "Lines") -> "Lines":
        return Lines(
            np.concatenate([self.starts, other.starts]),
            np.concatenate([self.ends, other.ends]),
            np.concatenate([self.colours, other.colours]),
            np.concatenate([self.widths, other.widths]),
        )


@dataclass(frozen=True, eq=False)
class Dots:
    """N round marks of a fixed size on the screen. positions : (N, 3); colours : (N, 4); sizes : (N,) pixels across."""

    positions: Array = field(default_factory=lambda: np.zeros((0, 3)))
    colours: Array = field(default_factory=lambda: np.zeros((0, 4)))
    sizes: Array = field(default_factory=lambda: np.zeros(0))

    def __len__(self) -> int:
        return len(self.positions)

    def __add__(self, other: "Dots") -> "Dots":
        return Dots(
            np.concatenate([self.positions, other.positions]),
            np.concatenate([self.colours, other.colours]),
            np.concatenate([self.sizes, other.sizes]),
        )


@dataclass(frozen=True, eq=False)
class Fills:
    """N flat shapes. polygons : each (K, 3), all of it seen from its first corner; colours : (N, 4)."""

    polygons: tuple[Array, ...] = ()
    colours: Array = field(default_factory=lambda: np.zeros((0, 4)))

    def __len__(self) -> int:
        return len(self.polygons)

    def __add__(self, other: "Fills") -> "Fills":
        return Fills(self.polygons + other.polygons, np.concatenate([self.colours, other.colours]))


@dataclass(frozen=True, eq=False)
class Prints:
    """N ovals flat on the ground. centres : (N, 3); longs : (N, 3) half their length; widths : (N,) half their width,
    metres; colours : (N, 4) of the rim, the inside has `fills` (N,) of its opacity.
    """

    centres: Array = field(default_factory=lambda: np.zeros((0, 3)))
    longs: Array = field(default_factory=lambda: np.zeros((0, 3)))
    widths: Array = field(default_factory=lambda: np.zeros(0))
    colours: Array = field(default_factory=lambda: np.zeros((0, 4)))
    fills: Array = field(default_factory=lambda: np.zeros(0))

    def __len__(self) -> int:
        return len(self.centres)

    def __add__(self, other: "Prints") -> "Prints":
        return Prints(
            np.concatenate([self.centres, other.centres]),
            np.concatenate([self.longs, other.longs]),
            np.concatenate([self.widths, other.widths]),
            np.concatenate([self.colours, other.colours]),
            np.concatenate([self.fills, other.fills]),
        )

    def wides(self) -> Array:
        """(N, 3) half their width, as vectors on the ground across their length."""
        x, z = self.longs[:, 0], self.longs[:, 2]
        across = np.stack([z, np.zeros_like(x), -x], axis=-1)
        lengths = np.maximum(np.linalg.norm(across, axis=-1, keepdims=True), 1e-9)
        return np.asarray(across / lengths * self.widths[:, None])


@dataclass(frozen=True, eq=False)
class Shadow:
    """How dark the ground is about a figure. darkness : (S, S) 0 to 255, rows along +Z, columns along +X, over a square
    of half the side `half_m` about `centre` (3,).
    """

    darkness: npt.NDArray[np.uint8]
    centre: Array
    half_m: float

    def corners(self) -> Array:
        """(4, 3) of the square: of the first texel, along X, along both, along Z."""
        signs = np.array([[-1.0, 0.0, -1.0], [1.0, 0.0, -1.0], [1.0, 0.0, 1.0], [-1.0, 0.0, 1.0]])
        return np.asarray(self.centre + self.half_m * signs)


@dataclass(frozen=True)
class Label:
    """A text at a place in the world."""

    text: str
    position: tuple[float, float, float]
    strong: bool = False


@dataclass(frozen=True, eq=False)
class Scene:
    """Everything to be drawn. `front_` marks are seen through the figures; joints : (J, 3) of the edited one; chosen :
    which of the terrain's objects is selected, -1 for none.
    """

    backdrop: Backdrop
    ground_m: float = 0.0
    grid: bool = True
    terrain: Terrain = NO_TERRAIN
    chosen: int = -1
    solids: Solids = NOTHING
    ghosts: Solids = NOTHING
    shadows: tuple[Shadow, ...] = ()
    prints: Prints = field(default_factory=Prints)
    lines: Lines = field(default_factory=Lines)
    dots: Dots = field(default_factory=Dots)
    front_fills: Fills = field(default_factory=Fills)
    front_lines: Lines = field(default_factory=Lines)
    front_dots: Dots = field(default_factory=Dots)
    labels: tuple[Label, ...] = ()
    joints: Array = field(default_factory=lambda: np.zeros((0, 3)))

    def outline(self) -> Array:
        """(N, 3) points that lie about all figures, for a camera that is to see them."""
        solids = self.solids if len(self.solids) else self.ghosts
        radii = np.max(solids.radii, axis=(-1, -2), initial=0.0)[:, None]
        ends = np.concatenate([solids.starts, solids.ends])
        radii = np.concatenate([radii, radii])
        return np.concatenate([ends - radii, ends + radii])


def face_colours(scene: Scene) -> Array:
    """(T, 3) the colours of the terrain's triangles, before there is light on them."""
    chosen = scene.terrain.owners == scene.chosen
    backdrop = scene.backdrop
    return np.where(chosen[:, None], 0.72 * backdrop.block + 0.28 * backdrop.chosen, backdrop.block)


def edge_lines(scene: Scene) -> Lines:
    """The terrain's edges."""
    terrain, backdrop = scene.terrain, scene.backdrop
    chosen = terrain.edge_owners == scene.chosen
    colours = np.where(chosen[:, None], [*backdrop.chosen, 1.0], [*backdrop.edge, 0.8])
    return Lines(terrain.edges[:, 0], terrain.edges[:, 1], colours, np.where(chosen, 1.8, 1.0))


def backdrop_of(theme: Theme) -> Backdrop:
    """The colours of a theme's ground and sky."""
    ground, ink = rgb(theme.ground), rgb(theme.text)
    return Backdrop(
        rgb(theme.sky), rgb(theme.horizon), ground, rgb(theme.grid),
        0.80 * ground + 0.20 * ink, 0.58 * ground + 0.42 * ink, rgb(theme.accent),
        0.62 if theme.name == "dark" else 0.42,
    )  # fmt: skip


def rgb(name: str) -> Array:
    """(3,) the colour `#rrggbb`."""
    return np.array([int(name[at : at + 2], 16) for at in (1, 3, 5)]) / 255.0


def rgba(name: str, opacity: float = 1.0) -> Array:
    """(4,) the colour `#rrggbb` with an opacity."""
    return np.array([*rgb(name), opacity])
