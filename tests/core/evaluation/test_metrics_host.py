from __future__ import annotations

import json
import math
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import accuracy_score, average_precision_score, log_loss, roc_auc_score

import payoff
from core.evaluation import Evaluation, EvaluationProblem, ModelScores, evaluate
from core.kernels import StoppedError, limited_threads
from payoff.errors import PayoffError
from tests.core.evaluation.problems import (
    CURVES,
    METRICS,
    binary_model,
    binary_problem,
    made_cases,
    made_classes,
    note,
    request,
)

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "metrics.json").read_text())


def cell_of(result, metric: str, model: str = "m"):
    return next(c.estimate for c in result.cells if c.metric == metric and c.model == model)


# ---------------------------------------------------------------- values


@pytest.mark.parametrize("entry", GOLDEN["values"], ids=lambda e: f"{e['case']} {e['metric']}")
def test_golden_values(entry):
    case = GOLDEN["cases"][entry["case"]]
    wanted = request(entry["metric"], **entry.get("parameters", {}))
    problem = binary_problem(case["outcome"], {"m": np.array(case["score"])}, [wanted])
    assert cell_of(evaluate(problem), wanted.key).value == pytest.approx(entry["value"], abs=1e-9)


@pytest.mark.parametrize(
    ("name", "metric"), [("brier_docs", "brier"), ("log_loss_docs", "log_loss")]
)
def test_documented_values(name, metric):
    case = GOLDEN[name]
    problem = binary_problem(case["outcome"], {"m": np.array(case["score"])}, [metric])
    assert cell_of(evaluate(problem), metric).value == pytest.approx(case["value"], abs=1e-12)


@pytest.mark.parametrize("weighted", [False, True])
def test_agrees_with_sklearn(weighted):
    outcome, chance = made_cases(3_000, 1)
    chance = np.round(chance, 3)
    weight = np.random.default_rng(2).uniform(0.3, 3.0, 3_000) if weighted else None
    metrics = ["auc", "average_precision", "log_loss", "brier", "accuracy"]
    result = evaluate(binary_problem(outcome, {"m": chance}, metrics, frequency=weight))
    expected = {
        "auc": roc_auc_score(outcome, chance, sample_weight=weight),
        "average_precision": average_precision_score(outcome, chance, sample_weight=weight),
        "log_loss": log_loss(outcome, chance, sample_weight=weight),
        "brier": np.average((outcome - chance) ** 2, weights=weight),
        "accuracy": accuracy_score(outcome, chance >= 0.5, sample_weight=weight),
    }
    for metric, value in expected.items():
        assert cell_of(result, metric).value == pytest.approx(value, abs=1e-12), metric


def test_every_built_in_binary_metric_has_value_and_interval():
    outcome, chance = made_cases(2_000, 3)
    brought = np.where(chance > 0.1, np.where(outcome == 1, 24.0, -1.6), 0.0)
    wanted = [spec for spec in METRICS.values() if payoff.Task.BINARY in spec.tasks]
    problem = replace(
        binary_problem(outcome, {"m": chance}, [request(spec) for spec in wanted], resamples=200),
        models=(binary_model("m", chance, consequences=brought),),
    )
    for cell in evaluate(problem).cells:
        assert cell.estimate.note == "" or cell.metric.startswith("hosmer"), cell
        assert cell.estimate.low < cell.estimate.value < cell.estimate.high, cell
        assert cell.estimate.method, cell


def test_weight_two_is_the_row_twice_in_values():
    outcome, chance = made_cases(400, 4)
    chance = np.round(chance, 2)
    times = np.random.default_rng(5).integers(1, 4, 400)
    metrics = [
        "auc",
        "ks",
        "average_precision",
        "log_loss",
        "brier",
        "accuracy",
        request("lift_at", depth=0.1),
    ]
    weighted = evaluate(
        binary_problem(outcome, {"m": chance}, metrics, frequency=times.astype(float))
    )
    repeated = evaluate(
        binary_problem(np.repeat(outcome, times), {"m": np.repeat(chance, times)}, metrics)
    )
    for ours, theirs in zip(weighted.cells, repeated.cells, strict=True):
        assert ours.estimate.value == pytest.approx(theirs.estimate.value, abs=1e-12), ours.metric


