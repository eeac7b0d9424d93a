"""Rows that show what a rule does: cases of the data, exact ties, and what cannot be decided."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import cycle, islice

import numpy as np

from core.decisions.rules.parts import RuleParts
from payoff.errors import PayoffError
from payoff.types import FloatArray

ROWS = 200
PROBES = 80
MOST_TIES = 40

AS_IS = "a case of the data"

Case = dict[str, float]


@dataclass(frozen=True, slots=True)
class RuleExamples:
    """``ROWS`` rows of the columns that the rule reads, with a word on each."""

    columns: dict[str, FloatArray]
    notes: tuple[str, ...]


def rule_examples(parts: RuleParts, columns: dict[str, FloatArray]) -> RuleExamples:
    """Pick cases evenly from the data and add those that other systems get wrong.

    Raises
    ------
    PayoffError
        If there is no case.
    """
    rows = len(next(iter(columns.values())))
    if rows == 0:
        raise PayoffError("There are no cases to take examples from.")
    kept = min(rows, ROWS - PROBES)
    picked = np.linspace(0, rows - 1, kept).round().astype(np.int64)
    bases = [{name: float(columns[name][row]) for name in parts.columns} for row in picked]
    usable = [case for case in bases if all(np.isfinite(list(case.values())))] or bases
    probes = list(islice(cycle(list(_probes(parts, usable))), ROWS - kept))
    cases = [*bases, *(case for case, _note in probes)]
    return RuleExamples(
        columns={name: np.array([case[name] for case in cases]) for name in parts.columns},
        notes=(AS_IS,) * kept + tuple(note for _case, note in probes),
    )


def _probes(parts: RuleParts, bases: list[Case]) -> Iterator[tuple[Case, str]]:
    """All rows worth showing; each changes a case of the data."""
    turn = cycle(bases)
    yield from islice(_ties(parts, next(turn)), MOST_TIES)
    for _level, column in parts.inputs.posteriors:
        if column is None:
            continue
        most = 100.0 if column in parts.inputs.percents else 1.0
        for value, note in (
            (np.nan, f"{column} is missing"),
            (most * 1.5, f"{column} is above {most:g}"),
            (-0.25, f"{column} is negative"),
        ):
            yield next(turn) | {column: value}, note
    for place in range(parts.levels):
        probabilities = [1.0 if other == place else 0.0 for other in range(parts.levels)]
        yield (
            _with_probabilities(parts, next(turn), probabilities),
            f"certainly {_level_name(parts, place)}",
        )
    if parts.rest is None:
        yield _with_probabilities(parts, next(turn), [0.0] * parts.levels), "every chance is 0"
    for place, column in parts.costs:
        yield next(turn) | {column: np.nan}, f"the cost of {parts.decisions[place]} is missing"
    if parts.shares is not None:
        yield next(turn) | {parts.amount: np.nan}, "the amount is missing"
        yield next(turn) | {parts.amount: 0.0}, "the amount is 0"


def _level_name(parts: RuleParts, place: int) -> str:
    return parts.inputs.posteriors[place][0]


def _with_probabilities(parts: RuleParts, case: Case, probabilities: list[float]) -> Case:
    changed = dict(case)
    for (_level, column), probability in zip(parts.inputs.posteriors, probabilities, strict=True):
        if column is not None:
            changed[column] = probability * (100.0 if column in parts.inputs.percents else 1.0)
    return changed


def _ties(parts: RuleParts, case: Case) -> Iterator[tuple[Case, str]]:
    """Chances at which two decisions are worth the same, and their neighbours a bit away."""
    costs = dict(parts.costs)
    gain = np.array(parts.gain)
    if parts.shares is not None:
        gain = gain + np.array(parts.shares) * case[parts.amount]
    for first in range(len(parts.decisions)):
        for second in range(first + 1, len(parts.decisions)):
            spent = [case[costs[place]] if place in costs else 0.0 for place in (first, second)]
            apart = [float(r[first] - r[second]) - (spent[0] - spent[1]) for r in gain]
            for one in range(parts.levels):
                for other in range(one + 1, parts.levels):
                    yield from _tie(parts, case, (first, second), (one, other), apart)


def _tie(
    parts: RuleParts,
    case: Case,
    pair: tuple[int, int],
    classes: tuple[int, int],
    apart: list[float],
) -> Iterator[tuple[Case, str]]:
    one, other = classes
    if not apart[one] * apart[other] < 0.0:
        return
    probability = -apart[other] / (apart[one] - apart[other])
    if parts.ratio is not None:  # back to the chance before the correction
        up, down = parts.ratio[one], parts.ratio[other]
        if up <= 0.0 or down <= 0.0:
            return
        probability = (probability / up) / (probability / up + (1.0 - probability) / down)
    names = " and ".join(f"“{parts.decisions[place]}”" for place in pair)
    for value, words in (
        (probability, "are worth the same"),
        (float(np.nextafter(probability, 1.0)), "are worth the same but for rounding"),
        (float(np.nextafter(probability, 0.0)), "are worth the same but for rounding"),
        (min(1.0, probability * (1.0 + 1e-9)), "are worth almost the same"),
        (probability * (1.0 - 1e-9), "are worth almost the same"),
    ):
        probabilities = [0.0] * parts.levels
        probabilities[one], probabilities[other] = value, 1.0 - value
        yield _with_probabilities(parts, case, probabilities), f"{names} {words}"
