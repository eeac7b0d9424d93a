"""The sentences of tab Break-even: an answer goes in, words come out; no widgets.

A model that beats every rule for all cases may be drawn level in two ways. Where nothing is earned
at that value, it stops paying. Where the same decision for all then earns as much, profit may well
have risen on the way: from there on the model is not needed.
"""

from __future__ import annotations

from core.document.studies.break_even import BreakEvenResult, BreakEvenRow, Crossing
from core.presentation.labels import Labels
from core.presentation.numbers import distance_words, setting_words

ROUNDING = 1e-9


def is_needed(result: BreakEvenResult) -> bool:
    """Whether the best model brings more than every single decision for all cases."""
    slack = ROUNDING * max(abs(result.total), abs(result.constant_total), 1.0)
    return result.total > result.constant_total + slack


def ends_of(row: BreakEvenRow, words: Labels) -> tuple[Crossing, ...]:
    """Where the best model is drawn level; losses have no zero that would mean anything."""
    pairs = row.beaten if words.is_loss else (*row.beaten, *row.zero)
    return tuple(entry for entry in pairs if entry is not None)


def ends_header(result: BreakEvenResult) -> str:
    """What the last column holds."""
    return "One for all ties at" if is_needed(result) else "The model is better from"


def sentence_words(result: BreakEvenResult, words: Labels) -> str:
    """The best model, what it is held against, and what happens first."""
    parts = [f"{result.winner} is the best model ({_money(result.total, words)})."]
    if not is_needed(result):
        parts.append(
            f"It is not needed: “{result.constant}” for all is as good or better "
            f"({_money(result.constant_total, words)})."
        )
        return " ".join(parts)
    first = _closest([(row, end) for row in result.numbers for end in ends_of(row, words)])
    wins = _closest([(row, end) for row in result.numbers for end in row.winner if end is not None])
    if first is not None:
        parts.append(_level_words(*first, words))
    if wins is not None:
        row, end = wins
        parts.append(
            f"{end.becomes} takes over first if “{row.name}” goes to "
            f"{setting_words(end.value, row.unit, words.currency)}."
        )
    return " ".join(parts)


def _level_words(row: BreakEvenRow, end: Crossing, words: Labels) -> str:
    now = setting_words(row.now, row.unit, words.currency)
    there = setting_words(end.value, row.unit, words.currency)
    if end in row.zero:
        text = "It stops paying first if “%s” goes from %s to %s: nothing is earned there."
        return text % (row.name, now, there)
    if stops_paying(end, words):
        text = "It stops paying first if “%s” goes from %s to %s: there “%s” for all is as good."
    else:
        text = "It is needed until “%s” goes from %s to %s: from there “%s” for all is as good."
    return text % (row.name, now, there, end.becomes)


def stops_paying(end: Crossing, words: Labels) -> bool:
    """Whether doing nothing draws level, or nothing is earned where another rule does."""
    if words.is_loss:
        return False
    return end.becomes == words.rest or end.total <= ROUNDING * max(1.0, abs(end.total))


def ends_tip(row: BreakEvenRow, result: BreakEvenResult, words: Labels) -> str:
    """Both sides of a number, in a line each."""
    level = "the best model loses as much as “%s” for all"
    if not words.is_loss:
        level = "the best model earns as much as “%s” for all"
    lines = [
        line_words(
            row,
            end,
            "the best model's total crosses 0" if end in row.zero else level % end.becomes,
            words,
        )
        for end in ends_of(row, words)
    ]
    always = (
        "The model is better than one decision for all at every value."
        if is_needed(result)
        else "One decision for all is as good or better at every value."
    )
    return "\n".join(lines) or always


def winner_tip(row: BreakEvenRow, words: Labels) -> str:
    """Which model leads on either side."""
    leads = "%s loses least" if words.is_loss else "%s earns most"
    lines = [
        line_words(row, end, leads % end.becomes, words) for end in row.winner if end is not None
    ]
    if lines:
        return "\n".join(lines)
    return (
        "The same model loses least at every value."
        if words.is_loss
        else "The same model earns most at every value."
    )


def line_words(row: BreakEvenRow, crossing: Crossing, what: str, words: Labels) -> str:
    """One change: the value, how far it lies, what happens there, and the total."""
    at = setting_words(crossing.value, row.unit, words.currency)
    far = distance_words(crossing.value, row.now, row.unit)
    return f"{at} ({far}): {what}; {f'total there {_money(crossing.total, words)}'}"


def _money(total: float, words: Labels) -> str:
    text = words.money(total)
    return f"a loss of {text}" if words.is_loss else text


def _closest(found: list[tuple[BreakEvenRow, Crossing]]) -> tuple[BreakEvenRow, Crossing] | None:
    """The change that lies nearest to the present, as a share of the number that moves."""
    known = [entry for entry in found if entry[1].distance == entry[1].distance]
    return min(known, key=lambda entry: abs(entry[1].distance), default=None)
