"""Totals, priors, matrices and cursor of page Decide, against plain numpy."""

from dataclasses import replace

import numpy as np
import pytest

from core.document.decisions.matrix_model import CostSpec, MatrixKind, MatrixSpec
from core.document.model import OldPriorKind, TargetSpec
from core.engine.messages import Ask
from core.questions.decide import AtDepth, Resamples, Totals
from payoff.errors import PayoffError
from tests.core.engine.jobs.sums import own_profit, used, with_priors


def test_totals_are_those_of_the_rule(engine, document, columns):
    result = engine.ask(document, Totals())
    rows = used(columns)
    assert result.rows.use == "validation"
    assert [model.model for model in result.models] == ["good", "rough"]
    for model, column in zip(result.models, ("p_good", "p_rough"), strict=True):
        assert model.total.value == pytest.approx(own_profit(columns, rows, column))
        assert model.total.low < model.total.value < model.total.high
    assert result.rule_threshold == pytest.approx(0.2)


def test_an_edited_cell_changes_the_total(engine, document, columns):
    edited = replace(document.matrix, cells=((18.0, 0.0), (-2.0, 0.0)))
    result = engine.ask(replace(document, matrix=edited), Totals())
    rows = used(columns)
    acts = columns["p_good"][rows] > 0.1
    event = np.array(columns["outcome"])[rows] == "yes"
    expected = np.where(acts, np.where(event, 18.0, -2.0), 0.0).sum()
    assert result.models[0].total.value == pytest.approx(expected)


def test_rows_of_the_matrix_follow_the_levels_not_their_place(engine, document):
    turned = replace(document.matrix, levels=("no", "yes"), cells=document.matrix.cells[::-1])
    first = engine.ask(document, Totals())
    second = engine.ask(replace(document, matrix=turned), Totals())
    np.testing.assert_array_equal(first.cells, second.cells)
    assert first.models[0].total == second.models[0].total


def test_a_worded_template_gives_cells_and_reason(engine, document):
    worded = MatrixSpec(
        template="payoff.direct_mail",
        kind=MatrixKind.PROFIT,
        levels=("yes", "no"),
        decisions=(),
        cells=(),
        acting="",
        parameters=(("letter_cost", 2.0), ("response_value", 10.0)),
    )
    result = engine.ask(replace(document, matrix=worded), Totals())
    np.testing.assert_allclose(result.cells, [[8.0, 0.0], [-2.0, 0.0]])
    assert result.decisions == ("Mail", "Do nothing")
    assert result.acting == "Mail"
    assert result.rule_threshold == pytest.approx(0.2)
    assert "a letter costs" in result.rule_reason
    assert "A response brings" in result.rule_reason


def test_costs_of_columns_and_constants_count(engine, document, columns):
    revenue = replace(
        document.matrix,
        template="payoff.revenue",
        kind=MatrixKind.REVENUE,
        cells=((10.0, 0.0), (0.0, 0.0)),
        costs=(CostSpec(column="cost"), CostSpec(amount=0.25)),
    )
    result = engine.ask(replace(document, matrix=revenue), Totals())
    rows = used(columns)
    probability, cost = columns["p_good"][rows], columns["cost"][rows]
    event = np.array(columns["outcome"])[rows] == "yes"
    acts = 10 * probability - cost > -0.25
    expected = np.where(acts, 10.0 * event - cost, -0.25).sum()
    assert result.models[0].total.value == pytest.approx(expected)


def test_a_class_that_never_trained_cannot_be_weighted_up(engine, document):
    shares = (("yes", 0.0), ("no", 1.0))
    requested = with_priors(document, OldPriorKind.TRAINED_AT, shares)
    with pytest.raises(PayoffError, match=r"prior of 'yes' is .*, but no training row"):
        engine.ask(requested, Totals())


