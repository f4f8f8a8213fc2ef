"""The nodes of a glTF file, its skins, and which nodes are the joints of the body.

Nodes are as the file has them: lengths, axes and rest orientations are converted elsewhere.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from model.arrays import Array
from model.files.gltf_buffers import Document, Json, as_count, as_list, as_name, as_numbers, as_object
from model.files.problems import Problems
from model.rotation import IDENTITY, from_matrix, normalize

# Where Motionwright keeps what glTF has no place for, in the `extras` of nodes and animations.
EXTRAS = "motionwright"
_MOST_SKINS = 1_000


def own_extras(item: Json) -> Json:
    """What Motionwright noted on an item of the file."""
    return as_object(as_object(item.get("extras")).get(EXTRAS))


@dataclass
class Node:
    """A node as it stands: translation (3,), rotation (4,) `w x y z` and scale (3,) against its parent."""

    name: str
    translation: Array
    rotation: Array
    scale: Array
    parent: int = -1
    children: list[int] = field(default_factory=list)
    has_mesh: bool = False
    is_device: bool = False  # a camera or a light
    tip: str | None = None  # the label of an end site that Motionwright wrote


@dataclass
class Skin:
    """The joints of a skin, by node: each with its place among the skin's bind matrices, if it has those."""

    joints: dict[int, int]
    bind_matrices: object  # the accessor's index, None where there is none


@dataclass
class Rig:
    """The nodes that matter: joints (parents first), what carries their roots, and their tips.

    joints : node of each joint; parents : joint above each, -1 for roots; carriers : nodes above the
    roots, parents first; tips : nodes of end sites; skins : those the joints belong to.
    """

    nodes: list[Node]
    joints: list[int]
    parents: list[int]
    carriers: list[int]
    tips: list[int]
    skins: list[Skin]


def read_nodes(document: Document) -> list[Node]:
    """All nodes, each with at most one parent and no circles; what had to be cut is reported."""
    items = document.items("nodes")
    nodes = [_node(item, index, document.problems) for index, item in enumerate(items)]
    for index, item in enumerate(items):
        for value in as_list(item.get("children")):
            child = as_count(value, -1)
            if not 0 <= child < len(nodes) or child == index or nodes[child].parent >= 0:
                document.problems.warn(
                    None,
                    f"node {index} names child {str(value)[:20]}, which is missing or another's; ignored",
                    "children that cannot be",
                )
                continue
            nodes[child].parent = index
            nodes[index].children.append(child)
    _cut_circles(nodes, document.problems)
    return nodes


def _node(item: Json, index: int, problems: Problems) -> Node:
    translation, rotation, scale = np.zeros(3), IDENTITY, np.ones(3)

    def numbers(key: str, count: int) -> Array | None:
        if item.get(key) is None:
            return None
        values = as_numbers(item[key], count)
        if values is None:
            problems.warn(None, f"node {index} has no usable {key}; ignored", "nodes with unusable transforms")
        return values

    matrix = numbers("matrix", 16)
    if matrix is not None:
        translation, rotation, scale = _decomposed(matrix.reshape(4, 4).T, index, problems)
    else:
        given = numbers("translation", 3), numbers("rotation", 4), numbers("scale", 3)
        translation = translation if given[0] is None else given[0]
        rotation = rotation if given[1] is None else normalize(given[1][[3, 0, 1, 2]])
        scale = scale if given[2] is None else given[2]
    own = own_extras(item)
    return Node(
        name=as_name(own.get("name")) or as_name(item.get("name")) or f"node{index}",
        translation=translation,
        rotation=rotation,
        scale=scale,
        has_mesh=item.get("mesh") is not None,
        is_device=item.get("camera") is not None or "KHR_lights_punctual" in as_object(item.get("extensions")),
        tip=as_name(own.get("tip")) or None,
    )


def _decomposed(matrix: Array, index: int, problems: Problems) -> tuple[Array, Array, Array]:
    """Translation, rotation and scale of a (4, 4) matrix; shear is lost and reported."""
    linear = matrix[:3, :3]
    scale = np.sqrt(np.sum(linear * linear, axis=0))
    if float(np.linalg.det(linear)) < 0.0:
        scale = scale * np.array([-1.0, 1.0, 1.0])
    axes = linear / np.where(scale == 0.0, 1.0, scale)
    if not np.all(scale):
        axes = np.where(scale == 0.0, np.eye(3), axes)
    if float(np.max(np.abs(axes.T @ axes - np.eye(3)))) > 1e-4:
        problems.warn(None, f"the matrix of node {index} shears, which is lost", "sheared matrices")
        u, _, v = np.linalg.svd(axes)
        axes = u @ np.diag([1.0, 1.0, float(np.linalg.det(u @ v))]) @ v
    return matrix[:3, 3].copy(), from_matrix(axes), scale


