"""What rigs call the joints of a body: names taken apart into side, words and number, and what they may mean.

Owns the vocabulary. It knows nothing of trees or positions: those decide in `roles.py` which of the
meanings holds.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

# What a name may mean, and how surely. Rigs disagree about some words: a "shoulder" is the clavicle
# where an arm follows, a "hand" is the wrist unless a wrist came before. Those list every meaning, and
# the chain they stand in decides.
_VOCABULARY: dict[str, dict[str, float]] = {
    word: meanings
    for words, meanings in (
        ("thigh femur upperleg", {"hip": 1.0}),
        ("hip", {"hip": 0.9, "pelvis": 0.8}),
        ("leg", {"hip": 0.7, "knee": 0.7}),
        ("knee shin calf tibia shank lowerleg", {"knee": 1.0}),
        ("ankle talus", {"ankle": 1.0}),
        ("foot", {"ankle": 0.8, "toe": 0.5}),
        ("toe toes ball forefoot", {"toe": 1.0}),
        ("clavicle clav collar scapula", {"clavicle": 1.0}),
        ("shoulder shldr", {"clavicle": 0.6, "shoulder": 0.7}),
        ("arm", {"shoulder": 0.8, "elbow": 0.3}),
        ("humerus upperarm", {"shoulder": 1.0}),
        ("elbow radius ulna forearm lowerarm", {"elbow": 1.0}),
        ("wrist", {"wrist": 1.0}),
        ("hand", {"wrist": 0.8, "hand": 0.6}),
        ("palm", {"wrist": 0.4, "hand": 0.8}),
        ("fingerbase", {"hand": 0.8}),
        ("fingers", {"hand": 0.3}),
        ("hips pelvis", {"pelvis": 1.0}),
        ("spine back lumbar abdomen ab waist torso trunk vertebra", {"spine": 1.0}),
        ("chest thorax ribcage", {"spine": 1.0, "chest": 1.0}),
        ("neck", {"neck": 1.0}),
        ("head skull", {"head": 1.0}),
    )
    for word in words.split()
}
_COMPOUNDS = {"upperleg", "lowerleg", "forefoot", "upperarm", "forearm", "lowerarm", "fingerbase"}
_SIDES = {"l": "left", "left": "left", "lft": "left", "r": "right", "right": "right", "rgt": "right"}
_QUALIFIERS = {"up": "upper", "upr": "upper", "upper": "upper", "fore": "fore"}
_QUALIFIERS |= {"lo": "lower", "low": "lower", "lwr": "lower", "lower": "lower"}
_INITIALS = {"lu": ("l", "upper"), "ru": ("r", "upper"), "lf": ("l", "fore"), "rf": ("r", "fore")}
_NEUTRAL = {"joint", "jnt", "bone", "base", "root", "bend"}
_FINGERS = {"finger", "thumb", "index", "middle", "mid", "ring", "pinky", "pinkie", "little", "metacarpal"}
# Joints that serve the rig, not the body: tips, twist correction, control handles, attached things.
HELPERS = {"end", "nub", "site", "tip", "mesh", "rigmesh", "twist", "roll", "ik", "pole", "target"}
HELPERS |= {"dum", "dummy", "effector", "marker", "helper", "prop", "weapon", "socket"}
BODY_WORDS = (_VOCABULARY.keys() - _COMPOUNDS) | _QUALIFIERS.keys() | _FINGERS
_KNOWN = BODY_WORDS | _NEUTRAL | HELPERS

_TOKEN = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^\W\d_A-Za-z]+")
_WORD = re.compile("|".join(sorted(_KNOWN, key=len, reverse=True)))
_GLUED = re.compile(rf"(left|right|l|r)?((?:{_WORD.pattern})+)(left|right|l|r)?")
_VERTEBRA = re.compile(r"(?:.*[^A-Za-z])?[CLT][0-9]{1,2}")
_LONGEST_TOKEN = 40  # what is longer is no word, and could keep the patterns busy
SURE = 0.5  # the least score at which a name gives a role


@dataclass(frozen=True, slots=True)
class JointName:
    """A joint's name taken apart."""

    side: str  # "left", "right" or ""
    words: tuple[str, ...]
    index: int  # the number after the last word; the sum, if there are several
    stem: str  # what its mirror image's name has in common with it


