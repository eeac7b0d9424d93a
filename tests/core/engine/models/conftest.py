"""A file of raw inputs, loaded by the engine of this process."""

import pytest

from tests.helpers.factories.scored import write_csv
from tests.helpers.factories.training import load, raw_columns


@pytest.fixture(scope="module")
def columns():
    return raw_columns()


@pytest.fixture(scope="module")
def raw(engine, columns, tmp_path_factory):
    """The DataRef of the raw file."""
    return load(engine, write_csv(tmp_path_factory.mktemp("raw") / "raw.csv", columns))
