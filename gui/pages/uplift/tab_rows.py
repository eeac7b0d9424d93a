"""Rows of the tabs of page Uplift: metrics, arms, row order. No widgets."""

from __future__ import annotations

import math

from core.document.plugin_results import MetricInfo
from core.document.results import Estimate
from core.document.studies.uplift import Effect
from core.document.studies.uplift_metrics import UpliftMetricsResult
from core.document.studies.uplift_tabs import ArmRow, ArmsResult, RowOrderResult
from core.document.wording import (
    format_interval,
    format_number,
    format_p_value,
    format_share,
)
from core.presentation.table import Cell, Table
from gui.pages.uplift.words import UpliftWords, points
from payoff.counting import counted, counted_of


def metric_rows(result: UpliftMetricsResult) -> Table:
    """A row a metric, a value and an interval a model; the best in bold where one is better."""
    evaluation = result.evaluation
    cells = {(cell.metric, cell.model): cell.estimate for cell in evaluation.cells}
    rows = []
    for info in evaluation.metrics:
        estimates = [cells[info.metric, model] for model in result.models]
        best = _best(info, estimates)
        exact = f"{info.help} {info.formula}. {info.reference}".strip()
        row = [Cell(text=info.title, is_left=True, exact=exact)]
        for estimate in estimates:
            said = estimate.note or f"{estimate.method}. {exact}"
            decimals = info.decimals
            is_best = best is not None and estimate.value == best
            value = format_number(estimate.value, decimals)
            row.append(Cell(text=value, is_bold=is_best, exact=said))
            ends = ""
            if math.isfinite(estimate.low):
                ends = format_interval(estimate.low, estimate.high, decimals)
            row.append(Cell(text=ends, role="quiet", exact=said))
        rows.append(tuple(row))
    header = ["Metric"]
    for model in result.models:
        header += [model, "95 %"]
    return Table(columns=tuple(header), rows=tuple(rows))


def _best(info: MetricInfo, estimates: list[Estimate]) -> float | None:
    known = [entry.value for entry in estimates if math.isfinite(entry.value)]
    if len(known) < 2 or info.direction == "none" or max(known) == min(known):
        return None
    return max(known) if info.direction == "higher" else min(known)


def arm_rows(result: ArmsResult, words: UpliftWords) -> Table:
    """Each arm against the control arm on each outcome, then segments of the chosen arm."""
    rows = [_arm_row(row, words) for row in result.rows]
    header = (
        "Arm",
        "Outcome",
        "Mean",
        result.control,
        "Effect",
        "95 %",
        "Adjusted",
        "p (Holm)",
    )
    return Table(columns=header, rows=tuple(rows))


def _arm_row(row: ArmRow, words: UpliftWords) -> tuple[Cell, ...]:
    seen = row.effect
    name = f"{seen.arm}, {row.segment}" if row.segment else seen.arm
    cases = f"{counted(round(seen.cases), words.case, words.cases)}; {seen.method}"

    def effect(value: float) -> str:
        return points(value) if row.is_binary else format_number(value, 3)

    def mean(value: float) -> str:
        return format_share(value) if row.is_binary else format_number(value, 3)

    def ends(found: Effect) -> str:
        scale = 100.0 if row.is_binary else 1.0
        return format_interval(scale * found.low, scale * found.high, 2 if row.is_binary else 3)

    is_clear = seen.low > 0 or seen.high < 0
    adjusted = "" if row.adjusted is None else effect(row.adjusted.effect)
    exact = "" if row.adjusted is None else f"{row.adjusted.method}: {ends(row.adjusted)}"
    return (
        Cell(text=name, is_left=True, exact=cases),
        Cell(text=row.outcome.replace("_", " "), is_left=True, role="quiet", exact=cases),
        Cell(text=mean(seen.mean), exact=cases),
        Cell(text=mean(seen.control_mean), role="quiet", exact=cases),
        Cell(text=effect(seen.effect), is_bold=is_clear, exact=cases),
        Cell(text=ends(seen), role="quiet", exact=cases),
        Cell(text=adjusted, exact=exact),
        Cell(text=format_p_value(row.p_value).removeprefix("p = ").removeprefix("p "), exact=cases),
    )


def order_rows(result: RowOrderResult) -> Table:
    """What a tool prints for the file as it is, over shuffles, and what it should print."""
    rows = []
    has_many = len(result.models) > 1
    for row in result.rows:
        figure = row.figure
        name = f"{figure.tool}, {figure.name.partition('(')[0].strip()}"
        worst = f"{_plain(figure.worst)} to {_plain(figure.best)}"
        exact = f"{figure.name}. " + f"Over any order of tied rows: about {worst}"
        first = [Cell(text=row.model, is_left=True, exact=exact)] if has_many else []
        low, high = _plain(figure.low), _plain(figure.high)
        still = "does not move" if figure.low == figure.high else f"within rounding of {low}"
        moved = "" if low == high else f"{low} to {high}"
        rows.append(
            (
                *first,
                Cell(text=name, is_left=True, role="quiet", exact=exact),
                Cell(text=_plain(figure.exact), is_bold=True, exact=exact),
                Cell(text=_plain(figure.as_filed), exact=exact),
                Cell(
                    text=moved or still,
                    exact=exact,
                    role="loss" if moved else "quiet",
                ),
            )
        )
    header = ("Figure", "Ties shared", "This order", "Other orders")
    return Table(columns=("Model", *header) if has_many else header, rows=tuple(rows))


def _plain(value: float) -> str:
    if not math.isfinite(value):
        return format_number(value)
    size = abs(value)
    return format_number(value, 1 if size >= 10 else 3 if size >= 0.1 else 5)


def order_words(result: RowOrderResult) -> str:
    """How many cases tie, in one sentence a model."""
    said = []
    for entry in result.models:
        ties = entry.ties
        if not ties.tied:
            said.append(
                f"{entry.model}: no ties, so no tool's figure depends on the order of rows."
            )
            continue
        said.append(
            "{}: {}; {} of them.".format(
                entry.model,
                counted_of(ties.tied, ties.cases, "case", verbs="ties/tie"),
                counted(ties.shuffles, "shuffle"),
            )
        )
    return " ".join(said)
