"""What the studies of page Compare show of their answers."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from core.document.compare.chart_kinds import CHART_WORDS, CONVENTIONS, chart_kind
from core.document.compare.metric_words import (
    difference_interval,
    difference_size,
    metric_interval,
    metric_value,
    signed_metric,
)
from core.document.compare.power_words import (
    amount_words,
    lead_words,
    needed_words,
    power_sentences,
)
from core.document.compare.row_words import flattering_words
from core.document.data.model import RowUse
from core.document.experiments.error_bounds import (
    BoundsResult,
    ConditionState,
    ErrorBound,
    ModelBounds,
    Side,
)
from core.document.plugin_results import MetricInfo
from core.document.results import Estimate, EvaluationResult, MetricCell, SeenRows, Selection
from core.document.studies.definitions import DefinitionRow, DefinitionsResult
from core.document.studies.power import PairPower, PowerResult
from core.document.studies.row_sets import RowSetsResult
from core.document.studies.segments import Segment, SegmentsResult
from core.document.studies.shift import ColumnShift, ShiftResult
from core.document.studies.survival import SurvivalGroup, SurvivalResult
from core.document.wording import (
    UNDEFINED,
    NumberText,
    format_count,
    format_money_interval,
    format_number,
    format_p_value,
    format_share,
)
from core.presentation.chart import AxisSpec, BarsSpec, Chart, SeriesSpec
from core.presentation.groups import groups_chart
from core.presentation.labels import Labels, capitalised
from core.presentation.table import Table
from core.presentation.view import View

# ---------------------------------------------------------------- detectable differences

_POWER_COLUMNS = (
    "Figure",
    "Models",
    "Ahead here",
    "Difference, 95 %",
    "Standard error",
    "Smallest that shows",
    "To find",
    "Found with a chance of",
    "Cases needed",
)


def detectable_difference(answer: PowerResult, labels: Labels) -> View:
    """A row for every figure of every pair of models, and what these cases could show of each."""
    title = "Smallest detectable difference"
    parts = tuple(
        View(title=title, sentences=_power_words(pair, answer, labels)) for pair in answer.pairs
    )
    table = Table(
        columns=_POWER_COLUMNS,
        rows=tuple(_power_row(pair, answer.info(pair.metric), labels) for pair in answer.pairs),
        right=tuple(range(3, 9)),
        name=title,
        wide=1,
    )
    return View(
        title=title,
        subtitle=answer.rows.text,
        sentences=parts[0].sentences if parts else (),
        tables=(table,),
        notes=answer.warnings,
        by_row=parts,
    )


def _power_words(pair: PairPower, answer: PowerResult, labels: Labels) -> tuple[str, ...]:
    """What the cases could show of one pair, and what that rests on."""
    text = power_sentences(
        pair,
        answer.info(pair.metric),
        cases=answer.cases,
        power=answer.target_power,
        currency=labels.currency,
        case_words=(labels.case, labels.cases),
    )
    usual = f"“Usually” is {format_share(answer.target_power, 0)} of such tests"
    return text, f"{usual}; the figure rests on: {pair.method}."


def _power_row(pair: PairPower, info: MetricInfo, labels: Labels) -> tuple[str, ...]:
    return (
        info.title,
        f"{pair.first} – {pair.second}",
        lead_words(pair, info, labels.currency),
        _difference_words(info, pair.observed),
        amount_words(info, pair.standard_error, labels.currency),
        amount_words(info, pair.smallest, labels.currency),
        amount_words(info, pair.difference, labels.currency),
        format_share(pair.power, 0),
        needed_words(pair),
    )


def _difference_words(info: MetricInfo, observed: Estimate) -> str:
    """The interval of a difference."""
    if not (math.isfinite(observed.low) and math.isfinite(observed.high)):
        return UNDEFINED
    if info.unit == "money":
        return format_money_interval(observed.low, observed.high)
    return difference_interval(info, observed.low, observed.high)


# ---------------------------------------------------------------- shift

_SIGNS = {
    "stable": "✓ stable",
    "too few cases": "too few cases to tell",
    "shifted": "▲ shifted",
    "another population": "▲▲ another population",
}
_BAR = 0.4  # of the room of a bin


def population_shift(answer: ShiftResult, labels: Labels) -> View:
    """Scores and inputs by how far they shifted, and the bins of the one that is chosen."""
    del labels  # columns and rows have their own names
    title = "Shift of scores and inputs"
    verdict = _shift_verdict(answer)
    names = _shift_names(answer)
    parts = tuple(
        View(title=title, sentences=(verdict,), charts=(_shift_chart(column, names),))
        for column in answer.columns
    )
    notes = [*answer.warnings, f"{answer.then_text}  →  {answer.now_text}"]
    if answer.left_out:
        notes.append(f"Only in one of the two: {', '.join(answer.left_out)}.")
    table = Table(
        columns=("Column", "Kind", "Index", "By chance up to", "Verdict"),
        rows=tuple(_shift_row(column) for column in answer.columns),
        right=(2, 3),
        name=title,
        wide=4,
    )
    return View(
        title=title,
        sentences=(verdict,),
        tables=(table,) if parts else (),
        charts=_drawn_part(answer, parts),
        notes=tuple(notes),
        by_row=parts,
    )


def _drawn_part(answer: ShiftResult, parts: tuple[View, ...]) -> tuple[Chart, ...]:
    """The chart of the column that was asked for, else of the one that has shifted most."""
    names = [column.name for column in answer.columns]
    if not parts:
        return ()
    return parts[names.index(answer.drawn) if answer.drawn in names else 0].charts


def _shift_verdict(answer: ShiftResult) -> str:
    """What has shifted, and of what it cannot be told: too few cases are no sign of rest."""
    moved = [e.name for e in answer.columns if e.verdict in ("shifted", "another population")]
    unknown = [e.name for e in answer.columns if e.verdict == "too few cases"]
    if not answer.columns:
        return "There is nothing to compare: no score and no input is in both."
    parts = [f"Shifted: {', '.join(moved)}."] if moved else []
    if unknown:
        parts.append(f"Too few cases to tell: {', '.join(unknown)}.")
    if len(moved) + len(unknown) < len(answer.columns) and not moved:
        parts.append("Nothing else has shifted." if unknown else "Nothing has shifted.")
    return " ".join(parts)


def _shift_names(answer: ShiftResult) -> tuple[str, str]:
    """What the two sets of rows are called beside the bars."""
    then, now = answer.then_text.split(",")[0], answer.now_text.split(",")[0]
    return (f"{then} then", f"{now} now") if then == now else (then, now)


def _shift_row(column: ColumnShift) -> tuple[str, ...]:
    return (
        column.name,
        "score" if column.is_score else "input",
        format_number(column.index, 3),
        format_number(column.noise, 3),
        _SIGNS[column.verdict],
    )


def _shift_chart(column: ColumnShift, names: tuple[str, str]) -> Chart:
    """Shares of the cases by bin, then and now, of one column."""
    x = np.arange(len(column.bins), dtype=np.float64)
    sides = ((names[0], -1, column.then, -_BAR / 2), (names[1], 0, column.now, _BAR / 2))
    return Chart(
        kind="shift",
        title=column.name,
        subtitle=f"share of the cases by value, index {format_number(column.index, 3)}",
        x_axis=AxisSpec(
            label="", quantity="number", low=-0.6, high=len(x) - 0.4, words=column.bins
        ),
        y_axis=AxisSpec(
            label="share",
            quantity="percent",
            low=0.0,
            high=float(max(column.then.max(), column.now.max())),
            last_tick=1.0,
        ),
        bars=tuple(
            BarsSpec(name=name, series=series, x=x, y=y, offset=offset, width=_BAR)
            for name, series, y, offset in sides
        ),
        definition=(
            "Population stability index = sum over bins of (now - then) x ln(now / then); "
            "below 0.1 stable, above 0.25 another population."
        ),
        headroom=64,  # for the box: bars fill the width
        rests_at=0.0,
    )


# ---------------------------------------------------------------- error bounds

_MARKS = {
    ConditionState.MET: "✓",
    ConditionState.ASSUMED: "taken for granted:",
    ConditionState.BROKEN: "⚠",
}


def loss_limits(answer: BoundsResult, labels: Labels) -> View:
    """Limits of every model's expected loss, with what each of them takes for granted."""
    del labels  # losses have no words of the project
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
        sentences=(answer.rows_text,),
        tables=(table,),
        notes=(*conditions, *answer.warnings),
    )


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
        told = format_count(model.n), _loss_words(model.mean)
        return [(model.model, "", *told, "", "", "", model.refusal)]
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
    said = f"Figures as {tool} defines them, beside Payoff's; what differs in charts stands below."
    return View(title=title, sentences=(said,), tables=(table,), notes=charts)


