"""`motionwright` and `python -m app`."""

import signal
import sys

# Until a verb starts nothing is being written, and Python may swallow an interrupt while it imports:
# Ctrl-C just ends the process. `command_line` turns it into an exception before the work begins.
signal.signal(signal.SIGINT, signal.SIG_DFL)

from app.command_line import run  # noqa: E402


def main() -> int:
    try:
        return run(sys.argv[1:])
    except KeyboardInterrupt:  # after the work, when there is nothing left to say
        return 1
    finally:
        signal.signal(signal.SIGINT, signal.SIG_DFL)


if __name__ == "__main__":
    sys.exit(main())