# ---------------------------------------------------------------- intervals


def test_bootstrap_and_delong_agree():
    outcome, chance = made_cases(1_500, 6)
    evaluation = Evaluation(binary_problem(outcome, {"m": chance}, ["auc"], resamples=2_000))
    analytic = cell_of(evaluation.result, "auc")
    spread = evaluation._column("auc").cells[0].draws.std(ddof=1)
    assert spread == pytest.approx((analytic.high - analytic.low) / (2 * 1.96), rel=0.15)
    assert analytic.method == "DeLong"


def test_bootstrap_and_exact_variance_agree():
    outcome, chance = made_cases(1_500, 7)
    weight = np.random.default_rng(8).uniform(0.2, 3.0, 1_500)
    problem = binary_problem(outcome, {"m": chance}, ["brier"], resamples=1_000, frequency=weight)
    evaluation = Evaluation(problem)
    estimate = cell_of(evaluation.result, "brier")
    spread = evaluation._column("brier").cells[0].draws.std(ddof=1)
    assert spread == pytest.approx((estimate.high - estimate.low) / (2 * 1.96), rel=0.15)


def test_merged_groups_give_the_same_spread_as_exact_ones(monkeypatch):
    outcome, chance = made_cases(4_000, 9)
    problem = binary_problem(outcome, {"m": chance}, ["ks", "average_precision"], resamples=300)
    merged = evaluate(problem)
    monkeypatch.setattr("core.evaluation.draws.MOST_BINS", 10_000)
    exact = evaluate(problem)
    for ours, theirs in zip(merged.cells, exact.cells, strict=True):
        width = theirs.estimate.high - theirs.estimate.low
        assert ours.estimate.value == theirs.estimate.value
        assert ours.estimate.low == pytest.approx(theirs.estimate.low, abs=0.05 * width)
        assert ours.estimate.high == pytest.approx(theirs.estimate.high, abs=0.05 * width)


def test_bootstrap_interval_covers():
    """About 95 % of the intervals for average precision hold what a very large sample gives."""
    truth = cell_of(
        evaluate(binary_problem(*_named(made_cases(200_000, 99)), ["average_precision"])),
        "average_precision",
    ).value
    covered = 0
    for seed in range(100):
        problem = binary_problem(
            *_named(made_cases(400, seed)), ["average_precision"], resamples=200, seed=seed
        )
        estimate = cell_of(evaluate(problem, with_charts=False), "average_precision")
        covered += estimate.low <= truth <= estimate.high
    assert 86 <= covered <= 100


def _named(cases):
    return cases[0], {"m": cases[1]}


def test_threads_and_order_of_rows_change_nothing():
    outcome, chance = made_cases(3_000, 10)
    chance = np.round(chance, 2)
    problem = binary_problem(
        outcome, {"m": chance}, ["ks", "log_loss", "average_precision"], resamples=64
    )
    several = evaluate(problem)
    with limited_threads(1):
        alone = evaluate(problem)
    shuffle = np.random.default_rng(1).permutation(3_000)
    moved = evaluate(
        replace(
            problem,
            outcome=problem.outcome[shuffle],
            models=(binary_model("m", chance[shuffle]),),
            row_numbers=shuffle.astype(np.int64),
        )
    )
    for first, second, third in zip(several.cells, alone.cells, moved.cells, strict=True):
        assert first.estimate == second.estimate
        for name in ("value", "low", "high"):
            ours, theirs = getattr(first.estimate, name), getattr(third.estimate, name)
            assert ours == pytest.approx(theirs, rel=1e-11), (first.metric, name)


def test_accuracy_without_weights_has_exact_binomial_limits():
    outcome, chance = made_cases(500, 11)
    estimate = cell_of(evaluate(binary_problem(outcome, {"m": chance}, ["accuracy"])), "accuracy")
    assert estimate.method == "exact binomial"
    assert 0 < estimate.low < estimate.value < estimate.high < 1