def _definition_row(entry: DefinitionRow) -> tuple[str, ...]:
    ours = f"{format_number(entry.ours, entry.decimals)}  ({entry.ours_words})"
    theirs = f"{format_number(entry.theirs, entry.decimals)}  ({entry.theirs_words})"
    return entry.figure, entry.model, ours, theirs, entry.cause


# ---------------------------------------------------------------- groups of cases


def compared_groups(answer: SegmentsResult, labels: Labels) -> View:
    """One figure of every model in each group of a column, and a chart with a line per group."""
    key = answer.metric or next((entry.metric for entry in answer.metrics), "")
    info = next((entry for entry in answer.metrics if entry.metric == key), None)
    chart = groups_chart(answer, labels)
    known = View(
        title=f"By {answer.column}",
        charts=() if chart is None else (chart,),
        notes=(*answer.warnings, answer.rows.text),
    )
    if info is None:
        return replace(known, sentences=("This figure is not there for these rows.",))
    models = [entry.name for entry in labels.models]
    events = sum(segment.events for segment in answer.segments)
    whole = Segment(name="", rows=answer.rows.rows, events=events)
    parts = (*answer.segments, whole)
    columns = (answer.column, capitalised(labels.cases), capitalised(labels.event), *models, "")
    table = Table(
        columns=columns,
        rows=tuple(_group_row(answer, info, models, segment) for segment in parts),
        right=tuple(range(1, 3 + len(models))),
        name=f"{info.title} by {answer.column}",
        wide=3 + len(models),
    )
    said = f"{info.title} by {answer.column}, 95 % intervals."
    return replace(known, sentences=(said,), tables=(table,))


