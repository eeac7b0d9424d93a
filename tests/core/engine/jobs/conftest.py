"""A file of scores on an engine of this process, for the tests of its jobs."""

import pytest

from core.engine.local import LocalEngine
from core.engine.options import EngineOptions


@pytest.fixture(scope="module")
def engine(home):
    plugins = home / "plugins"
    plugins.mkdir()
    return LocalEngine(
        EngineOptions(plugin_folder=str(plugins), quarantine_path=str(home / "quarantine.json"))
    )