def test_priors_hold_class_shares_fixed():
    outcome, chance = made_cases(2_000, 12)
    brought = np.where(chance > 0.1, np.where(outcome == 1, 24.0, -1.6), 0.0)
    problem = replace(
        binary_problem(
            outcome,
            {"m": chance},
            ["auc", "total_profit", "log_loss", "average_precision"],
            priors=np.array([0.05, 0.95]),
            resamples=500,
        ),
        models=(binary_model("m", chance, consequences=brought),),
    )
    evaluation = Evaluation(problem)
    result = evaluation.result
    weight = np.where(outcome == 1, 0.05 / outcome.mean(), 0.95 / (1 - outcome.mean()))
    profit = cell_of(result, "total_profit")
    assert profit.value == pytest.approx(float(weight @ brought), rel=1e-12)
    assert profit.holds_fixed == "if 5.0\N{NO-BREAK SPACE}% are 'yes'"
    by_class = [brought[outcome == 1], brought[outcome == 0]]
    shares = np.array([0.05, 0.95]) * len(outcome)
    variance = sum(s**2 * c.var(ddof=1) / len(c) for s, c in zip(shares, by_class, strict=True))
    assert (profit.high - profit.low) / (2 * 1.959964) == pytest.approx(math.sqrt(variance))
    spread = evaluation._column("total_profit").cells[0].draws.std(ddof=1)
    assert spread == pytest.approx(math.sqrt(variance), rel=0.15)
    assert cell_of(result, "log_loss").holds_fixed == ""
    assert cell_of(result, "average_precision").value == pytest.approx(
        average_precision_score(outcome, chance, sample_weight=weight), abs=1e-12
    )
    assert result.class_weight == pytest.approx([100.0, 1900.0])


# ---------------------------------------------------------------- degenerate cases


def test_one_class_is_refused():
    with pytest.raises(PayoffError, match="one class only, 'no'"):
        evaluate(binary_problem([0, 0, 0], {"m": np.array([0.1, 0.2, 0.3])}, ["auc"]))


def test_perfect_ranking_has_no_width_and_says_so():
    outcome = np.array([1] * 20 + [0] * 20)
    problem = binary_problem(outcome, {"m": np.where(outcome == 1, 0.9, 0.1)}, ["auc"])
    estimate = cell_of(evaluate(problem), "auc")
    assert (estimate.value, estimate.low, estimate.high) == (1.0, 1.0, 1.0)
    assert "too narrow" in estimate.note


def test_infinite_log_loss_names_the_row():
    problem = binary_problem(
        [1, 0, 1, 0],
        {"m": np.array([0.9, 0.1, 0.0, 1.0])},
        ["log_loss", "brier"],
        row_numbers=np.array([11, 22, 33, 44]),
        resamples=64,
    )
    result = evaluate(problem)
    estimate = cell_of(result, "log_loss")
    assert estimate.value == math.inf
    assert "row 33 and 1 more" in estimate.note
    assert math.isnan(estimate.low)
    assert math.isfinite(cell_of(result, "brier").low)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"frequency": np.array([1.0, 0.0, 1.0])}, "not a number above 0"),
        ({"outcome": np.array([0, -1, 1], dtype=np.int32)}, "not known"),
        ({"level": "maybe"}, "not a level"),
        ({"reference": "other"}, "not there"),
        ({"models": ()}, "no model"),
        ({"models": (binary_model("m", np.array([0.1, np.nan, 0.2])),)}, "missing or not between"),
        ({"models": (binary_model("m", np.array([0.1, 0.2])),)}, "shape"),
        ({"priors": np.array([-1.0, 2.0])}, "0 or more"),
    ],
)
def test_impossible_problems_are_refused(change, message):
    problem = binary_problem([1, 0, 0], {"m": np.array([0.3, 0.2, 0.1])}, ["auc"])
    with pytest.raises(PayoffError, match=message):
        evaluate(replace(problem, **change))


# ---------------------------------------------------------------- plugins that misbehave


