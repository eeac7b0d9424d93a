"""What cannot be trained on is refused by the job: column, row and line are named."""

import numpy as np
import pytest

from core.assembly.models.training_plan import reason_by_kind
from core.document.model import SplitSpec, TargetSpec
from core.engine.local import LocalEngine
from core.engine.messages import TrainArguments
from payoff.errors import PayoffError
from plugins.distributions.hooks import payoff_register_distributions
from tests.helpers.factories.scored import write_csv
from tests.helpers.factories.training import load, raw_columns, raw_document, settings


def attempt(engine, tmp_path, columns, wanted, *, target="answer", **changes):
    """Train on a file of these columns; returns what is refused."""
    data = load(engine, write_csv(tmp_path / "raw.csv", columns))
    document = raw_document(data, target, **changes)
    with pytest.raises(PayoffError) as refusal:
        engine.run("train", TrainArguments(document=document, settings=wanted))
    return refusal.value


def test_one_class(engine, tmp_path):
    columns = raw_columns(rows=200)
    train = np.array(columns["use"]) == "train"
    columns["answer"] = np.where(train, "no", columns["answer"]).tolist()
    refusal = attempt(engine, tmp_path, columns, settings())
    assert refusal.what == "The target 'answer' is always 'no' in the training rows."
    assert refusal.where.endswith("raw.csv, column answer")


def test_a_negative_count_is_found_in_its_line(engine, tmp_path):
    columns = raw_columns(rows=200)
    columns["count"][120] = -1  # data row 121, line 122
    wanted = settings(distribution="poisson", target="count")
    refusal = attempt(engine, tmp_path, columns, wanted, target="count")
    assert "-1" in refusal.what
    assert "line 122" in refusal.where
    assert "count" in refusal.where


def test_a_time_below_zero_and_all_censored(engine, tmp_path):
    columns = raw_columns(rows=200)
    columns["time"] = np.abs(columns["amount"]) + 0.1
    columns["seen"] = np.zeros(200, dtype=int)
    wanted = settings(distribution="coxph", target="time", event="seen")
    refusal = attempt(engine, tmp_path, columns, wanted, target="time")
    assert "event" in str(refusal)
    columns["seen"][:] = 1
    columns["time"][40] = -2.0
    refusal = attempt(engine, tmp_path, columns, wanted, target="time")
    assert "line 42" in refusal.where


def test_survival_without_its_event_column(engine, tmp_path):
    wanted = settings(distribution="coxph", target="amount")
    refusal = attempt(engine, tmp_path, raw_columns(rows=200), wanted, target="amount")
    assert refusal.what == "Cox survival needs a column for the role 'event'."


def test_too_few_rows_for_the_bag(engine, tmp_path):
    wanted = settings(min_cases_in_node=30)
    refusal = attempt(engine, tmp_path, raw_columns(rows=200), wanted)
    assert "min_cases_in_node" in refusal.where


def test_inputs_that_say_nothing(engine, tmp_path):
    columns = raw_columns(rows=200)
    columns["age"] = np.ones(200)
    columns["noise"] = [None] * 200
    refusal = attempt(engine, tmp_path, columns, settings(features=("age", "noise")))
    assert refusal.where == "age, noise"


def test_a_constant_input_beside_others_is_only_warned_of(engine, tmp_path):
    columns = raw_columns(rows=400)
    columns["noise"] = np.ones(400)
    data = load(engine, write_csv(tmp_path / "raw.csv", columns))
    arguments = TrainArguments(document=raw_document(data), settings=settings(n_trees=3))
    warnings = engine.run("train", arguments).warnings
    assert warnings == ("The input 'noise' is the same in every training row.",)


def test_a_missing_weight_is_found_in_its_line(engine, tmp_path):
    columns = raw_columns(rows=200)
    columns["weight"] = [None if index == 8 else 1.0 for index in range(200)]
    refusal = attempt(engine, tmp_path, columns, settings(weight="weight"))
    assert "weight" in refusal.what
    assert "line 10" in refusal.where


def test_a_negative_weight_is_found_in_its_line(engine, tmp_path):
    columns = raw_columns(rows=200)
    columns["weight"][8] = -3
    refusal = attempt(engine, tmp_path, columns, settings(weight="weight"))
    assert "line 10" in refusal.where
    assert "column weight" in refusal.where


def test_a_distribution_that_does_not_fit(engine, tmp_path):
    refusal = attempt(engine, tmp_path, raw_columns(rows=200), settings(distribution="gaussian"))
    assert refusal.why == "It fits any number; 'answer' has the classes yes, no."


def test_no_training_rows(engine, tmp_path):
    columns = raw_columns(rows=200)
    del columns["use"]
    split = SplitSpec(shares=(0.0, 0.5, 0.5))
    refusal = attempt(engine, tmp_path, columns, settings(), split=split)
    assert refusal.what == "There are no training rows."


def test_an_input_that_is_the_outcome(engine, tmp_path):
    wanted = settings(features=("age", "answer"))
    refusal = attempt(engine, tmp_path, raw_columns(rows=200), wanted)
    assert "'answer' cannot be an input" in refusal.what


def test_a_refused_training_leaves_no_model_in_the_store(tmp_path):
    engine = LocalEngine()  # its store is empty
    folder = engine.workbench.model_store.folder
    attempt(engine, tmp_path, raw_columns(rows=200), settings(min_cases_in_node=90))
    assert not folder.exists() or not list(folder.iterdir())
    arguments = TrainArguments(
        document=raw_document(load(engine, str(tmp_path / "raw.csv"))), settings=settings(n_trees=3)
    )
    engine.run("train", arguments)
    assert list(folder.iterdir())  # this is where a refused one would have been seen


def of_training(columns, rows):
    """The columns with only the first rows for training."""
    columns["use"] = ["train" if place < rows else "test" for place in range(len(columns["use"]))]
    return columns


def test_case_31_one_row(engine, tmp_path):
    refusal = attempt(engine, tmp_path, of_training(raw_columns(rows=60), 1), settings())
    assert "is always" in refusal.what


def test_case_31_fewer_rows_than_folds(engine, tmp_path):
    wanted = settings(cv_folds=10, min_cases_in_node=1)
    refusal = attempt(engine, tmp_path, of_training(raw_columns(rows=60), 8), wanted)
    assert refusal.what.endswith("for 10 folds.")
    assert int(refusal.where.split()[0]) < 10  # how many there are


def test_case_31_a_fold_without_a_class(engine, tmp_path):
    columns = of_training(raw_columns(rows=200), 100)
    columns["answer"] = ["yes" if place in (4, 50, 120) else "no" for place in range(200)]
    refusal = attempt(engine, tmp_path, columns, settings(cv_folds=5))
    assert refusal.what == "There are too few cases in the smallest class for 5 folds."
    assert refusal.where == "2 cases in the smallest class"


def test_that_something_happened_is_not_to_be_taken_for_a_time():
    happened = TargetSpec(column="event", kind="binary", levels=("1", "0"))
    specs = {spec.id: spec for spec in payoff_register_distributions()}
    described = reason_by_kind(specs["coxph"], happened, ())
    assert described.endswith("Name the column of the times in step Target.")
    assert reason_by_kind(specs["poisson"], happened, ()).endswith("as a number in step Target.")
