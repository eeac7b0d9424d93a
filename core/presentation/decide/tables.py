"""What the tabs show: decision table, models side by side, totals, and the sentences below."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TypeAlias

import numpy as np

from core.document.decisions.words import AmountWords
from core.document.model import Document
from core.document.results import (
    CursorReading,
    DecisionResult,
    Estimate,
    ModelProfit,
    PairedDifference,
    ResampleResult,
)
from core.document.wording import (
    NBSP,
    UNDEFINED,
    NumberText,
    estimate_decimals,
    format_count,
    format_money,
    format_money_interval,
    format_number,
    format_score,
    format_share,
    format_threshold,
)
from core.presentation.decide import figures
from core.presentation.decide.figures import DecisionTable, DepthPoint
from core.presentation.decide.views import foresight_words
from core.presentation.labels import Labels, capitalised, short_name
from core.presentation.view import Cell, Table, View, common_scale

Pair: TypeAlias = tuple[Table, Table]
UP, DOWN, EQUAL = "▲", "▼", "≈"
ALL_MODELS = "All models"
LONGEST_NAME = 12  # letters of a model in a head above figures
"""Head of the models beside the decision table, where there is no room for more."""


# ---------------------------------------------------------------- the first tab


def figures_view(
    document: Document,
    result: DecisionResult,
    depth: float,
    reading: CursorReading | None,
    resamples: ResampleResult | None,
    *,
    is_by_rule: bool,
    is_narrow: bool = False,
) -> View | None:
    """Return the decision table, all models beside it, and what was checked.

    Parameters
    ----------
    document : Document
        What the result was worked out from.
    result : DecisionResult
    depth : float
        Of the cursor.
    reading : CursorReading or None
        Exact values at that depth, once they are there.
    resamples : ResampleResult or None
    is_by_rule : bool
        Whether each case's own decision is counted, in place of acting down to the depth.
    is_narrow : bool
        Whether heads are short.

    Returns
    -------
    view or None
        None where nothing was decided.
    """
    chosen = figures.profit_of(result, document.reference_model)
    if chosen is None:
        return None
    labels = Labels.of(document, result)
    points = [figures.at_depth(entry, depth, reading) for entry in result.models]
    point = next(entry for entry in points if entry.model == chosen.model)
    if is_by_rule:
        table = figures.table_by_rule(result, chosen)
        caption = f"{chosen.model} by its rule"
        models = models_by_rule(document, result, labels, chosen.model, resamples)
    else:
        table = figures.table_at(document, result, point)
        caption = f"{chosen.model} at the cursor"
        side = (points, chosen.model, reading, resamples)
        models = models_at(document, result, labels, *side, is_narrow=is_narrow)
    caption = chosen.model if is_narrow else caption  # the box above the table says the rest
    rows = decision_rows(result, labels, table, caption, is_narrow=is_narrow)
    checks = figures.footer_checks(document, result, chosen, point)
    holds, checked = check_sentence(checks, is_loss=labels.is_loss)
    foresight = foresight_sentence(document, result, labels, table)
    return View(
        title="Decision table",
        sentences=(checked,) if checked else (),
        state="ok" if holds else "error",
        tables=(rows, models),
        notes=(foresight,) if foresight else (),
    )


def with_short_heads(document: Document, result: DecisionResult, tables: Pair) -> Pair:
    """Return both tables with heads for where there is no room: names of models are cut there."""
    chosen = figures.profit_of(result, document.reference_model)
    name = chosen.model if chosen is not None else ""
    own, models = tables
    last = f"To {short_name(name, LONGEST_NAME)}"
    return (
        replace(own, columns=(short_name(name), *own.columns[1:])),
        replace(models, columns=(ALL_MODELS, *models.columns[1:-1], last)),
    )


def totals_view(document: Document, result: DecisionResult) -> View:
    """Return the totals of all models, with the rows and what the intervals hold fixed."""
    labels = Labels.of(document, result)
    parts = [result.rows.text]
    if result.holds_fixed:
        parts.append(f"intervals {result.holds_fixed}")
    if document.priors is not None:
        shares = (f"{labels.level(name)} {format_share(share)}" for name, share in document.priors)
        parts.append(f"weighted to {', '.join(shares)}")
    return View(
        title="Totals of all models",
        tables=(totals_rows(document, result, labels),),
        notes=("; ".join(part for part in parts if part) + ".",),
    )


# ---------------------------------------------------------------- amounts


def amount(profit: float, words: Labels, decimals: int, *, is_bold: bool = False) -> Cell:
    """A realised amount with its sign and colour; ``decimals`` are those of its table."""
    if math.isnan(profit):
        return Cell(text=UNDEFINED, role="quiet")
    shown = words.shown(profit)
    text = format_number(shown, decimals)
    is_zero = text.strip("0.,") == ""
    sign = "+" if shown > 0 and not is_zero else ""
    role = "text" if is_zero or is_bold else "gain" if profit > 0 else "loss"
    signed = NumberText(sign + text, shown)
    return Cell(text=signed, role=role, is_bold=is_bold, exact=f"{shown:,.2f}")


def plain_amount(profit: float, words: Labels, decimals: int, *, is_bold: bool = False) -> Cell:
    """An amount without a plus sign; ``decimals`` are those of its table."""
    shown = words.shown(profit)
    return Cell(text=format_number(shown, decimals), is_bold=is_bold, exact=f"{shown:,.2f}")


def lead_cell(value: float, low: float, high: float, words: Labels, decimals: int) -> Cell:
    """The chosen model's lead, seen from the other model: an arrow down where it brings less.

    ``decimals`` are those of the profits that it is the difference of.
    """
    if math.isnan(value):
        return Cell(text=UNDEFINED, role="quiet")
    behind = -value  # the other model's profit less the chosen one's
    shown = words.shown(behind)
    text = NumberText(f"{'+' if shown > 0 else ''}{format_number(shown, decimals)}", shown)
    exact = format_money_interval(*words.interval(-high, -low))
    if math.isfinite(low) and math.isfinite(high) and low <= 0 <= high:
        return Cell(text=NumberText(f"{EQUAL} {text}", shown), role="quiet", exact=exact)
    arrow, role = (UP, "gain") if behind > 0 else (DOWN, "loss")
    if behind == 0:
        return Cell(text=text, role="quiet", exact=exact)
    return Cell(text=NumberText(f"{arrow} {text}", shown), role=role, exact=exact)


# ---------------------------------------------------------------- the decision table


def decision_rows(
    result: DecisionResult,
    words: Labels,
    table: DecisionTable,
    caption: str,
    *,
    is_narrow: bool = False,
) -> Table:
    """Classes by decisions: counts and amounts, and the sum of each row and column."""
    money = _money_head(words, is_narrow)
    header = [caption]
    for decision in table.decisions:
        header += [decision, money]
    header.append(f"{'All'}, {words.currency}" if words.currency else "All")
    places = estimate_decimals(*table.profits.ravel().tolist(), table.total)
    rows = []
    for index, level in enumerate(result.levels):
        cells = [Cell(text=words.level(level), is_left=True)]
        for column in range(len(table.decisions)):
            cells.append(Cell(text=format_count(table.counts[index, column])))
            cells.append(amount(float(table.profits[index, column]), words, places))
        cells.append(amount(float(np.sum(table.profits[index])), words, places))
        rows.append(tuple(cells))
    rows.append(_total_row(table, words, places))
    return Table(columns=tuple(header), rows=tuple(rows))


def _money_head(words: Labels, is_narrow: bool = False) -> str:
    if is_narrow and words.currency:
        return words.currency
    name = capitalised(words.amount)
    return f"{name}, {words.currency}" if words.currency else name


def _total_row(table: DecisionTable, words: Labels, places: int) -> tuple[Cell, ...]:
    everything = format_count(float(np.sum(table.counts)))
    cells = [Cell(text=f"{'all'} {everything}", is_bold=True, is_left=True)]
    sums = table.profits.sum(axis=0)
    known = ~np.isnan(sums)
    if known.sum() == len(sums) - 1:  # what is left of the total belongs to the one open column
        sums = np.where(known, sums, table.total - np.nansum(sums))
    for column in range(len(table.decisions)):
        count = format_count(float(table.counts[:, column].sum()))
        cells.append(Cell(text=count, is_bold=True))
        cells.append(amount(float(sums[column]), words, places, is_bold=True))
    cells.append(amount(table.total, words, places, is_bold=True))
    return tuple(cells)


# ---------------------------------------------------------------- models side by side


def models_at(
    document: Document,
    result: DecisionResult,
    words: Labels,
    points: list[DepthPoint],
    chosen: str,
    reading: CursorReading | None,
    resamples: ResampleResult | None,
    *,
    is_narrow: bool = False,
) -> Table:
    """All models at the depth of the cursor."""
    estimates = [_estimate_at(words, entry) for entry in points]
    scale = common_scale(estimates)
    reference = next(entry for entry in points if entry.model == chosen)
    header = (
        ALL_MODELS if is_narrow else f"{ALL_MODELS}, same depth",
        _threshold_head(result, words, is_narrow),
        _money_head(words, is_narrow),
        f"95{NBSP}%",
        f"To {chosen}",
    )
    rows = []
    message_text = {entry.model for entry in result.models if entry.has_probabilities}
    best = max((p.profit for p in points if not math.isnan(p.profit)), default=math.nan)
    places = estimate_decimals(*(entry.profit for entry in points))
    for point, estimate in zip(points, estimates, strict=True):
        against = figures.against_model(reference, point, reading, resamples)
        last = Cell()
        if point.model != chosen:
            last = lead_cell(against.value, against.low, against.high, words, places)
        threshold = format_money(point.threshold, "")  # in the digits of the chart's read-out
        if point.model not in message_text:
            threshold = format_score(point.threshold)
        elif result.threshold_kind != "advantage":
            threshold = format_threshold(point.threshold)
        rows.append(
            (
                Cell(text=point.model, series=_series(document, point.model), is_left=True),
                Cell(text=threshold),
                plain_amount(point.profit, words, places, is_bold=point.profit == best),
                _bar(document, point.model, estimate, scale),
                last,
            )
        )
    return Table(columns=header, rows=tuple(rows))


def _threshold_head(result: DecisionResult, words: Labels, is_narrow: bool) -> str:
    """What the last case within the depth has: a chance, an expected advantage, or a score."""
    if any(not entry.has_probabilities for entry in result.models):
        return "Cut-off"
    if result.threshold_kind != "chance":
        return "Above" if is_narrow else f"{'Advantage above'}, {words.currency}"
    if is_narrow:
        return "Chance"
    return "Chance below" if result.threshold_side == "below" else "Chance above"


def models_by_rule(
    document: Document,
    result: DecisionResult,
    words: Labels,
    chosen: str,
    resamples: ResampleResult | None,
) -> Table:
    """All models, each case with its own decision."""
    estimates = [turned_estimate(words, entry.total) for entry in result.models]
    scale = common_scale(estimates)
    header = (
        f"{ALL_MODELS}, each by its rule",
        words.acting,
        _money_head(words),
        f"95{NBSP}%",
        f"To {chosen}",
    )
    totals = tuple(entry.total.value for entry in result.models)
    places = estimate_decimals(*totals)
    best = max((value for value in totals if not math.isnan(value)), default=math.nan)
    rows = []
    for entry, estimate in zip(result.models, estimates, strict=True):
        is_best = entry.total.value == best
        rows.append(
            (
                Cell(text=entry.model, series=_series(document, entry.model), is_left=True),
                Cell(text=format_share(entry.rule_depth), exact=format_count(entry.rule_cases)),
                plain_amount(entry.total.value, words, places, is_bold=is_best),
                _bar(document, entry.model, estimate, scale),
                _rule_difference(result, resamples, words, chosen, entry.model, places),
            )
        )
    return Table(columns=header, rows=tuple(rows))


def _rule_difference(
    result: DecisionResult,
    resamples: ResampleResult | None,
    words: Labels,
    chosen: str,
    model: str,
    places: int,
) -> Cell:
    if model == chosen:
        return Cell()
    drawn = resamples.differences if resamples is not None else ()
    found: PairedDifference | None = next(
        (d for d in (*drawn, *result.differences) if (d.first, d.second) == (chosen, model)), None
    )
    if found is None:
        return Cell(text=UNDEFINED, role="quiet")
    return lead_cell(found.estimate.value, found.estimate.low, found.estimate.high, words, places)


def _estimate_at(words: Labels, point: DepthPoint) -> Estimate:
    low, high = words.interval(point.low, point.high)
    return Estimate(value=words.shown(point.profit), low=low, high=high)


def turned_estimate(words: Labels, estimate: Estimate) -> Estimate:
    """An estimate of profits in the page's own direction."""
    low, high = words.interval(estimate.low, estimate.high)
    return Estimate(value=words.shown(estimate.value), low=low, high=high)


