"""The rule as plain data: another file is decided as the first was."""

import numpy as np
import pytest

from core.decisions import decide_cases, rule_of
from payoff.errors import PayoffError

from .cases import THREE, mail_problem, model, posteriors
from .numbers import gift_problem, predictions
from .numbers import model as number_model


def test_a_rule_decides_as_its_analysis_does():
    table = posteriors(300, 2, steps=50)
    cost = np.random.default_rng(1).random(300)
    problem = mail_problem(
        table,
        THREE,
        priors=np.array([0.2, 0.8]),
        cost_columns={1: cost},
        cost_amounts=np.array([0.1, 0.0, 0.0]),
        do_nothing="Do nothing",
    )
    scores = model(table, old=np.array([0.4, 0.6]))
    rule = rule_of(problem, scores, cost_columns={"Call": "call_cost"})
    assert rule.tie_tolerance == 30.0 * 2**-41
    new = rule.problem(costs={"call_cost": cost})
    assert new.outcome is None
    first, second = decide_cases(problem, scores), decide_cases(new, rule.scores(table))
    assert np.array_equal(first.decision, second.decision)
    assert np.array_equal(first.expected, second.expected)


def test_refusals():
    table = posteriors(10, 2)
    problem = mail_problem(table, cost_columns={0: np.ones(10)})
    with pytest.raises(PayoffError, match="has no name"):
        rule_of(problem, model(table))
    rule = rule_of(problem, model(table), cost_columns={"Mail": "postage"})
    with pytest.raises(PayoffError, match="column 'postage'"):
        rule.problem()


def test_a_rule_of_a_number_keeps_its_knots():
    predicted = predictions(60)
    problem, scores = gift_problem(predicted, acting="Call"), number_model(predicted)
    rule = rule_of(problem, scores)
    again = rule.problem(actual=problem.actual)
    assert again.levels == problem.levels
    first, second = decide_cases(problem, scores), decide_cases(again, rule.predictions(predicted))
    assert np.array_equal(first.decision, second.decision)
    assert np.array_equal(first.computed, second.computed)
