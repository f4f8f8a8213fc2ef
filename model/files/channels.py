"""Between the columns of a file and poses: which column turns or moves which joint, both ways.

Everything here is in the file's own axes and unit of length. BVH and Acclaim files share it.
"""

import math
from dataclasses import dataclass, replace

import numpy as np

from model.arrays import Array, IntArray, in_parallel
from model.euler import ORDERS, continuous, from_euler, nearest_turn, to_euler
from model.files.problems import MotionFileError, Problems, quoted
from model.motion import Motion, Origin
from model.rotation import IDENTITY, angle_between
from model.units import Unit, from_y_up, to_y_up

# Frames converted at a time, so that temporaries stay in the processor's cache.
_BLOCK = 512
# Numbers whose quaternion differs by less than this still stand for the motion's rotation.
_SAME_ROTATION = 1e-11
# Decimals of angles that have to be computed: 1e-8 degrees are 2e-10 m at the end of a long limb.
_ANGLE_DECIMALS = 8
# No joint turns as fast as this from one frame to the next: such angles changed sides, not the joint.
_JUMP_DEGREES = 60.0
# Joints times frames that any file may hold; more must be backed by numbers in it, of four bytes a joint at least.
_MOST_AT_REST = 2_000_000
_FEWEST_BYTES = 4


@dataclass(frozen=True, eq=False)
class _Group:
    """Joints that turn about the same axes in the same order."""

    axes: str
    joints: IntArray  # (N,)
    columns: IntArray  # (len(axes), N)