def _series(document: Document, model: str) -> int:
    spec = document.model(model)
    return spec.series if spec else 0


def _bar(document: Document, model: str, estimate: Estimate, scale: tuple[float, float]) -> Cell:
    text = format_money_interval(estimate.low, estimate.high)
    return Cell(
        text=text,
        exact=text,
        estimate=estimate,
        scale=scale,
        series=_series(document, model),
        is_left=True,
    )


# ---------------------------------------------------------------- totals


def totals_rows(document: Document, result: DecisionResult, words: Labels) -> Table:
    """Every model by its rule: total, average, expected, best possible, left on the table, ROI."""
    header = (
        "Each case its own decision",
        "Total" + f", {words.currency}",
        f"95{NBSP}%",
        f"Per {words.case}",
        "Expected",
        "Best possible",
        "Left on the table",
        "Money won on cost" if words.is_loss else "Return on cost",
    )
    helps = (
        "",
        "Realised consequences of all decisions, weighted by the priors",
        f"Interval; {result.holds_fixed}",
        "Total divided by the weighted number of cases, with its interval",
        "The same from the model's scores alone, without the outcome",
        (
            "The least loss possible, with the outcome known beforehand"
            if words.is_loss
            else "What perfect foresight would bring"
        ),
        "Total less best possible" if words.is_loss else "Best possible less total",
        (
            "What was won, less than 0 for a loss, divided by the sum of extra costs"
            if words.is_loss
            else "Total divided by the sum of extra costs"
        ),
    )
    places = estimate_decimals(*(entry.total.value for entry in result.models))
    return Table(
        columns=header,
        help=helps,
        rows=tuple(_totals_row(document, words, entry, places) for entry in result.models),
    )


