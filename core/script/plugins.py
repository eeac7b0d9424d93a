"""``payoff.plugins`` and ``payoff.check_plugin``: what is there, and whether it keeps its word."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from core.document.plugin_results import PluginsResult
from core.engine.messages import PluginsArguments
from core.script.session import engine
from payoff.testing import ConformanceSheet


def plugins() -> pd.DataFrame:
    """All plugins with their states: plugin, name, version, source, state, stage, why, adds."""
    result: PluginsResult = engine().run("plugins", PluginsArguments())
    columns = ("plugin", "name", "version", "source", "state", "stage", "why", "adds")
    return pd.DataFrame(
        [{column: getattr(entry, column) for column in columns} for entry in result.plugins],
        columns=list(columns),
    )


def check_plugin(path: str | Path) -> ConformanceSheet:
    """Run the conformance checks on a plugin folder, file or archive.

    The plugin runs in a process of its own, with the limits that it has in the program: whatever it
    does there, this script goes on. (``payoff.testing.check_plugin`` runs it here, for tests.)

    Raises
    ------
    PayoffError
        If the path does not exist.
    """
    from core.engine.plugin_check import check_apart  # other scripts need no process

    return check_apart(path)
