"""The tables of page Experiments as texts."""

from __future__ import annotations

import math

from core.document.experiments.files import differing_parts
from core.document.experiments.results import DataFacts, ExperimentResult, GroupSummary
from core.document.experiments.spec import learner_label
from core.document.wording import format_count
from gui.pages.experiments.words import SAMPLER_WORDS, loss_words, share_words, title_of

Table = tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]


def summary_rows(result: ExperimentResult | None) -> Table:
    """One row per sampling method and learner."""
    names = (
        "Method",
        "Learner",
        "Runs",
        "Error",
        "From",
        "To",
        "Largest bound",
        "No information",
        "Bound below it",
        "Effect error",
        "Effect bound",
    )
    rows = tuple(_summary(group) for group in result.groups) if result is not None else ()
    return names, rows


def _summary(group: GroupSummary) -> tuple[str, ...]:
    return (
        SAMPLER_WORDS.get(group.sampler, group.sampler),
        learner_label(group.learner),
        format_count(group.runs),
        loss_words(group.mean),
        loss_words(group.lowest),
        loss_words(group.highest),
        loss_words(group.bound),
        loss_words(group.chance),
        share_words(group.below_chance),
        loss_words(group.effect_mean),
        loss_words(group.effect_bound),
    )


def granted_rows(result: ExperimentResult | None, facts: DataFacts | None) -> Table:
    """Conditions of the bounds, warnings of the rows, and how the source was read."""
    found = result.data if result is not None else facts
    rows: list[tuple[str, ...]] = []
    if result is not None:
        rows += [("Bound", line) for line in result.conditions]
    if found is not None:
        rows += [("Warning", line) for line in found.warnings]
        rows += [("Reading", line) for line in found.notes]
    return ("About", "What is taken for granted"), tuple(rows)


def compared_rows(result: ExperimentResult | None, other: ExperimentResult | None) -> Table:
    """Mean errors of both experiments by method and learner."""
    names = (
        "Method",
        "Learner",
        "Error here",
        "Error there",
        "Difference",
        "Effect error here",
        "Effect error there",
        "Difference",
    )
    if result is None or other is None:
        sentence = "Choose “Compare with” above to lay another experiment beside this one."
        return ("Comparison",), ((sentence,),)
    theirs = {(group.sampler, group.learner): group for group in other.groups}
    rows = []
    for group in result.groups:
        match = theirs.get((group.sampler, group.learner))
        there = (match.mean, match.effect_mean) if match is not None else (math.nan, math.nan)
        rows.append(
            (
                SAMPLER_WORDS.get(group.sampler, group.sampler),
                learner_label(group.learner),
                loss_words(group.mean),
                loss_words(there[0]),
                _signed(group.mean - there[0]),
                loss_words(group.effect_mean),
                loss_words(there[1]),
                _signed(group.effect_mean - there[1]),
            )
        )
    return names, tuple(rows)


def _signed(value: float) -> str:
    if not math.isfinite(value):
        return "–"
    sign = "+" if value > 0 else "−" if value < 0 else ""
    return f"{sign}{abs(value):.4f}"


def difference_words(result: ExperimentResult | None, other: ExperimentResult | None) -> str:
    """What an experiment is compared with, and the parts in which both differ."""
    if result is None or other is None:
        return ""
    parts = differing_parts(result, other)
    if not parts:
        return f"With {title_of(other.spec)}: no part differs."
    mark = "Not to be put down to one part. " if len(parts) > 1 else ""
    return f"{mark}They differ in: {', '.join(parts)}."


def verdict_of(result: ExperimentResult | None) -> str:
    """One sentence: in how many runs the bound lies below the loss of no information.

    Each run has a bound of its own, at the confidence that was chosen; why one lies above is not
    known.
    """
    if result is None or not result.done:
        return ""
    if result.bound_note:
        return result.bound_note.split(".")[0] + "."
    shares = [group.below_chance for group in result.groups if math.isfinite(group.below_chance)]
    if not shares:
        return ""
    lowest, held = min(shares), share_words(result.spec.settled().confidence)
    if lowest >= 1.0:
        return f"The bound of every run (each at {held}) lies below the loss of no information."
    if max(shares) <= 0.0:
        return (
            f"The bound of no run (each at {held}) lies below the loss of no "
            "information; more test "
            "rows would bring bounds nearer to the errors."
        )
    least, most = share_words(lowest), share_words(max(shares))
    share = least if least == most else f"{least} to {most}"
    return f"The bound lies below the loss of no information in {share} of runs (each at {held})."
