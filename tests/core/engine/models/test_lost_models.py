"""A model whose file is gone costs its own figures only."""

from dataclasses import replace

import pytest

from core.document.commands import AddTrainedModel
from core.engine.local import LocalEngine
from core.engine.messages import Ask, TrainArguments
from core.questions.compare import CompareModels
from core.questions.decide import AtDepth, Resamples, Totals
from payoff.errors import PayoffError
from tests.helpers.factories.scored import write_csv
from tests.helpers.factories.training import load, raw_columns, raw_document, settings


@pytest.fixture
def engine():
    return LocalEngine()


@pytest.fixture
def two_models(engine, tmp_path):
    """A project with two trained models; the file of the first, the reference, is gone."""
    path = write_csv(tmp_path / "raw.csv", raw_columns(rows=400))
    document = raw_document(load(engine, path))
    for name, seed in (("gone", 1), ("here", 2)):
        wanted = settings(name=name, seed=seed, n_trees=5)
        result = engine.run("train", TrainArguments(document=document, settings=wanted))
        document = AddTrainedModel(model=result.model).apply(document)
    assert document.reference_model == "gone"
    return document


def lose(engine, document, name="gone"):
    """Take a model's file off the shelf; returns how to put it back."""
    trained = document.trained_model(name)
    path = engine.workbench.model_store.path(trained.model_hash)
    content = path.read_bytes()
    path.unlink()
    return lambda: path.write_bytes(content)


def test_the_other_models_are_judged(engine, two_models):
    lose(engine, two_models)
    requested = Ask.of(two_models, CompareModels(resamples=20))
    result = engine.run("compare.models", requested)
    assert {cell.model for cell in result.cells} == {"here"}
    warning = result.warnings[0]
    assert warning.startswith("'gone' is left out. The file of the trained model 'gone' is missing")
    assert "train the model again" in warning


def test_the_other_models_decide(engine, two_models):
    lose(engine, two_models)
    decided = engine.ask(two_models, Totals())
    assert [model.model for model in decided.models] == ["here"]
    assert "'gone' is left out" in decided.warnings[0]
    reading = engine.ask(two_models, AtDepth(depth=0.3))
    assert len(reading.cases) == 1
    drawn = engine.ask(two_models, Resamples(resamples=20))
    assert drawn.resamples == 20


def test_a_file_that_is_back_is_used_again(engine, two_models):
    put_back = lose(engine, two_models)
    requested = Ask.of(two_models, CompareModels(resamples=0))
    assert {cell.model for cell in engine.run("compare.models", requested).cells} == {"here"}
    put_back()
    result = engine.run("compare.models", requested)
    assert {cell.model for cell in result.cells} == {"gone", "here"}
    assert not any("left out" in text for text in result.warnings)


def test_without_any_model_left_the_job_says_why(engine, two_models):
    lose(engine, two_models, "gone")
    lose(engine, two_models, "here")
    with pytest.raises(PayoffError, match="'gone' is missing or damaged"):
        engine.ask(two_models, CompareModels())


def test_a_lost_model_cannot_be_continued(engine, two_models):
    lose(engine, two_models)
    longer = replace(two_models.trained_model("gone"), n_trees=9)
    with pytest.raises(PayoffError, match="'gone' is missing or damaged"):
        engine.run("train", TrainArguments(document=two_models, settings=longer))
