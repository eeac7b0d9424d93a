"""What is asked of an evaluation in pieces, and which metrics pieces can answer."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from core.document.data.limits import limit_words
from core.document.model import Document
from core.evaluation.problem import MetricRequest
from core.scale.reading import CaseReading
from core.scale.sources import MemoryBudget, Source
from payoff.vocabulary import Input, MetricForm, ResampleUnit

_READABLE = frozenset({Input.OUTCOME, Input.SCORE, Input.PROBABILITY, Input.PREDICTIONS})


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class StreamProblem:
    """What is to be evaluated of a source.

    Attributes
    ----------
    source : Source
    document : Document
        Of the question; its data are not read.
    reading : CaseReading
    metrics : tuple of MetricRequest
    curves : tuple of MetricRequest
        The curves that there are; of two classes those of a ranking are drawn. None: no charts.
    kind : str
        As of ``EvaluationProblem``.
    levels, class_order, labels : tuple of str
    level : str or None
        The event.
    resamples : int
        Draws at most; 0: analytic intervals only.
    seconds : float
        What draws may take; fewer are made where they would take longer.
    budget : MemoryBudget
    scratch : Path
        A folder of the run's own.
    notes : tuple of str
        What is said of the question first.
    more_draws : str
        What to do for more draws than fit the time; empty: nothing can be done.
    """

    source: Source
    document: Document
    reading: CaseReading
    metrics: tuple[MetricRequest, ...]
    curves: tuple[MetricRequest, ...]
    kind: str
    levels: tuple[str, ...]
    class_order: tuple[str, ...]
    labels: tuple[str, ...]
    level: str | None
    resamples: int
    seconds: float
    budget: MemoryBudget
    scratch: Path
    notes: tuple[str, ...] = ()
    more_draws: str = ""


def is_mean(request: MetricRequest) -> bool:
    """Whether a metric is a mean over cases, or a function of such means."""
    return request.spec.form in (MetricForm.ROW_MEAN, MetricForm.SMOOTH)


def metric_refusal(request: MetricRequest) -> str:
    """Why a metric is not computed of data that are read in pieces; empty where it is."""
    spec = request.spec
    if spec.form == MetricForm.GENERAL:
        return limit_words("general metrics")
    reads_beyond = any(name not in _READABLE for name in spec.inputs)
    if spec.unit != ResampleUnit.ROW or reads_beyond:
        return limit_words("metrics by groups")
    return ""


__all__ = ["StreamProblem", "is_mean", "metric_refusal"]
