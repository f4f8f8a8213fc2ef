"""The window does whatever random hands do to it without an exception, a warning or a crash, and all can be undone."""

import pytest

from tests.driver.running import drive, first_of_each, has_screen

STEPS = 90


@pytest.mark.parametrize(("view", "seed"), [("painter", 1), ("opengl", 2), ("painter", 3), ("opengl", 4)])
def test_window_survives_random_hands(view, seed, tmp_path):
    if not has_screen():
        pytest.skip("there is no screen, and no Xvfb to make one")
    run = drive(seed, view, tmp_path, steps=STEPS)
    assert not run.faults, "\n\n".join(str(one) for one in first_of_each(run.faults))
    assert run.figures["steps"] == STEPS
