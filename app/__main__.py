"""`motionwright` and `python -m app`."""

import sys

from app.command_line import run


def main() -> int:
    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
