"""A file of scores, opened, and what asks of it."""

import pytest

from core.document.data.model import ReaderSettings
from core.engine.local import LocalEngine
from core.engine.messages import LoadArguments
from tests.helpers.factories.scored import scored_columns, scored_document, write_csv


@pytest.fixture(scope="module")
def engine() -> LocalEngine:
    """One of this process, for all tests of a file."""
    return LocalEngine()


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    return tmp_path_factory.mktemp("engine")


@pytest.fixture(scope="module")
def columns():
    return scored_columns()


@pytest.fixture(scope="module")
def loaded(home, engine, columns):
    """The summary of a file of scores."""
    path = write_csv(home / "scored.csv", columns)
    return engine.run("load", LoadArguments(path=path, reader=ReaderSettings()))


@pytest.fixture
def document(loaded):
    return scored_document(loaded.data)
