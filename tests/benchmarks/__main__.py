"""Runs every benchmark of this folder, or those whose names are given; what follows a name with -- are its options."""

import importlib
import pkgutil
import sys

import tests.benchmarks
from tests.benchmarks.measuring import Report

_HELPERS = {"measuring", "extremes_page", "stagger_page", "__main__"}
# Attacks that take long: only where they are named, alone, with options of their own.
_ONLY_BY_NAME = {"driver", "fuzz"}


def main(arguments: list[str]) -> int:
    options = next((place for place, word in enumerate(arguments) if word.startswith("-")), len(arguments))
    wanted, given = arguments[:options], arguments[options:]
    names = [module.name for module in pkgutil.iter_modules(tests.benchmarks.__path__) if module.name not in _HELPERS]
    unknown = set(wanted) - set(names)
    if unknown:
        print(f"no benchmark is called {', '.join(sorted(unknown))}; there are {', '.join(names)}", file=sys.stderr)
        return 2
    if given and not (len(wanted) == 1 and wanted[0] in _ONLY_BY_NAME):
        print(f"options are for one of {', '.join(sorted(_ONLY_BY_NAME))} alone", file=sys.stderr)
        return 2
    report = Report()
    for name in wanted or [name for name in names if name not in _ONLY_BY_NAME]:
        module = importlib.import_module(f"tests.benchmarks.{name}")
        module.run(report, given) if name in _ONLY_BY_NAME else module.run(report)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
