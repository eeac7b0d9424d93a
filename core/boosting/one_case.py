"""The smallest change of one input that brings another answer, among values that occur.

A forest answers alike between two neighbouring thresholds of a column, so it is enough to try, on
either side of a case, the nearest value of the data in each such span: what is found is exact for
the values that the data hold.
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
    """The nearest value of the data in each span between thresholds, and the share passed."""
    if not values.shape[0]:
        return []
    here = int(np.searchsorted(cuts, own, side="right"))
    span = np.searchsorted(cuts, values, side="right")
    low, high = np.searchsorted(values, own, side="left"), np.searchsorted(values, own, "right")
    entries = []
    for number in np.unique(span):
        if number == here:
            continue
        places = np.flatnonzero(span == number)
        place = int(places[0] if number > here else places[-1])
        passed = place - high if number > here else low - 1 - place
        entries.append((float(values[place]), (passed + 1) / values.shape[0]))
    return entries


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
