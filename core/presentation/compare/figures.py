"""What studies of figures show.

What studies of figures show: limits of the expected loss, definitions of other tools.

What is shown of the ways to turn a model's scores into chances.

What is shown of survival over time: its curves, and the chances at a horizon.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from core.document.compare.chart_kinds import CHART_WORDS, CONVENTIONS, chart_kind
from core.document.decisions.words import METHOD_WORDS
from core.document.experiments.results import (
    BoundsResult,
    ConditionState,
    ErrorBound,
    ModelBounds,
    Side,
)
from core.document.model import CalibrationMethod
from core.document.results import Estimate
from core.document.studies.compare import (
    CalibrationOption,
    CalibrationResult,
    DefinitionRow,
    DefinitionsResult,
    SurvivalGroup,
    SurvivalResult,
)
from core.document.wording import (
    NumberText,
    format_count,
    format_interval,
    format_number,
    format_share,
    name_in_text,
)
from core.presentation.charts.chart import AxisSpec, BaselineSpec, Chart, SeriesSpec
from core.presentation.labels import Labels
from core.presentation.view import Cell, Table, View
from payoff.counting import counted

_MARKS = {
    ConditionState.MET: "✓",
    ConditionState.ASSUMED: "taken for granted:",
    ConditionState.BROKEN: "⚠",
}


def loss_limits(answer: BoundsResult, labels: Labels) -> View:
    """Limits of every model's expected loss, with what each of them takes for granted."""
    columns = "Model", "Bound", "Losses", "Mean loss", "Limit", "Margin", "Cases needed", "Holds"
    title = "How sure is the loss?"
    table = Table(
        columns=columns,
        rows=tuple(row for model in answer.models for row in _limit_rows(model)),
        right=(2, 3, 4, 5, 6),
        name=title,
        wide=7,
    )
    conditions = dict.fromkeys(
        f"{_MARKS[condition.state]} {condition.text}"
        for model in answer.models
        for bound in model.bounds
        for condition in bound.conditions
    )
    return View(
        title=title,
        sentences=(limits_verdict(answer, labels), f"{answer.rows_text}."),
        strong=0,
        tables=(table,),
        notes=(*conditions, *answer.warnings),
    )


def limits_verdict(answer: BoundsResult, labels: Labels) -> str:
    """How large a model's loss on new cases is at most, and whether that says something."""
    limits = [
        (bound.high, model, bound)
        for model in answer.models
        for bound in model.bounds
        if bound.is_valid and bound.side is not Side.LOWER and math.isfinite(bound.high)
    ]
    if not limits:
        why = next((f" {model.refusal}" for model in answer.models if model.refusal), "")
        return f"No limit holds for new {labels.cases}.{why}"
    limit, model, bound = min(limits, key=lambda entry: entry[0])
    sure = format_share(bound.confidence, 0)
    kind = "share of wrong classes" if answer.loss == "zero_one" else "squared error"
    said = (
        f"On new {labels.cases} the {kind} of {name_in_text(model.model)} is at most "
        f"{_loss_words(limit)}, {sure} sure; on these "
        f"{counted(bound.n, labels.case, labels.cases)} it is {_loss_words(bound.mean)}."
    )
    if not math.isfinite(answer.no_model):
        return said
    nothing = f"what one prediction for all has on these ({_loss_words(answer.no_model)})"
    if limit < answer.no_model:
        return f"{said} The limit lies below {nothing}: the model knows something."
    return f"{said} The limit does not lie below {nothing}: more {labels.cases} could tell."


def _limit_rows(model: ModelBounds) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = [
        (
            model.model,
            bound.label,
            format_count(bound.n),
            _loss_words(bound.mean),
            _limit_words(bound),
            _loss_words(bound.margin),
            format_count(bound.needed) if bound.needed else "—",
            _holds_words(bound),
        )
        for bound in model.bounds
    ]
    if model.refusal and not rows:
        reported = format_count(model.n), _loss_words(model.mean)
        return [(model.model, "", *reported, "", "", "", model.refusal)]
    return rows


def _limit_words(bound: ErrorBound) -> str:
    if bound.side is Side.TWO:
        return f"{_loss_words(bound.low)} to {_loss_words(bound.high)}"
    return _loss_words(bound.high if bound.side is Side.UPPER else bound.low)


