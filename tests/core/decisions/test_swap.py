"""Swap sets: by hand, additive over the groups, equal to the paired differences of the analysis."""

import numpy as np
import pytest

from core.decisions import DecisionWorkspace, analyse, read_cursor
from core.decisions.passes.case_values import values_of
from core.decisions.studies.swap import compare_ways, way_at_depth, way_by_rule
from core.document.results import RowsNote
from payoff.errors import PayoffError
from tests.core.decisions.cases import THREE, mail_problem, model, outcome_of, posteriors

NOTE = RowsNote(use="all", text="all rows", rows=0)


def analysed(problem, *scores):
    workspace = DecisionWorkspace()
    result = analyse(problem, scores, workspace=workspace)
    return workspace, result


def swap(workspace, depths=(None, None)):
    state = workspace.state
    ways = []
    for entry, depth in zip(state.models, depths, strict=True):
        values = values_of(state, entry)
        if depth is None:
            ways.append(way_by_rule(state.problem, values, entry.scores.name))
        else:
            ways.append(way_at_depth(values, entry, depth, entry.scores.name))
    return compare_ways(state.problem, values_of(state, state.models[0]), *ways, rows=NOTE)


def table(*probabilities):
    first = np.array(probabilities)
    return np.ascontiguousarray(np.vstack([first, 1 - first]))


def test_six_customers_by_hand():
    """Break-even 6.25 %. First mails 1 to 3, second mails 2 to 5; 2 and 4 respond."""
    first = table(0.2, 0.3, 0.1, 0.01, 0.01, 0.01)
    second = table(0.01, 0.3, 0.1, 0.2, 0.2, 0.01)
    outcome = np.array([1, 0, 1, 0, 1, 1], dtype=np.int32)
    problem = mail_problem(first, outcome=outcome, do_nothing="Do nothing")
    workspace, _ = analysed(problem, model(first, "one"), model(second, "two"))
    found = swap(workspace)
    cases = {name: found.group(name).cases for name in ("both", "first", "second", "neither")}
    assert cases == {"both": 2.0, "first": 1.0, "second": 2.0, "neither": 1.0}
    assert found.group("both").class_cases == (1.0, 1.0)
    assert found.group("second").class_cases == (1.0, 1.0)
    assert found.group("both").first == pytest.approx(24.0 - 1.6)
    assert found.group("first").first == pytest.approx(-1.6)
    assert found.group("second").second == pytest.approx(24.0 - 1.6)
    assert found.group("second").first == 0.0
    assert found.difference.estimate.value == pytest.approx(-1.6 - 22.4)
    assert found.group("second").event_rate.value == pytest.approx(0.5)
    assert found.moves == ((2.0, 1.0), (2.0, 1.0))
    assert found.first_depth == pytest.approx(0.5)
    assert found.second_depth == pytest.approx(4 / 6)


@pytest.mark.parametrize("priors", [None, np.array([0.1, 0.9])])
@pytest.mark.parametrize("cells", [None, THREE])
def test_groups_add_up_to_the_paired_difference_of_the_analysis(priors, cells):
    first, second = posteriors(600, 2, 1, steps=30), posteriors(600, 2, 2, steps=25)
    settings = {"priors": priors, "do_nothing": "Do nothing", "outcome": outcome_of(first)}
    problem = (
        mail_problem(first, **settings) if cells is None else mail_problem(first, cells, **settings)
    )
    workspace, result = analysed(problem, model(first, "one"), model(second, "two"))
    by_rule = swap(workspace)
    wanted = result.differences[0]
    assert by_rule.difference.estimate.value == pytest.approx(wanted.estimate.value)
    assert by_rule.difference.estimate.low == pytest.approx(wanted.estimate.low)
    assert by_rule.difference.p_value == pytest.approx(wanted.p_value)
    at_depth = swap(workspace, (0.317, 0.317))
    wanted = read_cursor(workspace, 0.317).differences[0]
    assert at_depth.difference.estimate.value == pytest.approx(wanted.estimate.value)
    assert at_depth.difference.estimate.high == pytest.approx(wanted.estimate.high)
    for found in (by_rule, at_depth):
        for what in ("cases", "first", "second"):
            parts = sum(getattr(group, what) for group in found.groups)
            assert parts == pytest.approx(getattr(found.everyone, what))
        gaps = sum(group.difference.value for group in found.groups)
        assert gaps == pytest.approx(found.difference.estimate.value)
        assert found.everyone.cases == pytest.approx(600.0)
    assert at_depth.first_depth == pytest.approx(0.317)
    assert at_depth.second_depth == pytest.approx(0.317)
    assert at_depth.moves == ()


def test_tied_cases_are_shared_and_the_least_moves():
    """All chances equal: at depths 0.3 and 0.5 three tenths are common, two tenths move."""
    same = table(*[0.2] * 10)
    problem = mail_problem(
        same, outcome=np.array([0, 1] * 5, dtype=np.int32), do_nothing="Do nothing"
    )
    workspace, _ = analysed(problem, model(same, "one"), model(same.copy(), "two"))
    found = swap(workspace, (0.3, 0.5))
    assert found.group("both").cases == pytest.approx(3.0)
    assert found.group("first").cases == pytest.approx(0.0)
    assert found.group("second").cases == pytest.approx(2.0)
    assert np.isnan(found.group("first").event_rate.value)


def test_the_rate_has_wilsons_interval():
    """7 of 20: 0.1812 to 0.5671 (Wilson 1927 by hand)."""
    probability = table(*[0.5] * 20)
    outcome = np.array([0] * 7 + [1] * 13, dtype=np.int32)
    problem = mail_problem(probability, outcome=outcome, do_nothing="Do nothing")
    workspace, _ = analysed(problem, model(probability, "one"), model(probability.copy(), "two"))
    rate = swap(workspace).group("both").event_rate
    assert rate.value == pytest.approx(0.35)
    assert (rate.low, rate.high) == pytest.approx((0.18119, 0.56715), abs=1e-4)


def test_ways_of_different_cases_are_refused():
    first = posteriors(30, 2, 1)
    workspace, _ = analysed(mail_problem(first), model(first, "one"))
    state = workspace.state
    values = values_of(state, state.models[0])
    way = way_by_rule(state.problem, values, "one")
    short = type(way)(
        label="two", share=way.share[:-1], acted=way.acted[:-1], rested=way.rested[:-1]
    )
    with pytest.raises(PayoffError, match="same cases"):
        compare_ways(state.problem, values, way, short, rows=NOTE)
