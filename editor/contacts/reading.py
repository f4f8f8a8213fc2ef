"""Motion files with their contacts, as verbs read them."""

from typing import TYPE_CHECKING

from editor.stack.verbs import print_problems

if TYPE_CHECKING:
    from model.contacts import Contacts
    from model.files.problems import ReadOptions
    from model.motion import Motion


def read_with_feet(path: str, options: "ReadOptions", hands: bool = False) -> "tuple[Motion, Contacts]":
    """A motion and its contacts, problems printed. Raises ValueError for a skeleton without feet."""
    from editor.contacts.detect import find_contacts
    from model.contacts import FEET
    from model.files.formats import read_motion

    reading = read_motion(path, options)
    print_problems(path, reading.problems)
    contacts = find_contacts(reading.motion, hands)
    if not any(foot in contacts.limbs for foot in FEET):
        raise ValueError(f"{path}: the skeleton has no feet that could touch the ground")
    return reading.motion, contacts
