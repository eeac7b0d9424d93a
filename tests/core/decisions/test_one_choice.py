"""One choice: every kernel that chooses from expected consequences chooses as exact fractions do.

Amounts, costs and weights are multiples of 1/4 and chances of 1/8, so that nothing rounds and many
decisions tie. Which kernel decides goes by the shape of the problem: two or three classes and up to
four decisions, more of either, costs by case, shares of an amount, leaves.
"""

from __future__ import annotations

import ast
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
from hypothesis import example, given, settings
from hypothesis import strategies as st

from core.decisions import (
    CaseAmounts,
    DecisionProblem,
    DecisionWorkspace,
    LeafCases,
    ModelScores,
    analyse,
    decide_cases,
    total_cases,
)
from core.decisions.depths.cut import DepthCut, decide_all
from core.decisions.passes.case_codes import coded_cases
from core.decisions.passes.case_values import values_of
from core.decisions.passes.cases import chosen_decisions
from core.decisions.passes.rating_kernels import DECISION, NO_CODE, REST
from core.decisions.sensitivity.break_even import break_even, stand
from core.decisions.sensitivity.changes import cell_change
from core.decisions.sensitivity.map_totals import SampledTotals, draw_part, number_settings
from core.decisions.sensitivity.what_if import what_if
from core.decisions.studies.outputs import predicted_classes
from core.decisions.ties import first_best


def problem_of(seed):
    """A problem of any shape, its cells with ties between decisions."""
    source = np.random.default_rng(seed)
    rows, levels = int(source.integers(8, 33)), int(source.integers(2, 5))
    decisions = int(source.integers(2, 7))
    cells = source.integers(-8, 9, (levels, decisions)) / 4.0
    if source.random() < 0.5:
        cells[:, source.integers(decisions)] = cells[:, 0]  # equal consequences
    if source.random() < 0.5:
        cells[:, -1] = 0.0
    cuts = np.sort(source.integers(0, 9, (rows, levels - 1)), axis=1)
    edges = np.hstack([np.zeros((rows, 1)), cuts, np.full((rows, 1), 8.0)])
    outcome = source.integers(0, levels, rows).astype(np.int32)
    outcome[:levels] = np.arange(levels)
    given_: dict = {}
    if source.random() < 0.5:
        given_["frequency"] = source.integers(1, 5, rows).astype(float)
    if source.random() < 0.5:
        place = int(source.integers(decisions))
        given_["cost_columns"] = {place: source.integers(0, 9, rows) / 4.0}
    if source.random() < 0.4:
        slopes = np.where(source.random((levels, decisions)) < 0.5, 0.5, 0.0)
        values = source.integers(0, 9, rows) / 4.0
        given_["amounts"] = CaseAmounts(values=values, slopes=slopes, name="amount")
    problem = DecisionProblem(
        levels=tuple("abcd"[:levels]),
        decisions=("Act", "Call", "Write", "Meet", "Wait", "Rest")[:decisions],
        cells=cells,
        outcome=outcome,
        **given_,
    )
    probabilities = np.ascontiguousarray(np.diff(edges, axis=1).T / 8.0)
    return problem, ModelScores(name="m", posteriors=probabilities)


def exact_values(problem, model):
    """What every decision promises in every case, as fractions: lists (cases) of (decisions)."""
    found = []
    for row, probabilities in enumerate(model.posteriors.T):
        values = []
        for place in range(len(problem.decisions)):
            value = Fraction(0)
            for level, probability in enumerate(probabilities):
                cell = Fraction(problem.cells[level, place])
                if problem.amounts is not None:
                    slope = Fraction(problem.amounts.slopes[level, place])
                    cell += slope * Fraction(problem.amounts.values[row])
                value += cell * Fraction(probability)
            if place in problem.cost_columns:
                value -= Fraction(problem.cost_columns[place][row])
            values.append(value)
        found.append(values)
    return found


def first_highest(values, skipped=-1):
    places = [place for place in range(len(values)) if place != skipped]
    return max(places, key=lambda place: (values[place], -place))


SEEDS = st.integers(0, 10**6)


