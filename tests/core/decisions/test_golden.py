"""Worked numbers T1 to T5 (tests/golden/decisions.json)."""

import json
import math
from pathlib import Path

import numpy as np
import pytest

from core.decisions import (
    DecisionProblem,
    ModelScores,
    analyse,
    cut_off,
    decide_cases,
    prior_weights,
    total_cases,
)
from core.decisions.passes.cases import return_on_investment
from core.document.decisions.matrix_model import MatrixKind

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "decisions.json").read_text())


def campaign(priors=(0.05, 0.95)):
    """T1: cases of four kinds, with chances on either side of the break-even."""
    given = GOLDEN["T1"]
    (hit, missed), (wasted, spared) = given["counts"]
    probability = np.repeat([0.5, 0.01, 0.5, 0.01], [hit, missed, wasted, spared])
    problem = DecisionProblem(
        levels=("1", "0"),
        decisions=tuple(given["decisions"]),
        cells=np.array(given["cells"], dtype=float),
        outcome=np.repeat([0, 1], [hit + missed, wasted + spared]).astype(np.int32),
        priors=np.array(priors),
        do_nothing="Ignore",
    )
    return problem, ModelScores(name="tree", posteriors=np.vstack([probability, 1.0 - probability]))


def test_t1_totals_of_a_campaign():
    given = GOLDEN["T1"]
    problem, model = campaign()
    totals = total_cases(problem, decide_cases(problem, model))
    assert totals.prior_weights == pytest.approx(given["prior_weights"], abs=1e-10)
    assert totals.total == pytest.approx(given["total"], abs=5e-7)
    assert totals.average == pytest.approx(given["average"], abs=5e-7)
    assert totals.best_total == pytest.approx(given["best"], abs=1e-9)
    assert totals.counts.tolist() == given["counts"]
    cut = cut_off(problem)
    assert cut is not None
    assert cut.kind == "above"
    assert cut.probability == pytest.approx(given["break_even"], abs=1e-15)


def test_t1_in_the_analysis():
    given = GOLDEN["T1"]
    problem, model = campaign()
    result = analyse(problem, (model,))
    profit = result.models[0]
    assert profit.total.value == pytest.approx(given["total"], abs=5e-7)
    assert profit.average.value == pytest.approx(given["average"], abs=5e-7)
    assert profit.chart_end == pytest.approx(profit.total.value, abs=1e-9)
    assert profit.warnings == ()
    assert result.act_on_all == pytest.approx(given["solicit_all"], abs=1e-7)
    everyone = result.act_on_all / sum(sum(row) for row in given["counts"])
    assert everyone == pytest.approx(given["solicit_all_average"], abs=1e-7)
    assert result.perfect_total == pytest.approx(given["best"], abs=1e-9)
    assert result.class_weight.sum() == pytest.approx(11_112)


