"""Ways of breaking files that know what is in them: lines and tokens, JSON nodes, binary fields, encodings.

All of them are driven by a `random.Random` alone, so that a case can be made again.
"""

import json
import re
import struct

# No case grows beyond this: limits are in proportion to a file, and large ones would only take longer.
MOST_BYTES = 400_000

NUMBERS = [
    "0", "-0", "1", "-1", "2", "0.5", "1e-320", "1e9", "-1e9", "1e38", "1e308", "-1e308", "1e999", "nan", "NaN", "-inf",
    "Infinity", "1e5", "65536", "2147483648", "-2147483649", "4294967296", "1000000", "999999999999",
    "18446744073709551616", "-9223372036854775809", "9" * 400, "0." + "3" * 5000, "1e", "1.2.3", "--5", "0x10", "1_0",
    "1,5", "0.0-7.5", "1#QNAN", "\u0663",
]  # fmt: skip
_COUNTS = [2, 2, 3, 3, 10, 10, 100, 1000, 5000]
_LENGTHS = [0, 1, 60, 300, 5000, 70_000]
_DEPTHS = [3, 30, 200, 249, 252, 260, 900, 1100, 20_000]
_TOKEN = re.compile(r"[^\s,;(){}\[\]<>\"'=:]+")
_NUMBER = re.compile(r"[-+]?\d+\.?\d*(?:[eE][-+]?\d+)?")


