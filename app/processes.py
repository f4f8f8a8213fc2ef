"""Which processes live, told apart from later ones that were given the same number."""

import os
import subprocess
import sys
from pathlib import Path


def birth_of(pid: int) -> str | None:
    """When a process started, as a text that no other process of that number has had; None where it is dead."""
    if pid <= 0:
        return None
    if sys.platform == "win32":
        return _birth_on_windows(pid)
    if sys.platform.startswith("linux"):
        return _birth_on_linux(pid)
    return _birth_by_ps(pid)


def _birth_by_ps(pid: int) -> str | None:
    """The start as the system's list of processes tells it, to the second."""
    command = ["ps", "-o", "lstart=", "-p", str(pid)]
    try:
        found = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, "LC_ALL": "C"})
    except OSError:
        return None
    return found.stdout.strip() or None


def _birth_on_linux(pid: int) -> str | None:
    """The start in ticks since the machine was started, and which start of the machine that was."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text(errors="replace")
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    except OSError:
        return None
    # The name in brackets may hold anything, brackets too.
    words = text.rpartition(")")[2].split()
    return None if words[0] in ("Z", "X") else f"{boot} {words[19]}"


def _birth_on_windows(pid: int) -> str | None:
    """The time of creation that the system keeps."""
    import ctypes
    from ctypes import wintypes

    limited_information, still_active = 0x1000, 259
    kernel = ctypes.WinDLL("kernel32", use_last_error=True)  # type: ignore[attr-defined,unused-ignore]
    kernel.OpenProcess.restype = wintypes.HANDLE
    handle = kernel.OpenProcess(limited_information, False, pid)
    if not handle:
        return None
    try:
        code = wintypes.DWORD()
        times = [wintypes.FILETIME() for _ in range(4)]
        found = kernel.GetExitCodeProcess(wintypes.HANDLE(handle), ctypes.byref(code))
        found = found and kernel.GetProcessTimes(wintypes.HANDLE(handle), *(ctypes.byref(time) for time in times))
    finally:
        kernel.CloseHandle(wintypes.HANDLE(handle))
    created = times[0]
    return f"{created.dwHighDateTime} {created.dwLowDateTime}" if found and code.value == still_active else None