def made_metric(**settings) -> payoff.EvaluationMetric:
    base = {
        "id": "made",
        "label": "Made",
        "help": "A metric of the tests.",
        "formula": "",
        "reference": "",
        "direction": payoff.Direction.HIGHER,
        "inputs": (payoff.Input.OUTCOME, payoff.Input.PROBABILITY),
        "tasks": (payoff.Task.BINARY,),
        "form": payoff.MetricForm.GENERAL,
    }
    return payoff.EvaluationMetric(**{**base, **settings})


def raising(*arguments):
    raise RuntimeError("broken on purpose")


def leaving(*arguments):
    raise GeneratorExit("no Exception")


def test_a_failing_plugin_costs_its_own_cell_only():
    outcome, chance = made_cases(300, 13)
    bad = [
        made_metric(id="general", compute=raising),
        made_metric(id="rows", form=payoff.MetricForm.ROW_MEAN, rows=raising),
        made_metric(id="ranked", form=payoff.MetricForm.RANKED, ranked=raising),
        made_metric(id="checked", compute=lambda s, p: 1.0, check=raising),
        made_metric(id="leaving", compute=leaving),
        made_metric(id="text", compute=lambda sample, parameters: "text"),
        made_metric(id="complex", compute=lambda sample, parameters: 1 + 2j),
        made_metric(id="objects", compute=lambda s, p: np.array([1.0, "a"], dtype=object)),
        made_metric(id="unfilled", form=payoff.MetricForm.ROW_MEAN, rows=lambda *arguments: None),
    ]
    problem = binary_problem(
        outcome, {"m": chance}, ["auc", *[request(spec) for spec in bad]], resamples=32
    )
    result = evaluate(problem)
    assert cell_of(result, "auc").value > 0.5
    for spec in bad:
        estimate = cell_of(result, spec.id)
        assert math.isnan(estimate.value), spec.id
        assert estimate.note, spec.id
    assert "broken on purpose" in cell_of(result, "general").note


@pytest.mark.parametrize("form", ["general", "row_mean"])
def test_a_value_beyond_what_the_plugin_announces_is_remarked_on(form):
    def rows(outcome, prediction, parameters, contribution, factor, start, stop):
        contribution[0, start:stop] = -5.0
        factor[0, start:stop] = 1.0

    functions = {"rows": rows} if form == "row_mean" else {"compute": lambda sample, values: -5.0}
    spec = made_metric(form=form, value_range=(0.0, 1.0), **functions)
    outcome, chance = made_cases(300, 15)
    problem = binary_problem(outcome, {"m": chance}, [request(spec), "auc"], resamples=32)
    result = evaluate(problem)
    assert cell_of(result, "made").value == -5.0
    assert "outside 0 to 1" in cell_of(result, "made").note
    assert cell_of(result, "auc").note == ""


def test_a_plugin_that_fails_in_resamples_keeps_its_value():
    calls = []

    def combine(means, parameters):
        calls.append(1)
        if len(calls) > 1:
            raise RuntimeError("second time")
        return means[0]

    spec = made_metric(form=payoff.MetricForm.SMOOTH, rows=METRICS["brier"].rows, combine=combine)
    outcome, chance = made_cases(300, 14)
    estimate = cell_of(
        evaluate(binary_problem(outcome, {"m": chance}, [request(spec)], resamples=32)), "made"
    )
    assert estimate.value == pytest.approx(np.mean((outcome - chance) ** 2))
    assert math.isnan(estimate.low)
    assert "second time" in estimate.note


def test_calls_into_plugins_are_marked():
    entered = []

    @contextmanager
    def calling(spec):
        entered.append(spec.id)
        yield

    outcome, chance = made_cases(200, 15)
    spec = made_metric(compute=lambda sample, parameters: float(sample.total_weight))
    evaluate(binary_problem(outcome, {"m": chance}, [request(spec), "auc"]), calling=calling)
    assert set(entered) - {curve.spec.id for curve in CURVES} == {"made", "auc"}


