"""The loop: continuing, stopping, bags, folds, checkpoints."""

from dataclasses import replace

import numpy as np
import pytest

from core.boosting import (
    BoostSettings,
    Callbacks,
    EarlyStopping,
    Trainer,
    fit,
    fold_numbers,
    read_model,
    save_model,
)
from core.boosting.stopping import best_by_oob, smoothed
from payoff import PayoffError
from tests.helpers.factories.boosting import DISTRIBUTIONS, cases_for, train


@pytest.mark.parametrize("precision", ["exact", "histogram"])
@pytest.mark.parametrize(
    "distribution", ["bernoulli", "multinomial", "laplace", "coxph", "pairwise"]
)
def test_two_halves_are_the_whole(distribution, precision, tmp_path):
    cases = cases_for(distribution, rows=300, n_train=260)
    settings = {"precision": precision, "bag_fraction": 0.5, "min_cases_in_node": 5}
    whole = train(distribution, cases, n_trees=16, **settings)
    half = train(distribution, cases, n_trees=8, **settings)
    path = tmp_path / "half.model"
    save_model(half, path)
    read = read_model(path, DISTRIBUTIONS.__getitem__)
    for again in (half.continued(8), read.continued(8, cases)):
        np.testing.assert_array_equal(again.link(cases.inputs), whole.link(cases.inputs))
        for name in ("train_deviance", "valid_deviance", "oob_improvement"):
            np.testing.assert_array_equal(
                getattr(again.history, name), getattr(whole.history, name)
            )


def test_other_data_cannot_continue():
    model = replace(train(n_trees=2), trainer=None)
    with pytest.raises(PayoffError, match="other data"):
        model.continued(2, cases_for("gaussian", seed=9))
    with pytest.raises(PayoffError, match="without its training data"):
        model.continued(2)


@pytest.mark.parametrize("distribution", sorted(DISTRIBUTIONS))
def test_every_distribution_learns(distribution):
    cases = cases_for(distribution, rows=500, n_train=400, offset=np.linspace(-0.2, 0.2, 500))
    weight = np.random.default_rng(3).uniform(0.5, 1.5, 500)
    if cases.group is not None:  # rankings weigh whole groups
        weight = weight[cases.group]
    weighted = replace(cases, weight=weight)
    model = train(distribution, weighted, n_trees=30, bag_fraction=0.6, min_cases_in_node=8)
    history = model.history
    assert history.train_deviance[-1] < history.train_deviance[0]
    assert history.valid_deviance.min() < history.valid_deviance[0]
    assert history.oob_improvement[:5].sum() > 0
    link = model.link(cases.inputs, offset=cases.offset)
    np.testing.assert_allclose(link, model.trainer.score, rtol=1e-9, atol=1e-12)


def test_a_stop_keeps_the_trees():
    seen, kept = [], []
    calls = Callbacks(
        on_tree=lambda p: seen.append(p) or p.done == 30,
        on_checkpoint=lambda forest, done: kept.append((done, forest.n_trees)),
    )
    cases = cases_for("gaussian", rows=300)
    model = fit(cases, DISTRIBUTIONS["gaussian"], {}, BoostSettings(n_trees=80), callbacks=calls)
    assert model.n_trees == 30
    assert [p.done for p in seen] == list(range(1, 31))
    assert seen[-1].train_deviance == model.history.train_deviance[-1]
    assert kept == [(25, 25)]


def test_early_stopping_keeps_the_best_trees():
    cases = cases_for("gaussian", rows=300, n_train=150)
    stopping = EarlyStopping(patience=15)
    model = fit(
        cases,
        DISTRIBUTIONS["gaussian"],
        {},
        BoostSettings(n_trees=2000, interaction_depth=6, shrinkage=0.3, min_cases_in_node=3),
        early_stopping=stopping,
    )
    assert model.n_trees < 1000
    assert model.n_trees == np.argmin(model.history.valid_deviance) + 1
    assert model.choice == "early stopping"


def test_early_stopping_on_any_figure():
    cases = cases_for("bernoulli", rows=400, n_train=250)
    judged = cases.outcome[250:]

    def profit(scores):
        return float(np.where(scores[0] > -1.0, 10.0 * judged - 2.0, 0.0).sum())

    stopping = EarlyStopping(figure=profit, patience=20, is_higher_better=True, every=2)
    model = fit(
        cases, DISTRIBUTIONS["bernoulli"], {}, BoostSettings(n_trees=300), early_stopping=stopping
    )
    assert model.n_trees % 2 == 0
    link = model.link(cases.inputs.take(np.arange(250, 400)))
    again = fit(
        cases,
        DISTRIBUTIONS["bernoulli"],
        {},
        BoostSettings(n_trees=model.n_trees + 20),
    )
    profits = [
        profit(again.link(cases.inputs.take(np.arange(250, 400)), n))
        for n in range(2, model.n_trees + 20, 2)
    ]
    assert profit(link) == max(profits)


