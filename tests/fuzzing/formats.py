"""Every format that the program reads, by the name that the fuzzer calls it."""

from tests.fuzzing import motions, points, projects, surroundings
from tests.fuzzing.format import Format

FORMATS: dict[str, Format] = {
    one.name: one for family in (motions, points, surroundings, projects) for one in family.FORMATS
}
