"""What page Uplift shows beside the curve: slices, metrics, arms, row order, next test, noise."""

from __future__ import annotations

import math

import numpy as np

from core.document.plugin_results import MetricInfo
from core.document.results import Estimate
from core.document.studies.uplift import (
    ArmRow,
    ArmsResult,
    Effect,
    ModelSlices,
    NextTestResult,
    RankingSlices,
    RateFigure,
    RowOrderResult,
    SlicesResult,
    UpliftMetricsResult,
    VarianceStudy,
)
from core.document.wording import (
    NumberText,
    format_count,
    format_interval,
    format_number,
    format_p_value,
    format_points,
    format_share,
    small_decimals,
)
from core.presentation.charts.chart import AxisSpec, Chart, ShadesSpec
from core.presentation.labels import Labels, capitalised
from core.presentation.uplift.curve import per_case, unit_words
from core.presentation.view import Cell, Table, View
from payoff.counting import counted, counted_of
from payoff.errors import PayoffError
from payoff.intervals import NORMAL_95

# ---------------------------------------------------------------- slices


def slices(answer: SlicesResult, labels: Labels) -> View:
    """Every ranking in equal slices; the part of the view names one of them."""
    wanted = labels.part
    shown = [entry for entry in answer.models if wanted in ("", entry.model)]
    if wanted and not shown:
        raise PayoffError("No such ranking is in the experiment.", where=wanted)
    described = [slice_words(answer, entry, is_named=not wanted) for entry in shown]
    return View(
        title=f"Slices of the ranking with their balance{f', {wanted}' if wanted else ''}",
        sentences=tuple(described),
        tables=tuple(slices_table(answer, entry, is_named=not wanted) for entry in shown),
        notes=answer.warnings,
    )


def slices_table(answer: SlicesResult, entry: ModelSlices, *, is_named: bool = False) -> Table:
    """A row a slice, best first, then the weighted average and the rank-weighted effects."""
    is_binary = answer.is_binary
    rows = [
        _slice_row(entry, place, is_binary=is_binary) for place in range(len(entry.slices.uplift))
    ]
    rows.append(_average_row(entry.slices, is_binary=is_binary))
    rows += [_rate_row(figure, answer) for figure in entry.rates]
    return Table(
        columns=("Slice", "Share %", "Band, 95 %", "Treated", "Control", "Uplift", "Error"),
        rows=tuple(rows),
        name="Uplift by slices of the ranking",
        title=entry.model if is_named else "",
    )


def _slice_row(entry: ModelSlices, place: int, *, is_binary: bool) -> tuple[Cell, ...]:
    found, balance = entry.slices, entry.balance
    treated, control = found.treated[place], found.control[place]
    low, high = balance.low[place], balance.high[place]
    share, uplift = float(balance.share[place]), float(found.uplift[place])
    error = float(found.standard_error[place])
    is_inside = bool(low <= share <= high)
    name: str = format_count(place + 1)
    if place in (0, len(found.uplift) - 1):
        name += f" ({'best' if place == 0 else 'last'})"
    exact = (
        f"{format_count(treated)} treated, {format_count(control)} control; mean score "
        f"{found.mean_score[place]:.4g}"
    )
    is_clear = math.isfinite(uplift) and abs(uplift) > NORMAL_95 * error
    effect = uplift_interval(uplift, error, is_binary=is_binary)
    rates = float(found.rate_treated[place]), float(found.rate_control[place])
    return (
        Cell(text=name, is_left=True, exact=exact),
        Cell(
            text=NumberText(f"{'' if is_inside else '⚠ '}{format_points(share, 1)}", 100 * share),
            role="text" if is_inside else "loss",
            exact=exact,
        ),
        Cell(text=format_interval(100 * low, 100 * high, 1), role="quiet", exact=exact),
        Cell(text=_mean(rates[0], is_binary=is_binary), exact=exact),
        Cell(text=_mean(rates[1], is_binary=is_binary), role="quiet", exact=exact),
        Cell(text=per_case(uplift, is_binary=is_binary), is_bold=is_clear, exact=effect),
        Cell(text=per_case(error, is_binary=is_binary), role="quiet", exact=effect),
    )


def _average_row(found: RankingSlices, *, is_binary: bool) -> tuple[Cell, ...]:
    value, error = found.weighted_average, found.weighted_error
    exact = "Uplift of the slices, weighted by their treated cases; "
    exact += uplift_interval(value, error, is_binary=is_binary)
    return _effect_row("Weighted average", exact, value, error, is_binary=is_binary)


