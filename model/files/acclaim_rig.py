"""Between the bones of an ASF file and the joints of a skeleton, both ways.

A joint sits where its bone starts; all children of a bone hang at its end. A joint whose children hang at
different places gets helper bones without dof on the way out ("…_offset" before a child, "…_tip1" for a tip),
which are folded away again on the way in.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from model.arrays import Array
from model.euler import from_euler
from model.files.acclaim_skeleton import ROOT, Bone, RawSkeleton
from model.rotation import IDENTITY
from model.skeleton import JointLimits, Skeleton
from model.units import Unit, from_y_up

_CHANNELS = {
    axis + letter: letter.upper() + kind for axis, kind in (("r", "rotation"), ("t", "position")) for letter in "xyz"
}
_CHANNELS["l"] = "length"


@dataclass(frozen=True, eq=False)
class Rig:
    """The joints of an ASF file, parents first, in its unit and axes.

    bones : the name of each joint's bone; offsets : (J, 3) at rest; vectors : (J, 3) from each joint to its
    bone's end; frames : (J, 4) the rotation of each bone's axes; layout, products : see `ChannelMap`; tips :
    joint and offset of each end site.
    """

    bones: tuple[str, ...]
    names: tuple[str, ...]
    parents: tuple[int, ...]
    offsets: Array
    vectors: Array
    frames: Array
    layout: tuple[tuple[str, ...], ...]
    products: tuple[str, ...]
    tips: tuple[tuple[int, Array], ...]

    def columns(self, raw: RawSkeleton) -> dict[str, range]:
        """For every bone of the file the columns of its values; bones without dof have none."""
        columns = {name: range(0) for name in raw.bones}
        start = 0
        for bone, channels in zip(self.bones, self.layout, strict=True):
            columns[bone] = range(start, start + len(channels))
            start += len(channels)
        return columns

    def is_same(self, other: "Rig") -> bool:
        """Whether the same rows of values give the same motion with either, to what a file's numbers keep."""
        if (self.names, self.parents, self.layout) != (other.names, other.parents, other.layout):
            return False
        if [joint for joint, _ in self.tips] != [joint for joint, _ in other.tips]:
            return False
        pairs = [(self.offsets, other.offsets), (self.vectors, other.vectors), (self.frames, other.frames)]
        pairs += [(mine, theirs) for (_, mine), (_, theirs) in zip(self.tips, other.tips, strict=True)]
        return all(np.allclose(mine, theirs, rtol=1e-9, atol=1e-9) for mine, theirs in pairs)


def rig_of(raw: RawSkeleton) -> Rig:
    """The joints of an ASF file, its helper bones folded away."""
    children: dict[str, list[str]] = {}
    for child, parent in raw.parents.items():
        children.setdefault(parent, []).append(child)
    joint_of: dict[str, int] = {ROOT: 0}
    start_of: dict[str, Array] = {ROOT: np.zeros(3)}  # where children hang, in the joint's frame
    bones, parents, offsets = [ROOT], [-1], [np.array(raw.position)]
    tips: list[tuple[int, Array]] = []
    for name in raw.depth_first():
        bone, parent = raw.bones[name], raw.parents[name]
        vector = np.array(bone.direction) * bone.length
        if _is_offset_helper(bone, children.get(name, [])):
            joint_of[name] = joint_of[parent]
            start_of[name] = start_of[parent] + vector
            continue
        if _is_tip_helper(bone, parent, children.get(name, [])):
            tips.append((joint_of[parent], start_of[parent] + vector))
            continue
        joint_of[name] = len(bones)
        bones.append(name)
        parents.append(joint_of[parent])
        offsets.append(start_of[parent])
        start_of[name] = vector
        if name not in children and bone.length != 0.0:
            tips.append((joint_of[name], vector))
    axes = [(raw.orientation, raw.axis_order), *((raw.bones[n].axis, raw.bones[n].axis_order) for n in bones[1:])]
    layout = tuple(
        tuple(_CHANNELS[dof.lower()] for dof in dofs)
        for dofs in [raw.order, *(raw.bones[name].dofs for name in bones[1:])]
    )
    return Rig(
        bones=tuple(bones),
        names=(raw.root_name, *bones[1:]),
        parents=tuple(parents),
        offsets=np.array(offsets),
        vectors=np.array([start_of[name] for name in bones]),
        frames=np.stack([_frame(angles, order, raw.in_degrees) for angles, order in axes]),
        layout=layout,
        # The value listed first is turned first, so it stands last in the product.
        products=tuple(
            "".join(channel[0] for channel in reversed(channels) if channel.endswith("rotation")) for channels in layout
        ),
        tips=tuple(sorted(tips, key=lambda tip: tip[0])),
    )


