"""Shapley values against their definition by brute force, the shap package, and their sums."""

from itertools import combinations
from math import factorial

import numpy as np
import pytest

from core.boosting import BoostSettings, InputColumn, Inputs, MissingPolicy, TrainingCases, fit
from core.boosting.explaining.treeshap import MOST_TABLE_ELEMENTS
from plugins.distributions.gaussian import Gaussian
from plugins.distributions.multinomial import MULTINOMIAL


def made_up(rows=600, seed=3, width=4):
    """Numbers with missing values, and a nominal column, with joint effects."""
    random = np.random.default_rng(seed)
    numbers = random.normal(size=(width, rows))
    level = random.integers(0, 5, rows).astype(float)
    outcome = numbers[0] * numbers[1] + np.where(level < 2, 1.0, -1.0) + numbers[2]
    outcome = outcome + 0.3 * random.normal(size=rows)
    numbers[1, random.random(rows) < 0.1] = np.nan
    level[random.random(rows) < 0.05] = np.nan
    columns = (
        *(InputColumn(name=f"x{place}") for place in range(width)),
        InputColumn(name="level", levels=("a", "b", "c", "d", "e")),
    )
    return Inputs(columns, (*numbers, level)), outcome


def trained(policy=MissingPolicy.LEARNED_SIDE, splits=6, trees=12, **more):
    inputs, outcome = made_up(**more)
    settings = BoostSettings(
        n_trees=trees,
        interaction_depth=splits,
        shrinkage=0.3,
        missing=policy,
        seed=2,
        min_cases_in_node=3,
    )
    return fit(TrainingCases(inputs=inputs, outcome=outcome), Gaussian, {}, settings), inputs


def known_score(model, inputs, columns, row):
    """The score with some columns known: weighted traversal of the trees."""
    if not columns:
        grid, columns = np.zeros((0, 1)), []
    else:
        grid = np.array([[inputs.arrays[column][row]] for column in columns])
    return model.dependence(list(columns), grid)[0, 0]


def by_definition(model, inputs, row):
    width = len(model.columns)
    score = {
        part: known_score(model, inputs, part, row)
        for size in range(width + 1)
        for part in combinations(range(width), size)
    }
    value, pair = np.zeros(width), np.zeros((width, width))
    for part, without in score.items():
        others = [column for column in range(width) if column not in part]
        size = len(part)
        for j in others:
            share = factorial(size) * factorial(width - size - 1) / factorial(width)
            value[j] += share * (score[tuple(sorted((*part, j)))] - without)
            for k in others:
                if k == j:
                    continue
                both = score[tuple(sorted((*part, j, k)))]
                gain = both - score[tuple(sorted((*part, j)))]
                gain -= score[tuple(sorted((*part, k)))] - without
                share = factorial(size) * factorial(width - size - 2)
                pair[j, k] += share / (2 * factorial(width - 1)) * gain
    np.fill_diagonal(pair, value - pair.sum(axis=1))
    return score[()], value, pair


@pytest.mark.parametrize("policy", list(MissingPolicy))
def test_values_and_interactions_are_those_of_the_definition(policy):
    model, inputs = trained(policy)
    some = inputs.take(np.arange(40))
    found, pairs = model.contributions(some), model.interactions(some)
    is_missing = np.isnan(np.array(some.arrays)).any(axis=0)
    assert is_missing.any()
    # A third child counts nothing while its column is unknown, and the traversal of a known
    # missing value follows it: the definition holds for both.
    for row in (0, 1, 2, int(np.argmax(is_missing)), 39):
        base, value, pair = by_definition(model, some, row)
        assert found.base[0] == pytest.approx(base, abs=1e-12)
        np.testing.assert_allclose(found.values[0, :, row], value, atol=1e-12)
        np.testing.assert_allclose(pairs[0, :, :, row], pair, atol=1e-12)


def test_tables_and_single_cases_agree_and_sum_to_the_score():
    model, inputs = trained(splits=40, trees=20, rows=5000, width=14)
    found = model.contributions(inputs)
    link = model.link(inputs)
    np.testing.assert_allclose(found.base[:, None] + found.values.sum(axis=1), link, atol=1e-10)
    few = model.contributions(inputs.take(np.arange(7)))
    np.testing.assert_allclose(few.values, found.values[:, :, :7], atol=1e-11)
    part = model.contributions(inputs, n_trees=5)
    np.testing.assert_allclose(
        part.base[:, None] + part.values.sum(axis=1), model.link(inputs, 5), atol=1e-10
    )
    assert MOST_TABLE_ELEMENTS < 14


def test_every_class_has_values_and_a_trunk_alone_has_none():
    inputs, outcome = made_up()
    classes = np.digitize(outcome, [-1.0, 1.0]).astype(float)
    settings = BoostSettings(n_trees=5, interaction_depth=4, seed=1)
    model = fit(
        TrainingCases(inputs=inputs, outcome=classes, n_classes=3), MULTINOMIAL, {}, settings
    )
    found = model.contributions(inputs)
    total = found.base[:, None] + found.values.sum(axis=1)
    np.testing.assert_allclose(total, model.link(inputs), atol=1e-12)
    flat = fit(TrainingCases(inputs=inputs, outcome=np.ones(600)), Gaussian, {}, settings)
    assert not flat.contributions(inputs).values.any()
    assert flat.contributions(inputs).base[0] == pytest.approx(1.0)


def shap_trees(model):
    """The forest in the form that the shap package reads: x <= threshold goes left."""
    forest, trees = model.forest, []
    for tree in range(forest.n_trees):
        part = slice(forest.tree_start[tree], forest.tree_start[tree + 1])
        is_leaf = forest.feature[part] < 0
        trees.append(
            {
                "children_left": np.where(is_leaf, -1, forest.left[part]),
                "children_right": np.where(is_leaf, -1, forest.right[part]),
                "children_default": np.where(is_leaf, -1, forest.missing[part]),
                "features": forest.feature[part],
                "thresholds": np.nextafter(forest.threshold[part], -np.inf),
                "values": forest.value[part][:, None],
                "node_sample_weight": forest.weight[part],
            }
        )
    return {"trees": trees, "base_offset": model.initial[0]}


@pytest.mark.filterwarnings("ignore")
def test_values_are_those_of_the_shap_package():
    import shap  # slow to load: only here

    random = np.random.default_rng(6)
    arrays = tuple(random.normal(size=(8, 2000)))
    columns = tuple(InputColumn(name=f"x{place}") for place in range(8))
    inputs = Inputs(columns, arrays)
    outcome = arrays[0] * arrays[1] + np.sin(3 * arrays[2]) + (arrays[3] > 0) * arrays[4]
    settings = BoostSettings(n_trees=30, interaction_depth=15, seed=4)
    model = fit(TrainingCases(inputs=inputs, outcome=outcome), Gaussian, {}, settings)
    explainer = shap.TreeExplainer(shap_trees(model), feature_perturbation="tree_path_dependent")
    some = inputs.take(np.arange(50))
    wanted = explainer.shap_values(np.array(some.arrays).T, check_additivity=False)
    np.testing.assert_allclose(model.contributions(some).values[0].T, wanted, atol=1e-9)
    pairs = explainer.shap_interaction_values(np.array(some.arrays).T)
    found = np.moveaxis(model.interactions(some)[0], 2, 0)
    np.testing.assert_allclose(found, pairs, atol=1e-9)
