"""What was read from a file and what follows, in two sentences, before anybody said anything."""

from __future__ import annotations

from core.document.decisions.starting_matrix import assumed_lending
from core.document.decisions.words import void_reason
from core.document.model import Document
from core.document.results import DecisionResult, ModelProfit
from core.document.wording import format_count, format_money_interval, name_in_text
from core.presentation.labels import Labels
from payoff.counting import counted


def opening_words(
    document: Document, result: DecisionResult | None, left_out: int, totals: int
) -> str:
    """Say what the file holds, what the rule earns, and what is assumed; empty where nothing is.

    Parameters
    ----------
    document : Document
        What ``result`` was worked out from.
    result : DecisionResult or None
    left_out, totals : int
        Rows of the file that are no cases; how many of these hold totals.
    """
    assumed = assumed_lending(document.matrix, document.target)
    if not assumed or result is None or not result.models:
        return ""
    named = (entry for entry in result.models if entry.model == document.reference_model)
    chosen = next(named, result.models[0])
    if void_reason(result, chosen.model):
        return ""
    return f"{_read(document, left_out, totals)} {_earned(document, result, chosen)}\n{assumed}"


def _read(document: Document, left_out: int, totals: int) -> str:
    """What the file holds: "2 models, 3 outcomes, loan amounts, 1 totals row left out."."""
    levels = document.target.levels if document.target is not None else ()
    parts = [
        counted(len(document.models), "model"),
        counted(len(levels), "outcome"),
        "loan amounts",
    ]
    if left_out:
        what = "totals row" if totals == left_out else "row"
        parts.append(f"{counted(left_out, what)} left out")
    return f"{', '.join(parts)}."


def _earned(document: Document, result: DecisionResult, chosen: ModelProfit) -> str:
    """What the rule does and earns: "Lend to 1,691 of 4,000: € 153,153 (25,783 to 280,522)."."""
    words = Labels.of(document, result)
    total = chosen.total
    low, high = words.interval(total.low, total.high)
    cases = format_count(float(result.class_weight.sum()))
    done = f"{words.acting} to {format_count(chosen.rule_cases)} of {cases}"
    model = f" by {name_in_text(chosen.model)}" if len(document.models) > 1 else ""
    return f"{done}{model}: {words.money(total.value)} ({format_money_interval(low, high)})."
