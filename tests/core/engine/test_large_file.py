"""A file of 1,000,000 rows by 30 columns: loads with progress, stops at once, holds up nobody."""

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import csv as arrow_csv

from core.document.data.model import ReaderSettings
from core.engine.client import EngineClient
from core.engine.messages import Ask, JobProgress, JobState, LoadArguments
from core.engine.options import EngineOptions
from core.questions.data import TableRows
from core.questions.lanes import Lane
from tests.helpers.factories.scored import scored_columns, scored_document, write_csv
from tests.helpers.real_engine import Events

ROWS, COLUMNS = 1_000_000, 30
LIMIT = 110.0


@pytest.fixture(scope="module")
def large_path(tmp_path_factory):
    random = np.random.default_rng(1)
    noise = np.round(random.random(ROWS), 6)
    columns = {"case_id": np.arange(ROWS), "outcome": (noise < 0.1).astype(np.int64)}
    for index in range(COLUMNS - 2):
        columns[f"p_model{index}"] = np.roll(noise, index * 7 + 1)
    path = tmp_path_factory.mktemp("large") / "large.csv"
    arrow_csv.write_csv(pa.table(columns), path)
    yield str(path)
    path.unlink()


@pytest.mark.soak
def test_a_large_file_loads_stops_and_holds_up_nobody(large_path, tmp_path):
    events = Events()
    options = EngineOptions(store_folder=str(tmp_path / "store"), warm_up=False)
    with EngineClient(events, options=options) as client:
        small = write_csv(tmp_path / "small.csv", scored_columns(rows=100))
        loaded = client.wait(
            client.submit("load", LoadArguments(path=small, reader=ReaderSettings())), LIMIT
        )
        document = scored_document(loaded.result.data)
        pid = client.engine_pids["main"]

        arguments = LoadArguments(path=large_path, reader=ReaderSettings())
        stopped = client.submit("load", arguments, title="Loading large.csv")
        events.wait_until(lambda: _fractions(events, stopped))
        client.cancel(stopped)
        assert client.wait(stopped, LIMIT).state is JobState.CANCELLED
        assert client.engine_pids["main"] == pid, "the engine had to be ended to stop a load"

        job = client.submit("load", arguments, title="Loading large.csv")
        events.wait_until(lambda: _fractions(events, job))
        page = client.wait(
            client.submit("data.rows", Ask.of(document, TableRows(start=0, count=5)), Lane.QUICK),
            LIMIT,
        )
        assert page.state is JobState.DONE
        assert len(page.result.rows) == 5
        assert not events.outcomes(job), "the page had to wait for the whole load"
        outcome = client.wait(job, LIMIT)
        assert outcome.state is JobState.DONE, outcome.error
        assert outcome.result.data.rows == ROWS
        assert len(outcome.result.columns) == COLUMNS
        fractions = _fractions(events, job)
        assert len(fractions) >= 3
        assert fractions == sorted(fractions)
        assert client.result(outcome.ref).data == outcome.result.data


def _fractions(events, job):
    return [
        event.fraction
        for event in events.all
        if isinstance(event, JobProgress) and event.job == job and event.fraction is not None
    ]
