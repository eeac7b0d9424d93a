"""What the metric table of page Uplift asks and shows."""

from __future__ import annotations

from dataclasses import dataclass

from core.document.plugin_results import MetricInfo
from core.document.results import EvaluationResult


@dataclass(frozen=True, slots=True, kw_only=True)
class UpliftMetricsResult:
    """Every chosen metric of the task "uplift" for every ranking of the experiment.

    Attributes
    ----------
    evaluation : EvaluationResult
        A column of cells per metric, and differences from the first ranking on the same draws.
    offered : tuple of MetricInfo
        All metrics of the task that plugins offer.
    models : tuple of str
    """

    evaluation: EvaluationResult
    offered: tuple[MetricInfo, ...]
    models: tuple[str, ...]