def _rate_row(figure: RateFigure, answer: SlicesResult) -> tuple[Cell, ...]:
    rate, is_binary = figure.rate, answer.is_binary
    exact = (
        f"{figure.tool}: {figure.formula}; "
        f"{uplift_interval(rate.value, rate.standard_error, is_binary=is_binary)}, "
        f"{format_p_value(rate.p_value)}; Poisson resamples: {format_count(answer.draws)}"
    )
    name = f"RATE: {figure.name}"
    return _effect_row(name, exact, rate.value, rate.standard_error, is_binary=is_binary)


def _effect_row(
    name: str, exact: str, value: float, error: float, *, is_binary: bool
) -> tuple[Cell, ...]:
    """A row of an effect alone: share, band and both arms stay blank."""
    is_clear = abs(value) > NORMAL_95 * error
    return (
        Cell(text=name, is_left=True, exact=exact),
        *[Cell(text="")] * 4,
        Cell(text=per_case(value, is_binary=is_binary), is_bold=is_clear, exact=exact),
        Cell(text=per_case(error, is_binary=is_binary), role="quiet", exact=exact),
    )


def _mean(value: float, *, is_binary: bool) -> str:
    return format_points(value, 1) if is_binary else format_number(value, 2)


def uplift_interval(value: float, error: float, *, is_binary: bool) -> str:
    """ "1.20 (95 %: 0.31 to 2.09)", in points of a hundred for 0/1."""
    scale, least = (100.0, 2) if is_binary else (1.0, 3)
    low, high = (scale * (value + side * NORMAL_95 * error) for side in (-1, 1))
    decimals = small_decimals(low, high, least=least)
    return (
        f"{format_number(scale * value, decimals)} (95 %: {format_interval(low, high, decimals)})"
    )


def slice_words(answer: SlicesResult, entry: ModelSlices, *, is_named: bool = False) -> str:
    """The rank-weighted effect, and in how many slices the share treated leaves its band."""
    autoc, is_binary = entry.rates[0].rate, answer.is_binary
    described = "{}RATE (AUTOC): {}{}, standard error {}, {}.".format(
        f"{entry.model}: " if is_named else "",
        per_case(autoc.value, is_binary=is_binary),
        " points" if is_binary else "",
        per_case(autoc.standard_error, is_binary=is_binary),
        format_p_value(autoc.p_value),
    )
    balance = entry.balance
    outside = int(((balance.share < balance.low) | (balance.share > balance.high)).sum())
    if outside:
        described += f" The share treated leaves its band in {counted(outside, 'slice')}."
    return described


# ---------------------------------------------------------------- metrics


def metrics(answer: UpliftMetricsResult, labels: Labels) -> View:
    """Every chosen metric of every ranking, with its interval."""
    del labels
    return View(
        title="Metrics of every model",
        tables=(metrics_table(answer),),
        notes=answer.evaluation.warnings,
    )


def metrics_table(answer: UpliftMetricsResult) -> Table:
    """A row a metric, a value and an interval a model; the best in bold where one is better."""
    evaluation = answer.evaluation
    cells = {(cell.metric, cell.model): cell.estimate for cell in evaluation.cells}
    rows = []
    for info in evaluation.metrics:
        estimates = [cells[info.metric, model] for model in answer.models]
        best = _best(info, estimates)
        exact = f"{info.help} {info.formula}. {info.reference}".strip()
        row = [Cell(text=info.title, is_left=True, exact=exact)]
        for estimate in estimates:
            described = estimate.note or f"{estimate.method}. {exact}"
            is_best = best is not None and estimate.value == best
            value = format_number(estimate.value, info.decimals)
            ends = ""
            if math.isfinite(estimate.low):
                ends = format_interval(estimate.low, estimate.high, info.decimals)
            row.append(Cell(text=value, is_bold=is_best, exact=described))
            row.append(Cell(text=ends, role="quiet", exact=described))
        rows.append(tuple(row))
    heads = (head for model in answer.models for head in (model, "95 %"))
    return Table(columns=("Metric", *heads), rows=tuple(rows), name="Metrics of every model")


def _best(info: MetricInfo, estimates: list[Estimate]) -> float | None:
    known = [entry.value for entry in estimates if math.isfinite(entry.value)]
    if len(known) < 2 or info.direction == "none" or max(known) == min(known):
        return None
    return max(known) if info.direction == "higher" else min(known)


# ---------------------------------------------------------------- arms


