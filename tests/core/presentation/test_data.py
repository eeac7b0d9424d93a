"""What is said and drawn of one column of the data; no window."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.document.data.results import ColumnDetail, ColumnSummary
from core.presentation.data import column_by_class, frequent_levels
from core.presentation.labels import Labels
from core.presentation.report.page import entry_html

AGE = ColumnSummary(
    name="age",
    kind="integer",
    rows=1000,
    missing=21,
    distinct=-1,
    minimum=18.0,
    maximum=90.0,
    mean=41.5,
    standard_deviation=11.25,
    levels=(("40", 4), ("41", 3)),
)
DETAIL = ColumnDetail(
    summary=AGE,
    bins=("below 0.3", "0.3 and more"),
    levels=("1", "0"),
    by_level=np.array([[0.4, 0.6], [0.9, 0.1]]),
)
LABELS = Labels(outcome="responded", levels=(("1", "responds"), ("0", "does not respond")))


def plain(text: str) -> str:
    return text.replace("\u00a0", " ")


def test_facts_of_a_column_and_its_values_by_outcome():
    view = column_by_class(DETAIL, LABELS)
    assert (view.key, view.title) == ("age", "age")
    (facts,) = view.tables  # no value is frequent
    assert [tuple(map(plain, row)) for row in facts.rows] == [
        ("Kind", "whole number"),
        ("Different values", "many"),
        ("Missing", "21 (2.1 %)"),
        ("Mean", "41.5"),
        ("Standard deviation", "11.2"),
        ("Smallest … largest", "18 … 90"),
    ]
    (chart,) = view.charts
    assert chart.title == "Shares, by responded"
    many = replace(DETAIL, bins=("below 0.1", "0.1 to 0.25", "0.25 and more"))
    many = replace(many, by_level=np.full((len(DETAIL.levels), 3), 1 / 3))
    (drawn,) = column_by_class(many, LABELS).charts
    assert drawn.x_axis.words == ("below 0.100", "0.100 to 0.250", "0.250 and more")
    assert chart.x_axis.words == ("below 0.30", "0.30 and more")
    assert [(group.name, group.series) for group in chart.bars] == [
        *(("responds", 0), ("does not respond", -1)),
    ]
    assert [list(group.y) for group in chart.bars] == [[0.4, 0.6], [0.9, 0.1]]
    assert chart.bars[0].offset == -chart.bars[1].offset
    assert "<svg" in entry_html(view).text


def test_frequent_values_are_named_in_the_words_of_the_file():
    region = replace(
        AGE, distinct=2, levels=(("1", 600), ("", 400)), value_labels=(("1", "North"),)
    )
    assert [tuple(map(plain, row)) for row in frequent_levels(region)] == [
        *(("North (1)", "600", "60.0 %"), ("(empty)", "400", "40.0 %")),
    ]
    assert len(column_by_class(replace(DETAIL, summary=region), LABELS).tables) == 2
    many = replace(AGE, levels=(("40", 5),))
    assert frequent_levels(many) == (("40", "5", "0.50\u00a0%"),)


@pytest.mark.parametrize(
    ("labels", "title"),
    [
        (Labels(), "All rows"),
        (Labels(where="age > 30"), "All rows, where age > 30"),
        (replace(LABELS, where="age > 30"), "Shares, by responded, where age > 30"),
    ],
)
def test_which_rows_and_classes_the_bars_are_of(labels, title):
    assert column_by_class(DETAIL, labels).charts[0].title == title


def test_three_classes_have_a_colour_each_and_names_stay():
    three = replace(
        DETAIL, bins=("North", "South"), levels=("a", "b", "c"), by_level=np.full((3, 2), 0.5)
    )
    (chart,) = column_by_class(three, LABELS).charts
    assert [group.series for group in chart.bars] == [0, 1, 2]
    assert chart.x_axis.words == ("North", "South")


def test_codes_on_the_axis_have_the_words_of_the_file():
    coded = replace(DETAIL, bins=("0", "1", "9"), by_level=np.full((2, 3), 1 / 3))
    words = replace(LABELS, codes=(("age", (("0", "alive"), ("1", "dead"))),))
    (chart,) = column_by_class(coded, words).charts
    assert chart.x_axis.words == ("alive (0)", "dead (1)", "9")


@pytest.mark.parametrize(
    ("shares", "stands_above"),
    [
        ((0.25, 0.24, 0.26, 0.25), True),
        ((0.5, 0.3, 0.1, 0.1), False),
        ((0.1, 0.1, 0.3, 0.5), False),
    ],
)
def test_the_read_out_stands_above_bars_that_leave_no_corner(shares, stands_above):
    bins = tuple("abcd")
    detail = replace(DETAIL, bins=bins, by_level=np.array([shares, shares]))
    (chart,) = column_by_class(detail, LABELS).charts
    assert (chart.headroom > 40) is stands_above
