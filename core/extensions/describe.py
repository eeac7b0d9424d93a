"""Specs as the records that the window shows."""

from __future__ import annotations

from collections.abc import Mapping

from core.document.plugin_results import CurveInfo, MetricInfo
from payoff.curves import own_words
from payoff.facts import facts_of
from payoff.parameters import resolve_parameters
from payoff.specs import EvaluationMetric, metric_title


def metric_info(
    spec: EvaluationMetric, parameters: Mapping[str, object] | None = None, *, key: str = ""
) -> MetricInfo:
    """Describe a column of the metric table; ``key`` names the column, else it is the id."""
    values = resolve_parameters(spec.parameters, parameters)
    return facts_of(
        spec,
        MetricInfo,
        metric=key or spec.id,
        title=metric_title(spec, values),
        direction=str(spec.direction),
        unit=str(spec.number_unit),
        tasks=tuple(str(task) for task in spec.tasks),
    )


def curve_info(spec: EvaluationMetric) -> CurveInfo:
    """Describe a curve as the dialog of charts offers it."""
    axes = spec.axes
    assert axes is not None  # the spec's checks ask for them
    return facts_of(
        spec,
        CurveInfo,
        title=own_words(axes.question, event="event"),
        help=own_words(spec.help, event="event"),
        tasks=tuple(str(task) for task in spec.tasks),
        axis=str(axes.axis),
        is_split=axes.is_split,
    )