def _holds_words(bound: ErrorBound) -> str:
    share = format_share(bound.confidence, 0)
    if bound.is_vacuous:
        return "says no more than the range of the loss"
    return f"valid, {share}" if bound.is_valid else f"approximate, {share}"


def _loss_words(value: float) -> str:
    return format_number(value, 4) if math.isfinite(value) else "—"


# ---------------------------------------------------------------- definitions


def other_definitions(answer: DefinitionsResult, labels: Labels) -> View:
    """Figures by Payoff's definitions and by another tool's, with the cause of each difference."""
    del labels  # figures have their own names
    tool = dict(CONVENTIONS)[answer.convention].removeprefix("as ")
    title = f"Definitions of {tool}"
    table = Table(
        columns=("Figure", "Model", "Payoff", tool, "Why they differ"),
        rows=tuple(_definition_row(entry) for entry in answer.rows),
        right=(2, 3),
        name=title,
        wide=4,
    )
    charts = tuple(
        f"{known.subtitle}: {name}. {cause}"
        for (key, kind), (name, cause) in CHART_WORDS.items()
        if key == answer.convention and (known := chart_kind(kind)) is not None
    )
    described = (
        f"Figures as {tool} defines them, beside Payoff's; what differs in charts stands below."
    )
    return View(title=title, sentences=(described,), tables=(table,), notes=charts)


def _definition_row(entry: DefinitionRow) -> tuple[str, ...]:
    ours = f"{format_number(entry.ours, entry.decimals)}  ({entry.ours_words})"
    theirs = f"{format_number(entry.theirs, entry.decimals)}  ({entry.theirs_words})"
    return entry.figure, entry.model, ours, theirs, entry.cause


_SERIES = {
    None: 3,
    CalibrationMethod.LOGISTIC: 0,
    CalibrationMethod.ISOTONIC: 1,
    CalibrationMethod.BANDS: 2,
}
_WAYS = {
    None: "as they stand in the file",
    CalibrationMethod.LOGISTIC: "logistic: a smooth curve",
    CalibrationMethod.ISOTONIC: "isotonic: any rising curve",
    CalibrationMethod.BANDS: "by bands: the share in each",
}


def ways_to_probabilities(answer: CalibrationResult, labels: Labels) -> View:
    """Every way with how true its chances come, and a chart of each; the best one first."""
    del labels  # ways have their own names
    described = (
        f"Fitted to the outcomes of {answer.rows.text}. Each of these rows gets "
        "its chance from folds that "
        "do not contain it; new cases get theirs from the curve that all rows made. The "
        f"score puts {format_share(answer.area)} of the pairs right."
    )
    title = f"Chances from scores, {answer.model}"
    parts = tuple(
        View(title=title, sentences=(described,), charts=(_fitted_chart(answer, place),))
        for place in range(len(answer.options))
    )
    return View(
        key=answer.model,
        title=title,
        sentences=(described,),
        tables=(
            Table(
                columns=("Way", "Log loss", "Brier score", ""),
                rows=tuple(
                    _way_row(option, is_best=place == answer.best)
                    for place, option in enumerate(answer.options)
                ),
                name="Ways to chances",
            ),
        ),
        charts=parts[answer.best].charts,
        notes=answer.warnings,
        by_row=parts,
    )


def _method(option: CalibrationOption) -> CalibrationMethod | None:
    return option.spec.method if option.spec is not None else None


def _way_row(option: CalibrationOption, *, is_best: bool) -> tuple[Cell, ...]:
    figures = (_figure_cell(value, is_best=is_best) for value in (option.log_loss, option.brier))
    mark = Cell(text="comes true best" if is_best else "", role="quiet", is_left=True)
    return (Cell(text=_WAYS[_method(option)], is_left=True), *figures, mark)


def _figure_cell(estimate: Estimate, *, is_best: bool) -> Cell:
    """A value with its interval; the reason where it has none."""
    text, ends = format_number(estimate.value, 4), (estimate.low, estimate.high)
    if math.isfinite(estimate.value):
        text = NumberText(f"{text}  ({format_interval(*ends, 4)})", estimate.value, *ends)
    return Cell(text=text, is_bold=is_best, exact=estimate.note)


