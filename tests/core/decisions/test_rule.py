"""The rule as plain data: another file is decided as the first was."""

import json

import numpy as np
import pytest

from core.decisions import decide_cases, rule_from_record, rule_of
from payoff.errors import PayoffError

from .cases import THREE, mail_problem, model, posteriors
from .numbers import gift_problem, predictions
from .numbers import model as number_model


def test_a_rule_written_and_read_decides_the_same():
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
    again = rule_from_record(json.loads(json.dumps(rule.as_record())))
    assert again == rule
    assert again.tie_tolerance == 30.0 * 2**-41
    new = again.problem(costs={"call_cost": cost})
    assert new.outcome is None
    first, second = decide_cases(problem, scores), decide_cases(new, again.scores(table))
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
    with pytest.raises(PayoffError, match="does not fit: cells"):
        rule_from_record({k: v for k, v in rule.as_record().items() if k != "cells"})


def test_a_rule_of_a_number_keeps_its_knots():
    predicted = predictions(60)
    problem, scores = gift_problem(predicted, acting="Call"), number_model(predicted)
    record = json.loads(json.dumps(rule_of(problem, scores).as_record()))
    rule = rule_from_record(record)
    assert rule == rule_of(problem, scores)
    again = rule.problem(actual=problem.actual)
    assert again.levels == problem.levels
    first, second = decide_cases(problem, scores), decide_cases(again, rule.predictions(predicted))
    assert np.array_equal(first.decision, second.decision)
    assert np.array_equal(first.computed, second.computed)
    del record["knots"]  # as rules of classes were written before
    assert rule_from_record(record).knots is None
