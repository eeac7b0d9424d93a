"""Fields of page Decide that are filled in together, without a window."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.document.decisions.matrix_model import NumberKind, NumberRef, NumberSetting, Scenario
from core.document.studies.decided_cases import SwapSide
from core.document.studies.moving_numbers import MapAxis, TriedNumber
from core.questions.decide_fields import (
    ALL,
    BEST,
    CURSOR,
    PINNED,
    RULE,
    SCENARIO,
    WITHIN,
    SwapWay,
    axis_fields,
    has_number,
    side_of,
    swap_fields,
    usual_ways,
    ways_left,
    which_cases,
    with_axis,
    with_way,
)
from tests.helpers.answers.synthetic import make_decisions, make_document

MAIL = NumberRef(kind=NumberKind.CELL, level="1", decision="Mail")
REST = NumberRef(kind=NumberKind.CELL, level="0", decision="Mail")
PRIOR = NumberRef(kind=NumberKind.PRIOR, level="1")
NUMBERS = (
    TriedNumber(number=MAIL, name="mail, responds", unit="money", now=24.0, low=0.0, high=48.0),
    TriedNumber(number=REST, name="mail, rest", unit="money", now=-1.6, low=-3.2, high=0.0),
    TriedNumber(number=PRIOR, name="share", unit="share", now=0.05, low=0.0, high=0.2),
)
AXES = (MapAxis(number=MAIL, low=10.0, high=30.0), MapAxis(number=PRIOR, low=0.0, high=0.1))


# ---------------------------------------------------------------- axes


def test_an_axis_is_a_number_and_its_ends():
    fields = {field.name: field for field in axis_fields(AXES, NUMBERS)}
    assert list(fields) == ["x", "x_low", "x_high", "y", "y_low", "y_high"]
    assert [option.words for option in fields["x"].options] == [
        "Mail, responds",
        "Mail, rest",
        "Share",
    ]
    assert (fields["x"].value, fields["x_low"].value, fields["x_high"].value) == (MAIL, 10.0, 30.0)
    assert (fields["x_low"].unit, fields["y_low"].unit, fields["y_high"].factor) == ("", "%", 100.0)
    assert fields["y_low"].spoken == "Up, lowest"


@pytest.mark.parametrize(
    ("name", "value", "wanted"),
    [
        ("x_low", 5, (replace(AXES[0], low=5.0), AXES[1])),
        ("y_high", 0.3, (AXES[0], replace(AXES[1], high=0.3))),
        ("x", REST, (MapAxis(number=REST, low=-3.2, high=0.0), AXES[1])),
        ("y", MAIL, (AXES[1], AXES[0])),  # what the other axis has: they change places
    ],
)
def test_a_field_of_an_axis_is_filled_in(name, value, wanted):
    assert with_axis(AXES, NUMBERS, name, value) == wanted


@pytest.mark.parametrize(
    ("number", "is_there"),
    [
        (MAIL, True),
        (replace(MAIL, decision="Write"), False),
        (PRIOR, True),
        (NumberRef(kind=NumberKind.PARAMETER, name="gone"), False),
        (NumberRef(kind=NumberKind.COST, decision="Mail"), False),
    ],
)
def test_a_number_that_is_gone_is_told_apart(number, is_there):
    document = make_document()
    assert has_number(document, number) == is_there
    assert not has_number(replace(document, matrix=None), number)


# ---------------------------------------------------------------- swap


def test_the_chosen_model_stands_against_the_next_or_against_its_best_depth():
    document, totals = make_document(), make_decisions()
    assert usual_ways(document, totals) == (SwapWay(model="gbm 2"), SwapWay(model="logit"))
    alone = replace(totals, models=totals.models[:1])
    assert usual_ways(document, alone)[1] == SwapWay(model="gbm 2", cut=BEST)


def test_a_way_that_is_gone_gives_way():
    document, totals = make_document(), make_decisions()
    gone = (SwapWay(model="gone", cut=CURSOR), SwapWay(model="agency", cut=f"{SCENARIO}gone"))
    assert ways_left(gone, document, totals) == (
        SwapWay(model="gbm 2", cut=CURSOR),
        SwapWay(model="agency", cut=RULE),
    )


def test_the_ways_are_four_fields():
    scenario = Scenario(name="bad year", settings=(NumberSetting(number=MAIL, value=2.0),))
    document = replace(make_document(), scenarios=(scenario,))
    ways = (SwapWay(model="gbm 2"), SwapWay(model="logit", cut=PINNED))
    fields = swap_fields(ways, document)
    assert [(field.name, field.value) for field in fields] == [
        ("first_model", "gbm 2"),
        ("first_cut", RULE),
        ("second_model", "logit"),
        ("second_cut", PINNED),
    ]
    assert fields[1].options[-1].words == "by the rule of “bad year”"
    changed = with_way(with_way(ways, "first_cut", BEST), "second_model", "agency")
    assert changed == (SwapWay(model="gbm 2", cut=BEST), SwapWay(model="agency", cut=PINNED))


@pytest.mark.parametrize(
    ("cut", "pinned", "wanted"),
    [
        (RULE, 0.3, {}),
        (CURSOR, 0.3, {"depth": 0.4}),
        (PINNED, 0.3, {"depth": 0.3}),
        (PINNED, None, {"depth": 0.4}),
        (f"{SCENARIO}bad year", None, {"scenario": "bad year"}),
    ],
)
def test_a_way_is_a_side_of_the_question(cut, pinned, wanted):
    side = side_of(SwapWay(model="logit", cut=cut), make_decisions(), 0.4, pinned)
    assert side == SwapSide(model="logit", **wanted)


def test_the_best_depth_is_that_of_the_model():
    totals = make_decisions()
    side = side_of(SwapWay(model="logit", cut=BEST), totals, 0.4, None)
    assert side.depth == totals.models[1].best_depth


# ---------------------------------------------------------------- cases


def test_the_list_may_be_of_one_decision():
    document, totals = make_document(), make_decisions()
    field = which_cases("Mail", document, totals)
    assert [option.value for option in field.options] == [ALL, WITHIN, "Mail", "Do nothing", ""]
    assert field.options[0].words == "All customers"
    assert field.value == "Mail"
    assert which_cases("Call", document, None).value == ALL
