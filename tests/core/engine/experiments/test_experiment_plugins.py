"""A third party's distribution as a learner of an experiment: routed, fitted, repeated."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from core.document.experiment_spec import ExperimentSpec
from core.document.experiments import ExperimentArguments
from core.engine.context import RouteToPlugins
from core.engine.local import LocalEngine
from core.engine.options import EngineOptions
from core.engine.wire import EngineRole
from core.engine.workbench import Workbench
from payoff.errors import PayoffError

pytestmark = pytest.mark.timeout(400)  # the first trees of a machine compile
GUIDE = (Path(__file__).parents[4] / "docs" / "plugin-guide.md").read_text("utf-8")
PARTS = {"protocol": "sepsis", "synthetic_rows": 80, "systems": 1, "splits": 2}


@pytest.fixture
def options(tmp_path) -> EngineOptions:
    """Engines with the guide's expectile in their plugin folder."""
    (code,) = re.findall(r"(?s)```python\n# expectile\.py\n(.*?)```", GUIDE)
    (manifest,) = re.findall(r"(?s)```toml\n(.*?)```", GUIDE)
    folder = tmp_path / "plugins" / "expectile_loss"
    folder.mkdir(parents=True)
    code = code.replace('id="expectile"', 'id="own_expectile"')
    (folder / "plugin.toml").write_text(manifest, "utf-8")
    (folder / "expectile.py").write_text(code, "utf-8")
    return EngineOptions(
        plugin_folder=str(tmp_path / "plugins"), quarantine_path=str(tmp_path / "quarantine.json")
    )


def wish(*learners: str) -> ExperimentArguments:
    return ExperimentArguments(
        spec=ExperimentSpec(samplers=("gaussian",), learners=learners, **PARTS)
    )


def test_it_is_routed_to_the_engine_that_runs_plugins(options):
    main = Workbench(options, role=EngineRole.MAIN)
    with pytest.raises(RouteToPlugins):
        main.check_route("experiment", wish("logistic", "boosting:own_expectile"))
    main.check_route("experiment", wish("logistic", "boosting:gaussian", "boosting"))


def test_it_learns_there_and_gives_the_same_table_again(options):
    engine = LocalEngine(options)
    arguments = wish("linear", "boosting:own_expectile")
    first = engine.run("experiment", arguments)
    assert first.is_whole
    assert np.isfinite(first.runs.error).all()
    again = LocalEngine(options).run("experiment", arguments)
    np.testing.assert_array_equal(first.runs.error, again.runs.error)


def test_a_distribution_that_nobody_offers_is_refused(options):
    with pytest.raises(PayoffError, match="nowhere"):
        LocalEngine(options).run("experiment", wish("boosting:nowhere"))
