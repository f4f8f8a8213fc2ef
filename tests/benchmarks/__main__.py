"""Runs every benchmark of this folder, or those whose names are given."""

import importlib
import pkgutil
import sys

import tests.benchmarks
from tests.benchmarks.measuring import Report


def main(wanted: list[str]) -> int:
    helpers = {"measuring", "extremes_page", "__main__"}
    names = [module.name for module in pkgutil.iter_modules(tests.benchmarks.__path__) if module.name not in helpers]
    unknown = set(wanted) - set(names)
    if unknown:
        print(f"no benchmark is called {', '.join(sorted(unknown))}; there are {', '.join(names)}", file=sys.stderr)
        return 2
    report = Report()
    for name in wanted or names:
        importlib.import_module(f"tests.benchmarks.{name}").run(report)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
