"""Trees: the growers agree, constraints hold, missing values and levels go where they should."""

from dataclasses import replace

import numpy as np
import pytest

from core.boosting import (
    UNSEEN,
    BoostSettings,
    InputColumn,
    Inputs,
    Precision,
    TrainingCases,
    inputs_of_matrix,
)
from core.boosting.growing.histogram_grower import HistogramGrower
from core.kernels import limited_threads
from tests.helpers.factories.boosting import DISTRIBUTIONS, cases_for, mixed_inputs, train


@pytest.mark.parametrize("missing", ["learned_side", "third_child"])
@pytest.mark.parametrize("max_bins", [1000, 60_000])
def test_histograms_with_enough_bins_equal_exact_growing(missing, max_bins):
    cases = cases_for("gaussian", rows=700)
    settings = {"missing": missing, "n_trees": 15, "max_bins": max_bins}
    exact = train(cases=cases, precision="exact", **settings)
    binned = train(cases=cases, precision="histogram", **settings)
    np.testing.assert_allclose(binned.link(cases.inputs), exact.link(cases.inputs), rtol=1e-9)
    np.testing.assert_array_equal(binned.forest.feature, exact.forest.feature)


def test_rounded_gradients_come_close_to_exact_ones():
    cases = cases_for("bernoulli", rows=4000)
    exact = train("bernoulli", cases, precision="exact")
    rounded = train("bernoulli", cases, precision="histogram")
    last = -1
    assert rounded.history.train_deviance[last] == pytest.approx(
        exact.history.train_deviance[last], rel=0.01
    )


def test_few_cases_with_nearly_all_gradient_are_added_in_float64():
    cases = cases_for("gaussian", rows=3000)
    outcome = cases.outcome.copy()
    outcome[5] = 1e9
    settings = {"precision": "histogram", "max_bins": 255, "n_trees": 3}
    model = train(cases=replace(cases, outcome=outcome), **settings)
    alone = model.link(cases.inputs)[0]
    assert np.isfinite(alone).all()
    assert model.history.train_deviance[-1] < model.history.train_deviance[0]


@pytest.mark.parametrize("rows", [900, 40_000])
@pytest.mark.parametrize("distribution", ["bernoulli", "laplace"])
def test_threads_do_not_change_the_model(rows, distribution):
    cases = cases_for(distribution, rows=rows)
    links = []
    for count in (1, 2):
        with limited_threads(count):
            model = train(distribution, cases, n_trees=3, bag_fraction=0.5, precision="histogram")
            links.append(model.link(cases.inputs))
    np.testing.assert_array_equal(links[0], links[1])


def test_wide_data_take_several_tiles():
    random = np.random.default_rng(3)
    matrix = random.normal(size=(2000, 61)).astype(np.float32)
    outcome = 3.0 * (matrix[:, 60] > 0.2) + 2.0 * (matrix[:, 30] > 0) + matrix[:, 0]
    cases = TrainingCases(inputs=inputs_of_matrix(matrix), outcome=outcome.astype(float))
    model = train(cases=cases, precision="histogram", n_trees=30)
    leading = np.argsort(-model.influence())[:3]
    assert set(leading) == {0, 30, 60}
    assert model.history.train_deviance[-1] < 0.2 * outcome.var()


@pytest.mark.every_nth(3)
@pytest.mark.parametrize("precision", ["exact", "histogram"])
@pytest.mark.parametrize("distribution", sorted(DISTRIBUTIONS))
def test_monotone_holds_for_every_distribution(distribution, precision):
    cases = cases_for(distribution, rows=400)
    model = train(
        distribution,
        cases,
        precision=precision,
        monotone=(0, 1, -1, 0),
        bag_fraction=0.7,
        interaction_depth=5,
        min_cases_in_node=5,
    )
    assert_monotone(model, cases.inputs, 1, 1.0, np.linspace(0, 1, 21))
    assert_monotone(model, cases.inputs, 2, -1.0, np.arange(6.0))


