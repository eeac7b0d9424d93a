"""Expressions over columns: what they give, what is missing and counted, what is refused."""

from __future__ import annotations

import math
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.data import LoadedTable, from_data
from core.data.expressions import Texts, evaluate_expression, row_filter
from core.document.data.expressions import Node, column_names, parse, quoted
from payoff.errors import PayoffError


def people() -> LoadedTable:
    return from_data(
        {
            "age": [25.0, 30.0, None, 61.0],
            "region": ["N", "S", "N", None],
            "code": ["1", "1.0", " 2", "007"],
            "spent": [0.0, 10.0, -4.0, 1e200],
            "is new": [True, False, None, True],
            "visits": [0, 2, 4, 5],
        }
    )


def kept(text: str) -> list[bool]:
    return list(row_filter(people(), text)[0])


def numbers(text: str) -> list[float]:
    value = evaluate_expression(people(), text).value
    assert not isinstance(value, Texts)
    return [float(v) for v in value]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('age >= 30 and region == "N"', [False, False, False, False]),
        ('age < 30 or region = "N"', [True, False, True, False]),
        ("age ≥ 30", [False, True, False, True]),
        ("30 <= age < 61", [False, True, False, False]),
        ('not region = "N"', [False, True, False, False]),
        ('region <> "N"', [False, True, False, False]),
        ('region in ("S", "W")', [False, True, False, False]),
        ('region not in ("S", "W")', [True, False, True, False]),
        ("region is missing", [False, False, False, True]),
        ("age is not missing", [True, True, False, True]),
        ("code = 1", [True, True, False, False]),
        ('code = "2"', [False, False, True, False]),
        ("code = 7", [False, False, False, False]),
        ('visits = "2.0"', [False, True, False, False]),
        ("[is new]", [True, False, False, True]),
        ("[is new] = false", [False, True, False, False]),
        ('contains(region, "n")', [True, False, True, False]),
        ("`is new` and age < 30 or visits > 3", [True, False, True, True]),
    ],
)
def test_a_filter_keeps_the_rows_for_which_it_is_true(text: str, expected: list[bool]) -> None:
    assert kept(text) == expected


def test_rows_whose_condition_is_not_known_are_left_out_and_counted() -> None:
    assert row_filter(people(), "age >= 30")[1] == 1
    # false whatever the age is
    assert row_filter(people(), 'age >= 30 and region = "S"')[1] == 1


@pytest.mark.parametrize(
    ("text", "expected", "lost"),
    [
        ("visits / spent", [math.nan, 0.2, -1.0, 5e-200], {"division by zero": 1}),
        ("ratio(spent, visits)", [math.nan, 5.0, -1.0, 2e199], {"division by zero": 1}),
        (
            "log(spent)",
            [math.nan, math.log(10), math.nan, math.log(1e200)],
            {"log of 0 or less": 2},
        ),
        (
            "sqrt(spent)",
            [0.0, math.sqrt(10), math.nan, 1e100],
            {"square root of a negative number": 1},
        ),
        ("spent * spent", [0.0, 100.0, 16.0, math.nan], {"a result too large for a number": 1}),
        ("exp(visits) * 0 + abs(-2)", [2.0, 2.0, 2.0, 2.0], {}),
        ("min(age, 50, visits * 20)", [0.0, 30.0, math.nan, 50.0], {}),
        ("if(visits > 2, visits, -visits)", [0.0, -2.0, 4.0, 5.0], {}),
        ("age - -visits", [25.0, 32.0, math.nan, 66.0], {}),
        ("round(spent / 3, 1)", [0.0, 3.3, -1.3, pytest.approx(1e200 / 3)], {}),
    ],
)
def test_numbers_and_what_arithmetic_cannot_answer(
    text: str, expected: list[float], lost: dict[str, int]
) -> None:
    assert numbers(text) == pytest.approx(expected, nan_ok=True)
    assert evaluate_expression(people(), text).lost == lost


def test_bands_are_texts_and_an_edge_belongs_to_the_band_above() -> None:
    found = evaluate_expression(people(), "bands(age, 30, 60)")
    assert found.kind == "text"
    assert found.as_column().to_pylist() == ["below 30", "30 to below 60", None, "60 and over"]


def test_texts_and_conditions_become_columns() -> None:
    chosen = (
        evaluate_expression(people(), 'if(visits > 2, "often", "seldom")').as_column().to_pylist()
    )
    assert chosen == ["seldom", "seldom", "often", "often"]
    assert evaluate_expression(people(), "age > 30").as_column().to_pylist() == [
        False,
        False,
        None,
        True,
    ]
    assert evaluate_expression(people(), "1").as_column().to_pylist() == [1.0] * 4


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "is empty"),
        ("age >=", "ends too early"),
        ("age => 30", "where a number, a text or a column is due"),
        ("Age >= 30", "There is “age”"),
        ("region > 3", "a cell is no number"),
        ('region > "N"', "texts, which have no order"),
        ('age = "old"', "holds no texts"),
        ("age", "true or false for each row"),
        ("age and visits", "neither true nor false"),
        ('if(age > 3, "a", 1)', "a text in one case"),
        ("bands(age, 30, 20) = 1", "have to rise"),
        ("bands(age, visits) = 1", "plain numbers"),
        ('region = "N', "opened has to be closed"),
        ("__import__('os')", "no function called “__import__”"),
        ("log(1, 2) > 1", "It needs 1"),
        ("age is old", "“is” without “missing”"),
        ("+".join(["1"] * 400) + "> 1", "too long"),
        ("not " * 60 + "true", "too many brackets"),
        ("age >= 30; drop", "has a “;”"),
    ],
)
def test_what_cannot_be_answered_is_refused_with_the_reason(text: str, what: str) -> None:
    with pytest.raises(PayoffError) as caught:
        row_filter(people(), text)
    assert what in str(caught.value)


@given(st.text(max_size=60))
def test_no_text_does_anything_but_give_a_tree_or_a_refusal(text: str) -> None:
    with suppress(PayoffError):
        assert isinstance(parse(text), Node)


def test_columns_of_an_expression_are_named_once_in_their_order() -> None:
    assert column_names('age > 3 and [is new] or log(age) < `x[1]` and "N" = true') == (
        "age",
        "is new",
        "x[1]",
    )
    assert [quoted(name) for name in ("age", "is new", "and", "x[1]")] == [
        "age",
        "[is new]",
        "[and]",
        "`x[1]`",
    ]


def test_dates_are_compared_by_time() -> None:
    days = np.array(["2024-01-31", "2024-02-01", "NaT"], dtype="datetime64[D]")
    table = from_data({"day": days})
    assert list(row_filter(table, 'day >= "2024-02-01"')[0]) == [False, True, False]
    assert row_filter(table, 'day < "2024-02-01"')[1] == 1
