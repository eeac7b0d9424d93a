"""Lines over the curves, slices, RATE, the next test and the truth: the jobs of page Uplift."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import payoff
from core.document.data.model import RowUse
from core.document.files.codec import from_plain, to_plain
from core.document.model import Document
from core.document.uplift.commands import SetPropensity, SetTrueEffect, SetUpliftOutcome
from core.document.uplift.model import UpliftSpec
from core.engine.messages import Ask
from core.presentation.labels import Labels
from core.presentation.making_views import show
from core.questions.uplift import NextTest, Slices, Uplift
from core.uplift.experiment import make_experiment
from core.uplift.other_tools import perfect_qini_curve
from core.uplift.overlays import maximal_line, perfect_line
from core.uplift.ranked.ranking import UpliftRanking
from core.uplift.ranked.rates import rates_of
from payoff.errors import PayoffError
from tests.helpers.factories.experiment import document_of

SAMPLES = Path(__file__).parents[4] / "resources" / "samples"

pytestmark = pytest.mark.timeout(400)  # the first trees of a machine compile


@pytest.fixture(scope="module")
def document(engine, tmp_path_factory):
    return document_of(engine, tmp_path_factory.mktemp("further"))


def ask(engine, document):
    return engine.ask(document, Uplift(draws=0))


def made_up(seed=3, cases=400):
    draw = np.random.default_rng(seed)
    treated = draw.random(cases) < 0.4
    outcome = (draw.random(cases) < 0.2 + 0.2 * treated).astype(float)
    return make_experiment(outcome, treated), draw


def test_no_ranking_passes_the_perfect_line_and_it_is_scikit_uplifts():
    experiment, draw = made_up()
    line = perfect_line(experiment)
    t, total = experiment.sizes[0], experiment.total
    for score in (draw.random(400), experiment.outcome * (2.0 * experiment.treated - 1)):
        ranking = UpliftRanking(experiment, score)
        limit = np.interp(ranking.depth, line.depth, line.height)
        assert np.all(ranking.signed[1] * total <= limit + 1e-9)
    perfect = perfect_qini_curve(ranking)
    assert line.height == pytest.approx(perfect.y * total / t)
    assert line.depth == pytest.approx(perfect.x)
    level = maximal_line(experiment)
    plain = perfect_qini_curve(ranking, negative_effect=False)
    assert level.height == pytest.approx(plain.y * total / t)
    assert level.depth[1] == pytest.approx(level.height[1] / total)


def test_lines_stand_only_where_they_are_defined(engine, document):
    lines = {line.key: line for line in ask(engine, document).references}
    assert set(lines) == {"perfect", "maximal"}
    end = ask(engine, document).models[0].incremental[-1]
    assert lines["perfect"].incremental[-1] == pytest.approx(end)
    assert lines["maximal"].incremental[-1] == pytest.approx(end)
    assert ask(engine, SetUpliftOutcome(outcome="x").apply(document)).references == ()
    assert ask(engine, SetPropensity(column="chance").apply(document)).references == ()
    experiment, _ = made_up()
    worse = make_experiment(1.0 - experiment.outcome, experiment.treated > 0)
    assert maximal_line(worse) is None
    assert perfect_line(worse) is not None


def test_training_rows_are_laid_beside_held_out_ones(engine, document):
    assert all(model.other is None for model in ask(engine, document).models)
    test = ask(engine, replace(document, rows_used=RowUse.TEST))
    train = ask(engine, replace(document, rows_used=RowUse.TRAIN))
    good = test.models[0]
    assert (good.other.use, train.models[0].other.use) == ("train", "test")
    assert good.other.cases == train.cases
    assert good.other.incremental == pytest.approx(
        train.models[0].incremental * test.cases / train.cases
    )
    assert good.other.minus_random == train.models[0].minus_random
    assert 0.3 < good.criteria.agreement <= 1
    assert good.criteria.agreement == pytest.approx(train.models[0].criteria.agreement)


def test_slices_sum_to_the_whole_and_their_balance_stays_in_its_band(engine, document):
    found = engine.ask(document, Slices(count=5, draws=64))
    whole = ask(engine, document)
    assert [entry.model for entry in found.models] == ["uplift", "noise"]
    for entry in found.models:
        slices, balance = entry.slices, entry.balance
        assert slices.treated.sum() == pytest.approx(whole.treated_cases)
        assert slices.control.sum() == pytest.approx(whole.control_cases)
        assert np.all((balance.low <= balance.share) & (balance.share <= balance.high))
        by_hand = slices.uplift @ slices.treated / slices.treated.sum()
        assert slices.weighted_average == pytest.approx(by_hand)
        assert 0 < slices.weighted_error < slices.standard_error.min()
    good = found.models[0].slices.uplift
    assert good[0] > good[-1]
    with pytest.raises(PayoffError, match="1 slice cannot"):
        engine.ask(document, Slices(count=1))


def test_rate_has_an_error_whatever_number_of_draws_is_asked_for(engine, document):
    found = engine.ask(document, Slices(count=5, draws=0))
    assert found.draws == 2
    assert all(figure.rate.standard_error > 0 for figure in found.models[0].rates)


def test_the_band_of_a_slice_is_left_where_the_treatment_goes_by_the_ranking(engine, tmp_path):
    document = document_of(engine, tmp_path, seed=2, is_random=False)
    found = engine.ask(document, Slices(draws=2)).models[0].balance
    assert found.share[0] > found.high[0]
    assert found.share[-1] < found.low[-1]
    known = SetPropensity(column="chance").apply(document)
    answer = engine.ask(known, Slices(draws=2))
    balance = answer.models[0].balance
    assert np.all((balance.low <= balance.share) & (balance.share <= balance.high))
    assert "RATE puts them right" in answer.warnings[0]


def test_rate_has_the_error_that_repeated_experiments_show(engine, document):
    figures = engine.ask(document, Slices(draws=128)).models[0].rates
    assert [figure.name for figure in figures[:2]] == ["AUTOC", "QINI"]
    autoc, qini, scaled = (figure.rate for figure in figures)
    assert autoc.p_value < 0.01
    assert autoc.low < autoc.value < autoc.high
    assert scaled.value == pytest.approx(2 * qini.value)
    assert scaled.standard_error == pytest.approx(2 * qini.standard_error)
    values, errors = [], []
    for seed in range(80):
        experiment, draw = made_up(seed)
        found = rates_of(UpliftRanking(experiment, draw.random(400)), draws=64)
        values.append([rate.value for rate in found])
        errors.append([rate.standard_error for rate in found])
    # 80 experiments tell a standard deviation to about 8 %.
    assert np.mean(errors, axis=0) == pytest.approx(np.std(values, axis=0, ddof=1), rel=0.25)


def test_rate_with_a_chance_for_each_case_matches_that_with_their_share():
    experiment, draw = made_up()
    score = draw.random(400)
    share = rates_of(UpliftRanking(experiment, score), draws=64)
    known = experiment.with_propensity(np.full(400, experiment.share))
    probabilities = rates_of(UpliftRanking(known, score), draws=64)
    for one, other in zip(share, probabilities, strict=True):
        assert other.value == pytest.approx(one.value)
        assert other.standard_error == pytest.approx(one.standard_error, rel=0.05)


def test_the_next_test_needs_four_times_the_cases_for_half_the_effect(engine, document):
    found = engine.ask(document, NextTest(effect=0.02))
    ladder = dict(found.ladder)
    assert ladder[0.02] == found.cases == found.treated + found.control
    assert ladder[0.01] == pytest.approx(4 * found.cases, rel=1e-3)
    halved = engine.ask(document, NextTest())
    assert halved.effect == pytest.approx(halved.seen.effect / 2)
    same = Ask.of(document, NextTest(effect=found.found_now))
    assert engine.run("uplift.next_test", same).cases == pytest.approx(found.cases_now, rel=1e-3)
    surer = Ask.of(document, NextTest(effect=0.02, power=0.9, treated_share=0.2))
    answer = engine.run("uplift.next_test", surer)
    assert answer.cases > found.cases
    assert answer.treated == pytest.approx(0.2 * answer.cases, abs=1)
    with pytest.raises(PayoffError, match="endless"):
        engine.ask(document, NextTest(effect=0.0))


def test_pehe_is_the_error_against_the_named_truth(engine, document):
    plain = ask(engine, document)
    assert np.isnan(plain.models[0].pehe)
    assert np.isnan(plain.true_effect)
    named = ask(engine, SetTrueEffect(column="x").apply(document))
    good = named.models[0]
    assert good.pehe == pytest.approx(0.09)  # the score is x - 0.3
    assert good.pehe_root == pytest.approx(0.3)
    assert named.models[1].pehe > good.pehe
    both = ask(engine, SetTrueEffect(column="x", control="z").apply(document))
    assert both.models[0].pehe > good.pehe
    assert abs(both.true_effect) < 0.05
    assert 0.4 < named.true_effect < 0.6
    with pytest.raises(PayoffError, match="no effect"):
        SetTrueEffect(column="x", control="x").apply(document)


def test_projects_without_a_truth_open(document):
    plain = to_plain(SetTrueEffect(column="x", control="z").apply(document))
    assert from_plain(Document, plain).uplift.true_control == "z"
    del plain["uplift"]["true_effect"], plain["uplift"]["true_control"]
    assert from_plain(Document, plain).uplift == replace(
        UpliftSpec(), treated="mail", control="no mail"
    )


def test_rankings_of_columns_have_the_colours_of_their_models():
    """Two lines in one colour are two models that nobody can tell apart."""
    project = payoff.open_project(SAMPLES / "voucher-test.payoff")
    view = show(Uplift(), project.uplift(), Labels.of(project.document), "curve")
    shown = {entry.name: entry.series for entry in view.charts[0].series}
    assert shown == {entry.name: entry.series for entry in project.document.models}
    assert len(set(shown.values())) == 2
