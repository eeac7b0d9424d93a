"""The small made-up runs of what the engine for plugins needs first: data and a table of metrics.

They stand apart from the others, and import no more than they run, because this engine may have to
be back at once after a plugin ended it.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from core.assembly.compare.evaluating import usual_metrics
from core.decisions import adjust_posteriors
from core.document.results import RowsNote
from core.engine.jobs.precompiling.first_totals import (
    LEVELS,
    ROWS,
    warm_data,
    warm_reading,
    warm_up_cases,
)
from core.evaluation import EvaluationProblem, JudgedScores, MetricRequest, assess
from core.extensions import Registry
from payoff.vocabulary import Task


def warm_metrics(registry: Registry) -> None:
    """The metric table and the charts, as they come before resamples."""
    _evaluate(registry, resamples=0)


def warm_intervals(registry: Registry) -> None:
    """Resampled intervals and bands."""
    _evaluate(registry, resamples=20)


def _evaluate(registry: Registry, *, resamples: int) -> None:
    outcome, posteriors = warm_up_cases()
    posteriors = adjust_posteriors(posteriors, np.array([0.2, 0.8]), np.array([0.5, 0.5]))
    usual = usual_metrics(registry, Task.BINARY)
    assess(
        EvaluationProblem(
            kind="binary",
            models=(
                JudgedScores(name="first", posteriors=posteriors),
                JudgedScores(name="second", posteriors=posteriors[:, ::-1].copy()),
            ),
            metrics=tuple(MetricRequest(spec=spec) for spec in usual),
            rows=RowsNote(use="all", text="", rows=ROWS),
            levels=LEVELS,
            outcome=outcome,
            resamples=resamples,
        )
    )


def plugin_engine_steps(registry: Callable[[], Registry]) -> tuple[Callable[[], object], ...]:
    """What the engine for plugins needs before it reads data and fills a table of metrics."""
    found: list[Registry] = []
    return (
        lambda: found.append(registry()),
        warm_data,
        warm_reading,
        lambda: warm_metrics(found[0]),
        lambda: warm_intervals(found[0]),
    )