def _totals_row(
    document: Document, words: Labels, model: ModelProfit, places: int
) -> tuple[Cell, ...]:
    total = turned_estimate(words, model.total)
    average = turned_estimate(words, model.average)
    each = format_number(average.value, 3)
    span = f"{format_number(average.low, 3)} to {format_number(average.high, 3)}"
    left = model.best_total - model.total.value
    roi = format_share(model.roi) if math.isfinite(model.roi) else format_number(model.roi)
    return (
        Cell(text=model.model, series=_series(document, model.model), is_left=True),
        plain_amount(model.total.value, words, places, is_bold=True),
        Cell(text=format_money_interval(total.low, total.high)),
        Cell(text=each, exact=span),
        plain_amount(model.expected_total, words, places),
        plain_amount(model.best_total, words, places),
        Cell(text=format_number(left, places), exact=f"{left:,.2f}"),
        Cell(text=roi),
    )


# ---------------------------------------------------------------- the footer


def check_sentence(
    checks: tuple[figures.AmountCheck, ...], *, is_loss: bool = False
) -> tuple[bool, str]:
    """Whether everything agrees, and the sentence that says so or names what does not."""
    failed = [entry for entry in checks if not entry.holds]
    if failed:
        parts = [
            f"{entry.of}: {format_number(entry.first)} and {format_number(entry.second)}"
            for entry in failed
        ]
        return False, f"These should be the same amount: {'; '.join(parts)}."
    held = {entry.of for entry in checks}
    if not held:
        return True, ""
    money = AmountWords(is_loss).name
    if figures.Compared.CHART_END in held:
        return True, f"Total = last point of the chart = {money} statistic."
    if figures.Compared.CHART_AT_CURSOR in held:
        return True, f"Total = chart at the cursor = {money} statistic."
    if len(held) > 1:
        return True, f"Total = table at the cursor; table by the rule = {money} statistic."
    return True, f"Table by the rule = {money} statistic."


