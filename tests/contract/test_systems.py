"""Evaluation systems and the kit: ours pass, and each check fails one that was broken for it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import payoff
from payoff.spec_checks import spec_problems
from payoff.testing import check_spec
from payoff.testing.catalogue import FAMILY_CHECKS
from plugins.evaluation_systems.hooks import payoff_register_evaluation_systems
from plugins.evaluation_systems.linear import LINEAR_NOISE, LINEAR_THRESHOLD
from plugins.evaluation_systems.stocks import TRADING

SPECS = payoff_register_evaluation_systems()
draw_threshold, draw_noise = LINEAR_THRESHOLD.draw, LINEAR_NOISE.draw


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.id)
def test_built_in_systems_pass(spec):
    sheet = check_spec(spec)
    assert sheet.passed, f"\n{sheet}"
    assert {item.check for item in sheet} == {
        "Spec is filled in",
        *FAMILY_CHECKS["evaluation_systems"],
    }


@pytest.mark.parametrize("key", ["linear_threshold", "composed"])
def test_where_the_real_outcome_is_0_or_1_so_is_the_drawn_one_as_often(key):
    system = next(spec for spec in SPECS if spec.id == key)
    random = np.random.default_rng(3)
    outcome = np.repeat([1.0, 0.0], [12, 28])
    rows = payoff.SystemRows(
        names=("a", "b"),
        conditions=random.standard_normal((40, 2)),
        parameters=3,
        outcome=outcome,
    )
    theta = random.standard_normal((40, 3))
    subjects = payoff.Subjects(theta=theta, features=theta)
    drawn = system.draw(rows, subjects, random, {}).outcome
    assert sorted(drawn) == sorted(outcome)


def beyond(rows, subjects, random, parameters):
    drawn = draw_threshold(rows, subjects, random, parameters)
    return replace(drawn, outcome=3.0 * drawn.outcome)


def opposite(rows, subjects, random, parameters):
    drawn = draw_threshold(rows, subjects, random, parameters)
    return replace(drawn, answer=lambda places, others: 1.0 - drawn.answer(places, others))


def by_itself(rows, subjects, random, parameters):
    return draw_threshold(rows, subjects, np.random.default_rng(), parameters)


def over_all(rows, subjects, random, parameters):
    drawn = draw_noise(rows, subjects, random, parameters)

    def answer(places, others):
        found = drawn.answer(places, others)
        return found / found.max()

    return replace(drawn, outcome=answer(np.arange(rows.count), subjects), answer=answer)


def deaf(rows, subjects, random, parameters):
    drawn = draw_threshold(rows, subjects, random, parameters)
    return replace(drawn, answer=lambda places, _others: drawn.outcome[places])


def undemanding(rows, subjects, random, parameters):
    known = np.zeros(rows.count) if rows.outcome is None else rows.outcome
    mixed = replace(rows, outcome=np.where(np.arange(rows.count) < 20, 1.0, 0.5 * known))
    return draw_threshold(mixed, subjects, random, parameters)


def breaks_at_an_end(rows, subjects, random, parameters):
    if parameters["sharpness"] < 1e-3:
        raise ZeroDivisionError
    return draw_noise(rows, subjects, random, parameters)


def unmoved(rows, subjects, random, parameters):
    return draw_noise(rows, subjects, random, {"sharpness": 1.0})


def needs_many(rows, subjects, random, parameters):
    return draw_threshold(rows, subjects, random, {"row": rows.conditions[9, 0]} | parameters)


BROKEN = {
    "Outcomes lie in 0 to 1": replace(LINEAR_THRESHOLD, draw=beyond),
    "Outcome and answer agree": replace(LINEAR_THRESHOLD, draw=opposite),
    "Same answer again, inputs untouched": replace(LINEAR_THRESHOLD, draw=by_itself),
    "Answers belong to their rows": replace(LINEAR_NOISE, draw=over_all),
    "The subject matters": replace(LINEAR_THRESHOLD, draw=deaf),
    "What it needs is asked for": replace(LINEAR_THRESHOLD, draw=undemanding),
    "Ends of the parameters' ranges work": replace(LINEAR_NOISE, draw=breaks_at_an_end),
    "Every parameter matters": replace(LINEAR_NOISE, draw=unmoved),
    "A few rows are no trouble": replace(LINEAR_THRESHOLD, draw=needs_many),
    "Words are there": replace(
        LINEAR_NOISE, parameters=(replace(LINEAR_NOISE.parameters[0], words=" "),)
    ),
}


@pytest.mark.parametrize("check", FAMILY_CHECKS["evaluation_systems"])
def test_each_check_fails_the_system_that_was_broken_for_it(check):
    failed = {item.check for item in check_spec(BROKEN[check]).failures}
    assert check in failed


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        (replace(TRADING, id="Own trades"), "the id must be"),
        (replace(TRADING, help=" "), "help is empty"),
        (replace(TRADING, draw=None), "draw is not a function"),
        (replace(TRADING, needs=("gold",)), "needs has 'gold', not among"),
        (replace(TRADING, protocols="stock_timing"), "protocols must be a tuple"),
    ],
)
def test_a_spec_that_is_filled_in_wrongly_says_what(spec, words):
    assert any(words in text for text in spec_problems(spec))
    assert {item.check for item in check_spec(spec).failures} == {"Spec is filled in"}


def test_a_share_is_cut_exactly_and_ties_go_by_the_row():
    score = np.array([2.0, 1.0, 2.0, 0.0, 2.0])
    drawn = payoff.cut_at_share(score, lambda places, _others: score[places], 0.4)
    assert drawn.outcome.tolist() == [1.0, 0.0, 1.0, 0.0, 0.0]
    none = payoff.cut_at_share(score, lambda places, _others: score[places], 0.0)
    assert none.outcome.sum() == 0.0