def times(rng, size):
    """How often something of this size is repeated; large numbers are rare, and nothing becomes too large."""
    return min(rng.choice(_COUNTS), MOST_BYTES // max(size, 1) + 1)


# Text


def mutated_text(data, rng, words):
    """Text with some of its lines and tokens changed, in another encoding now and then. words : of the format."""
    text = data.decode("latin-1")
    for _ in range(rng.choice([1, 1, 2, 3, 6])):
        text = rng.choice(_TEXT_CHANGES)(text, rng, words)[:MOST_BYTES]
    return encoded(text.encode("utf-8", "replace"), rng)


def _other_number(text, rng, words):
    return _replaced(text, rng, _NUMBER, rng.choice(NUMBERS))


def _other_token(text, rng, words):
    found = _TOKEN.findall(text[:20_000])
    return _replaced(text, rng, _TOKEN, rng.choice(words if rng.random() < 0.5 or not found else found))


def _inserted_word(text, rng, words):
    at = rng.randrange(len(text) + 1)
    word = rng.choice([*words, *NUMBERS])
    return text[:at] + rng.choice([" ", "\n", ""]) + word + rng.choice([" ", "\n", ""]) + text[at:]


def _repeated_word(text, rng, words):
    at = rng.randrange(len(text) + 1)
    word = rng.choice([*words, "a", "1", "-", "(", "[", '"', "\n", "\t"]) + rng.choice(["", " ", "\n"])
    return text[:at] + word * times(rng, len(word)) + text[at:]


def _long_token(text, rng, words):
    return _replaced(text, rng, _TOKEN, rng.choice("ax9-#") * rng.choice(_LENGTHS))


def _without_lines(text, rng, words):
    lines, start, stop = _some_lines(text, rng)
    return "\n".join(lines[:start] + lines[stop:])


def _repeated_lines(text, rng, words):
    lines, start, stop = _some_lines(text, rng)
    block = lines[start:stop]
    return "\n".join(lines[:stop] + block * times(rng, sum(map(len, block)) + 1) + lines[stop:])


def _swapped_lines(text, rng, words):
    lines = text.split("\n")
    one, other = (rng.randrange(len(lines)) for _ in range(2))
    lines[one], lines[other] = lines[other], lines[one]
    return "\n".join(lines)


def _moved_lines(text, rng, words):
    lines, start, stop = _some_lines(text, rng)
    rest = lines[:start] + lines[stop:]
    at = rng.randrange(len(rest) + 1)
    return "\n".join(rest[:at] + lines[start:stop] + rest[at:])


def _cut(text, rng, words):
    return text[: rng.randrange(len(text) + 1)]


def _joined(text, rng, words):
    return text.replace("\n", rng.choice([" ", "", "\n\n", "\r"]), rng.choice([1, 5, -1]))


_TEXT_CHANGES = [
    _other_number, _other_number, _other_number, _other_token, _other_token, _inserted_word, _repeated_word,
    _long_token, _without_lines, _repeated_lines, _swapped_lines, _moved_lines, _cut, _joined,
]  # fmt: skip


def _replaced(text, rng, pattern, by):
    """The text with one match of a pattern, near a place chosen by chance, replaced."""
    start = rng.randrange(len(text) + 1)
    match = pattern.search(text, start) or pattern.search(text)
    return text if match is None else text[: match.start()] + by + text[match.end() :]


def _some_lines(text, rng):
    lines = text.split("\n")
    start = rng.randrange(len(lines))
    return lines, start, start + rng.choice([1, 1, 2, 5, 30])


def encoded(data, rng):
    """The bytes of a text, mostly as they are."""
    if rng.random() < 0.85:
        return data
    kind = rng.randrange(7)
    if kind == 0:
        return b"\xef\xbb\xbf" + data
    if kind == 1:
        return data.decode("utf-8", "replace").encode(rng.choice(["utf-16", "utf-16-le", "utf-16-be", "utf-32"]))
    if kind == 2:
        return b"\xff\xfe" + data
    if kind == 3:
        return data.replace(b"\n", rng.choice([b"\r\n", b"\r", b"\n\r", b"\x85", b"\x0b"]))
    if kind == 4:
        return data.replace(b"a", bytes([rng.randrange(128, 256)]))
    at = rng.randrange(len(data) + 1)
    return data[:at] + (b"\0" * rng.choice([1, 100]) if kind == 5 else b"\xed\xa0\x80\xc0") + data[at:]


# JSON


def mutated_json(data, rng, words):
    """JSON with some of its nodes changed; now and then its text is, too. words : keys and values of the format."""
    root = json.loads(data)
    for _ in range(rng.choice([1, 1, 2, 3, 6])):
        root = _changed_node(root, rng, words)
    text = json.dumps(root)[:MOST_BYTES].encode()
    for match in dict.fromkeys(re.findall(rb'"@deep (\d+)@"', text)):
        opening, closing = rng.choice([(b"[", b"]"), (b'{"a":', b"}"), (b'{"kind":', b"}")])
        inner = b"1" if opening != b"[" else b""
        levels = int(match)
        deep = opening * levels + inner + closing * levels
        text = text.replace(b'"@deep %b@"' % match, deep, MOST_BYTES // len(deep) + 1)
    return mutated_text(text, rng, words) if rng.random() < 0.15 else encoded(text, rng)


def _changed_node(root, rng, words):
    places = []
    _collect(root, places)
    if not places:
        return _value(rng, words)
    holder, key = rng.choice(places)
    node = holder[key]
    kind = rng.randrange(8)
    if kind == 0:
        del holder[key]
    elif kind == 1 and isinstance(holder, list):
        text = json.dumps(node)
        # Each a node of its own: what is shared would grow with every change below it.
        holder[key:key] = json.loads(f"[{', '.join([text] * times(rng, len(text)))}]")
    elif kind == 2:
        other, at = rng.choice(places)
        if _size(other[at]) < 2000:
            holder[key] = json.loads(json.dumps(other[at]))
    elif kind == 3 and isinstance(node, int | float) and abs(node) < 1e300:
        holder[key] = rng.choice([-node, node + 1, node - 1, node * 10.0 ** rng.choice([3, 9, 300]), node + 0.5])
    elif kind == 4 and isinstance(holder, dict):
        holder[rng.choice(words)] = holder.pop(key)
    elif kind == 5 and isinstance(node, list) and node:
        node.insert(rng.randrange(len(node) + 1), _value(rng, words))
    elif kind == 5 and isinstance(node, dict):
        node[rng.choice(words)] = _value(rng, words)
    else:
        holder[key] = _value(rng, words)
    return root


def _collect(node, places):
    """Every place of a tree: what holds a node, and under which key or number."""
    waiting = [node]
    while waiting:
        holder = waiting.pop()
        items = holder.items() if isinstance(holder, dict) else enumerate(holder) if isinstance(holder, list) else ()
        for key, value in items:
            places.append((holder, key))
            if isinstance(value, dict | list):
                waiting.append(value)


def _size(node):
    return len(json.dumps(node))


def _value(rng, words):
    kind = rng.randrange(9)
    if kind == 0:
        return rng.choice([None, True, False])
    if kind == 1:
        return rng.choice([[], {}, [[]], [{}], [None] * times(rng, 6)])
    if kind == 2:
        return f"@deep {rng.choice(_DEPTHS)}@"
    if kind == 3:
        return rng.choice(["x", "a ", "\0", "\u202e", "\ud800", '"', *words]) * rng.choice(_LENGTHS)
    if kind == 4:
        return rng.choice(words)
    if kind == 5:
        return [rng.choice([0, 1, -1, 1e300, 0.5])] * times(rng, 4)
    return rng.choice([
        0, 1, -1, 2, 3, 0.5, -0.5, 1e9, 1e38, 1e300, -1e300, float("nan"), float("inf"), 2**31, 2**32, 2**53, 2**63,
        2**64, -(2**63), 10**30, 10**400, 1e-300, 65536, 1_000_000,
    ])  # fmt: skip


# Bytes


def mutated_bytes(data, rng):
    """Bytes with fields overwritten, and pieces cut, doubled, moved; headers, where it tells most, more often."""
    data = bytearray(data)
    for _ in range(rng.choice([1, 1, 2, 4, 10])):
        at = rng.randrange(min(len(data), rng.choice([64, 1200, 10**9])) + 1)
        kind = rng.randrange(8)
        if kind < 4:
            field = _field(rng)
            at -= at % rng.choice([1, 2, 4])
            data[at : at + len(field)] = field
        elif kind == 4:
            data[at : at + rng.choice([1, 2, 4, 40, 512])] = b""
        elif kind == 5:
            piece = data[at : at + rng.choice([1, 4, 40, 512])]
            data[at:at] = piece * times(rng, len(piece))
        elif kind == 6:
            del data[at:]
        else:
            other = rng.randrange(len(data) + 1)
            size = rng.choice([1, 4, 32])
            data[at : at + size], data[other : other + size] = data[other : other + size], data[at : at + size]
    return bytes(data[:MOST_BYTES])


def _field(rng):
    """A field of one, two or four bytes, as whole number or float, that readers may stumble over."""
    whole = rng.choice(
        [0, 1, 2, 5, 80, 84, 127, 128, 255, 256, 512, 32767, 32768, 65535, 10**6, 2**31 - 1, 2**31, 2**32 - 1]
    )
    order = rng.choice("<<<>")
    size = rng.randrange(4)
    if size == 3:
        return struct.pack(
            order + "f", rng.choice([0.0, -1.0, 1e-40, 1e30, -3e38, float("nan"), float("inf"), 0.1, 1e6])
        )
    return struct.pack(order + "BHI"[size], whole & (256 ** (2**size) - 1))
