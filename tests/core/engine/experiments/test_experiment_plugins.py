"""A third party's distribution as a learner of an experiment: routed, fitted, repeated."""

from __future__ import annotations

import numpy as np
import pytest

from core.document.experiments.spec import ExperimentSpec
from core.document.model import Document
from core.engine.context import Workbench
from core.engine.local import LocalEngine
from core.engine.messages import Ask
from core.engine.options import EngineOptions
from core.engine.protocol import EngineRole
from core.engine.runner import RouteToPlugins, check_route
from core.questions.experiments import RunExperiment
from payoff.errors import PayoffError
from tests.core.engine.guide_plugins import code_of, put_plugin

pytestmark = pytest.mark.timeout(400)  # the first trees of a machine compile
PARTS = {"protocol": "sepsis", "synthetic_rows": 80, "systems": 1, "splits": 2}


@pytest.fixture
def options(tmp_path) -> EngineOptions:
    """Engines with the guide's loss in their plugin folder, under a name of its own."""
    code = code_of("log_cosh").replace('id="log_cosh"', 'id="own_log_cosh"')
    put_plugin(tmp_path / "plugins", "log_cosh", "distributions", code)
    return EngineOptions(
        plugin_folder=str(tmp_path / "plugins"), quarantine_path=str(tmp_path / "quarantine.json")
    )


def wish(*learners: str) -> Ask[RunExperiment]:
    spec = ExperimentSpec(samplers=("gaussian",), learners=learners, **PARTS)
    return Ask.of(Document(experiment=spec), RunExperiment())


def test_it_is_routed_to_the_engine_that_runs_plugins(options):
    main = Workbench(options, role=EngineRole.MAIN).plugins
    with pytest.raises(RouteToPlugins):
        check_route("experiments.run", wish("logistic", "boosting:own_log_cosh"), main)
    check_route("experiments.run", wish("logistic", "boosting:gaussian", "boosting"), main)


def test_it_learns_there_and_gives_the_same_table_again(options):
    engine = LocalEngine(options)
    arguments = wish("linear", "boosting:own_log_cosh")
    first = engine.run("experiments.run", arguments)
    assert first.is_whole
    assert np.isfinite(first.runs.error).all()
    again = LocalEngine(options).run("experiments.run", arguments)
    np.testing.assert_array_equal(first.runs.error, again.runs.error)


def test_a_distribution_that_nobody_offers_is_refused(options):
    with pytest.raises(PayoffError, match="nowhere"):
        LocalEngine(options).run("experiments.run", wish("boosting:nowhere"))
