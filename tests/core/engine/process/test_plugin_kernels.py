"""Compiled kernels of plugins are kept wherever the program keeps kernels, not only among
temporary files, where a plugin may write anything."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from core.engine.client import EngineClient
from core.engine.messages import PluginsArguments
from core.engine.options import EngineOptions
from payoff.testing.checks import KERNEL_CHECKS
from tests.core.engine.process.plugin_engines import states

EXAMPLE = Path(__file__).parents[4] / "resources" / "examples" / "tukey_biweight"
ID = "org.example.tukey_biweight"


@pytest.mark.every_nth(2)
@pytest.mark.timeout(300)  # engines start and compile
@pytest.mark.parametrize("is_apart", [False, True], ids=["the user's folder", "a folder apart"])
def test_the_engine_for_plugins_keeps_their_kernels(tmp_path, monkeypatch, is_apart) -> None:
    (tmp_path / "temporary").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
    monkeypatch.setenv("PAYOFF_HOME", str(tmp_path / "home"))
    if is_apart:
        monkeypatch.setenv("PAYOFF_CACHE_DIR", str(tmp_path / "apart"))
    else:
        monkeypatch.delenv("PAYOFF_CACHE_DIR")
    shutil.copytree(EXAMPLE, tmp_path / "plugins" / EXAMPLE.name)
    options = EngineOptions(
        store_folder=str(tmp_path / "store"),
        plugin_folder=str(tmp_path / "plugins"),
        quarantine_path=str(tmp_path / "quarantine.json"),
        log_folder=str(tmp_path / "log"),
        warm_up=False,
    )
    with EngineClient(lambda event: None, options=options) as client:
        entry = states(client.wait(client.submit("plugins", PluginsArguments(check=ID)), 200))[ID]
    assert entry.state == "active", entry.why
    results = {one.check: (one.state, one.found) for one in entry.checks}
    assert [results[name][0] for name in KERNEL_CHECKS] == ["passed"] * 3, results
    kept = tmp_path / ("apart" if is_apart else "home/cache") / "kernels"
    assert list(kept.rglob("*negative_gradient*.nbc"))
