"""Themes: text can be read, colours can be told apart."""

from itertools import combinations

import pytest

from resources import path_of
from widgets.common.theme import DARK, LIGHT, THEMES, contrast


@pytest.mark.parametrize("theme", THEMES.values(), ids=lambda theme: theme.name)
def test_text_can_be_read_on_every_ground(theme):
    for ground in (theme.window, theme.panel, theme.raised):
        assert contrast(theme.text, ground) >= 7.0
        assert contrast(theme.muted, ground) >= 4.5
    assert contrast(theme.on_accent, theme.accent) >= 4.5


@pytest.mark.parametrize("theme", THEMES.values(), ids=lambda theme: theme.name)
def test_colours_that_mean_something_stand_out(theme):
    meanings = ("left", "right", "centre", "source", "extreme", "contact", "problem")
    for name in meanings:
        for ground in (theme.panel, theme.ground, theme.sky):
            assert contrast(getattr(theme, name), ground) >= 2.4, (name, ground)
    for one, other in combinations(meanings, 2):
        assert getattr(theme, one) != getattr(theme, other)


def test_contrast_is_the_known_ratio():
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21.0)
    assert contrast("#777777", "#FFFFFF") == pytest.approx(4.48, abs=0.01)


def test_dark_and_light_have_the_same_parts():
    assert set(vars(DARK)) == set(vars(LIGHT))


@pytest.mark.parametrize("theme", THEMES.values(), ids=lambda theme: theme.name)
@pytest.mark.parametrize(("name", "tint"), [("tick", "on_accent"), ("dash", "on_accent"), ("drop_down", "muted")])
def test_drawings_that_a_style_sheet_cannot_tint_have_the_colours_of_their_theme(theme, name, tint):
    assert f'stroke="{getattr(theme, tint)}"' in path_of("icons", f"{name}_{theme.name}.svg").read_text()
