r"""Which paths lead to other machines, told without going there.

A project may name any path. One such as \\server\share makes a system greet that server, with the user's name and a
hash of the password on some, and wait for as long as it does not answer. What is mounted already is not meant: the
user chose to be connected to it.
"""

import os
import re
from pathlib import Path, PurePosixPath

_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:/")
# Folders whose entries are machines, connected to as soon as they are looked at.
_SERVERS = ("/net", "/afs", "/Network", "~/.gvfs", "/run/user/*/gvfs", "/run/user/*/kio-fuse-*")
_MOST_LINKS = 40


def names_server(path: str | Path) -> bool:
    """Whether a path names another machine, by itself or by way of links on this one, which alone is looked at."""
    text = str(path)
    for _ in range(_MOST_LINKS):
        if text.startswith(("\\\\", "//")) or _URL.match(text) or "\0" in text:
            return True
        target = _first_link(os.path.normpath(text))
        if target is None or target == text:
            return target is not None
        text = target
    return True


def _first_link(path: str) -> str | None:
    """Where a path leads after its first link, the path itself where a server comes first, None where neither does."""
    whole = PurePosixPath(Path(path).as_posix())
    for folder in (*reversed(whole.parents), whole):
        if any(folder.match(os.path.expanduser(server)) for server in _SERVERS if len(folder.parts) > 1):
            return path
        try:
            target = os.readlink(folder)
        except (OSError, ValueError):
            continue
        return os.path.join(folder.parent, target, whole.relative_to(folder))
    return None
