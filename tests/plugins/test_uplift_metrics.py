"""Built-in uplift metrics against the room of uplift, which computes them another way."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

import payoff
from core.uplift.other_tools import (
    causalml_auuc_score,
    causalml_qini_score,
    qini_auc_score,
    uplift_auc_score,
)
from core.uplift.ranked.areas import area_of
from core.uplift.ranked.curves import LOCAL_VARIANTS, VARIANTS, area_nu, curve_of, overall_nu
from core.uplift.ranked.ranking import UpliftRanking
from core.uplift.segments import rate_of, slices_of, uplift_at
from payoff.specs import metric_title
from payoff.testing.host import metric_value
from plugins.metrics.uplift_rows import ALL_UPLIFT_METRICS
from plugins.metrics.uplift_specs import COUNTED, UPLIFT_METRICS
from tests.helpers.factories.uplift import CASES, experiments, golden, golden_ranking

BY_ID = {spec.id: spec for spec in ALL_UPLIFT_METRICS}
IDS = {"generalised": "net_uplift", "plain": "plain_uplift"}
WHOLE = {"counted": "the whole area"}
NEAR = {"rel": 1e-9, "abs": 1e-12}


def sample_of(ranking: UpliftRanking) -> payoff.Sample:
    experiment = ranking.experiment
    roles = {"treatment": experiment.treated.astype(float)}
    if experiment.has_propensity:
        roles["propensity"] = experiment.propensity
    return payoff.Sample(
        experiment.outcome,
        ranking.score,
        weight=experiment.frequency,
        task=payoff.Task.UPLIFT,
        roles=roles,
    )


def value(metric: str, ranking: UpliftRanking, **parameters: object) -> float:
    return metric_value(BY_ID[metric], sample_of(ranking), parameters)


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_variant_is_a_metric(variant):
    for name in CASES:
        ranking = golden_ranking(name)
        found = value(IDS.get(variant, variant), ranking)
        whole = value(IDS.get(variant, variant), ranking, **WHOLE)
        expected = area_of(ranking, variant)
        assert found == pytest.approx(expected.minus_random, **NEAR), name
        assert whole == pytest.approx(expected.area, **NEAR), name


@settings(max_examples=40, deadline=None)
@given(experiments())
def test_variants_with_ties_weights_and_chances(case):
    experiment, score = case
    ranking = UpliftRanking(experiment, score)
    for variant in VARIANTS:
        if variant in LOCAL_VARIANTS:
            continue
        found = value(IDS.get(variant, variant), ranking)
        assert found == pytest.approx(area_of(ranking, variant).minus_random, rel=1e-7, abs=1e-9)
    for nu in (0.5, 1.0):
        expected = area_of(ranking, "generalised", nu=nu).minus_random
        assert value("net_uplift", ranking, nu=nu) == pytest.approx(expected, rel=1e-7, abs=1e-9)


@pytest.mark.parametrize("name", CASES)
def test_baselines_and_what_else_is_read(name):
    for has_probabilities in (False, *((True,) if "e" in golden(name)[0] else ())):
        ranking = golden_ranking(name, with_propensity=has_probabilities)
        best = area_of(ranking, "generalised", nu=overall_nu(ranking))
        assert value("net_uplift_best", ranking) == pytest.approx(best.minus_random, **NEAR)
        near = area_of(ranking, "generalised", nu=area_nu(ranking, minus_random=True))
        assert value("net_uplift_area", ranking) == pytest.approx(near.minus_random, **NEAR)
        curve = curve_of(ranking, "generalised", nu="pointwise")
        assert value("net_uplift_pointwise", ranking, **WHOLE) == pytest.approx(curve.area, **NEAR)
        plain = area_of(ranking, "generalised").area * len(ranking)
        assert value("auuc", ranking, **WHOLE) == pytest.approx(plain, **NEAR)
        for weighting in ("autoc", "qini"):
            found = value(f"rate_{weighting}", ranking)
            assert found == pytest.approx(rate_of(ranking, weighting=weighting), **NEAR)


def test_among_the_best_and_by_slices():
    ranking = golden_ranking("s05_non_rct")
    for share in (0.1, 0.3, 1.0):
        at = value("uplift_at", ranking, depth=share)
        assert at == pytest.approx(uplift_at(ranking, share), **NEAR)
    found = value("weighted_average_uplift", ranking, slices=10)
    assert found == pytest.approx(slices_of(ranking, 10).weighted_average, **NEAR)
    rows = len(ranking)
    assert value("peak_uplift", ranking) >= value("auuc", ranking, **WHOLE) / rows


@pytest.mark.parametrize("name", CASES)
def test_figures_of_other_tools_under_their_own_names(name):
    ranking = golden_ranking(name)
    assert value("qini_auc_score", ranking) == pytest.approx(qini_auc_score(ranking), **NEAR)
    assert value("uplift_auc_score", ranking) == pytest.approx(uplift_auc_score(ranking), **NEAR)
    for normalize in (False, True):
        found = value("auuc_score", ranking, normalize=int(normalize))
        expected = causalml_auuc_score(ranking, normalize=normalize)
        assert found == pytest.approx(expected, nan_ok=True, **NEAR)
        found = value("qini_score", ranking, normalize=int(normalize))
        expected = causalml_qini_score(ranking, normalize=normalize)
        assert found == pytest.approx(expected, nan_ok=True, **NEAR)


def test_figures_that_count_responders_refuse_amounts():
    sample = payoff.Sample(
        [3.0, 0.0, 1.0],
        [0.3, 0.2, 0.1],
        task=payoff.Task.UPLIFT,
        roles={"treatment": np.array([1.0, 0.0, 1.0])},
    )
    with pytest.raises(payoff.PayoffError, match="0 and 1 only"):
        metric_value(BY_ID["qini_auc_score"], sample)


def test_sums_need_a_treatment():
    with pytest.raises(payoff.PayoffError, match="treatment"):
        payoff.uplift_sums(payoff.Sample([1.0, 0.0], [0.2, 0.1], task=payoff.Task.UPLIFT))


@pytest.mark.parametrize(("counted", "words"), [(0, "above chance"), (1, "the whole area")])
def test_the_title_of_an_area_says_what_is_counted(counted, words):
    """The area above chance is not called by the name of the whole one."""
    for metric in UPLIFT_METRICS:
        if COUNTED not in metric.parameters:
            continue
        values = {item.name: item.default for item in metric.parameters} | {"counted": counted}
        assert metric_title(metric, values) == f"{metric.label}, {words}"