def test_general_metric_gets_two_hundred_resamples():
    def mean_chance(sample, parameters):
        return float(np.average(sample.posteriors[0], weights=sample.weight))

    outcome, chance = made_cases(800, 16)
    spec = made_metric(compute=mean_chance)
    problem = binary_problem(outcome, {"m": chance}, [request(spec)], resamples=1_000)
    estimate = cell_of(evaluate(problem), "made")
    assert estimate.value == pytest.approx(chance.mean())
    assert estimate.method == "Poisson bootstrap, 200 draws"
    width = (estimate.high - estimate.low) / (2 * 1.96)
    assert width == pytest.approx(chance.std() / math.sqrt(800), rel=0.25)


def test_metric_without_weights_refuses_weighted_cases():
    spec = made_metric(weights=payoff.WeightMeaning.NONE, compute=lambda s, p: float(len(s)))
    outcome, chance = made_cases(300, 17)
    problem = binary_problem(outcome, {"m": chance}, [request(spec)], resamples=64)
    plain = cell_of(evaluate(problem), "made")
    assert plain.value == 300
    assert plain.low < 300 < plain.high  # resampled by index: the size of a draw varies
    weighted = replace(problem, frequency=np.linspace(1, 2, 300))
    assert "cannot take weights" in cell_of(evaluate(weighted), "made").note


def test_groups_are_drawn_whole():
    def number_of_groups(sample, parameters):
        return float(len(np.unique(sample.roles["group"])))

    spec = made_metric(
        weights=payoff.WeightMeaning.NONE, unit=payoff.ResampleUnit.GROUP, compute=number_of_groups
    )
    outcome, chance = made_cases(300, 18)
    problem = binary_problem(
        outcome,
        {"m": chance},
        [request(spec)],
        resamples=64,
        extras={"group": np.repeat(np.arange(100), 3)},
    )
    estimate = cell_of(evaluate(problem), "made")
    assert estimate.value == 100
    assert 70 < estimate.low < 95  # Poisson(100) groups, copies counted apart
    assert 105 < estimate.high < 130


def test_clusters_widen_the_interval():
    outcome, chance = made_cases(500, 19)
    copies = 4
    spec = replace(METRICS["brier"], unit=payoff.ResampleUnit.CLUSTER)
    problem = binary_problem(
        np.repeat(outcome, copies),
        {"m": np.repeat(chance, copies)},
        [request(spec)],
        extras={"cluster": np.repeat(np.arange(500), copies)},
        resamples=500,
    )
    evaluation = Evaluation(problem)
    clustered = cell_of(evaluation.result, "brier")
    alone = cell_of(evaluate(binary_problem(outcome, {"m": chance}, ["brier"])), "brier")
    assert clustered.high - clustered.low == pytest.approx(alone.high - alone.low, rel=1e-9)
    spread = evaluation._column("brier").cells[0].draws.std(ddof=1)
    assert spread == pytest.approx((alone.high - alone.low) / (2 * 1.96), rel=0.15)


def test_money_needs_a_matrix():
    outcome, chance = made_cases(100, 20)
    estimate = cell_of(
        evaluate(binary_problem(outcome, {"m": chance}, ["total_profit"])), "total_profit"
    )
    assert "needs a decision matrix" in estimate.note


# ---------------------------------------------------------------- other targets, progress, stop


def multiclass_problem(**settings) -> EvaluationProblem:
    codes, posteriors = made_classes(1_500, 1)
    return EvaluationProblem(
        kind="multiclass",
        models=(ModelScores(name="m", posteriors=posteriors),),
        metrics=tuple(request(m) for m in ("auc", "macro_auc", "log_loss", "brier", "accuracy")),
        rows=note(1_500),
        levels=("a", "b", "c"),
        outcome=codes,
        resamples=100,
        **settings,
    )


def test_multiclass_agrees_with_sklearn():
    codes, posteriors = made_classes(1_500, 1)
    result = evaluate(multiclass_problem())
    assert cell_of(result, "auc").value == pytest.approx(roc_auc_score(codes == 0, posteriors[0]))
    assert cell_of(result, "macro_auc").value == pytest.approx(
        roc_auc_score(codes, posteriors.T, multi_class="ovr")
    )
    assert cell_of(result, "log_loss").value == pytest.approx(log_loss(codes, posteriors.T))
    assert cell_of(result, "accuracy").value == pytest.approx(
        np.mean(posteriors.argmax(axis=0) == codes)
    )
    for cell in result.cells:
        assert cell.estimate.low < cell.estimate.value < cell.estimate.high, cell.metric