def test_bags_depend_on_the_seed_alone():
    cases = cases_for("gaussian", rows=300)
    one, two, other = (
        train(cases=cases, bag_fraction=0.5, seed=seed).link(cases.inputs) for seed in (7, 7, 8)
    )
    np.testing.assert_array_equal(one, two)
    assert np.abs(one - other).max() > 1e-3


def test_group_bags_hold_whole_groups():
    from core.boosting.growing.sampling import bag_of

    groups = np.repeat(np.arange(40), 5)
    bag = bag_of(200, 0.5, groups, 3, 0).reshape(40, 5)
    assert (bag.min(axis=1) == bag.max(axis=1)).all()
    assert bag[:, 0].sum() == 20


def test_folds_are_drawn_by_class_and_by_group():
    cases = cases_for("bernoulli", rows=303)
    fold = fold_numbers(cases, 5, 1, DISTRIBUTIONS["bernoulli"].target)
    for level in (0.0, 1.0):
        sizes = np.bincount(fold[cases.outcome == level], minlength=5)
        assert np.ptp(sizes) <= 1
    assert np.ptp(np.bincount(fold)) <= 1
    grouped = replace(cases, group=np.arange(303) // 3)
    fold = fold_numbers(grouped, 5, 1, DISTRIBUTIONS["bernoulli"].target)
    assert (fold.reshape(-1, 3).min(axis=1) == fold.reshape(-1, 3).max(axis=1)).all()


def test_cross_validation_scores_what_it_did_not_see():
    cases = cases_for("bernoulli", rows=300)
    settings = BoostSettings(n_trees=40, bag_fraction=1.0, interaction_depth=2)
    model = fit(cases, DISTRIBUTIONS["bernoulli"], {}, settings, cv_folds=4)
    crossed = model.cross_validation
    best = model.best_iteration("cv")
    assert best == np.argmin(crossed.deviance) + 1
    losses = 2 * np.log1p(np.exp(np.where(cases.outcome > 0, -1, 1) * crossed.link[0]))
    by_fold = [losses[crossed.fold == f].mean() * (crossed.fold == f).mean() for f in range(4)]
    assert crossed.deviance[best - 1] == pytest.approx(sum(by_fold), rel=1e-12)
    outside = np.flatnonzero(crossed.fold == 2)
    inside = np.flatnonzero(crossed.fold != 2)
    alone = fit(cases.take(inside), DISTRIBUTIONS["bernoulli"], {}, settings)
    np.testing.assert_allclose(
        alone.link(cases.inputs.take(outside), best)[0], crossed.link[0, outside], rtol=1e-12
    )


def test_smoothing_keeps_a_parabola():
    x = np.arange(60.0)
    parabola = 3 - 0.5 * x + 0.02 * x**2
    np.testing.assert_allclose(smoothed(parabola, 0.4), parabola, atol=1e-9)
    noise = np.random.default_rng(1).normal(0, 0.05, 200)
    falling = np.linspace(1, -1, 200) + noise
    assert abs(best_by_oob(falling) - 100) < 10


@pytest.mark.parametrize("method", ["test", "oob", "cv", "other"])
def test_a_method_without_its_figures_is_refused(method):
    with pytest.raises(PayoffError):
        train(n_trees=3).best_iteration(method)


def test_the_loss_without_a_model_is_that_of_the_best_constant():
    cases = cases_for("gaussian", rows=300, n_train=200)
    trainer = Trainer(cases, DISTRIBUTIONS["gaussian"], {}, BoostSettings())
    mean = cases.outcome[:200].mean()
    squares = (cases.outcome - mean) ** 2
    wanted = squares[:200].mean(), squares[200:].mean()
    assert trainer.loss_of_no_model() == pytest.approx(wanted)
    trainer.run(3)
    every = replace(cases, n_train=None)
    alone = Trainer(every, DISTRIBUTIONS["gaussian"], {}, BoostSettings())
    assert np.isnan(alone.loss_of_no_model()[1])
    fresh = Trainer(cases, DISTRIBUTIONS["gaussian"], {}, BoostSettings())
    fresh.run(3)
    assert fresh.train_deviance == trainer.train_deviance
