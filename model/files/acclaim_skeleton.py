"""ASF files: the skeleton of Acclaim motion, as the file has it, read and written.

Nothing is converted here. A bone starts where its parent ends and turns about its start; `axis` gives the
frame its angles are meant in, `dof` which values a motion file gives for it, in that order.
"""

import math
import re
from dataclasses import dataclass, field

from model.files.numbers import LARGEST, to_number
from model.files.problems import MotionFileError, Problems, quoted

ROOT = "root"
_DOFS = frozenset({"rx", "ry", "rz", "tx", "ty", "tz", "l"})
_LIMIT = re.compile(r"\(([^()]*)\)")
_COMMENT = re.compile(r"(?:^|\s)#.*")
_ROOT_NAME = re.compile(r"#!Motionwright root (.+)")


@dataclass
class Bone:
    """One bone as written: degrees or radians as `RawSkeleton.angle` says, lengths in file units."""

    name: str
    line: int = 0
    id: str = ""
    direction: tuple[float, float, float] = (0.0, 0.0, 1.0)
    length: float = 0.0
    axis: tuple[float, float, float] = (0.0, 0.0, 0.0)
    axis_order: str = "XYZ"
    dofs: list[str] = field(default_factory=list)
    limits: list[tuple[float, float]] = field(default_factory=list)  # infinite where the file says so
    extra: list[str] = field(default_factory=list)  # lines with other keywords, kept as they are


@dataclass
class RawSkeleton:
    """An ASF file. `parents` maps a bone's name to its parent's; the root is called "root"."""

    name: str = "Motionwright"
    version: str = "1.10"
    mass: float = 1.0
    length: float = 1.0
    in_degrees: bool = True
    order: list[str] = field(default_factory=lambda: ["TX", "TY", "TZ", "RX", "RY", "RZ"])
    axis_order: str = "XYZ"
    position: tuple[float, float, float] = (0.0, 0.0, 0.0)
    orientation: tuple[float, float, float] = (0.0, 0.0, 0.0)
    bones: dict[str, Bone] = field(default_factory=dict)
    parents: dict[str, str] = field(default_factory=dict)
    documentation: list[str] = field(default_factory=list)
    root_name: str = ROOT  # what the root was called before it became an Acclaim root

    def depth_first(self) -> list[str]:
        """The names of the bones below the root, each behind its parent."""
        children: dict[str, list[str]] = {}
        for child, parent in self.parents.items():
            children.setdefault(parent, []).append(child)
        order: list[str] = []
        waiting = list(reversed(children.get(ROOT, [])))
        while waiting:
            name = waiting.pop()
            order.append(name)
            waiting += reversed(children.get(name, []))
        return order


def parse_asf(text: str, path: str, problems: Problems) -> RawSkeleton:
    """The skeleton in the text of an ASF file. Raises MotionFileError with the line."""
    return _Parser(path, problems).parse(text.split("\n"))