def _cut_circles(nodes: list[Node], problems: Problems) -> None:
    """Make a root of one node in every circle: what no root leads to is one, or hangs on one."""
    reached = set(depth_first(nodes, (index for index, node in enumerate(nodes) if node.parent < 0)))
    for index, node in enumerate(nodes):
        if index not in reached:
            problems.warn(None, f"node {index} is its own ancestor; the circle is cut there", "circles of nodes")
            nodes[node.parent].children.remove(index)
            node.parent = -1
            reached.update(depth_first(nodes, [index]))


def depth_first(nodes: list[Node], starts: Iterable[int] | None = None) -> list[int]:
    """The nodes below `starts` (all roots), themselves included, in the order in which they nest."""
    if starts is None:
        starts = (index for index, node in enumerate(nodes) if node.parent < 0)
    order: list[int] = []
    waiting = list(starts)[::-1]
    while waiting:
        index = waiting.pop()
        order.append(index)
        waiting += reversed(nodes[index].children)
    return order


def read_skins(document: Document, nodes: list[Node]) -> list[Skin]:
    """The skins that name joints."""
    skins = []
    for item in document.items("skins"):
        named = [as_count(value, -1) for value in as_list(item.get("joints"))]
        joints = {joint: place for place, joint in enumerate(named) if 0 <= joint < len(nodes)}
        if len(joints) < len(named):
            document.problems.warn(None, "a skin names joints twice or that do not exist; ignored", "skins in disorder")
        if joints:
            skins.append(Skin(joints, item.get("inverseBindMatrices")))
    return skins


def bind_rotations(document: Document, skin: Skin) -> dict[int, Array]:
    """How joints are turned in a skin's bind pose, by node (4,), in the space of the mesh, which need not be the world.

    None at all where bind matrices are missing or unusable.
    """
    if skin.bind_matrices is None:
        return {}
    matrices = document.accessor(skin.bind_matrices, 16)
    places = list(skin.joints.values())
    if matrices is None or len(matrices) <= max(places):
        return {}
    matrices = matrices[places]
    if not np.all(np.abs(matrices) <= 1e12) or (len(matrices) > 1 and not np.any(np.ptp(matrices, axis=0))):
        return {}  # damaged, or filled in by an exporter that had none
    # The inverse of a rotation and scale is scale times the transposed: its rows are the joint's axes.
    rows = matrices.reshape(-1, 4, 4).transpose(0, 2, 1)[:, :3, :3]
    lengths = np.sqrt(np.sum(rows * rows, axis=-1, keepdims=True))
    axes = (rows / np.where(lengths > 0.0, lengths, 1.0)).transpose(0, 2, 1)
    square = np.einsum("nji,njk->nik", axes, axes)
    if float(np.max(np.abs(square - np.eye(3)))) > 1e-2 or float(np.min(np.linalg.det(axes))) < 0.0:
        document.problems.warn(
            None,
            "a skin's bind pose is no rotation; the nodes' own pose is taken as rest pose",
            "bind poses that are no rotations",
        )
        return {}
    return dict(zip(skin.joints, from_matrix(axes), strict=True))


def find_rig(document: Document, nodes: list[Node], animated: set[int], is_own: bool) -> Rig:
    """The joints: of the skin that moves most, or without a skin all nodes that move, and what connects them."""
    skins = read_skins(document, nodes)
    if len(skins) > _MOST_SKINS:
        raise document.fail(f"it has {len(skins):,} skins; the limit is {_MOST_SKINS:,}")
    tips = {index for index, node in enumerate(nodes) if node.tip is not None and not node.children}
    if skins:
        skins = _one_body(skins, animated - tips, document.problems)
        chosen = _connected(nodes, {joint for skin in skins for joint in skin.joints} - tips)
    else:
        chosen = _moving_nodes(nodes, animated - tips) - tips
    if not chosen:
        raise document.fail("it holds no skeleton: neither a skin nor an animation that moves nodes")
    joints = _ordered(nodes, chosen, list(skins[0].joints) if is_own and skins else [])
    place = {node: joint for joint, node in enumerate(joints)}
    parents = [place.get(nodes[node].parent, -1) for node in joints]
    if not is_own and skins:
        inner = {parent for parent in parents if parent >= 0}
        ends = [node for joint, node in enumerate(joints) if joint not in inner]
        bare = {child for node in ends for child in nodes[node].children if _is_bare(nodes[child])}
        tips |= bare - animated
    return Rig(
        nodes, joints, parents, _carriers(nodes, joints, parents),
        sorted(tip for tip in tips if nodes[tip].parent in place), skins,
    )  # fmt: skip


