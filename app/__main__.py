"""`motionwright` and `python -m app`."""

import signal
import sys

# Until a verb starts nothing is being written, and Python may swallow an interrupt while it imports:
# Ctrl-C just ends the process. `command_line` turns it into an exception before the work begins.
signal.signal(signal.SIGINT, signal.SIG_DFL)

from app.command_line import run  # noqa: E402


def main() -> int:
    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
