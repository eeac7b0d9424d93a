"""What studies of models show: which is best, and what difference these cases could show."""

from __future__ import annotations

import math
from dataclasses import replace

from core.document.compare.words import (
    amount_words,
    difference_interval,
    difference_size,
    flattering_words,
    lead_words,
    metric_interval,
    metric_value,
    needed_words,
    power_sentences,
)
from core.document.plugin_results import MetricInfo
from core.document.results import Estimate, EvaluationResult, MetricCell, SeenRows, Selection
from core.document.studies.compare import PairPower, PowerResult
from core.document.wording import (
    UNDEFINED,
    format_count,
    format_money_interval,
    format_number,
    format_p_value,
    format_share,
    name_in_text,
)
from core.presentation.labels import Labels
from core.presentation.view import Table, View

_POWER_COLUMNS = (
    "Figure",
    "Models",
    "Ahead here",
    "Difference, 95 %",
    "Standard error",
    "Smallest that shows",
    "To find",
    "Found with chance",
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


# ---------------------------------------------------------------- choosing


def choice_of_model(result: EvaluationResult, metric: str) -> View:
    """The best model by one metric, its lead over the others, and what choosing it adds."""
    info = next((entry for entry in result.metrics if entry.metric == metric), None)
    chosen = next((entry for entry in result.selections if entry.metric == metric), None)
    if info is None or chosen is None:
        why = " ".join(result.warnings[-1:])
        described = f"There is nothing to choose by this metric. {why}"
        if len({cell.model for cell in result.cells}) == 1:
            described = (
                "There is one model only: with another beside it the better one can be chosen."
            )
        return View(title="", sentences=(described,))
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
        reported = format_p_value(chosen.corrected)
        if chosen.corrected < 0.05:
            text += f" Ahead of every other model, corrected for their number ({reported})."
        else:
            text += f" Not distinguishable from every other model ({reported}, corrected)."
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
    winner, second = name_in_text(chosen.winner), name_in_text(chosen.runner_up)
    if estimate.value == 0:
        apart = f"; the difference may be anything from {interval}"
        known = apart if is_known and low < high else ""
        return f"{winner} and {second} are level{known}."
    if is_known and low <= 0 <= high:
        return (
            f"{winner} has the best figure, {size} better than {second}; "
            f"the difference may be anything from {interval}."
        )
    if not is_known and estimate.note:
        note = f"{estimate.note[:1].upper()}{estimate.note[1:]}"
        return f"{winner} has the best figure, {size} better than {second}. {note}"
    text = f"{winner} is ahead of {second} by {size}"
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
