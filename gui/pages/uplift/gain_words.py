"""What page Uplift says of the net gain: which figure stands large, and whether it stands at all.

No widgets: an answer goes in, sentences come out.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from core.document.commands import Command
from core.document.decisions.chosen_depth import SAME, gain_of
from core.document.model import Document, Role
from core.document.studies.uplift import Choice, UpliftModelResult, UpliftResult
from core.document.uplift.commands import SetPropensity
from core.document.uplift.model import UpliftSpec
from core.document.wording import NBSP, format_money_interval, format_share
from gui.pages.uplift.words import UpliftWords
from gui.plots.readings import value_at
from payoff.counting import counted

ARMS_DIFFER = frozenset({"predictable", "imbalance", "score"})
"""Checks that chances of treatment answer: who was treated was no accident."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GainWords:
    """The big number with what stands around it; ``invalid`` says why it may not be read."""

    label: str
    figure: str
    interval: str
    advice: str
    detail: str
    invalid: str = ""


def gain_words(
    result: UpliftResult, model: UpliftModelResult, words: UpliftWords, spec: UpliftSpec
) -> GainWords:
    """The net gain of a model at its best depth."""
    invalid = invalid_words(result)
    worth = gain_of(model.choice)
    ends = format_money_interval(worth.estimate.low, worth.estimate.high)
    if model.choice.is_nobody:
        label, interval = "Expected net gain", "nobody is treated, nothing is spent"
    elif worth.flattered is not None:
        label = "Expected net gain, cross-fitted"
        interval = (
            f"{ends}, 95 %; on the rows that chose the depth "
            f"{words.money(worth.flattered.value)}, which flatters"
        )
    else:
        label = "Net gain on these rows"
        interval = f"{ends}, 95 %; the depth was chosen on the same rows, which flatters"
    if invalid:
        label = "Not a net gain to go by"
    return GainWords(
        label=label,
        figure=words.money(worth.estimate.value),
        interval=interval.replace(" %", f"{NBSP}%"),
        advice=advice_words(model.choice, model, words),
        detail=detail_words(model.choice, words, spec),
        invalid=invalid,
    )


def invalid_words(result: UpliftResult) -> str:
    """Why no gain of this experiment may be read, in a sentence; empty where it may."""
    if result.guard.state != "error":
        return ""
    return f"{result.guard.headline} {'What treating would bring cannot be read off it.'}"


def mending(result: UpliftResult, document: Document) -> tuple[str, Command] | None:
    """One step that makes the areas valid again: its words and its command; None without one."""
    spec = document.uplift
    if result.guard.state != "error" or result.has_propensity or spec.estimates_propensity:
        return None
    failed = {line.key for line in result.guard.checks if line.state == "error"}
    if "overlap" in failed or not (failed & ARMS_DIFFER or spec.drawn_by_lot is False):
        return None
    columns = document.columns_of(Role.PROPENSITY)
    if columns:
        words = f"Use the chances of treatment in “{columns[0]}”"
        return words, SetPropensity(column=columns[0])
    if not document.columns_of(Role.INPUT):
        return None
    words = "Estimate each one's chance of treatment"
    return words, SetPropensity(is_estimated=True)


def advice_words(choice: Choice, model: UpliftModelResult, words: UpliftWords) -> str:
    """Whom to treat, in a sentence."""
    if choice.is_nobody:
        return f"Treat nobody: at these prices no depth of {model.model} pays."
    if gain_of(choice).estimate.value <= 0:
        text = (
            "No depth of %s is known to pay: the best on these rows, %s, gains nothing where each "
            "half of them is treated to the depth that the other half chose."
        )
        return text % (model.model, format_share(choice.depth))
    said = counted(choice.targeted, words.case, words.cases)
    if choice.depth > 1.0 - SAME:
        return f"Treat all {said}: no ranking is needed at these prices."
    return f"Treat the best {format_share(choice.depth)} by {model.model}: {said}."


def detail_words(choice: Choice, words: UpliftWords, spec: UpliftSpec) -> str:
    """Where the gain comes from, and what treating all would earn; counted on these rows."""
    of_all = words.money(choice.gain_of_all)
    if choice.is_nobody:
        return f"Treating all earns {of_all}."
    worth = words.money(spec.value * choice.incremental)
    made = (
        f"On these rows: {words.amount(choice.incremental)} extra {words.units} bring "
        f"{worth}, treating costs {words.money(choice.spent)}."
    )
    if choice.depth > 1.0 - SAME:
        return made
    return f"{made} {f'Treating all earns {of_all}.'}"


def gained_at(model: UpliftModelResult, depth: float) -> float:
    """Extra units at a depth: exact at the model's best one, which lies between drawn points."""
    if math.isfinite(model.choice.depth) and abs(depth - model.choice.depth) < SAME:
        return model.choice.incremental
    return value_at(model.depth, model.incremental, depth)
