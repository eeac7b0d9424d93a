"""The smallest change of one input that brings another answer, among values that occur.

A forest answers alike between two neighbouring thresholds of a column, so it is enough to try, on
either side of a case, one value in each such span: the nearest that the data hold, or, where they
hold none, the shortest number next to the nearer threshold. No span is left out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from core.boosting.inputs import Inputs
from core.boosting.predicting import Predictor
from payoff.types import FloatArray, IntArray

Answer = Callable[[Inputs], IntArray]
"""The answer to each case, as a code; below 0 = none."""


@dataclass(frozen=True, slots=True)
class InputChange:
    """A change of one input alone that brings another answer.

    Attributes
    ----------
    column : int
    value : float
        The new value; the number of a level for a nominal column.
    answer : int
    passed : float
        Share of the cases with values between old and new, the size of the change; NaN for levels
        and for a missing value, which have no distance.
    """

    column: int
    value: float
    answer: int
    passed: float


def smallest_changes(
    predictor: Predictor, case: Inputs, data: Inputs, answer: Answer
) -> tuple[InputChange, ...]:
    """For each column the smallest change that brings another answer, the smallest first.

    Parameters
    ----------
    predictor : Predictor
        Its thresholds say where answers can change.
    case : Inputs
        One case.
    data : Inputs
        Cases whose values may be taken on.
    answer : function
    """
    trials: list[tuple[int, float, float]] = []
    for column, schema in enumerate(predictor.columns):
        own = float(case.arrays[column][0])
        values = np.asarray(data.arrays[column], dtype=np.float64)
        values = np.sort(values[~np.isnan(values)])
        if schema.is_nominal:
            levels = np.unique(values[values >= 0.0])
            trials += [(column, float(level), np.nan) for level in levels if level != own]
        elif not np.isnan(own):
            cuts = predictor.borders.numbers[column]
            trials += [(column, *entry) for entry in _nearest_values(own, values, cuts)]
        else:
            trials += [(column, float(value), np.nan) for value in _middles(values)]
    if not trials:
        return ()
    before = int(answer(case)[0])
    after = answer(_changed(case, trials))
    found: dict[int, InputChange] = {}
    for (column, value, passed), code in zip(trials, after.tolist(), strict=True):
        best = found.get(column)
        if code in (before, -1) or (best is not None and not passed < best.passed):
            continue
        found[column] = InputChange(column, value, int(code), passed)
    return tuple(
        sorted(found.values(), key=lambda change: (np.isnan(change.passed), change.passed))
    )


def _nearest_values(own: float, values: FloatArray, cuts: FloatArray) -> list[tuple[float, float]]:
    """A value in each span between thresholds, the nearest span first, and the share passed."""
    count = values.shape[0]
    if not count:
        return []
    here = int(np.searchsorted(cuts, own, side="right"))
    edges = np.searchsorted(values, cuts, side="left")  # values from here on lie right of each
    first, last = np.concatenate([[0], edges]), np.concatenate([edges, [count]])
    low, high = np.searchsorted(values, own, side="left"), np.searchsorted(values, own, "right")
    entries = []
    for number in (*range(here + 1, len(cuts) + 1), *range(here - 1, -1, -1)):
        is_up, begin, end = number > here, int(first[number]), int(last[number])
        place = begin if is_up else end - 1
        is_held = begin < end
        value = float(values[place]) if is_held else _short_number(cuts, number, is_up=is_up)
        passed = place - high if is_up else low - 1 - place
        entries.append((value, (passed + 1) / count))
    return entries


def _short_number(cuts: FloatArray, number: int, *, is_up: bool) -> float:
    """A number of few digits in a span that holds no value, at its nearer end."""
    low = float(cuts[number - 1]) if number else -np.inf
    high = float(cuts[number]) if number < len(cuts) else np.inf
    for decimals in range(16):
        unit = 10.0**decimals
        near = np.ceil(low * unit) / unit if is_up else (np.ceil(high * unit) - 1.0) / unit
        if low <= near < high:
            return float(near)
    return low if is_up else float(np.nextafter(high, -np.inf))


def _middles(values: FloatArray) -> FloatArray:
    """Nine values of the data that a missing one may be filled with."""
    if not values.shape[0]:
        return values
    return np.unique(np.quantile(values, np.arange(1, 10) / 10, method="nearest"))


def _changed(case: Inputs, trials: list[tuple[int, float, float]]) -> Inputs:
    """The case once per trial, with that column changed."""
    arrays = [np.repeat(np.asarray(array, dtype=np.float64), len(trials)) for array in case.arrays]
    for place, (column, value, _) in enumerate(trials):
        arrays[column][place] = value
    return Inputs(case.columns, tuple(arrays))
