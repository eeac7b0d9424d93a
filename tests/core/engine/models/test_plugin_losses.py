"""Losses of third parties that go wrong only while they train: named, and never a model of NaN."""

from __future__ import annotations

import shutil
from dataclasses import replace

import pytest

from core.assembly.running import named
from core.document.commands import AddTrainedModel
from core.document.data.model import RowUse
from core.engine.local import LocalEngine
from core.engine.messages import Ask, PluginsArguments, TrainArguments
from core.engine.options import EngineOptions
from core.questions.compare import CompareModels
from payoff.errors import PayoffError, StoppedError
from tests.core.engine.models.array_loss import new_array_loss
from tests.helpers.factories.scored import write_csv
from tests.helpers.factories.training import load, raw_columns, raw_document, settings

MARK = '@payoff.kernel(shape="elementwise")\ndef negative_gradient'
FAULTS = {
    "raising": "raise ValueError('no idea')",
    "missing": "gradient[0, 3] = math.nan",
    "bent": "curvature[0, 5] = math.inf",
}


@pytest.fixture(scope="module")
def engine(tmp_path_factory):
    """With a plugin for each fault; on few cases, as in its check, it does what it should."""
    home = tmp_path_factory.mktemp("losses")
    for name, fault in FAULTS.items():
        place = new_array_loss(name, home)
        head, rest = place.read_text("utf-8").split(MARK)
        body, tail = rest.split("\n\n\n", 1)
        late = f"\n    if outcome.shape[0] > 500:\n        {fault}\n\n\n"
        place.write_text(f"{head}def negative_gradient{body}{late}{tail}", "utf-8")
    options = EngineOptions(plugin_folder=str(home), quarantine_path=str(home / "quarantine.json"))
    return LocalEngine(options)


@pytest.fixture(scope="module")
def document(engine, tmp_path_factory):
    path = write_csv(tmp_path_factory.mktemp("raw") / "raw.csv", raw_columns())
    return raw_document(load(engine, path), target="amount")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("raising", ("org.example.raising", "ValueError: no idea", "loss.py, line ")),
        ("missing", ("'Missing'", "row 4", "gradient is nan")),
        ("bent", ("'Bent'", "row 6", "curvature is inf")),
    ],
)
def test_a_training_fails_with_the_name_of_what_is_at_fault(engine, document, name, words):
    wanted = settings(distribution=name, target="amount", n_trees=2)
    with pytest.raises(PayoffError) as failed:
        engine.run("train", TrainArguments(document=document, settings=wanted))
    for part in words:
        assert part.lower() in str(failed.value).lower()


def test_a_stop_is_no_fault_of_the_plugin():
    with pytest.raises(StoppedError), named("org.example.slow", "The loss 'Slow'"):
        raise StoppedError
    with pytest.raises(KeyError), named("", "Ours"):
        raise KeyError("a fault of our own keeps its traceback")


SHIFTED = """

@payoff.kernel(shape="elementwise")
def later(score, parameters, out, start, stop):
    for i in range(start, stop):
        out[0, i] = score[0, i] + 1000.0


@payoff.kernel(shape="elementwise")
def earlier(prediction, parameters, out, start, stop):
    for i in range(start, stop):
        out[0, i] = prediction[0, i] - 1000.0


"""


def test_a_model_follows_the_plugin_of_its_loss(tmp_path):
    """Updated: its predictions are those of the new version. Removed: said what it needs."""
    home = tmp_path / "plugins"
    place = new_array_loss("Steady", home)
    engine = LocalEngine(EngineOptions(plugin_folder=str(home)))
    path = write_csv(tmp_path / "raw.csv", raw_columns(400))
    document = raw_document(load(engine, path), target="amount")
    wanted = settings(distribution="steady", target="amount", n_trees=2, patience=0)
    grown = engine.run("train", TrainArguments(document=document, settings=wanted)).model
    added = AddTrainedModel(model=grown).apply(document)
    arguments = Ask.of(replace(added, rows_used=RowUse.ALL), CompareModels(resamples=0))

    def mean_miss() -> float:
        cells = engine.run("compare.models", arguments).cells
        return next(cell.estimate.value for cell in cells if cell.metric == "mae")

    before = mean_miss()
    text = place.read_text("utf-8").replace("link=identity_response", "link=earlier")
    text = text.replace("response=identity_response", "response=later")
    text = text.replace("outcome[i]", "(outcome[i] - 1000.0)")
    head, mark, rest = text.partition("LOSS = ")
    place.write_text(f"{head}{SHIFTED.strip()}\n\n\n{mark}{rest}", "utf-8")
    engine.run("plugins", PluginsArguments(check_again=True))
    assert mean_miss() == pytest.approx(before + 1000, rel=0.01)
    shutil.rmtree(place.parent)
    engine.run("plugins", PluginsArguments(check_again=True))
    with pytest.raises(PayoffError) as refused:
        mean_miss()
    assert str(refused.value.what) == f"The model '{grown.name}' needs its loss 'steady'."
    assert "Install it again" in refused.value.remedy
