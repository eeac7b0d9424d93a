"""The way to the first totals of the sample imports and loads no more than it needs."""

from dataclasses import replace
from pathlib import Path

import pytest

from core.document.files.project import read_project
from core.engine.client import EngineClient
from core.engine.messages import Ask, LoadArguments
from core.engine.options import EngineOptions
from core.questions.compare import CompareModels
from core.questions.decide import Totals
from tests.core.engine.process.looking_handlers import looking_handlers

ENGINES_FROM_NOTHING = True  # what they import is looked at
SAMPLES = Path(__file__).resolve().parents[4] / "resources" / "samples"
HEAVY = (
    "pandas",
    "core.boosting",
    "core.evaluation",
    "core.experiments",
    "core.uplift",
    "core.report",
    "core.script",
    "scipy.stats",
    "scipy.optimize",
    "sklearn",
    "onnx",
    "PySide6",
)
FOR_METRICS = ("core.evaluation", "scipy.linalg", "numpy.f2py")
PATIENCE = 200.0


class Started:
    """An engine that only does what it is asked."""

    def __init__(self, client):
        self._client = client

    def ask(self, kind, arguments=None):
        outcome = self._client.wait(self._client.submit(kind, arguments), PATIENCE)
        assert outcome.error is None, outcome.error
        return outcome.result


@pytest.fixture(scope="module")
def started(tmp_path_factory):
    folder = tmp_path_factory.mktemp("first")
    options = EngineOptions(
        store_folder=str(folder / "store"), log_folder=str(folder), safe_mode=True, warm_up=False
    )
    with EngineClient(lambda event: None, options=options, handlers=looking_handlers) as client:
        yield Started(client)


@pytest.fixture(scope="module")
def document():
    found = read_project(SAMPLES / "direct-mail.payoff").document
    file = SAMPLES / Path(found.data.path).name
    return replace(found, data=replace(found.data, path=str(file)))


def test_first_totals_need_no_library_and_no_room_of_later_pages(started, document):
    assert started.ask("first_steps") > 3
    assert started.ask("looked_for", HEAVY) == []
    read = started.ask("kernels")
    started.ask("load", LoadArguments(path=document.data.path, reader=document.data.reader))
    assert started.ask("decide.totals", Ask.of(document, Totals())).models
    assert started.ask("looked_for", HEAVY + FOR_METRICS) == []
    assert started.ask("kernels") == read  # the steps before had loaded all of them
    assert started.ask("compare.models", Ask.of(document, CompareModels(resamples=20))).rows
    assert started.ask("looked_for", HEAVY) == ["core.evaluation"]
