"""Losses beyond gbm through the engine: which are offered, and what comes of a training."""

from dataclasses import replace

import numpy as np
import pytest

from core.document.commands import AddTrainedModel
from core.document.model import TargetSpec
from core.engine.messages import TrainArguments
from core.questions.compare import CompareModels
from core.questions.explain import Distributions, Explain
from tests.helpers.factories.number_outcomes import (
    number_document,
    survival_columns,
    survival_settings,
)
from tests.helpers.factories.scored import write_csv
from tests.helpers.factories.training import load, raw_columns, raw_document, settings


@pytest.fixture(scope="module")
def raw(engine, tmp_path_factory):
    columns = raw_columns()
    # Grades whose printed order is not their size: 10 stands before 2.
    columns["grade"] = [{"low": 1, "middle": 2, "high": 10}[name] for name in columns["class"]]
    return load(engine, write_csv(tmp_path_factory.mktemp("raw") / "raw.csv", columns))


def train(engine, document, wanted):
    result = engine.run("train", TrainArguments(document=document, settings=wanted))
    return AddTrainedModel(model=result.model).apply(document)


def offered(engine, document):
    result = engine.ask(document, Distributions())
    return {info.id: info for info in result.distributions}


def test_what_is_offered_for_numbers_and_classes(engine, raw):
    counts = offered(engine, raw_document(raw, "count"))
    assert counts["negative_binomial"].fits
    assert counts["expectile"].fits
    assert counts["multi_quantile"].fits
    words = offered(engine, raw_document(raw, "class"))
    assert "are no numbers" in words["ordinal"].reason
    assert words["multinomial"].fits


def test_ordered_classes_are_ranked_by_size_and_shown_in_the_order_of_the_target(engine, raw):
    document = raw_document(raw, "count")
    target = TargetSpec(column="grade", kind="multiclass", levels=("10", "1", "2"))
    document = replace(document, target=target)
    assert offered(engine, document)["ordinal"].fits
    document = train(engine, document, settings(distribution="ordinal", target="grade"))
    explained = engine.ask(document, Explain(model="trees", columns=("age",)))
    assert explained.outputs == ("chance of “1”", "chance of “2”", "chance of “10”")
    curve = explained.curves[0]
    assert curve.y[2, -1] > curve.y[2, 0]  # the highest grade grows with age
    assert curve.y[0, -1] < curve.y[0, 0]
    np.testing.assert_allclose(curve.y.sum(axis=0), 1.0, atol=1e-9)
    judged = engine.ask(document, CompareModels())
    cells = {cell.metric: cell.estimate.value for cell in judged.cells}
    assert cells["macro_auc"] > 0.6


def test_a_model_of_times_is_judged_as_one_of_times(engine, tmp_path):
    data = load(engine, write_csv(tmp_path / "times.csv", survival_columns()))
    document = number_document(data, "days", ("age", "smoker", "noise"))
    document = train(engine, document, survival_settings(distribution="aft", n_trees=30))
    judged = engine.ask(document, CompareModels())
    cells = {cell.metric: cell.estimate.value for cell in judged.cells}
    assert cells["concordance"] > 0.6  # later predicted is later, not sooner
    explained = engine.ask(document, Explain(model="hazards"))
    assert explained.outputs == ("time to the event",)
