"""The first half of a BVH file: joints, offsets, channels and end sites, as the file has them.

Nothing is converted here: lengths and axes are the file's. What real files get wrong is repaired and
reported; what cannot be understood raises MotionFileError with the line.
"""

import re
from dataclasses import dataclass, field

from model.files.numbers import LARGEST, split_glued, to_number
from model.files.problems import MotionFileError, Problems, quoted

_CHANNEL = re.compile(r"([xyz])_?(rotation|rot|position|pos|translation|trans)\Z", re.I)
_OTHER_CHANNEL = re.compile(r"[xyz]?_?(scale|length|radius)\Z", re.I)
_BRACES = re.compile(r"([{}])")
_COUNT = re.compile(r"[-+]?[0-9]{1,9}\Z")


@dataclass
class RawJoint:
    """A joint or an end site as written: lengths in file units, channels in order."""

    name: str
    parent: int  # index among joints, -1 for a root
    line: int
    offset: list[float] = field(default_factory=list)
    channels: list[str] = field(default_factory=list)  # "Xrotation", "Yposition", … or another word
    declared: int | None = None  # the number after CHANNELS
    is_end: bool = False


@dataclass
class Hierarchy:
    """The joints, parents first, and the end sites, whose parent is the joint they end."""

    joints: list[RawJoint]
    end_sites: list[RawJoint]

    @property
    def columns(self) -> int:
        return sum(len(joint.channels) for joint in self.joints)


def read_hierarchy(path: str, lines: list[str], problems: Problems) -> Hierarchy:
    """The hierarchy in `lines`, which end before the line that says MOTION."""
    parser = _Parser(path, problems)
    for number, line in enumerate(lines, start=1):
        for piece in _BRACES.split(line):
            words = piece.split()
            if words:
                parser.take(piece.strip(), words, number)
    return parser.finish(len(lines))


