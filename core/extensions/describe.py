"""Specs as the records that the window shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.document.plugin_results import CurveInfo, MetricInfo, MetricParameter, TemplateInfo
from payoff.curves import own_words
from payoff.parameters import Parameter, resolve_parameters
from payoff.specs import DecisionMatrix, EvaluationMetric, metric_title
from payoff.vocabulary import ParameterKind


def metric_info(
    spec: EvaluationMetric, parameters: Mapping[str, object] | None = None, *, key: str = ""
) -> MetricInfo:
    """Describe a column of the metric table; ``key`` names the column, else it is the id."""
    values = resolve_parameters(spec.parameters, parameters)
    return MetricInfo(
        metric=key or spec.id,
        title=metric_title(spec, values),
        direction=str(spec.direction),
        help=spec.help,
        formula=spec.formula,
        reference=spec.reference,
        decimals=spec.decimals,
        unit=str(spec.number_unit),
        parameters=_details(spec.parameters),
        tasks=tuple(str(task) for task in spec.tasks),
        aliases=spec.aliases,
        columns=spec.columns,
    )


def curve_info(spec: EvaluationMetric) -> CurveInfo:
    """Describe a curve as the dialog of charts offers it."""
    axes = spec.axes
    assert axes is not None  # the spec's checks ask for them
    return CurveInfo(
        curve=spec.id,
        title=own_words(axes.question, event="event"),
        subtitle=spec.label,
        help=own_words(spec.help, event="event"),
        formula=spec.formula,
        reference=spec.reference,
        tasks=tuple(str(task) for task in spec.tasks),
        axis=str(axes.axis),
        is_split=axes.is_split,
    )


def template_info(spec: DecisionMatrix) -> TemplateInfo:
    """Describe a decision matrix as the window offers it."""
    return TemplateInfo(
        template=spec.id,
        label=spec.label,
        help=spec.help,
        kind=str(spec.kind),
        parameters=tuple((item.name, item.words, item.default) for item in spec.parameters),
        decisions=spec.decisions,
        level_words=spec.level_words,
        case_word=spec.case_word,
        acting=spec.acting,
        do_nothing=spec.do_nothing,
        formula=spec.formula,
        reference=spec.reference,
        details=_details(spec.parameters),
        is_interval=spec.is_interval,
        knots=tuple(float(knot) for knot in spec.knots),
        n_levels=spec.n_levels,
        amount=spec.amount.name if spec.amount is not None else "",
        amount_words=spec.amount.words if spec.amount is not None else "",
    )


def _details(parameters: Sequence[Parameter]) -> tuple[MetricParameter, ...]:
    return tuple(
        MetricParameter(
            name=item.name,
            words=item.words,
            default=item.default,
            minimum=item.minimum,
            maximum=item.maximum,
            unit=str(item.unit),
            choices=item.choices,
            aliases=item.aliases,
            choice_aliases=item.choice_aliases,
            is_whole=item.kind == ParameterKind.INTEGER,
        )
        for item in parameters
    )
