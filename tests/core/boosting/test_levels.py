"""Columns of many levels: means shrunk by counts, as good as LightGBM, weights as cases."""

import json
from dataclasses import replace
from io import BytesIO
from zipfile import ZipFile

import numpy as np
import pytest

from core.boosting import (
    UNSEEN,
    BoostSettings,
    InputColumn,
    Inputs,
    TrainingCases,
    inputs_of_matrix,
    model_bytes,
    read_model,
)
from payoff.errors import PayoffError
from tests.helpers.factories.boosting import DISTRIBUTIONS, cases_for, train

PRECISIONS = ("exact", "histogram")
SETTINGS = {"shrinkage": 0.1, "n_trees": 60, "interaction_depth": 4, "bag_fraction": 0.5}


def drawn(rows, levels, columns, effect, seed=1):
    """Yes or no by one number and the effect of a level of the first nominal column."""
    random = np.random.default_rng(seed)
    number = random.normal(size=rows)
    codes = random.integers(0, levels, (columns, rows)).astype(float)
    score = number + (effect * random.normal(size=levels))[codes[0].astype(int)]
    outcome = (random.random(rows) < 1 / (1 + np.exp(-score))).astype(float)
    names = tuple(f"l{place}" for place in range(levels))
    nominal = [InputColumn(name=f"c{place}", levels=names) for place in range(columns)]
    inputs = Inputs((InputColumn(name="x"), *nominal), (number, *codes))
    return TrainingCases(inputs=inputs, outcome=outcome)


def fresh_loss(cases, rows, distribution="bernoulli", **settings):
    """Mean loss of the cases after the first ``rows``, which train."""
    everything = np.arange(cases.n_rows)
    model = train(distribution, cases.take(everything[:rows]), **{**SETTINGS, **settings})
    return model.deviance(cases.take(everything[rows:]))


@pytest.mark.parametrize("precision", PRECISIONS)
@pytest.mark.parametrize("levels", [100, 400])
def test_meaningless_levels_do_no_harm(precision, levels):
    cases = drawn(6000, levels, 6, 0.0)
    alone = replace(cases, inputs=Inputs(cases.inputs.columns[:1], cases.inputs.arrays[:1]))
    without = fresh_loss(alone, 1500, precision=precision)
    shrunk = fresh_loss(cases, 1500, precision=precision)
    raw = fresh_loss(cases, 1500, precision=precision, level_penalty=0.0)
    assert shrunk < without + 0.02
    assert raw > without + 0.2


@pytest.mark.parametrize("precision", PRECISIONS)
def test_meaningless_levels_do_no_harm_where_counts_are_rare(precision):
    """Far cases alone in their levels made all others look alike, in nodes of few cases."""
    cases = drawn(5000, 300, 6, 0.0)
    random = np.random.default_rng(3)
    count = random.poisson(np.exp(0.8 * cases.inputs.arrays[0] - 1.5)).astype(float)
    cases = replace(cases, outcome=count)
    alone = replace(cases, inputs=Inputs(cases.inputs.columns[:1], cases.inputs.arrays[:1]))
    settings = {"precision": precision, "interaction_depth": 7, "min_cases_in_node": 20}
    without = fresh_loss(alone, 1500, "poisson", **settings)
    assert fresh_loss(cases, 1500, "poisson", **settings) < without + 0.05


@pytest.mark.parametrize("precision", PRECISIONS)
def test_levels_that_counted_nothing_are_believed_in_part(precision):
    """A side of no counts has no finite best score; a share of one is as far as its chance."""
    codes = np.repeat(np.arange(60.0), 8)
    count = np.where((codes % 2 == 1) & (np.arange(480) % 2 == 1), 3.0, 0.0)
    column = InputColumn(name="c", levels=tuple(f"l{i}" for i in range(60)))
    cases = TrainingCases(inputs=Inputs((column,), (codes,)), outcome=count)
    settings = {"precision": precision, "n_trees": 1, "interaction_depth": 1, "shrinkage": 1.0}
    settings |= {"bag_fraction": 1.0, "min_cases_in_node": 1}
    link = train("poisson", cases, **settings).link(cases.inputs)[0]
    (low, high), both = np.unique(link), np.log(cases.outcome.mean())
    assert cases.outcome[link == low].sum() == 0.0
    assert both - 3.0 < low < both < high < np.log(cases.outcome[link == high].mean())


