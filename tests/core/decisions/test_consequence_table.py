"""What decisions bring each case in each class, against the decision itself."""

import numpy as np
import pytest

from core.decisions import CaseAmounts, DecisionProblem, ModelScores, decide_cases
from core.decisions.passes.consequence_table import consequence_table
from core.document.decisions.matrix_model import MatrixKind
from core.document.model import OldPriorKind
from payoff.errors import PayoffError

LEVELS = ("yes", "no")


def problem(**more):
    settings = {
        "levels": LEVELS,
        "decisions": ("act", "wait"),
        "outcome": np.array([0, 1, 1], np.int32),
        "cells": np.array([[8.0, 0.0], [-2.0, 0.0]]),
        **more,
    }
    return DecisionProblem(**settings)


def test_classes_in_the_order_asked_with_costs_and_amounts():
    costs = {0: np.array([1.0, 2.0, np.nan])}
    slopes = np.array([[0.5, 0.0], [0.0, 0.0]])
    amounts = CaseAmounts(values=np.array([10.0, 0.0, 5.0]), slopes=slopes)
    found = consequence_table(problem(cost_columns=costs, amounts=amounts), ("no", "yes"))
    np.testing.assert_allclose(found[0], [[-3.0, 0.0], [12.0, 0.0]])
    np.testing.assert_allclose(found[1], [[-4.0, 0.0], [6.0, 0.0]])
    assert np.isnan(found[2, :, 0]).all()
    losing = consequence_table(problem(kind=MatrixKind.LOSS), LEVELS)
    np.testing.assert_allclose(losing[0], [[-8.0, 0.0], [2.0, 0.0]])


def test_scaled_to_the_priors_the_best_decision_is_that_of_corrected_chances():
    random = np.random.default_rng(4)
    probability = random.random(500)
    requested = problem(
        outcome=np.zeros(500, np.int32),
        priors=np.array([0.05, 0.95]),
        cost_columns={0: random.random(500)},
    )
    shares = np.array([0.5, 0.5])
    scores = ModelScores(
        name="m",
        posteriors=np.vstack([probability, 1 - probability]),
        old_kind=OldPriorKind.TRAINED_AT,
        old_priors=shares,
    )
    brings = consequence_table(requested, LEVELS, shares)
    expected = probability[:, None] * brings[:, 0] + (1 - probability[:, None]) * brings[:, 1]
    np.testing.assert_array_equal(
        np.argmax(expected, axis=1), decide_cases(requested, scores).decision
    )


def test_a_class_without_a_row_is_refused():
    with pytest.raises(PayoffError, match="no row for 'maybe'"):
        consequence_table(problem(), ("yes", "maybe"))