class _Parser:
    """Goes through the file line by line, section by section."""

    def __init__(self, path: str, problems: Problems) -> None:
        self._path = path
        self._problems = problems
        self._skeleton = RawSkeleton()
        self._bone: Bone | None = None  # the one whose block is open
        self._in_limits = False
        self._seen: set[str] = set()
        self._hierarchy: list[tuple[int, list[str]]] = []

    def parse(self, lines: list[str]) -> RawSkeleton:
        section = ""
        for number, raw in enumerate(lines, start=1):
            if named := _ROOT_NAME.match(raw.strip()):
                self._skeleton.root_name = named[1]
            text = _COMMENT.sub("", raw).strip()
            if not text:
                continue
            if text.startswith(":"):
                word, _, rest = text[1:].partition(" ")
                section = word.lower()
                self._seen.add(section)
                self._open_section(section, rest.strip(), number)
            elif not section:
                shown = text.split()[0][:40]
                raise MotionFileError(
                    self._path, number, f"this is not an ASF file: expected a section such as :units, found {shown!r}"
                )
            else:
                self._take(section, text, number)
        if self._bone is not None:
            self._problems.warn(self._bone.line, f"the block of bone {quoted(self._bone.name)} is not closed by 'end'")
            self._close_bone()
        self._check_sections()
        self._connect()
        return self._skeleton

    def _open_section(self, section: str, rest: str, line: int) -> None:
        if section == "version":
            self._skeleton.version = rest or self._skeleton.version
        elif section == "name":
            self._skeleton.name = rest
        elif section not in ("units", "documentation", "root", "bonedata", "hierarchy"):
            self._problems.note(line, f"section :{section[:40]} is not used")

    def _take(self, section: str, text: str, line: int) -> None:
        words = text.split()
        if section == "units":
            self._take_unit(words, line)
        elif section == "documentation":
            self._skeleton.documentation.append(text)
        elif section == "root":
            self._take_root(words, line)
        elif section == "bonedata":
            self._take_bone(words, text, line)
        elif section == "hierarchy" and words[0].lower() not in ("begin", "end"):
            self._hierarchy.append((line, words))

    def _take_unit(self, words: list[str], line: int) -> None:
        key, values = words[0].lower(), words[1:]
        if key == "angle" and values:
            self._skeleton.in_degrees = not values[0].lower().startswith("rad")
        elif key in ("mass", "length") and values:
            value = self._numbers(key, values[:1], line)[0]
            if value > 0.0:
                setattr(self._skeleton, key, value)
            else:
                self._problems.warn(line, f"{key} is {value:g}; read as 1")

    def _take_root(self, words: list[str], line: int) -> None:
        key, values = words[0].lower(), words[1:]
        if key == "order":
            order = [value.upper() for value in values]
            unknown = [value for value in order if value.lower() not in _DOFS - {"l"}]
            if unknown or len(set(order)) != len(order):
                raise MotionFileError(self._path, line, f"order cannot be {' '.join(values)[:60]!r}")
            self._skeleton.order = order
        elif key == "axis":
            self._skeleton.axis_order = self._axis_order(values[-1:] or ["XYZ"], line)
        elif key in ("position", "orientation"):
            setattr(self._skeleton, key, self._three(key, values, line))

    def _take_bone(self, words: list[str], text: str, line: int) -> None:
        key, values = words[0].lower(), words[1:]
        if key == "begin":
            if self._bone is not None:
                self._problems.warn(line, f"the block of bone {quoted(self._bone.name)} is not closed by 'end'")
                self._close_bone()
            self._bone = Bone("", line)
            self._in_limits = False
            return
        if self._bone is None:
            raise MotionFileError(self._path, line, f"{words[0][:40]!r} stands outside 'begin' and 'end'")
        if key == "end":
            self._close_bone()
        elif key == "limits" or (self._in_limits and text.startswith("(")):
            self._in_limits = True
            self._take_limits(text, line)
        else:
            self._in_limits = False
            self._take_bone_value(self._bone, key, values, text, line)

    def _take_bone_value(self, bone: Bone, key: str, values: list[str], text: str, line: int) -> None:
        if key == "id":
            bone.id = values[0] if values else ""
        elif key == "name":
            bone.name = " ".join(values)
        elif key == "direction":
            bone.direction = self._three(key, values, line)
        elif key == "length":
            bone.length = self._numbers(key, values[:1] or ["?"], line)[0]
        elif key == "axis":
            bone.axis = self._three(key, values[:3], line)
            bone.axis_order = self._axis_order(values[3:4] or ["XYZ"], line)
        elif key == "dof":
            bone.dofs = [value.lower() for value in values]
            unknown = [value for value in bone.dofs if value not in _DOFS]
            if unknown or len(set(bone.dofs)) != len(bone.dofs):
                raise MotionFileError(self._path, line, f"dof cannot be {' '.join(values)[:60]!r}")
        else:
            bone.extra.append(text)

    def _take_limits(self, text: str, line: int) -> None:
        bone = self._bone
        assert bone is not None
        for pair in _LIMIT.findall(text):
            words = pair.replace(",", " ").split()
            if len(words) != 2:
                raise MotionFileError(self._path, line, f"limits expect two numbers, found ({pair[:40]})")
            bone.limits.append((self._limit(words[0], line), self._limit(words[1], line)))

    def _limit(self, word: str, line: int) -> float:
        value = to_number(word)
        if value is None:
            raise MotionFileError(self._path, line, f"limits expect a number, found {word[:40]!r}")
        if math.isnan(value):  # inf and the like
            return -math.inf if word.startswith("-") else math.inf
        return value

    def _close_bone(self) -> None:
        bone, self._bone = self._bone, None
        assert bone is not None
        if not bone.name:
            bone.name = f"bone{len(self._skeleton.bones) + 1}"
            self._problems.warn(bone.line, f"a bone without a name is called {bone.name}")
        if bone.name in self._skeleton.bones or bone.name == ROOT:
            raise MotionFileError(self._path, bone.line, f"there are two bones named {quoted(bone.name)}")
        if bone.limits and len(bone.limits) != len(bone.dofs):
            self._problems.warn(
                bone.line, f"bone {quoted(bone.name)} has {len(bone.limits)} limits for {len(bone.dofs)} dof; not used"
            )
            bone.limits = []
        self._mind_direction(bone)
        self._skeleton.bones[bone.name] = bone

    def _mind_direction(self, bone: Bone) -> None:
        """A direction has unit length; one that is clearly longer or shorter is scaled to it."""
        size = math.sqrt(sum(value * value for value in bone.direction))
        if bone.length == 0.0 or abs(size - 1.0) <= 1e-3:
            return
        if size == 0.0:
            self._problems.warn(bone.line, f"bone {quoted(bone.name)} has a length but no direction; read as length 0")
            bone.length = 0.0
            return
        self._problems.warn(bone.line, f"the direction of bone {quoted(bone.name)} has length {size:.4g}; scaled to 1")
        x, y, z = bone.direction
        bone.direction = (x / size, y / size, z / size)

    def _check_sections(self) -> None:
        if not self._seen & {"root", "bonedata", "hierarchy"}:
            raise MotionFileError(self._path, None, "this is not an ASF file: it has no :root and no :bonedata")
        for section in ("units", "root", "bonedata", "hierarchy"):
            if section not in self._seen:
                self._problems.warn(None, f"section :{section} is missing; what is usual is assumed")

    def _connect(self) -> None:
        """Parents from the hierarchy lines, and only bones that hang on the root in the end."""
        bones, parents = self._skeleton.bones, self._skeleton.parents
        for line, (parent, *children) in self._hierarchy:
            for child in children:
                if child not in bones or (parent != ROOT and parent not in bones):
                    unknown = child if child not in bones else parent
                    self._problems.warn(line, f"there is no bone {unknown[:40]!r}; ignored", "unknown bones")
                elif child in parents:
                    self._problems.warn(line, f"bone {quoted(child)} has a parent already; ignored", "second parents")
                else:
                    parents[child] = parent
        if "hierarchy" not in self._seen:
            parents.update(dict.fromkeys(bones, ROOT))
        connected = set(self._skeleton.depth_first())
        for name in [name for name in bones if name not in connected]:
            self._problems.warn(
                bones[name].line, f"bone {quoted(name)} does not hang on the root; left out", "loose bones"
            )
            parents.pop(name, None)
            del bones[name]

    def _axis_order(self, values: list[str], line: int) -> str:
        order = values[0].upper()
        if sorted(order) != ["X", "Y", "Z"]:
            raise MotionFileError(self._path, line, f"the axis order cannot be {values[0][:40]!r}")
        return order

    def _three(self, key: str, values: list[str], line: int) -> tuple[float, float, float]:
        x, y, z = self._numbers(key, (values + ["?"] * 3)[:3], line)
        return x, y, z

    def _numbers(self, key: str, words: list[str], line: int) -> list[float]:
        numbers = []
        for word in words:
            value = to_number(word)
            if value is None:
                found = "nothing" if word == "?" else repr(word[:40])
                raise MotionFileError(self._path, line, f"{key} expects a number, found {found}")
            if not abs(value) <= LARGEST:
                self._problems.warn(line, f"{key} holds {word[:20]}; read as 0", "numbers out of range")
                value = 0.0
            numbers.append(value)
        return numbers