def test_sides_move_towards_the_leaf_of_both():
    """Cases of little curvature count little: the mean of both sides is Newton's own step."""
    cases = drawn(2000, 60, 1, 1.5)
    offset = np.where(cases.inputs.arrays[1] < 30, 4.0, 0.0)
    cases = replace(
        cases, offset=offset, inputs=Inputs(cases.inputs.columns[1:], cases.inputs.arrays[1:])
    )
    settings = {"n_trees": 1, "interaction_depth": 1, "shrinkage": 1.0, "bag_fraction": 1.0}
    model = train("bernoulli", cases, **settings)
    start = 1 / (1 + np.exp(-offset - model.initial[0]))
    step = model.link(cases.inputs)[0] - model.initial[0]
    hessian = start * (1 - start)
    assert np.unique(step).size == 2
    assert (hessian * step).sum() == pytest.approx((cases.outcome - start).sum(), abs=1e-9)


@pytest.mark.parametrize("precision", PRECISIONS)
def test_what_levels_mean_is_learned_through_few_rows_each(precision):
    cases = drawn(8000, 300, 1, 1.5)
    alone = replace(cases, inputs=Inputs(cases.inputs.columns[:1], cases.inputs.arrays[:1]))
    without = fresh_loss(alone, 3000, precision=precision)
    shrunk = fresh_loss(cases, 3000, precision=precision)
    raw = fresh_loss(cases, 3000, precision=precision, level_penalty=0.0)
    assert shrunk < without - 0.1
    assert shrunk < raw - 0.03


@pytest.mark.parametrize("precision", PRECISIONS)
@pytest.mark.parametrize("distribution", ["poisson", "bernoulli", "gaussian"])
def test_a_case_of_weight_2_is_the_case_twice_among_many_levels(precision, distribution):
    cases = drawn(500, 40, 1, 1.0)
    times = np.random.default_rng(4).integers(1, 4, 500)
    rows = np.repeat(np.arange(500), times)
    settings = {"precision": precision, "max_bins": 1000, "min_cases_in_node": 1}
    settings |= {"n_trees": 15, "interaction_depth": 3, "bag_fraction": 1.0}
    weighted = train(distribution, replace(cases, weight=times.astype(float)), **settings)
    repeated = train(distribution, cases.take(rows), **settings)
    np.testing.assert_allclose(
        weighted.link(cases.inputs), repeated.link(cases.inputs), rtol=1e-9, atol=1e-9
    )
    plain = train(distribution, cases, **settings)
    assert np.abs(plain.link(cases.inputs) - weighted.link(cases.inputs)).max() > 1e-3


def test_broken_weights_have_no_unit():
    cases = drawn(500, 40, 1, 1.0)
    weight = np.random.default_rng(4).uniform(0.5, 2.5, 500)
    links = [
        train("bernoulli", replace(cases, weight=weight * unit), **SETTINGS).link(cases.inputs)
        for unit in (1.0, 0.5)
    ]
    np.testing.assert_array_equal(*links)


@pytest.mark.parametrize("precision", PRECISIONS)
def test_levels_without_noise_are_not_shrunk(precision):
    codes = np.tile(np.arange(30.0), 20)
    effect = np.random.default_rng(2).normal(size=30)
    column = InputColumn(name="c", levels=tuple(f"l{i}" for i in range(30)))
    cases = TrainingCases(inputs=Inputs((column,), (codes,)), outcome=effect[codes.astype(int)])
    settings = {"precision": precision, "n_trees": 3, "bag_fraction": 1.0}
    ours = train(cases=cases, **settings).link(cases.inputs)
    raw = train(cases=cases, level_penalty=0.0, **settings).link(cases.inputs)
    np.testing.assert_allclose(ours, raw, rtol=1e-6, atol=1e-9)


