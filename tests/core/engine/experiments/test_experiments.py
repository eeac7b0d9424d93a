"""The jobs of experiments and bounds in an engine."""

from __future__ import annotations

import numpy as np
import pytest

from core.document.experiments.results import (
    ExperimentResult,
)
from core.document.experiments.spec import ExperimentSpec
from core.document.model import Document
from core.engine.local import LocalEngine
from core.engine.options import EngineOptions
from core.questions.experiments import CheckExperiment, RunExperiment
from payoff.errors import PayoffError

SPEC = ExperimentSpec(protocol="sepsis", synthetic_rows=100, systems=4, splits=5)


def test_checking_reads_the_rows_only():
    facts = LocalEngine().ask(Document(experiment=SPEC), CheckExperiment())
    assert facts.rows == 100
    assert facts.conditions == 18
    missing = ExperimentSpec(protocol="sepsis", path="/nowhere/rows.csv")
    with pytest.raises(PayoffError):
        LocalEngine().ask(Document(experiment=missing), CheckExperiment())


def test_stopped_in_the_window_and_gone_on(tmp_path):
    engine = LocalEngine(EngineOptions(store_folder=str(tmp_path)))
    seen: list[ExperimentResult] = []

    def on_progress(fraction, stage, partial=None):
        if isinstance(partial, ExperimentResult):
            seen.append(partial)

    stopped = engine.ask(
        Document(experiment=SPEC),
        RunExperiment(),
        on_progress,
        should_stop=lambda: (
            any(tmp_path.glob("experiments/*.runs"))
            and len(next(tmp_path.glob("experiments/*.runs")).read_text("utf-8").splitlines()) > 10
        ),
    )
    assert 10 <= stopped.done < stopped.wanted == 60
    again = LocalEngine(EngineOptions(store_folder=str(tmp_path)))
    whole = again.ask(Document(experiment=SPEC), RunExperiment(), on_progress)
    assert whole.is_whole
    assert seen[-1].done == 60
    fresh = LocalEngine().ask(Document(experiment=SPEC), RunExperiment())
    assert np.array_equal(whole.runs.error, fresh.runs.error)
    assert np.array_equal(whole.runs.bound, fresh.runs.bound)