def assert_monotone(model, inputs, column, sign, values):
    curves = []
    for value in values:
        arrays = list(inputs.arrays)
        arrays[column] = np.full(inputs.n_rows, value)
        curves.append(model.link(Inputs(inputs.columns, tuple(arrays))))
    steps = sign * np.diff(np.array(curves), axis=0)
    assert steps.min() >= -1e-12


@pytest.mark.parametrize("precision", ["exact", "histogram"])
def test_interaction_sets_stay_on_their_paths(precision):
    model = train(precision=precision, interactions=((0, 1),), interaction_depth=6)
    forest = model.forest
    seen = set()
    for tree in range(forest.n_trees):
        first, stop = forest.tree_start[tree], forest.tree_start[tree + 1]
        paths = {0: frozenset()}
        for node in range(stop - first):
            column = int(forest.feature[first + node])
            if column < 0:
                seen.add(paths[node])
                continue
            for child in (forest.left[first + node], forest.right[first + node]):
                paths[int(child)] = paths[node] | {column}
    allowed = [{0, 1}, {2}, {3}]
    assert all(any(path <= group for group in allowed) for path in seen)
    assert any(len(path) == 2 for path in seen)


@pytest.mark.parametrize("precision", ["exact", "histogram"])
def test_leaves_hold_enough_cases_not_weight(precision):
    cases = cases_for("gaussian", rows=500)
    weight = np.where(np.arange(500) % 2 == 0, 100.0, 0.01)
    model = train(
        cases=replace(cases, weight=weight),
        precision=precision,
        min_cases_in_node=60,
        n_trees=1,
        interaction_depth=20,
    )
    values = np.round(model.link(cases.inputs)[0], 12)
    assert np.unique(values, return_counts=True)[1].min() >= 60


@pytest.mark.parametrize("precision", ["exact", "histogram"])
def test_missing_values_take_the_side_they_resemble(precision):
    x = np.tile(np.arange(10.0), 60)
    outcome = (x >= 5).astype(float)
    missing = np.arange(x.size) % 6 == 0
    outcome[missing] = 1.0
    x[missing] = np.nan
    inputs = inputs_of_matrix(x[:, None])
    model = train(
        cases=TrainingCases(inputs=inputs, outcome=outcome),
        precision=precision,
        n_trees=1,
        shrinkage=1.0,
        interaction_depth=1,
    )
    np.testing.assert_allclose(model.link(inputs)[0], outcome, atol=1e-6)


@pytest.mark.parametrize("precision", ["exact", "histogram"])
def test_missingness_alone_can_split(precision):
    x = np.where(np.arange(400) % 4 == 0, np.nan, np.arange(400) % 7)
    outcome = np.isnan(x).astype(float)
    inputs = inputs_of_matrix(x[:, None])
    model = train(
        cases=TrainingCases(inputs=inputs, outcome=outcome),
        precision=precision,
        n_trees=1,
        shrinkage=1.0,
        interaction_depth=1,
    )
    np.testing.assert_allclose(model.link(inputs)[0], outcome, atol=1e-6)
    infinite = inputs_of_matrix(np.array([[np.inf], [-np.inf], [np.nan]]))
    np.testing.assert_allclose(model.link(infinite)[0], [0.0, 0.0, 1.0], atol=1e-6)


def nominal_model(precision, **settings):
    codes = np.tile(np.arange(4.0), 100)
    codes[:40] = np.nan
    outcome = np.where(
        np.isnan(codes), 9.0, np.array([5.0, 0.0, 5.0, 0.0])[np.nan_to_num(codes).astype(int)]
    )
    column = InputColumn(name="c", levels=("a", "b", "c", "d", "never"))
    inputs = Inputs((column,), (codes,))
    model = train(
        cases=TrainingCases(inputs=inputs, outcome=outcome),
        precision=precision,
        n_trees=1,
        shrinkage=1.0,
        interaction_depth=2,
        **settings,
    )
    return model, inputs, outcome