def test_another_event_level_ranks_by_it():
    codes, posteriors = made_classes(1_500, 1)
    result = evaluate(multiclass_problem(level="c"))
    assert result.level == "c"
    assert result.class_levels == ("c", "a", "b")
    assert cell_of(result, "auc").value == pytest.approx(roc_auc_score(codes == 2, posteriors[2]))
    assert cell_of(result, "log_loss").value == pytest.approx(log_loss(codes, posteriors.T))
    share = result.depths[0].class_share
    order = np.argsort(-posteriors[2], kind="stable")[:750]
    for row, code in enumerate((2, 0, 1)):
        assert share[row, 500] == pytest.approx(
            (codes[order] == code).sum() / (codes == code).sum()
        )


def test_regression_has_values_and_intervals():
    rng = np.random.default_rng(1)
    target = rng.normal(size=2_000)
    models = (
        ModelScores(name="m", prediction=target + rng.normal(0, 0.5, 2_000)),
        ModelScores(name="worse", prediction=target + rng.normal(0, 0.9, 2_000)),
    )
    problem = EvaluationProblem(
        kind="interval",
        models=models,
        metrics=(request("rmse"), request("mae")),
        rows=note(2_000),
        target=target,
        resamples=300,
    )
    result = evaluate(problem)
    misses = target - models[0].prediction
    rmse = cell_of(result, "rmse")
    assert rmse.value == pytest.approx(math.sqrt(np.mean(misses**2)), rel=1e-12)
    theory = np.std(misses**2) / (2 * rmse.value) / math.sqrt(2_000)
    assert (rmse.high - rmse.low) / (2 * 1.96) == pytest.approx(theory, rel=0.2)
    assert cell_of(result, "mae").value == pytest.approx(np.mean(np.abs(misses)), rel=1e-12)
    assert result.charts == ()
    assert all(difference.p_value < 0.01 for difference in result.comparisons)


def test_partial_result_comes_first_and_has_no_bands():
    seen = []
    outcome, chance = made_cases(1_000, 21)
    problem = binary_problem(outcome, {"m": chance}, ["auc", "average_precision"], resamples=64)
    evaluate(problem, progress=lambda *told: seen.append(told))
    fractions = [fraction for fraction, _, _ in seen]
    assert fractions == sorted(fractions)
    partials = [partial for _, _, partial in seen if partial is not None]
    assert len(partials) == 1
    partial = partials[0]
    assert partial.resamples == 0
    assert cell_of(partial, "auc").low < cell_of(partial, "auc").value
    assert math.isnan(cell_of(partial, "average_precision").low)
    assert partial.charts[0].curves[0].low is None
    assert np.isnan(partial.depths[0].class_share_low).all()


@pytest.mark.parametrize("after", [0, 2, 3])
def test_stop_ends_the_evaluation(after):
    asked = []

    def should_stop():
        asked.append(1)
        return len(asked) > after

    outcome, chance = made_cases(1_000, 22)
    problem = binary_problem(outcome, {"m": chance}, ["auc", "ks"], resamples=64)
    with pytest.raises(StoppedError):
        evaluate(problem, should_stop=should_stop)


def test_few_events_are_warned_of():
    outcome = np.zeros(400, dtype=int)
    outcome[:7] = 1
    chance = np.linspace(0.9, 0.1, 400)
    result = evaluate(binary_problem(outcome, {"m": chance}, ["auc"]))
    assert any("Only 7 cases" in warning for warning in result.warnings)


def test_same_metric_twice_with_different_parameters():
    outcome, chance = made_cases(1_000, 23)
    metrics = [request("lift_at", depth=0.1), request("lift_at", depth=0.5)]
    result = evaluate(binary_problem(outcome, {"m": chance}, metrics))
    assert [info.metric for info in result.metrics] == ["lift_at(depth=0.1)", "lift_at(depth=0.5)"]
    assert result.cells[0].estimate.value > result.cells[1].estimate.value > 1