@given(SEEDS)
@example(3)
@settings(max_examples=60, deadline=None)
def test_every_kernel_chooses_as_fractions_do(seed):
    problem, model = problem_of(seed)
    exact = exact_values(problem, model)
    wanted = np.array([first_highest(values) for values in exact])
    acting = problem.acting_index
    rest = np.array([first_highest(values, acting) for values in exact])

    decided = decide_cases(problem, model)
    np.testing.assert_array_equal(decided.decision, wanted)
    np.testing.assert_array_equal(decided.expected, [float(max(values)) for values in exact])
    np.testing.assert_array_equal(chosen_decisions(problem, model), wanted)

    with_zero_cost = {**problem.cost_columns}  # costs by case leave the quickest kernels aside
    with_zero_cost.setdefault(len(problem.decisions) - 1, np.zeros(len(wanted)))
    costed = decide_cases(replace(problem, cost_columns=with_zero_cost), model)
    np.testing.assert_array_equal(costed.decision, wanted)
    own_leaves = replace(model, leaf=LeafCases(code=np.arange(len(wanted))))
    np.testing.assert_array_equal(decide_cases(problem, own_leaves).decision, wanted)
    np.testing.assert_array_equal(first_best(np.array(exact, dtype=float).T, 0.0), wanted)

    workspace = DecisionWorkspace()
    analyse(problem, (model,), workspace=workspace)
    state = workspace.state
    assert state is not None
    coded = coded_cases(state, state.models[0], is_copy=True)
    assert (coded.code != NO_CODE).all()
    np.testing.assert_array_equal(coded.parts[coded.code, DECISION], wanted)
    np.testing.assert_array_equal(coded.parts[coded.code, REST], rest)
    for value, decision in ((-np.inf, np.full(len(wanted), acting)), (np.inf, rest)):
        cut = DepthCut(depth=0.0, value=value, kind="advantage", side="above")
        np.testing.assert_array_equal(decide_all(problem, model, cut).decision, decision)
    values = values_of(state, state.models[0])
    np.testing.assert_array_equal(values.own_decision(), wanted)
    np.testing.assert_array_equal(values.rest_decision(), rest)


@given(SEEDS)
@settings(max_examples=25, deadline=None)
def test_every_total_of_a_problem_of_any_shape_is_one_total(seed):
    problem, model = problem_of(seed)
    total = total_cases(problem, decide_cases(problem, model)).total
    assert analyse(problem, (model,)).models[0].total.value == total
    tried = what_if(problem, replace(problem), (model,))[0]
    assert (tried.now.value, tried.kept.value, tried.remade.value) == (total, total, total)
    if problem.is_laid_out:  # their numbers cannot be moved
        return
    assert break_even(problem, (model,)).total == total
    standing = stand(problem, (model,))
    changes = cell_change(problem, 0, 0), cell_change(problem, 1, 1)
    now = np.array([changes[0].now]), np.array([changes[1].now])
    here = number_settings(problem, changes, now, standing.class_cases)
    part = draw_part(standing.cases, 0, 10_000)
    assert part.is_whole
    sampled = SampledTotals(problem, (model,), part)
    assert float(sampled.of_models(here)[0, 0]) == total


def test_the_predicted_class_goes_by_the_same_rule():
    probabilities = np.array(
        [[0.5, 0.2, np.nan, 0.4], [0.5, 0.8, 0.5, 0.4 + 5e-9], [0.0, 0.0, 0.5, 0.2]]
    )
    np.testing.assert_array_equal(predicted_classes(probabilities), [0, 1, -1, 0])


RULE_OF_TIES = {"better", "first_best", "first_best_of", "peak"}
KERNELS = {
    "passes/case_blocks.py: best_of_four",
    "passes/case_blocks.py: _keep_better",
    "depths/chance_curve.py: _rule_position",
    "sensitivity/map_totals.py: _block",
    "sensitivity/map_totals.py: _choose_block",
    "passes/per_case_values.py: _best_of",
}
"""Where decisions are chosen from expected consequences: docs/decisions.md says why there."""
OF_TOTALS_AND_CELLS = {
    "analysis.py: _rest",
    "depths/best_depth.py: best_range",
    "limits/frontier.py: climb",
    "sensitivity/break_even.py: best",
    "sensitivity/break_even.py: best_constant",
    "sensitivity/winner_map.py: _ranked",
    "number_targets/rule.py: prediction_regions",
    "studies/outputs.py: predicted_classes",
    "advice/threshold_forms.py: diagonal_form",
    "advice/thresholds.py: decision_regions",
    "ties.py: first_best_of",
}
"""Where the same rule chooses a model, a total, a class or a decision for a whole region."""
OTHER_HIGHEST = {
    "advice/linter.py: _cost_advice",  # the first row of a kind
    "advice/linter.py: _prior_advice",  # the class whose share is furthest off
    "amounts.py: below_zero",  # the first row of a kind
    "depths/best_depth.py: __init__",  # depths, by the rounding of their own sums
    "depths/best_depth.py: _inspect",
    "limits/frontier.py: _steepest",  # slopes, then gains by the tolerance of ties
    "studies/reconciling.py: _by_ties",  # the rules of ties of other programs
    "ties.py: peak",
}


def test_nothing_else_chooses():
    found: dict[str, set[str]] = {}
    folder = Path(__file__).parents[3] / "core" / "decisions"
    for path in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                called = {
                    getattr(call.func, "id", getattr(call.func, "attr", ""))
                    for call in ast.walk(node)
                    if isinstance(call, ast.Call)
                }
                found[f"{path.relative_to(folder).as_posix()}: {node.name}"] = called
    by_rule = {place for place, called in found.items() if called & RULE_OF_TIES}
    assert by_rule == KERNELS | OF_TOTALS_AND_CELLS
    highest = {"argmax", "argmin", "nanargmax", "nanargmin"}
    assert {place for place, called in found.items() if called & highest} == OTHER_HIGHEST
