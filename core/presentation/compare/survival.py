"""What is shown of survival over time: its curves, and the chances at a horizon."""

from __future__ import annotations

from dataclasses import replace

from core.document.studies.compare import SurvivalGroup, SurvivalResult
from core.document.wording import format_count, format_number, format_share
from core.presentation.chart import AxisSpec, Chart, SeriesSpec
from core.presentation.labels import Labels
from core.presentation.table import Table
from core.presentation.view import View

_PREDICTED: tuple[float, ...] = ()  # one line through
_OBSERVED = (4.0, 3.0)


def survival_over_time(answer: SurvivalResult, labels: Labels) -> View:
    """Shares without the event, as predicted and as observed, and the chance of one case."""
    del labels  # times and groups have their own names
    time = _time_words(answer.horizon)
    chance = format_share(answer.case_chance)
    figures = (format_number(v, 3) for v in (answer.brier, answer.brier_constant, answer.auc))
    judged = "At that time: Brier score {} (the same chance for all: {}), AUC {}."
    table = Table(
        columns=("Group", "Cases", f"Event by {time}, predicted", "observed"),
        rows=tuple(_survival_row(group) for group in answer.groups),
        right=(1, 2, 3),
        name="Survival over time",
    )
    has_case = len(answer.case) > 0
    case = f"By time {time} the event comes to this case with a chance of {chance}."
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
        x_axis=AxisSpec(label="time", quantity="number", low=0.0, high=last, said="at {}"),
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
