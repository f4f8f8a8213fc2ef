"""Drives one window in this process. `running` starts it as a child."""

import argparse
import faulthandler
import sys
from pathlib import Path


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.driver", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--steps", type=int, default=1_000_000_000)
    parser.add_argument("--minutes", type=float, default=1e6)
    parser.add_argument("--view", choices=("painter", "opengl"), default="opengl")
    parser.add_argument("--folder", type=Path, required=True, help="where everything is written")
    parser.add_argument("--only", nargs="*", default=[], metavar="DEED", help="do nothing but these, such as drag_dock")
    parser.add_argument("--pictures", action="store_true", help="now and then write a picture of the screen there too")
    given = parser.parse_args(arguments)
    given.folder.mkdir(parents=True, exist_ok=True)
    with (given.folder / "crash.log").open("w") as crash:
        faulthandler.enable(crash)
        _drive(given)
    return 0


def _drive(given: argparse.Namespace) -> None:
    from PySide6.QtCore import QStandardPaths

    from app.application import make_application
    from tests.driver.driving import Driver
    from tests.driver.findings import Findings
    from tests.driver.stage import Stage
    from tests.driver.watching import Hooks

    QStandardPaths.setTestModeEnabled(True)
    application = make_application()
    application.setQuitOnLastWindowClosed(False)
    findings = Findings(given.seed, given.folder)
    stage = Stage(application, given.folder, given.view == "painter")
    driver = Driver(stage, given.seed, given.steps, 60.0 * given.minutes, findings, Hooks(findings))
    if given.only:
        driver.usual = {deed: weight for deed, weight in driver.usual.items() if deed.__name__ in given.only}
    driver.pictures = given.folder if given.pictures else None
    application.exec()
    driver.write(given.folder)
    stage.close()
    findings.close()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
