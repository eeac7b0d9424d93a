"""What a project needs and is not there: its plugin is named, and where that was last."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from core.assembly.compare.evaluating import charts_left_out, requested_metric
from core.assembly.models.trained import boosted_model
from core.boosting import read_model, save_model
from core.document.data.model import ReaderSettings
from core.document.model import Document, MetricChoice, TrainedModel
from core.engine.plugins import EnginePlugins
from core.extensions import Registry
from core.extensions.authoring import new_plugin
from payoff.errors import PayoffError
from payoff.vocabulary import Task
from tests.helpers.factories.boosting import train


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
        read_model(tmp_path / "a.model", found(folder, record.plugin).distribution)
    assert f"The plugin {record.plugin} is off: Turned off by you." in str(off.value)

    shutil.rmtree(own)
    with pytest.raises(PayoffError) as gone:
        read_model(tmp_path / "a.model", found(folder).distribution)
    assert f"The plugin {record.plugin}, which brought it, is not installed" in str(gone.value)
    assert f"last loaded from {own}" in str(gone.value)


def test_what_nobody_ever_brought_names_no_plugin(tmp_path: Path) -> None:
    (tmp_path / "plugins").mkdir()
    with pytest.raises(PayoffError, match="There is no distribution 'nobody'") as refused:
        found(tmp_path / "plugins").distribution("nobody")
    assert "plugin" not in refused.value.why


Met = Callable[[Registry, str], object]


def _read(registry: Registry, spec: str) -> object:
    here: Any = SimpleNamespace(registry=registry)
    return EnginePlugins.check_reader(here, "a.own", ReaderSettings(format=spec))


def _chart(registry: Registry, spec: str) -> object:
    (words,) = charts_left_out(Document(charts=(spec,)), registry, Task.BINARY)
    raise PayoffError(words)


def _model(registry: Registry, spec: str) -> object:
    settings = TrainedModel(name="m", distribution=spec, target="y", features=("x",))
    context: Any = SimpleNamespace(registry=registry, model_store=None)
    return boosted_model(settings, context)


MET: dict[str, tuple[str, Met]] = {
    "a model of a project": ("distribution", _model),
    "a metric by its name": ("metric", lambda registry, spec: registry.metric(spec)),
    "a chosen metric": (
        "metric",
        lambda registry, spec: requested_metric(registry, MetricChoice(metric=spec), Task.BINARY),
    ),
    "a chosen chart": ("metric", _chart),
    "a decision matrix": ("matrix", lambda registry, spec: registry.matrix(spec)),
    "a reader": ("reader", _read),
    "a system": ("system", lambda registry, spec: registry.system(spec)),
}


@pytest.mark.parametrize("what", MET)
def test_wherever_a_missing_plugin_is_met_it_is_named_with_what_to_do(
    tmp_path: Path, what: str
) -> None:
    kind, meet = MET[what]
    folder = tmp_path / "plugins"
    folder.mkdir()
    own = new_plugin(kind, "Blood donors", folder)
    (record,) = [one for one in found(folder).records if one.found.is_third_party]
    assert record.state == "active", record.why
    spec = record.specs[0].id
    with pytest.raises(PayoffError) as off:
        meet(found(folder, record.plugin), spec)
    assert f"The plugin {record.plugin} is off" in str(off.value)
    assert "page Plugins" in str(off.value)
    shutil.rmtree(own)
    with pytest.raises(PayoffError) as gone:
        meet(found(folder), spec)
    assert f"The plugin {record.plugin}, which brought it, is not installed" in str(gone.value)
    assert "page Plugins" in str(gone.value)


def test_a_model_names_its_plugin_where_that_never_was(tmp_path: Path) -> None:
    """On another computer nothing is remembered: the model itself says who brought its loss."""
    folder = tmp_path / "plugins"
    folder.mkdir()
    own = new_plugin("distribution", "Blood donors", folder)
    registry = found(folder)
    (record,) = [one for one in registry.records if one.found.is_third_party]
    spec = record.specs[0]
    model = train(n_trees=2)
    assert registry.plugin_of(model.distribution) == ""
    object.__setattr__(model, "distribution", spec)
    save_model(model, tmp_path / "a.model", plugin=registry.plugin_of(spec))
    shutil.rmtree(own)
    shutil.rmtree(tmp_path / "cache")
    elsewhere = found(folder)
    assert elsewhere.why_missing(spec.id) == ""
    with pytest.raises(PayoffError) as gone:
        read_model(tmp_path / "a.model", elsewhere.distribution)
    assert f"The plugin {record.plugin}, which brought it, is not installed" in str(gone.value)
    settings = TrainedModel(
        name="m", distribution=spec.id, target="y", features=("x",), plugin=record.plugin
    )
    context: Any = SimpleNamespace(registry=elsewhere, model_store=None)
    with pytest.raises(PayoffError) as needed:
        boosted_model(settings, context)
    assert f"The plugin {record.plugin}, which brought it, is not installed" in str(needed.value)
    assert "page Plugins" in str(needed.value)
