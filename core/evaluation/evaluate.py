"""``evaluate``: one call that answers page Compare."""

from __future__ import annotations

from core.document.results import EvaluationResult
from core.evaluation.problem import (
    EvaluationProblem,
    ProgressCall,
    StopCall,
    check_problem,
    ignore_progress,
    never_stop,
)


def evaluate(
    problem: EvaluationProblem,
    *,
    progress: ProgressCall = ignore_progress,
    should_stop: StopCall = never_stop,
) -> EvaluationResult:
    """Evaluate every model on every metric and draw the charts.

    Parameters
    ----------
    problem : EvaluationProblem
        Arrays over the rows used.
    progress : callable (fraction, stage, partial)
        Told how far it is; the first ``partial`` is an EvaluationResult with analytic intervals only:
        cells without one have NaN limits, curves no band (None), ``class_share_low`` and ``_high``
        are NaN, ``resamples`` is 0.
    should_stop : callable () -> bool
        Asked between blocks of rows.

    Returns
    -------
    EvaluationResult

    Raises
    ------
    PayoffError
        As in ``check_problem``.
    """
    check_problem(problem)
    raise NotImplementedError