def test_t2_prior_weighted_error_looks_better_though_the_rare_class_is_missed():
    """An identity loss: the mean loss is the error; 80 % of the rare class stay wrong."""
    given = GOLDEN["T2"]
    rows = 1000
    level = np.repeat([0, 1], rows // 2).astype(np.int32)
    wrong = np.concatenate(
        [np.arange(rows // 2) < share * rows // 2 for share in given["conditional_error"]]
    )
    probability = np.where(wrong == (level == 0), 0.0, 1.0)
    model = ModelScores(name="m", posteriors=np.vstack([probability, 1.0 - probability]))
    for shares, error in (("training", "error_training"), ("operational", "error_operational")):
        problem = DecisionProblem(
            levels=("rare", "common"),
            decisions=("rare", "common"),
            cells=np.array([[0.0, 1.0], [1.0, 0.0]]),
            kind=MatrixKind.LOSS,
            outcome=level,
            priors=np.array(given[shares]),
        )
        totals = total_cases(problem, decide_cases(problem, model))
        assert totals.average == pytest.approx(given[error], abs=1e-12)
        assert totals.counts[0, 1] / totals.counts[0].sum() == given["conditional_error"][0]


def test_t3_credit_loss_at_exactly_one_sixth_the_first_decision_wins():
    given = GOLDEN["T3"]
    edge = given["break_even"]
    probability = np.array([0.1, edge - 1e-9, edge, edge + 1e-9, 0.5])
    problem = DecisionProblem(
        levels=("bad", "good"),
        decisions=tuple(given["decisions"]),
        cells=np.array(given["cells"], dtype=float),
        kind=MatrixKind.LOSS,
        acting="treat as bad",
    )
    cases = decide_cases(
        problem, ModelScores(name="m", posteriors=np.vstack([probability, 1 - probability]))
    )
    assert cases.decision.tolist() == [1, 1, 0, 0, 0]
    cut = cut_off(problem)
    assert cut is not None
    assert (cut.kind, cut.probability) == ("above", pytest.approx(edge))


def test_t4_liver_cancer_profit_rule():
    given = GOLDEN["T4"]
    cells = np.array(given["cells"], dtype=float)
    problem = DecisionProblem(
        levels=("High", "Low"), decisions=("High", "Low"), cells=cells, acting="High"
    )
    cut = cut_off(problem)
    assert cut is not None
    assert cut.probability == pytest.approx(given["break_even"])

    def profit(errors):
        called_low, called_high = errors["high_called_low"], errors["low_called_high"]
        right_high, right_low = 50 - called_low, 100 - called_high
        counts = np.array([[right_high, called_low], [called_high, right_low]])
        return float((counts * cells).sum())

    assert profit(given["by_profit"]) - profit(given["most_likely"]) == given["profit_change"]


def test_t5a_return_on_investment():
    rows = GOLDEN["T5_roi"]
    computed = np.array([row["computed"] for row in rows], dtype=float)
    investment = np.array([row["investment"] for row in rows], dtype=float)
    wanted = [math.nan if row["roi"] == "missing" else float(row["roi"]) for row in rows]
    assert np.array_equal(return_on_investment(computed, investment), wanted, equal_nan=True)


def test_t5b_a_tie_and_one_ulp_above_it_go_to_the_first_decision():
    problem = DecisionProblem(
        levels=("1", "0"), decisions=("Do nothing", "Mail"), cells=np.array([[0, 15], [0, -1.5]])
    )
    edge = 1.5 / 16.5
    probability = np.array([np.nextafter(edge, 0), edge, np.nextafter(edge, 1), edge + 1e-9])
    cases = decide_cases(
        problem, ModelScores(name="m", posteriors=np.vstack([probability, 1 - probability]))
    )
    assert cases.decision.tolist() == [0, 0, 0, 1]


def test_t5c_a_class_without_cases():
    problem, model = campaign()
    cells = np.vstack([problem.cells, [2.0, 1.0]])
    table = np.vstack([model.posteriors, np.zeros(model.posteriors.shape[1])])
    for prior, is_missing in ((0.0, False), (0.1, True)):
        three = DecisionProblem(
            levels=("1", "0", "x"),
            decisions=problem.decisions,
            cells=cells,
            outcome=problem.outcome,
            priors=np.array([0.05, 0.95 - prior, prior]),
        )
        totals = total_cases(three, decide_cases(three, ModelScores(name="m", posteriors=table)))
        assert math.isnan(totals.total) is is_missing
        assert bool(totals.notes) is is_missing
        result = analyse(three, (ModelScores(name="m", posteriors=table),))
        assert math.isnan(result.models[0].total.value) is is_missing
        assert bool(result.warnings) is is_missing
        if not is_missing:
            assert totals.total == pytest.approx(GOLDEN["T1"]["total"], abs=5e-7)
            assert result.models[0].total.value == pytest.approx(totals.total)


def test_t5e_inverse_prior_diagonal_gives_the_decisions_of_rescaled_priors():
    draw = np.random.default_rng(5)
    table = np.ascontiguousarray(draw.dirichlet(np.ones(3), size=500).T)
    old = np.full(3, 1 / 3)
    priors = np.array([0.05, 0.35, 0.6])
    common = {"levels": ("a", "b", "c"), "decisions": ("a", "b", "c")}
    plain = ModelScores(name="m", posteriors=table, old_kind="trained_at", old_priors=old)
    weighted = DecisionProblem(cells=np.diag([20.0, 1.0, 1.0]), priors=priors, **common)
    scaled = DecisionProblem(cells=np.eye(3), priors=priors * [20.0, 1.0, 1.0], **common)
    first, second = decide_cases(weighted, plain), decide_cases(scaled, plain)
    assert np.array_equal(first.decision, second.decision)
    assert len(set(first.decision)) == 3


def test_weights_sum_back_to_the_number_of_cases():
    cases = np.array([120.0, 30.0, 7.0])
    weights = prior_weights(np.array([0.2, 0.5, 0.3]), cases)
    assert (weights * cases).sum() == pytest.approx(cases.sum())
    assert prior_weights(None, cases).tolist() == [1, 1, 1]
