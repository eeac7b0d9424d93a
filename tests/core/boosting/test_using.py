"""Scoring, explaining, keeping and exporting a model."""

import math
import sqlite3
import zipfile
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from core.boosting import UNSEEN, Inputs, model_bytes, read_model, save_model, to_python, to_sql
from core.boosting.explaining.one_case import ModelOnCases
from core.boosting.predicting import MOST_BYTE_BORDERS, make_predictor
from payoff import PayoffError
from tests.helpers.factories.boosting import DISTRIBUTIONS, cases_for, mixed_inputs, train


def new_inputs(rows=500):
    inputs = mixed_inputs(rows, seed=8)
    arrays = list(inputs.arrays)
    arrays[3] = arrays[3].copy()
    arrays[3][5::13] = UNSEEN
    return Inputs(inputs.columns, tuple(arrays))


@pytest.mark.parametrize("depth", [1, 4, 30, 60, 250])
@pytest.mark.parametrize("distribution", ["gaussian", "multinomial"])
def test_masks_and_walk_agree(depth, distribution):
    model = train(distribution, interaction_depth=depth, n_trees=8, min_cases_in_node=2)
    assert model.predictor.fast is not None
    most = np.diff(model.predictor.fast.leaf_start).max()
    assert most > min(depth, 128)
    walked = replace(model.predictor, fast=None)
    for inputs in (new_inputs(), mixed_inputs(600)):
        np.testing.assert_array_equal(model.link(inputs), walked.link(inputs, model.initial))


def test_training_scores_are_the_predictions():
    for precision in ("exact", "histogram"):
        cases = cases_for("gaussian", rows=900, n_train=700)
        model = train(cases=cases, precision=precision, bag_fraction=0.5)
        np.testing.assert_array_equal(model.link(cases.inputs), model.trainer.score)


def test_columns_of_many_thresholds_are_read_in_parts():
    cases = cases_for("gaussian", rows=3000)
    settings = {"interaction_depth": 12, "min_cases_in_node": 2}
    model = train(cases=cases, n_trees=200, precision="exact", **settings)
    predictor = model.predictor
    most = max(numbers.shape[0] for numbers in predictor.borders.numbers)
    assert most > 2 * MOST_BYTE_BORDERS
    assert predictor.fast is not None
    assert predictor.parts.bin(cases.inputs).dtype == np.uint8
    np.testing.assert_array_equal(model.link(cases.inputs), model.trainer.score)
    walked = replace(predictor, fast=None)
    at_thresholds = new_inputs(4 * most)
    for place, numbers in enumerate(predictor.borders.numbers):
        if numbers.size:
            at_thresholds.arrays[place][: numbers.shape[0]] = numbers
    for inputs in (at_thresholds, at_thresholds.take(np.arange(most - 9, most))):
        np.testing.assert_array_equal(model.link(inputs), walked.link(inputs, model.initial))


def test_fewer_trees():
    model = train(n_trees=10)
    inputs = new_inputs()
    short = make_predictor(model.forest.head(4), model.columns).link(inputs, model.initial)
    np.testing.assert_array_equal(model.link(inputs, 4), short)
    np.testing.assert_array_equal(model.link(inputs, 0)[0], np.full(500, model.initial[0]))
    with pytest.raises(PayoffError, match="no 11 trees"):
        model.link(inputs, 11)


def test_no_rows():
    inputs = mixed_inputs(600).take(np.zeros(0, dtype=np.int64))
    assert train(n_trees=2).link(inputs).shape == (1, 0)


@pytest.mark.parametrize("method", ["tree", "cases"])
def test_dependence_on_everything_is_the_prediction(method):
    model = train(n_trees=10)
    inputs = mixed_inputs(40, seed=3)
    cases = (inputs, np.ones(40)) if method == "cases" else None
    found = model.dependence([0, 1, 2, 3], inputs.values(), None, cases)
    np.testing.assert_allclose(found, model.link(inputs), rtol=1e-12)


def test_dependence_by_cases_is_a_mean():
    model = train(n_trees=10)
    inputs, weight = mixed_inputs(50, seed=3), np.linspace(1, 2, 50)
    found = model.dependence([1], np.array([[0.3]]), None, (inputs, weight))
    arrays = list(inputs.arrays)
    arrays[1] = np.full(50, 0.3)
    wanted = np.average(model.link(Inputs(inputs.columns, tuple(arrays)))[0], weights=weight)
    assert found[0, 0] == pytest.approx(wanted, rel=1e-12)


def test_stumps_do_not_interact_and_products_do():
    inputs = mixed_inputs(600, missing=False)
    flat = train(interaction_depth=1, n_trees=50)
    assert flat.interaction([0, 1], inputs)[0] == pytest.approx(0.0, abs=1e-7)
    deep = train(interaction_depth=6, n_trees=50)
    assert deep.interaction([1, 2], inputs)[0] > 0.2


def test_permutation_finds_what_matters():
    cases = cases_for("gaussian")
    noise = np.random.default_rng(2).normal(size=600)
    arrays = (cases.inputs.arrays[3], noise)
    columns = (cases.inputs.columns[3], replace(cases.inputs.columns[0], name="noise"))
    model = train(cases=replace(cases, inputs=Inputs(columns, arrays)), interaction_depth=2)
    rise = model.permutation(model.trainer.cases, repeats=3, seed=1)
    assert rise.shape == (2, 3)
    assert rise[0].min() > 2 * abs(rise[1]).max()