def _is_offset_helper(bone: Bone, children: list[str]) -> bool:
    return not bone.dofs and len(children) == 1 and bone.name == f"{children[0]}_offset"


def _is_tip_helper(bone: Bone, parent: str, children: list[str]) -> bool:
    number = bone.name.removeprefix(f"{parent}_tip")
    return not bone.dofs and not children and number != bone.name and number.isdecimal()


def _frame(axis: tuple[float, float, float], order: str, in_degrees: bool) -> Array:
    """The rotation of a bone's axes: angles given for X, Y and Z, turned in the order of the letters."""
    if not any(axis):
        return IDENTITY
    angles = np.radians(axis) if in_degrees else np.array(axis)
    products = order[::-1]
    return from_euler(np.array([angles["XYZ".index(letter)] for letter in products]), products)


def joint_limits(raw: RawSkeleton, rig: Rig) -> dict[int, JointLimits]:
    """The limits of rotation that the file gives, by joint."""
    limits = {}
    scale = np.pi / 180.0 if raw.in_degrees else 1.0
    for joint, name in enumerate(rig.bones[1:], start=1):
        bone = raw.bones[name]
        pairs = zip(bone.dofs, bone.limits, strict=False)  # a bone may have no limits
        turning = [(dof[1].upper(), low, high) for dof, (low, high) in pairs if dof[0] == "r"]
        if turning:
            limits[joint] = JointLimits(
                "".join(letter for letter, _, _ in turning),
                rig.frames[joint],
                np.array([low for _, low, _ in turning]) * scale,
                np.array([high for _, _, high in turning]) * scale,
            )
    return limits


def raw_of(skeleton: Skeleton, moving: Iterable[int], unit: Unit, up: str) -> RawSkeleton:
    """An ASF skeleton for joints in depth-first order with one root. moving : joints that need translation.

    Every bone gets three rotations in its parent's axes; names are made fit for the format.
    """
    raw = RawSkeleton(length=float(f"{0.0254 / unit.metres:.12g}"), root_name=skeleton.names[0])
    offsets = from_y_up(skeleton.offsets, up) / unit.metres
    raw.position = _triple(offsets[0])
    names = _bone_names(skeleton.names)
    moving = set(moving)
    tips: dict[int, list[Array]] = {}
    for site in skeleton.end_sites:
        tips.setdefault(site.joint, []).append(from_y_up(site.offset, up) / unit.metres)
    ends = []
    for joint in range(len(skeleton)):
        hanging = [offsets[child] for child in skeleton.children[joint]] or tips.get(joint, [])
        together = bool(hanging) and all(np.array_equal(place, hanging[0]) for place in hanging)
        ends.append(hanging[0] if joint > 0 and together else np.zeros(3))

    def add(name: str, parent: str, vector: Array, dofs: list[str]) -> None:
        length = float(np.linalg.norm(vector))
        direction = _triple(vector / length) if length > 0.0 else (0.0, 0.0, 1.0)
        raw.bones[name] = Bone(name, direction=direction, length=length, dofs=dofs)
        raw.parents[name] = parent

    for joint, parent in enumerate(skeleton.parents):
        if joint > 0:
            above = names[parent]
            gap = offsets[joint] - ends[parent]
            if np.any(gap):
                add(f"{names[joint]}_offset", above, gap, [])
                above = f"{names[joint]}_offset"
            turning = ["rx", "ry", "rz"]
            add(names[joint], above, ends[joint], ["tx", "ty", "tz", *turning] if joint in moving else turning)
        for n, tip in enumerate(tips.get(joint, []), start=1):
            is_bone_end = joint > 0 and not skeleton.children[joint] and np.array_equal(tip, ends[joint]) and n == 1
            if not (is_bone_end and np.any(tip)):
                add(f"{names[joint]}_tip{n}", names[joint], tip - ends[joint], [])
    return raw


def _triple(vector: Array) -> tuple[float, float, float]:
    x, y, z = (float(value) for value in vector)
    return x, y, z


def _bone_names(names: tuple[str, ...]) -> list[str]:
    """Names without blanks or comment signs, each once; the first is the root's."""
    result = [ROOT]
    taken = {ROOT}
    tried: dict[str, int] = {}  # the number that the last bone of a name got, for names that repeat very often
    for name in names[1:]:
        plain = re.sub(r"[\s#:]", "_", name) or "bone"
        if plain[0].isdigit():
            plain = "_" + plain
        fit, n = plain, tried.get(plain, 1)
        while fit in taken:
            n += 1
            fit = f"{plain}_{n}"
        tried[plain] = n
        taken.add(fit)
        result.append(fit)
    return result
