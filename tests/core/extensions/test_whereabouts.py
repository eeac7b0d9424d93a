"""What a project needs and is not there: its plugin is named, and where that was last."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from core.boosting import load_model, save_model
from core.extensions import Registry
from core.extensions.authoring import new_plugin
from payoff.errors import PayoffError
from tests.core.boosting.made_up import train


def found(folder: Path, *off: str) -> Registry:
    return Registry.discover(
        [folder], cache_folder=folder.parent / "cache", has_packages=False, disabled=off
    )


def test_a_model_whose_plugin_is_gone_names_it(tmp_path: Path) -> None:
    folder = tmp_path / "plugins"
    folder.mkdir()
    own = new_plugin("distribution", "Blood donors", folder)
    registry = found(folder)
    (record,) = [one for one in registry.records if one.found.is_third_party]
    assert record.state == "active", record.why
    spec = record.specs[0]
    model = train(n_trees=2)
    object.__setattr__(model, "distribution", spec)
    save_model(model, tmp_path / "a.model")

    with pytest.raises(PayoffError) as off:
        load_model(tmp_path / "a.model", found(folder, record.plugin).distribution)
    assert f"The plugin {record.plugin} is off: Turned off by you." in str(off.value)

    shutil.rmtree(own)
    with pytest.raises(PayoffError) as gone:
        load_model(tmp_path / "a.model", found(folder).distribution)
    assert f"The plugin {record.plugin}, which brought it, is not installed" in str(gone.value)
    assert f"last loaded from {own}" in str(gone.value)


def test_what_nobody_ever_brought_names_no_plugin(tmp_path: Path) -> None:
    (tmp_path / "plugins").mkdir()
    with pytest.raises(PayoffError, match="There is no distribution 'nobody'") as refused:
        found(tmp_path / "plugins").distribution("nobody")
    assert "plugin" not in refused.value.why