def test_only_models_with_known_shares_are_corrected(engine, document, columns):
    result = engine.ask(with_priors(document, OldPriorKind.TRAINED_AT), Totals())
    rows = used(columns)
    probability = columns["p_good"][rows]
    corrected = probability * 0.2 / (probability * 0.2 + (1 - probability) * 1.8)
    event = np.array(columns["outcome"])[rows] == "yes"
    weight = np.where(event, 0.1 * len(event) / event.sum(), 0.9 * len(event) / (~event).sum())
    as_it_stands = columns["p_rough"][rows]
    for model, probability in zip(result.models, (corrected, as_it_stands), strict=True):
        expected = (weight * np.where(probability > 0.2, np.where(event, 8.0, -2.0), 0.0)).sum()
        assert model.total.value == pytest.approx(expected)
    assert result.class_weight.sum() == pytest.approx(rows.sum())


def test_unknown_shares_are_warned_of_and_not_corrected(engine, document):
    result = engine.ask(with_priors(document, OldPriorKind.UNKNOWN, ()), Totals())
    corrected = engine.ask(with_priors(document, OldPriorKind.CORRECTED, ()), Totals())
    assert result.models[0].total == corrected.models[0].total
    assert any("'good'" in text and "not corrected" in text for text in result.warnings)


def test_known_shares_without_priors_change_nothing_and_say_so(engine, document):
    requested = replace(with_priors(document, OldPriorKind.TRAINED_AT), priors=None)
    result = engine.ask(requested, Totals())
    plain = engine.ask(document, Totals())
    assert result.models[0].total == plain.models[0].total
    assert any("no priors are given" in text for text in result.warnings)


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"data": None}, "The project has no data."),
        ({"target": None}, "No column is named as the outcome."),
        ({"matrix": None}, "No decision matrix is set."),
        ({"priors": (("yes", 0.5),)}, "The priors do not fit the outcome's levels."),
        ({"models": ()}, "No model is known."),
        ({"target": TargetSpec(column="cost", kind="interval")}, "has no prediction column"),
    ],
)
def test_what_is_missing_is_named(engine, document, change, what):
    with pytest.raises(PayoffError, match=what):
        engine.ask(replace(document, **change), Totals())


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"levels": ("yes", "maybe")}, "do not fit the outcome's levels"),
        ({"cells": ((1.0, 2.0), (1.0,))}, "differ in length"),
        ({"cells": ((1.0,), (2.0,))}, "1 column for 2 decisions"),
        ({"costs": (CostSpec(),)}, "1 cost is given for 2 decisions"),
        ({"costs": (CostSpec(column="nowhere"), CostSpec())}, "no column 'nowhere'"),
        ({"costs": (CostSpec(column="use"), CostSpec())}, "use"),
        ({"template": "org.nobody"}, "no decision matrix 'org.nobody'"),
        ({"cells": ((float("nan"), 0.0), (1.0, 0.0))}, "missing"),
    ],
)
def test_a_matrix_that_does_not_fit_is_refused(engine, document, change, what):
    matrix = replace(document.matrix, **change)
    with pytest.raises(PayoffError, match=what):
        engine.ask(replace(document, matrix=matrix), Totals())


def test_cursor_reads_the_document_it_is_asked_about(engine, document, columns):
    first = engine.ask(document, AtDepth(depth=1.0))
    rows = used(columns)
    event = (np.array(columns["outcome"]) == "yes")[rows]
    assert first.profit[0] == pytest.approx(8 * event.sum() - 2 * (~event).sum())
    assert first.cases[0] == rows.sum()
    doubled = replace(document.matrix, cells=((16.0, 0.0), (-4.0, 0.0)))
    second = engine.ask(replace(document, matrix=doubled), AtDepth(depth=1.0))
    assert second.profit[0] == pytest.approx(2 * first.profit[0])
    third = engine.ask(document, AtDepth(depth=0.0))
    assert third.profit[0] == pytest.approx(0.0)


def test_resamples_are_paired_and_repeatable(engine, document):
    arguments = Ask.of(document, Resamples(depth=0.3, resamples=200))
    first = engine.run("decide.resamples", arguments)
    again = engine.run("decide.resamples", arguments)
    assert first.resamples == 200
    assert first.differences == again.differences
    difference = first.differences[0]
    assert (difference.first, difference.second) == ("good", "rough")
    assert 0 <= difference.ahead <= 200
