"""Training in an engine process: Stop keeps the trees, a killed engine loses 25 at most."""

import os
import signal
from dataclasses import replace
from pathlib import Path

import pytest

from core.document.commands import AddTrainedModel
from core.document.data.model import ReaderSettings
from core.document.files.model_store import FOLDER, ModelStore
from core.engine.client import EngineClient
from core.engine.messages import Ask, JobState, LoadArguments, TrainArguments
from core.engine.options import EngineOptions
from core.questions.decide import Totals
from core.questions.lanes import Lane
from tests.helpers.factories.scored import write_csv
from tests.helpers.factories.training import raw_columns, raw_document, settings
from tests.helpers.real_engine import Events

LIMIT = 200.0  # the first run of all compiles


@pytest.fixture
def session(tmp_path):
    events = Events()
    options = EngineOptions(
        store_folder=str(tmp_path / "store"), log_folder=str(tmp_path / "log"), warm_up=False
    )
    with EngineClient(events, options=options) as client:
        path = write_csv(tmp_path / "raw.csv", raw_columns(rows=400))
        arguments = LoadArguments(path=path, reader=ReaderSettings())
        loaded = client.wait(client.submit("load", arguments), LIMIT)
        yield client, events, raw_document(loaded.result.data)


def grown(events, job, trees):
    """Whether a job has told of a checkpoint of so many trees."""
    found = [event.partial.checkpoint for event in events.partials(job)]
    return [entry for entry in found if entry is not None and entry.trees >= trees]


def test_stop_ends_done_with_the_trees_and_they_decide(session):
    client, events, document = session
    job = client.submit(
        "train", TrainArguments(document=document, settings=settings(n_trees=1_000_000))
    )
    events.wait_until(lambda: grown(events, job, 25), LIMIT)
    client.cancel(job)
    outcome = client.wait(job, LIMIT)
    assert outcome.state is JobState.DONE
    assert outcome.result.was_stopped
    assert 25 <= outcome.result.model.trees < 1_000_000
    added = AddTrainedModel(model=outcome.result.model).apply(document)
    arguments = Ask.of(added, Totals())
    decided = client.wait(client.submit("decide.totals", arguments, Lane.QUICK), LIMIT)
    assert decided.state is JobState.DONE
    model_store = ModelStore(Path(client.options.store_folder) / FOLDER)
    assert list(model_store.files_of(added)) == [outcome.result.model.model_hash]
    assert len(list(model_store.folder.iterdir())) == 1  # no checkpoint is left lying about


def test_a_killed_engine_leaves_a_checkpoint_to_continue(session):
    client, events, document = session
    job = client.submit(
        "train", TrainArguments(document=document, settings=settings(n_trees=1_000_000))
    )
    events.wait_until(lambda: grown(events, job, 50), LIMIT)
    os.kill(client.engine_pids["main"], signal.SIGKILL)
    assert client.wait(job, LIMIT).state is JobState.LOST
    last = events.partials(job)[-1].partial
    checkpoint = last.checkpoint
    assert checkpoint.trees > last.done - 25 - 1
    longer = replace(checkpoint, n_trees=checkpoint.trees + 5)
    outcome = client.wait(
        client.submit("train", TrainArguments(document=document, settings=longer)), LIMIT
    )
    assert outcome.state is JobState.DONE, outcome.error
    assert outcome.result.model.trees == checkpoint.trees + 5