def _is_bare(node: Node) -> bool:
    return not (node.children or node.has_mesh or node.is_device)


def _one_body(skins: list[Skin], animated: set[int], problems: Problems) -> list[Skin]:
    """The skins that share joints with each other and have the most that move; others are reported."""
    group = list(range(len(skins)))

    def head(skin: int) -> int:
        while group[skin] != skin:
            group[skin] = group[group[skin]]
            skin = group[skin]
        return skin

    owner: dict[int, int] = {}
    for number, skin in enumerate(skins):
        for joint in skin.joints:
            group[head(number)] = head(owner.setdefault(joint, number))
    bodies: dict[int, list[Skin]] = {}
    for number, skin in enumerate(skins):
        bodies.setdefault(head(number), []).append(skin)

    def weight(body: list[Skin]) -> tuple[int, int]:
        joints = {joint for skin in body for joint in skin.joints}
        return len(joints & animated), len(joints)

    best = max(bodies.values(), key=weight)
    if len(bodies) > 1:
        problems.warn(None, f"{len(bodies) - 1} other bodies in the file are not read")
    return best


def _connected(nodes: list[Node], chosen: set[int]) -> set[int]:
    """The chosen nodes and all nodes between two of them."""
    order = depth_first(nodes)
    hanging = set()  # nodes that are chosen or hang below one that is
    for index in order:
        if index in chosen or nodes[index].parent in hanging:
            hanging.add(index)
    carrying = set(chosen)
    for index in reversed(order):
        if index in carrying and nodes[index].parent in hanging:
            carrying.add(nodes[index].parent)
    return carrying


def _moving_nodes(nodes: list[Node], animated: set[int]) -> set[int]:
    """Without a skin: nodes that move, what connects them, and bare nodes that hang on them."""
    moving = {index for index in animated if not nodes[index].is_device}
    order = depth_first(nodes)
    below = {index: 1 if index in moving else 0 for index in order}
    for index in reversed(order):
        if nodes[index].parent >= 0:
            below[nodes[index].parent] += below[index]
    chosen: set[int] = set()
    for index in order:
        node = nodes[index]
        if node.parent in chosen:
            # An exporter that leaves out what stands still leaves out joints, too.
            if below[index] or not (node.has_mesh or node.is_device):
                chosen.add(index)
        elif below[index] and (index in moving or all(below[child] < below[index] for child in node.children)):
            chosen.add(index)  # nothing below it holds all that moves: here the ways part
    return chosen


def _ordered(nodes: list[Node], chosen: set[int], wanted: list[int]) -> list[int]:
    """The chosen nodes parents first: as wanted where that is possible, else as they nest, largest body first."""
    wanted = [node for node in wanted if node in chosen]
    place = {node: number for number, node in enumerate(wanted)}
    if len(wanted) == len(chosen) and all(place.get(nodes[node].parent, -1) < place[node] for node in wanted):
        return wanted
    order = [index for index in depth_first(nodes) if index in chosen]
    root_of: dict[int, int] = {}
    sizes: dict[int, int] = {}
    for index in order:
        root = root_of.get(nodes[index].parent, index)
        root_of[index] = root
        sizes[root] = sizes.get(root, 0) + 1
    rank = {root: number for number, root in enumerate(sorted(sizes, key=lambda root: -sizes[root]))}
    return sorted(order, key=lambda index: rank[root_of[index]])


def _carriers(nodes: list[Node], joints: list[int], parents: list[int]) -> list[int]:
    """The nodes above the roots, parents first."""
    found: dict[int, None] = {}
    for node, parent in zip(joints, parents, strict=True):
        chain = []
        above = nodes[node].parent if parent < 0 else -1
        while above >= 0 and above not in found:
            chain.append(above)
            above = nodes[above].parent
        found.update(dict.fromkeys(reversed(chain)))
    return list(found)
