"""Numbers as people read them."""

from __future__ import annotations

import math

import pytest

from core.document import wording

NBSP = wording.NBSP


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (12294.4, "€~12,294"),
        (-6400.0, "−€~6,400"),
        (1.6, "€~1.60"),
        (615.0, "€~615"),
        (0.0, "€~0"),
        (0.0025, "€~0.0025"),
        (-0.001, "−€~0.001"),
        (-1e-7, "€~0.00"),
        (math.nan, "–"),
    ],
)
def test_money(value: float, text: str) -> None:
    assert wording.format_money(value) == text.replace("~", NBSP)


def test_money_with_a_plus() -> None:
    assert wording.format_money(18694, sign=True) == f"+€{NBSP}18,694"
    assert wording.format_money(0, sign=True) == f"€{NBSP}0"


@pytest.mark.parametrize(
    ("share", "text"), [(0.213, "21.3~%"), (0.005, "0.50~%"), (1.0, "100.0~%"), (0.0, "0.0~%")]
)
def test_shares(share: float, text: str) -> None:
    assert wording.format_share(share) == text.replace("~", NBSP)


@pytest.mark.parametrize(
    ("probability", "text"),
    [
        (0.0625, "6.25~%"),
        (1 / 11, "9.09~%"),
        (0.000123, "0.012~%"),
        (4e-10, "0.000000040~%"),
        (math.nan, wording.UNDEFINED),
    ],
)
def test_thresholds(probability: float, text: str) -> None:
    assert wording.format_threshold(probability) == text.replace("~", NBSP)


def test_never_all_resamples_without_a_p_value() -> None:
    assert wording.format_ahead(998, 1000) == "ahead in 998 of 1,000 resamples"
    assert wording.format_ahead(1000, 1000).endswith("(p < 0.002)")
    assert wording.format_ahead(0, 1000).endswith("(p < 0.002)")
    assert wording.format_ahead(1000, 1000, 0.001).endswith("(p < 0.002)")
    assert wording.format_ahead(1000, 1000, 0.07).endswith("(p = 0.070)")
    assert wording.format_ahead(998, 1000, 0.07).endswith("(p = 0.070)")
    # never ahead, because both are always equal, is no sign of being behind
    assert wording.format_ahead(0, 1000, 1.0).endswith("0 of 1,000 resamples (p = 1.000)")
    assert wording.format_ahead(1000, 1000, 0.03).endswith("(p = 0.030)")
    assert wording.format_ahead(1000, 1000, 0.0001).endswith("(p < 0.002)")
    assert wording.format_certainty(994, 1000, 0.004).endswith("resamples (p = 0.004)")
    assert wording.format_certainty(0, 0, 0.31) == "p = 0.310"
    assert wording.format_certainty(0, 0, float("nan")) == ""
    assert wording.format_ahead(0, 1000, level=1000) == "level in all 1,000 resamples"
    level = wording.format_ahead(0, 1000, level=400)
    assert level == "ahead in 0, level in 400 of 1,000 resamples"


@pytest.mark.parametrize(
    ("value", "text"), [(1_280_000.0, "1.28~M"), (12_300.0, "12.3~k"), (640.0, "640")]
)
def test_short(value: float, text: str) -> None:
    assert wording.format_short(value) == text.replace("~", NBSP)


@pytest.mark.parametrize(
    ("size", "text"),
    [(640, "640~bytes"), (1_666_127, "1.7~MB"), (229e6, "229~MB"), (3e9, "3.0~GB")],
)
def test_sizes(size: float, text: str) -> None:
    assert wording.format_bytes(size) == text.replace("~", NBSP)


@pytest.mark.parametrize(
    ("values", "decimals"),
    [
        ((800.0000001, 2605.4), 0),
        ((85.25, 2605.0), 0),
        ((85.25, 12.0), 2),
        ((85.0, 12.0), 0),
        ((0.004,), 3),  # less than a cent is no zero
        ((math.nan, 5.5), 2),
        ((), 0),
    ],
)
def test_amounts_read_together_have_the_digits_of_the_largest(values, decimals) -> None:
    assert wording.estimate_decimals(*values) == decimals


def test_an_amount_that_is_whole_to_the_cent_has_no_cents() -> None:
    assert wording.format_money(800.0000001, sign=True) == f"+€{NBSP}800"


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("gbm 2", "gbm 2"),
        ("logit", "logit"),
        ("with gene test", "“with gene test”"),
        ("model", "“model”"),
        ("", ""),
    ],
)
def test_a_name_of_several_words_is_quoted_in_a_sentence(name: str, shown: str) -> None:
    assert wording.name_in_text(name) == shown


def test_small_numbers_keep_two_digits():
    """0.015 and 0.0225 points are no "0.02"; what is nothing is not written out."""
    assert [wording.format_points(v) for v in (0.00015, 0.000225, 0.0005, 0.0766, 0.0)] == [
        "0.015",
        "0.022",
        "0.05",
        "7.66",
        "0.00",
    ]
    assert wording.format_share(0.000225) == f"0.022{NBSP}%"
    assert wording.format_share(0.0025) == f"0.25{NBSP}%"
    assert wording.format_share(1e-9) == f"0.00{NBSP}%"
    assert (
        wording.small_decimals(0.0034, -0.02, 0.5) == 2
    )  # the largest of those read together decides