def arms(answer: ArmsResult, labels: Labels) -> View:
    """Each arm against the control arm on each outcome, then segments of the chosen arm."""
    name = "Each arm against the control arm"
    control = labels.arm(answer.control)
    heads = ("Arm", "Outcome", "Mean", control, "Effect", "95 %", "Adjusted", "p (Holm)")
    rows = tuple(_arm_row(row, answer.segment, labels) for row in answer.rows)
    return View(
        title=f"{name}, by {answer.segment}" if answer.segment else name,
        tables=(Table(columns=heads, rows=rows, name=name),),
        notes=answer.warnings,
    )


def _arm_row(row: ArmRow, column: str, labels: Labels) -> tuple[Cell, ...]:
    seen, is_binary = row.effect, row.is_binary
    segment = labels.value(column, row.segment)
    arm = labels.arm(seen.arm)
    name = f"{arm}, {segment}" if segment else arm
    cases = f"{counted(round(seen.cases), labels.case, labels.cases)}; {seen.method}"
    mean = format_share if is_binary else _three_decimals
    adjusted = exact = ""
    if row.adjusted is not None:
        adjusted = per_case(row.adjusted.effect, is_binary=is_binary)
        exact = f"{row.adjusted.method}: {_ends(row.adjusted, is_binary=is_binary)}"
    is_clear = seen.low > 0 or seen.high < 0
    return (
        Cell(text=name, is_left=True, exact=cases),
        Cell(text=row.outcome.replace("_", " "), is_left=True, role="quiet", exact=cases),
        Cell(text=mean(seen.mean), exact=cases),
        Cell(text=mean(seen.control_mean), role="quiet", exact=cases),
        Cell(text=per_case(seen.effect, is_binary=is_binary), is_bold=is_clear, exact=cases),
        Cell(text=_ends(seen, is_binary=is_binary), role="quiet", exact=cases),
        Cell(text=adjusted, exact=exact),
        Cell(text=_p_words(row.p_value), exact=cases),
    )


def _p_words(p_value: float) -> NumberText:
    """A p-value under a head that says that it is one."""
    words = format_p_value(p_value)
    return NumberText(words.removeprefix("p = ").removeprefix("p "), p_value)


def _three_decimals(value: float) -> str:
    return format_number(value, 3)


def _ends(found: Effect, *, is_binary: bool) -> str:
    scale, decimals = (100.0, 2) if is_binary else (1.0, 3)
    return format_interval(scale * found.low, scale * found.high, decimals)


# ---------------------------------------------------------------- order of rows


def row_order(answer: RowOrderResult, labels: Labels) -> View:
    """What a tool prints for the file as it is, over shuffles, and what it should print."""
    del labels
    return View(
        title="Figures by order of rows",
        sentences=row_order_verdict(answer),
        tables=(order_table(answer),),
    )


def order_table(answer: RowOrderResult) -> Table:
    """A row a figure of each ranking; what moves with the order is marked."""
    rows = []
    has_many = len(answer.models) > 1
    for row in answer.rows:
        figure = row.figure
        name = f"{figure.tool}, {figure.name.partition('(')[0].strip()}"
        worst = f"{_plain(figure.worst)} to {_plain(figure.best)}"
        exact = f"{figure.name}. Over any order of tied rows: about {worst}"
        first = [Cell(text=row.model, is_left=True, exact=exact)] if has_many else []
        low, high = _plain(figure.low), _plain(figure.high)
        still = "does not move" if figure.low == figure.high else f"within rounding of {low}"
        moved = "" if low == high else NumberText(f"{low} to {high}", figure.low, figure.high)
        rows.append(
            (
                *first,
                Cell(text=name, is_left=True, role="quiet", exact=exact),
                Cell(text=_plain(figure.exact), is_bold=True, exact=exact),
                Cell(text=_plain(figure.as_filed), exact=exact),
                Cell(text=moved or still, exact=exact, role="loss" if moved else "quiet"),
            )
        )
    header = ("Figure", "Ties shared", "This order", "Other orders")
    return Table(
        columns=("Model", *header) if has_many else header,
        rows=tuple(rows),
        name="Figures by order of rows",
    )


def _plain(value: float) -> str:
    if not math.isfinite(value):
        return format_number(value)
    size = abs(value)
    return format_number(value, 1 if size >= 10 else 3 if size >= 0.1 else 5)


def row_order_verdict(answer: RowOrderResult) -> tuple[str, ...]:
    """How many cases tie, a sentence a model."""
    described = []
    for entry in answer.models:
        ties = entry.ties
        if ties.tied:
            tied = counted_of(ties.tied, ties.cases, "case", verbs="ties/tie")
            described.append(f"{entry.model}: {tied}; {counted(ties.shuffles, 'shuffle')} of them.")
        else:
            described.append(
                f"{entry.model}: no ties, so no tool's figure depends on the order of rows."
            )
    return tuple(described)