def asf_text(skeleton: RawSkeleton) -> str:
    """The text of an ASF file."""
    lines = []
    if skeleton.root_name != ROOT:
        lines.append(f"#!Motionwright root {skeleton.root_name}")
    lines += [
        f":version {skeleton.version}",
        f":name {skeleton.name}",
        ":units",
        f"  mass {skeleton.mass!r}",
        f"  length {skeleton.length!r}",
        f"  angle {'deg' if skeleton.in_degrees else 'rad'}",
        ":documentation",
        *(f"  {text}" for text in skeleton.documentation),
        ":root",
        f"  order {' '.join(skeleton.order)}",
        f"  axis {skeleton.axis_order}",
        f"  position {_numbers(skeleton.position)}",
        f"  orientation {_numbers(skeleton.orientation)}",
        ":bonedata",
    ]
    order = skeleton.depth_first()
    for number, name in enumerate(order, start=1):
        lines += _bone_lines(skeleton.bones[name], number)
    lines += [":hierarchy", "  begin"]
    children: dict[str, list[str]] = {}
    for name in order:
        children.setdefault(skeleton.parents[name], []).append(name)
    lines += [f"    {parent} {' '.join(names)}" for parent, names in children.items()]
    return "\n".join([*lines, "  end", ""])


def _bone_lines(bone: Bone, number: int) -> list[str]:
    lines = [
        "  begin",
        f"    id {bone.id or number}",
        f"    name {bone.name}",
        f"    direction {_numbers(bone.direction)}",
        f"    length {bone.length!r}",
        f"    axis {_numbers(bone.axis)} {bone.axis_order}",
    ]
    if bone.dofs:
        lines.append(f"    dof {' '.join(bone.dofs)}")
    for n, (low, high) in enumerate(bone.limits):
        lines.append(f"    {'limits' if n == 0 else '      '} ({low!r} {high!r})")
    return [*lines, *(f"    {text}" for text in bone.extra), "  end"]


def _numbers(values: tuple[float, float, float]) -> str:
    return " ".join(repr(value) for value in values)