class _Parser:
    """Takes the file piece by piece: a brace, or the words between braces on one line."""

    def __init__(self, path: str, problems: Problems) -> None:
        self._path = path
        self._problems = problems
        self._joints: list[RawJoint] = []
        self._end_sites: list[RawJoint] = []
        self._open: list[tuple[int, RawJoint]] = []  # index among joints (-1 for an end site), block
        self._announced: tuple[int, RawJoint] | None = None  # named, its brace not yet seen
        self._unnamed = False  # ROOT or JOINT stood alone on its line: the name follows
        self._collecting = ""  # OFFSET or CHANNELS whose values may go on over the next line
        self._seen_hierarchy = False

    def take(self, text: str, words: list[str], line: int) -> None:
        if text == "{":
            self._open_block(line)
        elif text == "}":
            self._close_block(line)
        elif self._unnamed and self._announced is not None:
            self._announced[1].name = text
            self._unnamed = False
        else:
            self._take_words(words, line)

    def _take_words(self, words: list[str], line: int) -> None:
        position = 0
        while position < len(words):
            word = words[position].rstrip(":").upper()
            if word == "HIERARCHY":
                self._seen_hierarchy = True
                position += 1
            elif word in ("ROOT", "JOINT"):
                self._announce_joint(word, " ".join(words[position + 1 :]), line)
                return
            elif word in ("END", "ENDSITE", "END_SITE"):
                self._announce_end(" ".join(words[position + 1 :]), line)
                return
            elif word in ("OFFSET", "CHANNELS"):
                self._block(words[position], line)
                self._collecting = word
                position += 1
            elif self._collecting:
                self._collect(words[position], line)
                position += 1
            else:
                self._unexpected(words[position], line)

    def _unexpected(self, word: str, line: int) -> None:
        shown = word if len(word) <= 40 else word[:40] + "…"
        if not self._joints:
            raise MotionFileError(self._path, line, f"this is not a BVH file: expected HIERARCHY, found {shown!r}")
        raise MotionFileError(
            self._path, line, f"expected ROOT, JOINT, End Site, OFFSET, CHANNELS or a brace, found {shown!r}"
        )

    def _announce_joint(self, word: str, name: str, line: int) -> None:
        self._expect_no_open_name(word, line)
        parent = -1
        if self._open:
            parent, block = self._open[-1]
            if block.is_end:
                raise MotionFileError(self._path, line, f"{word} {name[:40]} stands inside an End Site")
        if word == "ROOT" and parent >= 0:
            self._problems.warn(
                line, f"ROOT {name[:60]} stands inside another joint; read as JOINT", "roots inside joints"
            )
        if word == "JOINT" and parent < 0:
            self._problems.warn(
                line, f"JOINT {name[:60]} stands outside any joint; read as ROOT", "joints outside joints"
            )
        joint = RawJoint(name, parent, line)
        self._announced = (len(self._joints), joint)
        self._unnamed = not name
        self._joints.append(joint)

    def _announce_end(self, label: str, line: int) -> None:
        self._expect_no_open_name("End Site", line)
        if not self._open or self._open[-1][1].is_end:
            raise MotionFileError(self._path, line, "End Site stands outside any joint")
        site = RawJoint(label or "Site", self._open[-1][0], line, is_end=True)
        self._announced = (-1, site)
        self._end_sites.append(site)

    def _expect_no_open_name(self, word: str, line: int) -> None:
        if self._announced is not None:
            raise MotionFileError(
                self._path, line, f"expected '{{' after {quoted(self._announced[1].name)}, found {word}"
            )
        self._collecting = ""

    def _open_block(self, line: int) -> None:
        if self._announced is None:
            raise MotionFileError(self._path, line, "'{' without ROOT, JOINT or End Site before it")
        if self._unnamed:
            index = self._announced[0]
            self._announced[1].name = f"joint{index}"
            self._problems.warn(line, f"a joint without a name is called joint{index}", "joints without a name")
            self._unnamed = False
        self._open.append(self._announced)
        self._announced = None
        self._collecting = ""

    def _close_block(self, line: int) -> None:
        self._collecting = ""
        if self._announced is not None:
            self._expect_no_open_name("'}'", line)
        if not self._open:
            self._problems.warn(line, "'}' without a block to close; ignored", "superfluous closing braces")
            return
        self._check_block(self._open.pop()[1], line)

    def _block(self, word: str, line: int) -> RawJoint:
        self._expect_no_open_name(word, line)
        if not self._open:
            raise MotionFileError(self._path, line, f"{word} stands outside any joint")
        block = self._open[-1][1]
        if word.upper() == "OFFSET" and block.offset:
            self._problems.warn(
                line, f"{quoted(block.name)} has more than one OFFSET; the last counts", "second OFFSETs"
            )
            block.offset = []
        if word.upper() == "CHANNELS" and (block.declared is not None or block.channels):
            raise MotionFileError(self._path, line, f"{quoted(block.name)} has CHANNELS twice")
        return block

    def _collect(self, word: str, line: int) -> None:
        block = self._open[-1][1]
        if self._collecting == "OFFSET":
            self._collect_offset(block, word, line)
        elif block.declared is None and not block.channels and _COUNT.match(word):
            block.declared = int(word)
        else:
            block.channels.append(self._channel(word, line))

    def _collect_offset(self, block: RawJoint, word: str, line: int) -> None:
        text = word
        if "," in word:
            trimmed = word.strip(",")
            text = trimmed.replace(",", ".") if trimmed.count(",") == 1 and "." not in trimmed else trimmed
            text = text.replace(",", " ")
        for token in text.split():
            for piece in split_glued(token):
                value = to_number(piece)
                if value is None:
                    raise MotionFileError(self._path, line, f"OFFSET expects a number, found {word[:40]!r}")
                if not abs(value) <= LARGEST:
                    self._problems.warn(
                        line, f"OFFSET of {quoted(block.name)} has {piece[:40]}; read as 0", "unusable OFFSETs"
                    )
                    value = 0.0
                block.offset.append(value)

    def _channel(self, word: str, line: int) -> str:
        match = _CHANNEL.match(word.strip(","))
        if match:
            kind = "rotation" if match[2].lower().startswith("rot") else "position"
            return match[1].upper() + kind
        if _OTHER_CHANNEL.match(word):
            self._problems.warn(line, f"channel {quoted(word)} is kept but has no effect", "channels without effect")
            return word
        raise MotionFileError(
            self._path, line, f"{word[:40]!r} is not a channel: expected Xposition, Yrotation or the like"
        )

    def _check_block(self, block: RawJoint, line: int) -> None:
        if len(block.offset) != 3:
            wanted = "no OFFSET" if not block.offset else f"{len(block.offset)} numbers in OFFSET"
            self._problems.warn(
                block.line, f"{quoted(block.name)} has {wanted}; missing ones are read as 0", "incomplete OFFSETs"
            )
            block.offset = [*block.offset, 0.0, 0.0, 0.0][:3]
        if block.is_end and block.channels:
            raise MotionFileError(self._path, block.line, "an End Site cannot have CHANNELS")
        if block.declared is not None and block.declared != len(block.channels):
            self._problems.warn(
                block.line,
                f"{quoted(block.name)} declares {block.declared} channels and names {len(block.channels)}; "
                "the named ones count",
                "wrong numbers of channels",
            )

    def finish(self, last_line: int) -> Hierarchy:
        if not self._joints:
            raise MotionFileError(self._path, last_line or None, "this is not a BVH file: it has no ROOT")
        if not self._seen_hierarchy:
            self._problems.warn(1, "the keyword HIERARCHY is missing")
        if self._announced is not None:
            raise MotionFileError(
                self._path, last_line, f"the file ends after {quoted(self._announced[1].name)}, before its '{{'"
            )
        if self._open:
            self._problems.warn(last_line, f"{len(self._open)} blocks are not closed before MOTION; closed here")
            while self._open:
                self._check_block(self._open.pop()[1], last_line)
        return Hierarchy(self._joints, self._end_sites)
