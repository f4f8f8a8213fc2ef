"""Rows of numbers as text: fast or careful, the same numbers."""

import math

import numpy as np
import pytest

from model.files.numbers import RowReader, rows_as_text, split_glued, to_number
from model.files.problems import Problems

RNG = np.random.default_rng(2)


def read(text, columns, problems=None):
    data = text if isinstance(text, bytes) else text.encode()
    return RowReader("rows", columns, 1, None, problems or Problems()).read(data)


def test_written_rows_read_back_the_same_to_the_last_bit():
    values = RNG.normal(size=(3000, 7)) * 10.0 ** RNG.integers(-12, 8, size=(3000, 7))
    np.testing.assert_array_equal(read(b"".join(rows_as_text(values)), 7), values)


def test_negative_zero_is_written_as_zero():
    assert b"".join(rows_as_text(np.array([[-0.0, 1.0]]))) == b"0.0 1.0\n"


@pytest.mark.parametrize("blank", [" ", "  ", "\t", " \t "])
@pytest.mark.parametrize("end", ["\n", " \n", "\n\n", "\n \n", "\t\n"])
def test_regular_and_untidy_text_read_alike(blank, end):
    values = np.round(RNG.normal(size=(400, 90)), 6)
    text = "".join(blank.join(f"{value:.6f}" for value in row) + end for row in values)
    problems = Problems()
    np.testing.assert_array_equal(read(text, 90, problems), values)
    assert problems.all() == ()


def test_irregular_line_far_into_the_file_is_named():
    values = np.round(RNG.normal(size=(5000, 30)), 6)
    lines = [" ".join(f"{value:.6f}" for value in row) for row in values]
    lines[4321] = lines[4321].replace(" -", "-")
    problems = Problems()
    np.testing.assert_array_equal(read("\n".join(lines), 30, problems), values)
    assert problems.all()[0].line == 4322


def test_numbers_are_told_from_words():
    for token, value in {"1": 1, "-.5": -0.5, "+3.": 3, "1e3": 1000, "1D3": 1000, "007": 7}.items():
        assert to_number(token) == value
    for token in ("nan", "-NaN", "inf", "1.#QNAN", "-1.#IND", "nan(0x1)"):
        assert math.isnan(to_number(token))
    for token in ("", "-", "1e", "0x1", "1_0", "1,5", "abc", "1.2.3", "e5", "\u0661"):
        assert to_number(token) is None


def test_glued_numbers_come_apart_at_their_signs_only():
    assert split_glued("0.0-7.5") == ["0.0", "-7.5"]
    assert split_glued("1e-5-2e+3+4") == ["1e-5", "-2e+3", "+4"]
    assert split_glued("-1.5") == ["-1.5"]