def test_gbm_s_arithmetic_shrinks_no_levels():
    cases = cases_for("gaussian", rows=400)
    ours, raw = (
        train(cases=cases, gbm_compatible=True, level_penalty=penalty).link(cases.inputs)
        for penalty in (1.0, 0.0)
    )
    np.testing.assert_array_equal(ours, raw)


def test_columns_of_numbers_do_not_depend_on_the_penalty():
    matrix = np.random.default_rng(1).normal(size=(500, 3))
    cases = TrainingCases(inputs=inputs_of_matrix(matrix), outcome=matrix[:, 0] * matrix[:, 1])
    ours, raw = (train(cases=cases, level_penalty=value).link(cases.inputs) for value in (1, 0.0))
    np.testing.assert_array_equal(ours, raw)


def test_whole_weights_that_stand_for_others_make_no_more_cases():
    cases = drawn(3000, 200, 6, 0.0)
    weight = np.random.default_rng(2).integers(1, 5, cases.n_rows).astype(float)
    cases = replace(cases, weight=weight)
    counted = fresh_loss(cases, 1500)
    sampled = replace(cases, counts_cases=False)
    others = fresh_loss(sampled, 1500)
    assert others < counted - 0.2
    assert others == pytest.approx(fresh_loss(replace(cases, weight=0.4 * weight), 1500), abs=1e-9)


@pytest.mark.parametrize("missing", ["learned_side", "third_child"])
def test_missing_levels_keep_what_they_mean(missing):
    cases = drawn(3000, 200, 1, 0.0)
    codes = cases.inputs.arrays[1].copy()
    codes[::4] = np.nan
    outcome = np.where(np.isnan(codes), 1.0, cases.outcome)
    inputs = Inputs(cases.inputs.columns, (cases.inputs.arrays[0], codes))
    model = train("bernoulli", replace(cases, inputs=inputs, outcome=outcome), missing=missing)
    requested = Inputs(inputs.columns, (np.zeros(3), np.array([np.nan, UNSEEN, 7.0])))
    lost, unknown, known = model.response(requested)[0]
    assert lost > 0.85
    assert unknown < 0.7
    assert known < 0.7


@pytest.mark.parametrize("precision", PRECISIONS)
def test_a_monotone_number_stays_so_beside_shrunk_levels(precision):
    cases = drawn(2000, 60, 1, 1.0)
    model = train("bernoulli", cases, precision=precision, monotone=(1, 0), **SETTINGS)
    grid = np.linspace(-3, 3, 41)
    for level in range(0, 60, 7):
        at = Inputs(cases.inputs.columns, (grid, np.full(41, float(level))))
        assert np.diff(model.link(at)[0]).min() >= -1e-12


def test_what_columns_add_still_sums_to_the_score():
    cases = drawn(1500, 120, 2, 1.0)
    model = train("bernoulli", cases, **SETTINGS)
    some = cases.inputs.take(np.arange(40))
    found = model.contributions(some)
    total = found.base[:, np.newaxis] + found.values.sum(axis=1)
    np.testing.assert_allclose(total, model.link(some), atol=1e-9)


def test_a_model_file_of_before_is_continued_as_before(tmp_path):
    cases = drawn(600, 60, 1, 1.0)
    old = train("bernoulli", cases, level_penalty=0.0, n_trees=4)
    path = tmp_path / "old.model"
    with ZipFile(BytesIO(model_bytes(old))) as source, ZipFile(path, "w") as target:
        for name in source.namelist():
            data = source.read(name)
            if name == "model.json":
                head = json.loads(data)
                del head["settings"]["level_penalty"]
                data = json.dumps(head).encode()
            target.writestr(name, data)
    read = read_model(path, DISTRIBUTIONS.__getitem__)
    assert read.settings.level_penalty == 0.0
    longer = read.continued(4, cases).link(cases.inputs)
    at_once = train("bernoulli", cases, level_penalty=0.0, n_trees=8).link(cases.inputs)
    np.testing.assert_allclose(longer, at_once, rtol=1e-12)


def test_a_penalty_below_0_is_refused():
    with pytest.raises(PayoffError, match="level_penalty is -1"):
        BoostSettings(level_penalty=-1.0)