# ---------------------------------------------------------------- the next test


def next_test(answer: NextTestResult, labels: Labels) -> View:
    """How many cases a test needs, and what as many as now would find."""
    seen = answer.seen.effect

    def amount(value: float) -> str:
        return f"{format_points(value)} points" if answer.is_binary else unit_words(value)

    def row(effect: float, cases: int) -> tuple[Cell, ...]:
        is_requested = effect == answer.effect
        return (
            Cell(text=amount(effect), is_left=True, is_bold=is_requested),
            Cell(text=format_share(effect / seen, 0) if seen else "", role="quiet"),
            Cell(text=format_count(cases), is_bold=is_requested),
        )

    def cases_of(count: float) -> str:
        return counted(count, labels.case, labels.cases)

    all_cases = capitalised(labels.cases)
    return View(
        title=f"How large must the next test be to find {amount(answer.effect)}?",
        figure=cases_of(answer.cases),
        interval=f"{format_count(answer.treated)} treated and {format_count(answer.control)} "
        "control",
        sentences=(
            f"This experiment shows an effect of {amount(seen)}. A test of its size "
            f"({cases_of(answer.cases_now)}) would find {amount(answer.found_now)}.",
        ),
        tables=(
            Table(
                columns=(
                    "Effect",
                    "Share of the effect seen",
                    f"{all_cases} in all",
                ),
                rows=tuple(row(*step) for step in answer.ladder),
                name="Cases by effect",
            ),
        ),
        notes=(
            "The outcome is taken to be as spread out as here, in either arm. Half the effect "
            f"needs four times the {labels.cases}. Power is the chance that such a test finds "
            "the effect.",
        ),
    )


# ---------------------------------------------------------------- the variance study


def variance(answer: VarianceStudy, labels: Labels) -> View:
    """How noisy the area is by its baseline, for a model that sees the effect."""
    del labels
    gap = float(np.ptp(answer.mean[0], axis=1).max())
    return View(
        title="How the baseline takes noise away",
        tables=(noise_table(answer),),
        charts=(variance_chart(answer),),
        notes=(
            "Standard deviation of the area, points; ² of a model that sees half the effect. "
            f"Over all baselines the mean area moves by {gap:.2g} at most.",
        ),
    )


def variance_chart(answer: VarianceStudy) -> Chart:
    """The variance of the area over baseline and base rate; the line is the one theory names."""
    x, y = answer.nus, answer.base_rates
    across, up = (0.5 * float(np.diff(values).mean()) for values in (x, y))
    return Chart(
        kind="uplift_variance",
        title="Variance of the area, squared points",
        subtitle="line: the baseline that theory names",
        x_axis=AxisSpec(
            label="baseline nu",
            quantity="number",
            low=float(x[0]) - across,
            high=float(x[-1]) + across,
        ),
        y_axis=AxisSpec(
            label="base rate",
            quantity="percent",
            low=float(y[0]) - up,
            high=float(y[-1]) + up,
        ),
        shades=ShadesSpec(
            values=1e4 * answer.variance[0],
            x=x,
            y=y,
            series=0,
            quantity="number",
            line=answer.best_nu,
        ),
        definition=(
            "Experiments are drawn again and again with effect 0.2 (x − 0.3). The area hardly "
            "moves with the baseline nu, its noise does; figures 10 to 12 of Renaudin and Martin."
        ),
    )


def noise_table(answer: VarianceStudy) -> Table:
    """Standard deviation of the area at nu = 0, at the named baseline, and at nu = 1."""
    rows = []
    spread = np.sqrt(answer.variance)
    for place, base in enumerate(answer.base_rates):
        best = float(answer.best_nu[place])
        cells = [Cell(text=format_share(float(base), 0), is_left=True)]
        for model in range(len(answer.models)):
            at = np.interp([0.0, best, 1.0], answer.nus, spread[model, place])
            cells += [
                Cell(text=format_number(100 * float(value), 2), is_bold=number == 1)
                for number, value in enumerate(at)
            ]
        rows.append(tuple(cells[:7]))
    heads = ("nu 0", "nu*", "nu 1")
    return Table(
        columns=("Base rate", *heads, *(f"{head} ²" for head in heads)),
        rows=tuple(rows),
        name="Noise by baseline",
    )
