"""Evaluation: partial results, fit at the class shares, what is left out."""

from dataclasses import replace

import numpy as np
import pytest

from core.document.model import MetricChoice, OldPriorKind
from core.engine.messages import (
    Ask,
)
from core.questions.compare import CompareModels
from core.questions.decide import Totals
from payoff.errors import StoppedError
from tests.core.engine.jobs.sums import used, with_priors


def test_a_partial_result_comes_first(engine, document):
    partials = []

    def note(fraction, stage, partial):
        if partial is not None:
            partials.append(partial)

    wanted = tuple(MetricChoice(metric=name) for name in ("auc", "log_loss", "total_profit"))
    requested = replace(document, metrics=wanted)
    result = engine.run("compare.models", Ask.of(requested, CompareModels(resamples=50)), note)
    assert partials
    assert partials[0].resamples == 0
    assert result.resamples == 50
    assert {cell.metric for cell in result.cells} == {"auc", "log_loss", "total_profit"}
    metrics = {(cell.metric, cell.model): cell.estimate.value for cell in result.cells}
    decided = engine.ask(document, Totals())
    for model in decided.models:
        assert metrics["total_profit", model.model] == pytest.approx(model.total.value)


def metric_of(result, metric):
    return next(
        cell.estimate.value
        for cell in result.cells
        if (cell.metric, cell.model) == (metric, "good")
    )


def test_fit_is_judged_at_the_class_shares_of_the_rows(engine, document, columns):
    rows = used(columns)
    happened = np.array(columns["outcome"])[rows] == "yes"
    share = happened.mean()
    requested = with_priors(document, OldPriorKind.TRAINED_AT)  # trained at halves
    result = engine.ask(requested, CompareModels(resamples=0))
    probability = columns["p_good"][rows]
    odds = probability / (1 - probability) * share / (1 - share)
    judged = odds / (1 + odds)
    log_loss = -np.mean(np.where(happened, np.log(judged), np.log(1 - judged)))
    assert metric_of(result, "log_loss") == pytest.approx(log_loss, rel=1e-12)
    assert result.class_weight[0] / result.class_weight.sum() == pytest.approx(0.1)


def test_fit_needs_no_correction_on_rows_like_those_of_the_training(engine, document, columns):
    share = float((np.array(columns["outcome"])[used(columns)] == "yes").mean())
    shares = (("yes", share), ("no", 1 - share))
    requested = with_priors(document, OldPriorKind.TRAINED_AT, shares)
    plain = engine.ask(document, CompareModels(resamples=0))
    corrected = engine.ask(requested, CompareModels(resamples=0))
    for metric in ("log_loss", "brier", "auc"):
        assert metric_of(corrected, metric) == pytest.approx(metric_of(plain, metric), rel=1e-12)


def test_metrics_that_are_not_there_or_do_not_fit_are_left_out(engine, document):
    requested = replace(
        document,
        metrics=(
            MetricChoice(metric="auc"),
            MetricChoice(metric="org.nobody.metric"),
            MetricChoice(metric="rmse"),
        ),
    )
    result = engine.ask(requested, CompareModels(resamples=0))
    assert {cell.metric for cell in result.cells} == {"auc"}
    assert any("org.nobody.metric" in text for text in result.warnings)
    assert any("RMSE" in text for text in result.warnings)


def test_evaluation_can_be_stopped(engine, document):
    calls = []

    def stop():
        calls.append(1)
        return len(calls) > 12

    with pytest.raises(StoppedError):
        engine.ask(document, CompareModels(), should_stop=stop)
