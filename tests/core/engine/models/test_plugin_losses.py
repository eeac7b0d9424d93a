"""Losses of third parties that go wrong only while they train: named, and never a model of NaN."""

from __future__ import annotations

import pytest

from core.engine.jobs.plugins.foreign import named
from core.engine.local import JobStopped, LocalEngine
from core.engine.messages import TrainArguments
from core.engine.options import EngineOptions
from core.extensions.authoring import new_plugin
from payoff.errors import PayoffError
from tests.core.engine.models.training_samples import load, raw_columns, raw_document, settings
from tests.core.engine.samples import write_csv

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
        place = new_plugin("distribution", name, home) / "loss.py"
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
    with pytest.raises(JobStopped), named("org.example.slow", "The loss 'Slow'"):
        raise JobStopped
    with pytest.raises(KeyError), named("", "Ours"):
        raise KeyError("a fault of our own keeps its traceback")