@pytest.mark.parametrize("precision", ["exact", "histogram"])
@pytest.mark.parametrize("missing", ["learned_side", "third_child"])
def test_levels_part_by_their_means_and_unknown_ones_are_not_missing(precision, missing):
    model, inputs, outcome = nominal_model(precision, missing=missing)
    np.testing.assert_allclose(model.link(inputs)[0], outcome, atol=1e-6)
    column = inputs.columns[0]
    new = Inputs((column,), (np.array([np.nan, UNSEEN, 4.0]),))
    lost, unknown, never = model.link(new)[0]
    assert lost == pytest.approx(9.0, abs=1e-6)
    assert unknown != pytest.approx(9.0, abs=1.0)
    assert never == unknown


@pytest.mark.parametrize("precision", ["exact", "histogram"])
def test_many_levels(precision):
    random = np.random.default_rng(5)
    codes = random.integers(0, 400, 6000).astype(float)
    effect = random.normal(size=400)
    column = InputColumn(name="c", levels=tuple(f"l{i}" for i in range(400)))
    inputs = Inputs((column,), (codes,))
    cases = TrainingCases(inputs=inputs, outcome=effect[codes.astype(int)])
    model = train(cases=cases, precision=precision, n_trees=60, shrinkage=0.3)
    assert model.history.train_deviance[-1] < 0.02 * cases.outcome.var()


def test_columns_are_drawn_for_each_tree():
    model = train(column_fraction=0.5, n_trees=30, interaction_depth=8)
    forest = model.forest
    for tree in range(forest.n_trees):
        part = forest.feature[forest.tree_start[tree] : forest.tree_start[tree + 1]]
        assert len(set(part[part >= 0])) <= 2
    assert (model.influence() > 0).all()


def test_depth_is_limited():
    model = train(max_depth=2, interaction_depth=20, n_trees=1)
    assert (model.forest.feature < 0).sum() <= 4


def test_l2_shrinks_leaves():
    free, held = (train(l2=value, n_trees=1, shrinkage=1.0) for value in (0.0, 500.0))
    spread = [np.ptp(model.link(mixed_inputs(600))[0]) for model in (free, held)]
    assert spread[1] < 0.8 * spread[0]


@pytest.mark.parametrize("precision", ["exact", "histogram"])
def test_whole_weights_count_as_repeated_rows(precision):
    cases = cases_for("poisson", rows=300)
    times = np.random.default_rng(4).integers(1, 4, 300)
    rows = np.repeat(np.arange(300), times)
    repeated = cases.take(rows)
    weighted = replace(cases, weight=times.astype(float))
    settings = {
        "precision": precision,
        "max_bins": 1000,
        "min_cases_in_node": 1,
        "interaction_depth": 2,
    }
    one = train("poisson", weighted, n_trees=10, **settings)
    two = train("poisson", repeated, n_trees=10, **settings)
    np.testing.assert_allclose(one.link(cases.inputs), two.link(cases.inputs), rtol=1e-9)


def test_gradients_are_rounded_wherever_integers_can_hold_them():
    """Not told by the trees: sums of float64 grow nearly the same ones, at half the speed."""
    cases = cases_for("gaussian", rows=3000)
    wanted = BoostSettings(precision=Precision.HISTOGRAM, max_bins=255)
    grower = HistogramGrower(cases.inputs, np.ones(3000), 1.0, wanted)
    random = np.random.default_rng(3)
    usual, flat, spread = random.normal(size=3000), np.ones(3000), np.empty(3)
    assert grower._rounded(usual, flat, spread, 3000, 0) is not None
    for g, h in ((np.zeros(3000), flat), (usual, np.zeros(3000)), (usual, -flat)):
        assert grower._rounded(g, h, spread, 3000, 0) is None
    usual[7] = np.inf
    assert grower._rounded(usual, flat, spread, 3000, 0) is None