def _group_row(
    answer: SegmentsResult, info: MetricInfo, models: list[str], segment: Segment
) -> tuple[str, ...]:
    cells = [segment.name or "all", format_count(segment.rows)]
    has_events = any(entry.events for entry in answer.segments)
    cells.append(format_count(segment.events) if has_events else "")
    for model in models:
        estimate = answer.cell(segment.name, model, info.metric)
        is_known = estimate is not None and math.isfinite(estimate.value)
        cells.append(_with_interval(info, estimate) if estimate and is_known else UNDEFINED)
    return (*cells, segment.note)


def _with_interval(info: MetricInfo, estimate: Estimate) -> NumberText:
    text, ends = metric_value(info, estimate.value), (estimate.low, estimate.high)
    if not all(map(math.isfinite, ends)):
        return text
    return NumberText(f"{text}  ({metric_interval(info, *ends)})", estimate.value, *ends)


# ---------------------------------------------------------------- survival

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


# ---------------------------------------------------------------- choosing


def choice_of_model(result: EvaluationResult, metric: str) -> View:
    """The best model by one metric, its lead over the others, and what choosing it adds."""
    info = next((entry for entry in result.metrics if entry.metric == metric), None)
    chosen = next((entry for entry in result.selections if entry.metric == metric), None)
    if info is None or chosen is None:
        why = " ".join(result.warnings[-1:])
        said = f"There is nothing to choose by this metric. {why}"
        if len({cell.model for cell in result.cells}) == 1:
            said = "There is one model only: with another beside it the better one can be chosen."
        return View(title="", sentences=(said,))
    cells = {cell.model: cell for cell in result.cells if cell.metric == metric}
    table = Table(
        columns=("Model", info.title, "95 %", "Best in resamples", "Seen"),
        rows=tuple(
            _choice_row(info, cells[model], wins, chosen.resamples, result.seen)
            for model, wins in chosen.wins
        ),
        right=(1, 2, 3),
        name="Models by the metric",
        wide=4,
    )
    notes = [result.favoured, result.rows.text]
    if math.isfinite(chosen.optimism):
        adds = optimism_words(info, chosen.optimism)
        flatters = f"Choosing the best on these rows flatters its figure by {adds} on average."
        notes.insert(0, flatters)
    return View(
        key=f"compare/choice {info.title}",
        title=f"The best model by {info.title}",
        sentences=(choice_verdict(info, chosen),),
        tables=(table,),
        notes=tuple(line for line in notes if line),
    )


def _choice_row(
    info: MetricInfo, cell: MetricCell, wins: float, resamples: int, seen: tuple[SeenRows, ...]
) -> tuple[str, ...]:
    low, high = cell.estimate.low, cell.estimate.high
    return (
        cell.model,
        metric_value(info, cell.estimate.value),
        metric_interval(info, low, high) if math.isfinite(low) else "",
        wins_words(wins, resamples),
        flattering_words(cell.model, seen),
    )


def choice_verdict(info: MetricInfo, chosen: Selection) -> str:
    """The choice in words: "gbm 2 is ahead of logit by 0.022 (0.012 to 0.032)."."""
    text = _lead_sentence(info, chosen)
    if math.isfinite(chosen.corrected):
        told = format_p_value(chosen.corrected)
        if chosen.corrected < 0.05:
            text += f" Ahead of every other model, corrected for their number ({told})."
        else:
            text += f" Not distinguishable from every other model ({told}, corrected)."
    wins = dict(chosen.wins).get(chosen.winner, 0)
    if chosen.resamples and 0 < wins < chosen.resamples:
        text += f" It is the best in {format_share(wins / chosen.resamples)} of the resamples."
    return text