def test_files_keep_everything(tmp_path):
    model = train("multinomial", cases_for("multinomial", n_train=500), bag_fraction=0.5)
    path = tmp_path / "m.model"
    save_model(model, path)
    again = read_model(path, DISTRIBUTIONS.__getitem__)
    np.testing.assert_array_equal(again.link(new_inputs()), model.link(new_inputs()))
    assert model_bytes(again) == model_bytes(model)
    assert again.settings == model.settings
    assert again.columns == model.columns
    with zipfile.ZipFile(path) as archive:
        assert all(name.endswith((".json", ".npy")) for name in archive.namelist())


def test_damaged_files_are_refused(tmp_path):
    path = tmp_path / "m.model"
    save_model(train(n_trees=2), path)
    content = path.read_bytes()
    for bad in (b"", b"no zip", content[: len(content) // 2]):
        path.write_bytes(bad)
        with pytest.raises(PayoffError, match="no model"):
            read_model(path, DISTRIBUTIONS.__getitem__)
    with zipfile.ZipFile(path, "w") as archive, zipfile.ZipFile(tmp_path / "x", "w"):
        archive.writestr("model.json", "{}")
    with pytest.raises(PayoffError):
        read_model(path, DISTRIBUTIONS.__getitem__)


def test_trees_that_lead_astray_are_refused(tmp_path):
    model = train(n_trees=2)
    left = model.forest.left.copy()
    left[0] = 10_000
    path = tmp_path / "m.model"
    save_model(replace(model, forest=model.forest._replace(left=left)), path)
    with pytest.raises(PayoffError, match="damaged"):
        read_model(path, DISTRIBUTIONS.__getitem__)


def as_rows(inputs):
    table = {}
    for column, array in zip(inputs.columns, inputs.arrays, strict=True):
        if column.levels:
            names = [*column.levels, "new"]
            table[column.name] = [None if math.isnan(v) else names[int(v)] for v in array]
        else:
            table[column.name] = [None if math.isnan(v) else float(v) for v in array]
    return pd.DataFrame(table)


@pytest.mark.parametrize("missing", ["learned_side", "third_child"])
@pytest.mark.parametrize("distribution", ["gaussian", "bernoulli", "poisson", "multinomial"])
def test_code_agrees_with_the_program(distribution, missing):
    model = train(distribution, missing=missing, n_trees=60)
    if model.n_scores > 1:
        model = replace(model, classes=("a", "b", "c"))
    inputs = new_inputs()
    rows = as_rows(inputs)
    wanted = model.link(inputs)
    with sqlite3.connect(":memory:") as connection:
        rows.to_sql("cases", connection, index=False)
        scored = pd.read_sql(to_sql(model), connection)
    connection.close()
    np.testing.assert_allclose(scored.to_numpy().T, wanted, rtol=1e-12, atol=1e-12)
    module = {}
    exec(to_python(model), module)
    cases = rows.astype(object).where(rows.notna(), None).to_dict("records")
    link = np.array([module["link"](case) for case in cases]).reshape(500, -1)
    np.testing.assert_allclose(link.T, wanted, rtol=1e-12, atol=1e-12)
    response = np.array([module["response"](case) for case in cases]).reshape(500, -1)
    np.testing.assert_allclose(response.T, model.response(inputs), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("trees", [None, 7, 0])
@pytest.mark.parametrize("missing", ["learned_side", "third_child"])
@pytest.mark.parametrize("distribution", ["bernoulli", "multinomial"])
def test_a_map_asks_each_tree_once_for_what_it_reads(distribution, missing, trees):
    """By parts of the forest the means are those of all trees at every place, offsets too."""
    model = train(distribution, n_trees=15, interaction_depth=2, missing=missing)
    inputs = new_inputs(60)
    offset = np.linspace(-0.5, 0.5, 60)
    subject = ModelOnCases(name="m", model=model, inputs=inputs, offset=offset, trees=trees)
    x, y, looks = np.array([-1.0, 0.2, np.nan]), np.array([0.0, 2.0, 4.0, UNSEEN]), []
    found = subject.mean_over((0, 3), x, y, lambda: looks.append(1))
    assert len(looks) == len(y)
    for row, level in enumerate(y):
        for place, value in enumerate(x):
            arrays = [array.copy() for array in inputs.arrays]
            arrays[0][:], arrays[3][:] = value, level
            wanted = model.response(Inputs(inputs.columns, tuple(arrays)), trees, offset)
            np.testing.assert_allclose(found[:, row, place], wanted.mean(axis=1), rtol=1e-10)
    single = subject.predictions(1, np.array([0.1, 0.9]))
    arrays = [array.copy() for array in inputs.arrays]
    arrays[1][:] = 0.9
    wanted = model.response(Inputs(inputs.columns, tuple(arrays)), trees, offset)
    np.testing.assert_allclose(single[:, 1], wanted, rtol=1e-10)