class ChannelMap:
    """The channels of each joint, as columns.

    layout : that of `Origin`; products : for each joint the axes in the order in which their rotations are
    multiplied, where that is not the order of the channels.
    """

    def __init__(self, layout: tuple[tuple[str, ...], ...], products: tuple[str, ...] | None = None) -> None:
        by_axes: dict[str, list[tuple[int, list[int]]]] = {}
        self.positions: list[tuple[int, int, int]] = []  # joint, axis 0-2, column
        column = 0
        for joint, channels in enumerate(layout):
            axes, columns = "", []
            for channel in channels:
                if channel.endswith("rotation"):
                    axes += channel[0]
                    columns.append(column)
                elif channel.endswith("position"):
                    self.positions.append((joint, "XYZ".index(channel[0]), column))
                column += 1
            if products is not None:
                column_of = dict(zip(axes, columns, strict=True))
                axes = "".join(axis for axis in products[joint] if axis in column_of)
                columns = [column_of[axis] for axis in axes]
            if axes:
                by_axes.setdefault(axes, []).append((joint, columns))
        self.joints = len(layout)
        self.columns = column
        self._groups = [
            _Group(
                axes,
                np.array([joint for joint, _ in members], dtype=np.intp),
                np.array([columns for _, columns in members], dtype=np.intp).T,
            )
            for axes, members in by_axes.items()
        ]

    def rotations(self, channels: Array) -> Array:
        """Local rotations of every joint. channels : (F, C) degrees -> (F, J, 4); joints without channels rest."""
        # Frames last in memory, as the kernels like it.
        result = np.empty((self.joints, 4, len(channels)))
        result[:] = IDENTITY[:, None]

        def compose(start: int) -> None:
            block = np.radians(channels[start : start + _BLOCK]).T
            for group in self._groups:
                angles = np.moveaxis(block[group.columns], 0, -1)
                composed = from_euler(angles, group.axes)
                result[group.joints, :, start : start + _BLOCK] = np.moveaxis(composed, -1, 1)

        in_parallel(compose, range(0, len(channels), _BLOCK))
        return np.moveaxis(result, -1, 0)

    def rotation_columns(self) -> IntArray:
        """The columns that hold angles."""
        return np.concatenate([group.columns.ravel() for group in self._groups] or [np.zeros(0, np.intp)])

    def offsets(self, channels: Array, rest_offsets: Array) -> Array:
        """Joint positions in the parent's frame. -> (J, 3), or (F, J, 3) if any joint below a root moves.

        channels : (F, C); rest_offsets : (J, 3). Position channels replace OFFSET, they are not added to it, unless
        `positions_are_moves`. The first root's own positions are left out: see `root_positions`.
        """
        moving = [(joint, axis, column) for joint, axis, column in self.positions if joint > 0]
        base = rest_offsets if self.positions_are_moves(channels, rest_offsets) else np.zeros_like(rest_offsets)
        if all(np.all(channels[:, column] == channels[:1, column]) for _, _, column in moving):
            result = np.array(rest_offsets)
            if len(channels):
                for joint, axis, column in moving:
                    result[joint, axis] = base[joint, axis] + channels[0, column]
            return result
        result = np.tile(rest_offsets, (len(channels), 1, 1))
        for joint, axis, column in moving:
            result[:, joint, axis] = base[joint, axis] + channels[:, column]
        return result

    def positions_are_moves(self, channels: Array, rest_offsets: Array) -> bool:
        """Whether position channels below the root are about zero though OFFSETs are not: some programs add them."""
        columns = [column for joint, _, column in self.positions if joint > 0]
        joints = sorted({joint for joint, _, _ in self.positions if joint > 0})
        if not columns or len(channels) == 0:
            return False
        bones = np.sqrt(np.sum(rest_offsets[joints] ** 2, axis=-1))
        return bool(np.max(np.abs(channels[:, columns])) <= 1e-3 * np.median(bones))

    def root_positions(self, channels: Array, rest_offsets: Array) -> Array:
        """World positions of the first root. -> (F, 3). An axis without a channel stays at OFFSET."""
        result = np.tile(rest_offsets[0], (len(channels), 1))
        for joint, axis, column in self.positions:
            if joint == 0:
                result[:, axis] = channels[:, column]
        return result

    def fill_rotations(self, channels: Array, local_rotations: Array, has_hints: bool) -> Array:
        """Write angles for `local_rotations` (F, J, 4) into `channels` (F, C), which is changed.

        Where the numbers in `channels` already give the rotation they stay, to the last bit; elsewhere the
        nearest angles to them are written. Without hints angles follow the frame before. -> (J,) the largest
        angle in radians between each joint's written rotation and the wanted one.
        """
        lost = np.zeros(self.joints)
        turning = np.zeros(self.joints, dtype=bool)
        for group in self._groups:
            turning[group.joints] = True
            starts = range(0, len(channels), _BLOCK)
            lost_in = np.zeros((len(starts), len(group.joints)))

            def fill(start: int, group: _Group = group, lost_in: Array = lost_in) -> None:
                part = slice(start, start + _BLOCK)
                wanted = local_rotations[part, group.joints]
                lost_in[start // _BLOCK] = self._fill_group(channels[part], wanted, group, has_hints)

            in_parallel(fill, starts)
            lost[group.joints] = np.max(lost_in, axis=0, initial=0.0)
            if not has_hints and group.axes in ORDERS:
                self._smooth_jumps(channels, group)
        fixed = ~turning
        if np.any(fixed) and len(channels):
            lost[fixed] = np.max(angle_between(local_rotations[:, fixed], IDENTITY), axis=0)
        return lost

    def _smooth_jumps(self, channels: Array, group: _Group) -> None:
        """Rewrite the angles of joints that jump from one frame to the next into ones that do not."""
        for columns in group.columns.T:
            degrees = channels[:, columns]
            if np.max(np.abs(np.diff(degrees, axis=0)), initial=0.0) > _JUMP_DEGREES:
                smooth = np.degrees(continuous(np.radians(degrees), group.axes))
                channels[:, columns] = np.round(smooth, _ANGLE_DECIMALS)

    def _fill_group(self, channels: Array, wanted: Array, group: _Group, has_hints: bool) -> Array:
        """One block of frames of one group; see `fill_rotations`. -> (N,)."""
        hints = np.radians(np.moveaxis(channels[:, group.columns], 1, -1))
        if has_hints:
            changed = _apart(from_euler(hints, group.axes), wanted) > _SAME_ROTATION
            if not np.any(changed):
                return np.zeros(len(group.joints))
        else:
            changed = np.ones(wanted.shape[:-1], dtype=bool)
        angles = _solve(wanted[changed], group.axes, hints[changed] if has_hints else None)
        degrees = np.round(np.degrees(angles), _ANGLE_DECIMALS)
        if np.all(changed):
            channels[:, group.columns] = np.moveaxis(degrees.reshape(*changed.shape, -1), -1, 1)
        else:
            frames, members = np.nonzero(changed)
            for n, columns in enumerate(group.columns):
                channels[frames, columns[members]] = degrees[:, n]
        if group.axes in ORDERS:
            return np.zeros(len(group.joints))  # three axes carry every rotation
        lost = np.zeros(changed.shape)
        lost[changed] = angle_between(from_euler(np.radians(degrees), group.axes), wanted[changed])
        return np.asarray(np.max(lost, axis=0, initial=0.0))


def _apart(a: Array, b: Array) -> Array:
    """How far apart two rotations are as quaternions, the sign not counting. (..., 4) -> (...)."""
    aw, ax, ay, az = np.moveaxis(a, -1, 0)
    bw, bx, by, bz = np.moveaxis(b, -1, 0)
    same = np.abs(aw - bw) + np.abs(ax - bx) + np.abs(ay - by) + np.abs(az - bz)
    if np.all(same <= _SAME_ROTATION):
        return np.asarray(same)
    negated = np.abs(aw + bw) + np.abs(ax + bx) + np.abs(ay + by) + np.abs(az + bz)
    return np.asarray(np.minimum(same, negated))


def _solve(rotations: Array, axes: str, nearest_rad: Array | None) -> Array:
    """Angles about `axes` for rotations (N, 4), as near as those axes allow. -> (N, len(axes))."""
    if axes in ORDERS:
        return to_euler(rotations, axes, nearest_rad)
    # Fewer than three axes cannot carry every rotation: the nearest one is written.
    angles = np.zeros((len(rotations), len(axes)))
    if len(axes) == 1 or (len(axes) == 2 and axes[0] == axes[1]):
        angles[:, 0] = 2.0 * np.arctan2(rotations[:, 1 + "XYZ".index(axes[0])], rotations[:, 0])
    elif len(axes) == 2:
        angles = _solve_two(rotations, axes)
    return angles if nearest_rad is None else nearest_turn(angles, nearest_rad)


def _solve_two(rotations: Array, axes: str) -> Array:
    """Angles about two axes whose product is nearest to each rotation. (N, 4) -> (N, 2).

    The inner product of a rotation with that product is u M v, where u and v are cosine and sine of half the
    angles: it is largest for the first singular vectors of M.
    """
    first, second = ("XYZ".index(axis) for axis in axes)
    third = 3 - first - second
    sign = 1.0 if (first, second) in ((0, 1), (1, 2), (2, 0)) else -1.0
    w, a, b, c = rotations[:, 0], rotations[:, 1 + first], rotations[:, 1 + second], sign * rotations[:, 1 + third]
    matrix = np.stack([np.stack([w, b], axis=-1), np.stack([a, c], axis=-1)], axis=-2)
    left, _, right = np.linalg.svd(matrix)
    return 2.0 * np.stack(
        [np.arctan2(left[:, 1, 0], left[:, 0, 0]), np.arctan2(right[:, 0, 1], right[:, 0, 0])], axis=-1
    )


def in_other_axes(origin: Origin, up: str) -> Origin:
    """What a file would have said with another axis up: its channels renamed, the signs of its numbers turned.

    Changing axes takes each to another or its opposite, so nothing is computed and nothing lost.
    """
    if up == origin.up:
        return origin
    axes = from_y_up(to_y_up(np.eye(3), origin.up), up)  # row n: where the file's axis n goes
    goes_to, sign = np.argmax(np.abs(axes), axis=1), np.sum(axes, axis=1)
    layout, signs = [], []
    for channels in origin.layout:
        renamed = []
        for channel in channels:
            moves = channel.endswith(("rotation", "position"))
            axis = "XYZ".index(channel[0]) if moves else 0
            renamed.append("XYZ"[goes_to[axis]] + channel[1:] if moves else channel)
            signs.append(sign[axis] if moves else 1.0)
        layout.append(tuple(renamed))
    turned = np.array(signs)
    rest = origin.rest_channels
    return replace(
        origin,
        up=up,
        layout=tuple(layout),
        channels=origin.channels * turned,
        rest_channels=None if rest is None else rest * turned,
    )


def check_size(joints: int, frames: int, file_bytes: int, path: str) -> None:
    """Raise MotionFileError where a small file would make a giant motion: most of its joints never move."""
    most = max(_MOST_AT_REST, file_bytes // _FEWEST_BYTES)
    if joints * frames > most:
        raise MotionFileError(
            path,
            None,
            f"{joints:,} joints over {frames:,} frames are out of proportion to a file of {file_bytes:,} bytes: "
            f"the limit is {most:,} together",
        )


@dataclass(frozen=True, eq=False)
class Rows:
    """What a writer puts down, the rest pose first where there is one; shapes as in `Motion`.

    channels : (F, C), to be filled; where `have_hints`, it holds the numbers that the file had.
    """

    local_rotations: Array
    root_positions: Array
    local_offsets: Array
    channels: Array
    have_hints: bool


def rows_to_write(motion: Motion, origin: Origin | None, columns: int) -> Rows:
    """The frames of a motion for a writer. origin : the motion's, if its numbers are of this very format.

    Raises ValueError where the motion holds numbers that no file can.
    """
    rotations, roots, offsets = motion.local_rotations, motion.root_positions, motion.local_offsets
    hints = None if origin is None else origin.channels
    if motion.rest is not None:
        rotations = np.concatenate([motion.rest.local_rotations[None], rotations])
        roots = np.concatenate([motion.rest.root_position[None], roots])
        if offsets.ndim == 3:
            offsets = np.concatenate([motion.rest.local_offsets[None], offsets])
        if origin is not None and origin.rest_channels is not None:
            hints = np.concatenate([origin.rest_channels[None], origin.channels])
    for name, values in (("rotations", rotations), ("root positions", roots), ("offsets", offsets)):
        if not np.all(np.isfinite(values)):
            raise ValueError(f"motion has {name} that are not finite numbers")
    have_hints = hints is not None and hints.shape == (len(rotations), columns)
    channels = np.array(hints) if have_hints else np.zeros((len(rotations), columns))
    return Rows(rotations, roots, offsets, channels, have_hints)


def fill_lengths(channels: Array, column: int, metres: Array, unit: Unit) -> None:
    """Write lengths (F,) or () in metres into a column; numbers that already give them stay."""
    decimals = max(3, math.ceil(math.log10(unit.metres) + 9))  # a nanometre
    kept = np.abs(channels[:, column] * unit.metres - metres) <= 1e-12 * (1.0 + np.abs(metres))
    computed = np.round(metres / unit.metres, decimals)
    channels[:, column] = np.where(kept, channels[:, column], computed)


def warn_of_lost_rotations(lost: Array, names: tuple[str, ...], problems: Problems) -> None:
    """Report joints whose channels cannot carry their rotations. lost : (J,), from `fill_rotations`."""
    for joint in np.flatnonzero(lost > 1e-6):
        problems.warn(
            None,
            f"{quoted(names[joint])} has too few rotation channels for its motion: up to "
            f"{math.degrees(float(lost[joint])):.2g} degrees are lost",
            "joints with too few channels",
        )


def warn_of_lost_moves(lost_m: Array, names: tuple[str, ...], problems: Problems) -> None:
    """Report joints that move against their parents without channels to say so. lost_m : (J,) metres."""
    for joint in np.flatnonzero(lost_m > 1e-6):
        problems.warn(
            None,
            f"{quoted(names[joint])} has no position channels: moves of up to "
            f"{100.0 * float(lost_m[joint]):.2g} cm against its parent are lost",
            "joints without position channels",
        )
