"""A third party's evaluation system in experiments: listed, routed, run, held to its contract."""

from __future__ import annotations

from dataclasses import replace

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
from core.questions.experiments import CheckExperiment, ExperimentParts, RunExperiment
from payoff.errors import PayoffError
from tests.core.engine.guide_plugins import code_of, put_plugin

SPEC = ExperimentSpec(
    protocol="sepsis",
    synthetic_rows=80,
    systems=2,
    splits=2,
    samplers=("gaussian",),
    learners=("linear",),
    system="weakest_link",
)


@pytest.fixture
def options(tmp_path) -> EngineOptions:
    """Engines with the guide's system, and one that answers wrongly in use, in their folder."""
    code = code_of("weakest_link")
    wrong = code.replace('id="weakest_link"', 'id="wrong_link"').replace(
        "    return payoff.cut_at_share(own, strength, rows.event_share())",
        "    drawn = payoff.cut_at_share(own, strength, rows.event_share())\n"
        "    if 'lactate' not in rows.names:\n        return drawn\n"
        "    return payoff.DrawnSystem(outcome=2 * drawn.outcome, answer=drawn.answer)",
    )
    for name, text in (("weakest_link", code), ("wrong_link", wrong)):
        put_plugin(tmp_path / "plugins", name, "evaluation_systems", text)
    return EngineOptions(
        plugin_folder=str(tmp_path / "plugins"), quarantine_path=str(tmp_path / "quarantine.json")
    )


def test_it_is_routed_to_the_engine_that_runs_plugins(options):
    main = Workbench(options, role=EngineRole.MAIN).plugins
    document = Document(experiment=SPEC)
    for question in (RunExperiment(), CheckExperiment(), ExperimentParts()):
        with pytest.raises(RouteToPlugins):
            check_route(question.facts.key, Ask.of(document, question), main)
    own = Ask.of(Document(experiment=replace(SPEC, system="composed")), RunExperiment())
    check_route("experiments.run", own, main)


def test_it_runs_there_and_gives_the_same_table_again(options):
    first = LocalEngine(options).ask(Document(experiment=SPEC), RunExperiment())
    assert first.is_whole
    assert np.isfinite(first.runs.bound).all()
    again = LocalEngine(options).ask(Document(experiment=SPEC), RunExperiment())
    np.testing.assert_array_equal(first.runs.error, again.runs.error)
    other = replace(SPEC, system_parameters=(("share", 0.0),))
    moved = LocalEngine(options).ask(Document(experiment=other), RunExperiment())
    assert not np.array_equal(first.runs.error, moved.runs.error)


def test_what_cannot_be_is_refused_by_name(options):
    engine = LocalEngine(options)
    for parts, words in (
        ({"system": "wrong_link"}, "'wrong_link' gave outcomes that cannot be.*has the outcome 2"),
        ({"system": "nowhere"}, "no evaluation system 'nowhere'"),
        ({"system_parameters": (("share", 7.0),)}, "not possible for 'Fragile conditions'"),
        ({"system_parameters": (("cost", 7.0),)}, "no parameter 'cost'"),
        ({"protocol": "stock_timing", "splits": 0}, "does not fit Stock timing.*binary"),
    ):
        with pytest.raises(PayoffError, match=f"(?s){words}"):
            engine.ask(Document(experiment=replace(SPEC, **parts)), RunExperiment())
    with pytest.raises(PayoffError, match="in runs of this program only"):
        engine.ask(Document(experiment=SPEC), RunExperiment(backend="processes"))


def offered_by(protocol):
    return Document(experiment=ExperimentSpec(protocol=protocol))


def test_the_lists_of_the_window_name_it_where_it_fits(options):
    engine = LocalEngine(options)
    choices = engine.ask(offered_by("aki_alert"), ExperimentParts())
    names = [entry.id for entry in choices.systems]
    assert names[:3] == ["linear_threshold", "linear_noise", "composed"]
    (found,) = (entry for entry in choices.systems if entry.id == "weakest_link")
    assert found.plugin == "weakest_link"  # as its manifest has it
    assert [item.words for item in found.parameters] == ["Fragile conditions"]
    assert "boosting:bernoulli" in {entry.learner for entry in choices.learners}
    stocks = engine.ask(offered_by("stock_timing"), ExperimentParts())
    assert [entry.id for entry in stocks.systems] == ["mix_rows", "mix_amounts", "trading"]
    learners = {entry.learner for entry in stocks.learners}
    assert {"boosting:huber", "boosting:gaussian"} <= learners
    assert learners.isdisjoint({"boosting:bernoulli", "boosting:coxph", "boosting:multinomial"})
