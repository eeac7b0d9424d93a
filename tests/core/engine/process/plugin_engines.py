"""Shared by tests of plugin engines."""

import numpy as np
import pytest

from core.document.data.model import ReaderSettings, RowUse
from core.document.model import Document, MetricChoice, Role, RoleAssignment, TargetSpec
from core.engine.client import EngineClient
from core.engine.messages import JobState, LoadArguments
from core.engine.options import EngineOptions
from core.questions.lanes import Lane
from tests.helpers.factories.scored import write_csv
from tests.helpers.real_engine import Events

LIMIT = 110.0


@pytest.fixture
def make_client(tmp_path):
    clients = []

    def make(*, safe_mode=False):
        events = Events()
        options = EngineOptions(
            store_folder=str(tmp_path / "store"),
            plugin_folder=str(tmp_path / "plugins"),
            quarantine_path=str(tmp_path / "quarantine.json"),
            log_folder=str(tmp_path / "log"),
            stop_seconds=1.0,
            plugin_seconds=5.0,
            safe_mode=safe_mode,
            warm_up=False,
        )
        client = EngineClient(events, options=options)
        client.start()
        clients.append(client)
        return client, events

    (tmp_path / "plugins").mkdir()
    yield make
    for client in clients:
        client.shutdown()


@pytest.fixture(scope="module")
def interval_path(tmp_path_factory):
    random = np.random.default_rng(5)
    amount = np.round(random.normal(size=800), 4)
    columns = {"amount": amount, "forecast": np.round(amount + random.normal(size=800), 4)}
    return write_csv(tmp_path_factory.mktemp("interval") / "amounts.csv", columns)


def run(client, kind, arguments, lane=Lane.LONG, title=""):
    return client.wait(client.submit(kind, arguments, lane, title), LIMIT)


def interval_document(client, path, *metrics):
    loaded = run(client, "load", LoadArguments(path=path, reader=ReaderSettings())).result
    document = Document(
        data=loaded.data,
        target=TargetSpec(column="amount", kind="interval"),
        rows_used=RowUse.ALL,
        metrics=tuple(MetricChoice(metric=name) for name in metrics),
    )
    return document.with_roles(
        (
            RoleAssignment(column="amount", role=Role.TARGET),
            RoleAssignment(column="forecast", role=Role.PREDICTION, model="forecast"),
        )
    )


def values(outcome):
    assert outcome.state is JobState.DONE, outcome.error
    return {cell.metric: cell.estimate.value for cell in outcome.result.cells}


def states(outcome):
    assert outcome.state is JobState.DONE, outcome.error
    return {entry.plugin: entry for entry in outcome.result.plugins}