@lru_cache(maxsize=8192)
def read_name(name: str) -> JointName:
    """Split at separators, capitals and digits, and inside glued words such as "lfemur"."""
    namespace, _, local = name.replace("|", ":").rpartition(":")
    words: list[str] = []
    sides: list[str] = []
    stem = [namespace]
    index = 0
    if "__" in local:  # a connector, as Blender puts one before a bone that starts off its parent
        words.append("helper")
        stem.append("__")
    for match in _TOKEN.finditer(local):
        token = match[0].lower()
        before_digit = local[match.end() : match.end() + 1].isdigit()
        if token.isdecimal():
            index = min(index + int(token[-3:]), 20)
        elif token in _SIDES and not (len(token) == 1 and before_digit):  # no sides: "L5", "R2D2"
            sides.append(token)
            continue
        else:
            left_of, found, right_of = _unglue(token)
            sides += [side for side in (left_of, right_of) if side]
            words += found
            index, token = 0, "".join(found)
        stem.append(token)
    if _VERTEBRA.fullmatch(local) and _KNOWN.isdisjoint(words):
        words.append("vertebra")
    # A side spelled out beats a letter; of letters the last, for the others may be a rig's prefix.
    spelled = [side for side in sides if len(side) > 1] or sides[-1:]
    side = _SIDES[spelled[0]] if spelled else ""
    return JointName(side, tuple(_QUALIFIERS.get(word, word) for word in words), index, ".".join(stem))


def _unglue(token: str) -> tuple[str, list[str], str]:
    """The side before, the known words within, and the side after; an unknown token is one word."""
    if token in _INITIALS:
        side, word = _INITIALS[token]
        return side, [word], ""
    match = None if token in _KNOWN or len(token) > _LONGEST_TOKEN else _GLUED.fullmatch(token)
    return (match[1] or "", _WORD.findall(match[2]), match[3] or "") if match else ("", [token], "")


def meanings_of(name: JointName, ignored: set[str]) -> dict[str, float]:
    """The parts a name may mean, with scores; `ignored` are words that most of the rig's joints carry."""
    words = [word for word in name.words if word not in ignored]
    known = [word for word in words if word in _KNOWN]
    nouns = [word for word in known if word not in _NEUTRAL]
    if not HELPERS.isdisjoint(nouns):
        return {}
    nouns.sort(key=lambda word: word not in _QUALIFIERS)  # "arm upper" is "upper arm"
    found = _VOCABULARY.get("".join(known)) or _VOCABULARY.get("".join(nouns))
    if found is None:
        if not _FINGERS.isdisjoint(nouns) or "fore" in nouns:
            return {}
        plain = [_VOCABULARY[word] for word in nouns if word in _VOCABULARY]
        share = 1.0 if len(plain) == 1 else 0.8  # "lower back" is a back; "neck head" may be either
        found = {part: share * score for meanings in plain for part, score in meanings.items()}
    doubt = 1.0 if len(known) == len(words) else 0.6
    return {part: doubt * score for part, score in found.items()}


def letter_swaps(names: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Pairs of names that differ in an L and an R: at the start of the name, or anywhere among capitals."""
    names = set(names)
    for name in sorted(names):
        for first, match in enumerate(_TOKEN.finditer(name, name.rfind(":") + 1)):
            capitals = match[0].isupper() and len(match[0]) <= _LONGEST_TOKEN
            letters = match.end() if capitals else match.start() + (first == 0)
            for at in range(match.start(), letters):
                other = name[:at] + {"l": "r", "L": "R"}.get(name[at], "") + name[at + 1 :]
                if len(other) == len(name) and other in names:
                    yield name, other