def _lead_sentence(info: MetricInfo, chosen: Selection) -> str:
    """The winner against the second, with the interval of the difference."""
    estimate = chosen.margin.estimate
    size = difference_size(info, abs(estimate.value))
    is_known = math.isfinite(estimate.low) and math.isfinite(estimate.high)
    low, high = estimate.low, estimate.high
    if info.direction == "lower":
        low, high = -high, -low
    interval = difference_interval(info, low, high)
    if estimate.value == 0:
        apart = f"; the difference may be anything from {interval}"
        known = apart if is_known and low < high else ""
        return f"{chosen.winner} and {chosen.runner_up} are level{known}."
    if is_known and low <= 0 <= high:
        return (
            f"{chosen.winner} has the best figure, {size} better than {chosen.runner_up}; "
            f"the difference may be anything from {interval}."
        )
    if not is_known and estimate.note:
        note = f"{estimate.note[:1].upper()}{estimate.note[1:]}"
        return f"{chosen.winner} has the best figure, {size} better than {chosen.runner_up}. {note}"
    text = f"{chosen.winner} is ahead of {chosen.runner_up} by {size}"
    return text + (f" ({interval})." if is_known else ".")


def wins_words(wins: float, resamples: int) -> str:
    """How often a model is the best; never all of them without a p-value.

    Models that are level in a resample share it, so a half can remain.
    """
    if resamples == 0:
        return ""
    text = f"{format_number(wins, 0 if wins == round(wins) else 1)} of {format_count(resamples)}"
    return f"{text} (p < {2 / resamples:.3g})" if wins == resamples else text


def optimism_words(info: MetricInfo, optimism: float) -> str:
    """What choosing adds, with one decimal more than the metric: "about 0.0004"."""
    finer = replace(info, decimals=info.decimals + 1)
    smallest = 10.0**-(finer.decimals) * (0.01 if info.unit == "percent" else 1.0)
    if abs(optimism) < smallest:
        return f"less than {difference_size(finer, smallest)}"
    return f"about {difference_size(finer, abs(optimism))}"


# ---------------------------------------------------------------- two sets of rows


def two_sets_of_rows(answer: RowSetsResult, labels: Labels) -> View:
    """Every figure on two sets of rows with the gap between them, and what lies beyond noise."""
    del labels  # models and metrics have their own names
    first, second, names = answer.first, answer.second, answer.names
    pairs = [
        (info, cell, other)
        for info in second.metrics
        for cell in second.cells
        for other in first.cells
        if cell.metric == info.metric and (other.metric, other.model) == (cell.metric, cell.model)
    ]
    table = Table(
        columns=("Metric", "Model", *names, "Gap", "Seen"),
        rows=tuple(
            (
                info.title,
                cell.model,
                _with_interval(info, other.estimate),
                _with_interval(info, cell.estimate),
                signed_metric(info, other.estimate.value - cell.estimate.value),
                " | ".join(filter(None, (_seen(cell, r.seen) for r in (first, second)))),
            )
            for info, cell, other in pairs
        ),
        right=(2, 3, 4),
        name="Two sets of rows side by side",
        wide=5,
    )
    uses = {first.rows.use, second.rows.use}
    is_within = len(uses) == 1 or RowUse.ALL.value in uses  # one set holds the other
    estimates = [(cell.model, other.estimate, cell.estimate) for _, cell, other in pairs]
    verdict, notes = _gap_verdict(estimates), [first.rows.text, second.rows.text]
    if is_within and first.rows.rows == second.rows.rows:
        verdict = "Both are the same rows: choose two different sets."
    elif is_within:
        notes.append("All rows hold the others too: of rows apart the gap would be larger.")
    return View(
        key=f"{names[0]}, {names[1]}",
        title=f"{names[0]} beside {names[1]}",
        sentences=(verdict,),
        tables=(table,),
        notes=tuple(notes),
    )


def _seen(cell: MetricCell, seen: tuple[SeenRows, ...]) -> str:
    return flattering_words(cell.model, seen)


def _gap_verdict(estimates: list[tuple[str, Estimate, Estimate]]) -> str:
    """Which models have a figure whose intervals on the two sets of rows do not meet."""
    known = [
        (model, one, two)
        for model, one, two in estimates
        if all(map(math.isfinite, (one.low, one.high, two.low, two.high)))
    ]
    if not known:
        return "No figure has an interval on both sets of rows: nothing to tell."
    apart = dict.fromkeys(
        model for model, one, two in known if one.low > two.high or one.high < two.low
    )
    if not apart:
        return "No figure differs by more than its intervals allow."
    return f"Beyond the intervals: {', '.join(apart)}."