def _fitted_chart(answer: CalibrationResult, chosen: int) -> Chart:
    """Groups of cases by chance; on the diagonal chances come true. All by other folds."""
    top = max(float(np.max([o.predicted.max(), o.observed.max()])) for o in answer.options)
    end = min(1.0, 1.08 * max(top, 0.01))
    axis = AxisSpec(label="chance said", quantity="percent", low=0.0, high=end)
    return Chart(
        kind="fitted chances",
        title="Do the chances come true?",
        subtitle="cross-fitted, ten groups of equal size",
        x_axis=axis,
        y_axis=replace(axis, label="share that happened"),
        series=tuple(
            _way_line(option, is_chosen=place == chosen)
            for place, option in enumerate(answer.options)
        ),
        baselines=(BaselineSpec(name="exact", x=np.array([0.0, end]), y=np.array([0.0, end])),),
        definition=(
            "Each case has its chance from folds that do not contain it. Cases are cut into "
            "ten groups of equal size by it; equal chances stay together. The band of the "
            "chosen way: 95 % Wilson intervals."
        ),
        rows_text=answer.rows.text,
        headroom=10,
        box_corner="top left",
        rests_at=max(float(option.predicted.min()) for option in answer.options),
    )


def _way_line(option: CalibrationOption, *, is_chosen: bool) -> SeriesSpec:
    method = _method(option)
    return SeriesSpec(
        name=METHOD_WORDS[method] if method is not None else "as they stand",
        series=_SERIES[method],
        x=option.predicted,
        y=option.observed,
        low=option.low if is_chosen else None,
        high=option.high if is_chosen else None,
        is_chosen=is_chosen,
    )


_PREDICTED: tuple[float, ...] = ()  # one line through
_OBSERVED = (4.0, 3.0)


def survival_over_time(answer: SurvivalResult, labels: Labels) -> View:
    """Shares without the event, as predicted and as observed, and the chance of one case."""
    del labels  # times and groups have their own names
    time = _time_words(answer.horizon)
    probability = format_share(answer.case_probability)
    figures = (format_number(v, 3) for v in (answer.brier, answer.brier_constant, answer.auc))
    judged = "At that time: Brier score {} (the same chance for all: {}), AUC {}."
    table = Table(
        columns=("Group", "Cases", f"Event by {time}, predicted", "observed"),
        rows=tuple(_survival_row(group) for group in answer.groups),
        right=(1, 2, 3),
        name="Survival over time",
    )
    has_case = len(answer.case) > 0
    case = f"By time {time} the event comes to this case with a chance of {probability}."
    return View(
        title=f"Survival over time, {answer.model}",
        sentences=(case,) if has_case else (),
        tables=(table,),
        charts=(_survival_chart(answer),),
        notes=(judged.format(*figures), *answer.notes, answer.rows.text),
    )


def _survival_row(group: SurvivalGroup) -> tuple[str, ...]:
    predicted, observed = (format_share(1.0 - share) for share in group.at_horizon)
    return group.name, format_count(group.cases), predicted, observed


def _survival_chart(answer: SurvivalResult) -> Chart:
    series = []
    for number, group in enumerate(answer.groups):
        line = SeriesSpec(
            name=group.name, series=number, x=answer.times, y=group.predicted, dash=_PREDICTED
        )
        observed = replace(
            line,
            name=f"{group.name}, observed",
            y=group.observed,
            low=group.low,
            high=group.high,
            dash=_OBSERVED,
        )
        series += [line, observed]
    if len(answer.case):
        own = SeriesSpec(
            name="this case",
            series=len(answer.groups),
            x=answer.times,
            y=answer.case,
            is_chosen=True,
            dash=_PREDICTED,
        )
        series.append(own)
    last = float(answer.times[-1])
    return Chart(
        kind="survival_over_time",
        title="Without the event",
        subtitle="predicted as lines, observed dashed with 95 % bands",
        x_axis=AxisSpec(label="time", quantity="number", low=0.0, high=last, template="at {}"),
        y_axis=AxisSpec(label="share", quantity="percent", low=0.0, high=1.0, last_tick=1.0),
        series=tuple(series),
        definition=(
            f"Predicted: {answer.origin}, averaged over the cases of a group. Observed: Kaplan and "
            "Meier."
        ),
        rests_at=answer.horizon,
    )


def _time_words(time: float) -> str:
    """A time to four digits, without empty decimals."""
    return f"{time:.4g}" if abs(time) < 1e4 else format_number(time, 0)
