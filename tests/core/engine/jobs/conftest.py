"""A file of scores on an engine of this process, for the tests of its jobs."""

import pytest

from core.document.data.model import ReaderSettings
from core.engine.local import LocalEngine
from core.engine.messages import (
    LoadArguments,
)
from core.engine.options import EngineOptions
from tests.helpers.factories.scored import scored_columns, scored_document, write_csv


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    return tmp_path_factory.mktemp("engine")


@pytest.fixture(scope="module")
def engine(home):
    plugins = home / "plugins"
    plugins.mkdir()
    return LocalEngine(
        EngineOptions(plugin_folder=str(plugins), quarantine_path=str(home / "quarantine.json"))
    )


@pytest.fixture(scope="module")
def columns():
    return scored_columns()


@pytest.fixture(scope="module")
def loaded(home, engine, columns):
    path = write_csv(home / "scored.csv", columns)
    return engine.run("load", LoadArguments(path=path, reader=ReaderSettings()))


@pytest.fixture
def document(loaded):
    return scored_document(loaded.data)