def foresight_sentence(
    document: Document,
    result: DecisionResult,
    words: Labels,
    table: DecisionTable,
) -> str:
    """What perfect foresight would have added, and where it was lost."""
    best = result.perfect_total
    if math.isnan(best) or math.isnan(table.total):
        return ""
    missed = best - table.total
    head = "Against perfect foresight, which no model has: %s"
    text = head % foresight_words(missed, best, words)
    parts = _lost_parts(document, result, words, table, missed)
    return f"{text} ({', '.join(parts)})." if parts else f"{text}."


def _lost_parts(
    document: Document,
    result: DecisionResult,
    words: Labels,
    table: DecisionTable,
    missed: float,
) -> list[str]:
    """Amounts by class, only where they add up to the whole."""
    lost = figures.missed_by_class(document, result, table)
    if lost is None or abs(float(lost.sum()) - missed) > max(1.0, 1e-6 * abs(missed)):
        return []
    return [
        f"{format_money(float(value), words.currency)} “{words.level(level)}”"
        f"{_what_was_done(document, result, words, index)}"
        for index, (level, value) in enumerate(zip(result.levels, lost, strict=True))
        if value > 0.005
    ]


def _what_was_done(document: Document, result: DecisionResult, words: Labels, row: int) -> str:
    """The mistake made with a class, where there are only two decisions."""
    earned = figures.consequences(document, result)
    if earned is None or len(result.decisions) > 2:
        return ""
    acting = result.decisions.index(result.acting)
    others = np.delete(earned[row], acting)
    rest = float(others.max()) if len(others) else 0.0
    return f" {words.done}" if earned[row, acting] < rest else f" {'not'} {words.done}"
