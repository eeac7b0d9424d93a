"""The smallest change of one input that brings another answer, among values that occur.

A forest answers alike between two neighbouring thresholds of a column, so it is enough to try, on
either side of a case, one value in each such span: the nearest that the data hold, or, where they
hold none, the shortest number next to the nearer threshold. No span is left out.

How a model's predictions of real cases depend on one input, or on two: by brute force.

Averages are on the scale of the outcome: each case's prediction is worked out with the column set
to a value, then averaged, so that a chance is a mean of chances.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from core.boosting.inputs import InputColumn, Inputs
from core.boosting.model import BoostedModel
from core.boosting.predicting import Predictor
from core.document.training_results import DependenceCurve, DependenceMap
from payoff.errors import PayoffError
from payoff.types import FloatArray, IntArray

CURVE_POINTS = 40
MAP_POINTS = 20
RUG_POINTS = 101
BAND = (0.1, 0.9)


@dataclass(frozen=True, kw_only=True, eq=False)
class ModelOnCases:
    """A model and the cases that its averages run over."""

    name: str
    model: BoostedModel
    inputs: Inputs
    offset: FloatArray | None
    trees: int | None  # None: all

    def place(self, column: str) -> int:
        """Return the place of an input; refuses a column that is none."""
        names = [entry.name for entry in self.model.columns]
        if column not in names:
            raise PayoffError(
                f"The model '{self.name}' has no input '{column}'.",
                why=f"It has: {', '.join(names)}.",
            )
        return names.index(column)

    def predictions(self, place: int, grid: FloatArray) -> FloatArray:
        """Predictions (outputs, points, cases) with a column set to each point of a grid.

        Trees that do not split on it are asked once.
        """
        parts = self.model.parts_by((place,), self.trees)
        link = self._fixed(parts[False,]) + self._scores(parts[True,], {place: grid})
        return self._predicted(link)

    def mean_over(
        self, pair: tuple[int, int], x: FloatArray, y: FloatArray, check: Callable[[], None]
    ) -> FloatArray:
        """Mean predictions (outputs, y, x) with two columns set to each of their values.

        Trees that split on one of the two, or on none, say the same at many places: they are asked
        once for each value of that one. ``check`` is called for each value of the second.
        """
        first, second = pair
        parts = self.model.parts_by(pair, self.trees)
        fixed = self._fixed(parts[False, False]) + self._scores(parts[True, False], {first: x})
        found = np.empty((self.model.n_scores, len(y), len(x)))
        for row, value in enumerate(y[:, None]):
            check()
            link = fixed + self._scores(parts[False, True], {second: value})
            link = link + self._scores(parts[True, True], {first: x, second: value})
            found[:, row] = self._predicted(link).mean(axis=2)
        return found

    def _fixed(self, part: Predictor) -> FloatArray:
        """Link scores (outputs, 1, cases) of the cases as they are, before all other trees."""
        link = self._scores(part, {})[:, 0] + self.model.initial[:, None]
        return (link if self.offset is None else self.model.with_offset(link, self.offset))[:, None]

    def _scores(self, part: Predictor, at: Mapping[int, FloatArray]) -> FloatArray:
        """What some trees add (outputs, points, cases) with columns at values, one or a point."""
        points, cases = max(map(len, at.values()), default=1), self.inputs.n_rows
        arrays = [np.tile(array, points) for array in self.inputs.arrays]
        for place, values in at.items():
            arrays[place] = np.repeat(np.broadcast_to(values, points), cases)
        out = np.zeros((self.model.n_scores, points * cases))
        part.add_to(Inputs(self.inputs.columns, tuple(arrays)), out)
        return out.reshape(self.model.n_scores, points, cases)

    def _predicted(self, link: FloatArray) -> FloatArray:
        """Link scores (outputs, points, cases) as predictions."""
        return self.model.on_response(link.reshape(len(link), -1)).reshape(link.shape)

    def strength(self, first: str, second: str) -> FloatArray:
        """Return Friedman's H of two inputs over the cases, one for each output."""
        places = [self.place(first), self.place(second)]
        return self.model.interaction(places, self.inputs, None, self.trees)


def _grid(column: InputColumn, values: FloatArray, points: int) -> FloatArray:
    """Points of an axis: every level, or evenly spaced between the 1 % and 99 % quantiles."""
    if column.is_nominal:
        return np.arange(len(column.levels), dtype=np.float64)
    known = values[~np.isnan(values)]
    if len(known) == 0:
        raise PayoffError(
            f"There is no dependence on '{column.name}'.", why="It has no value in these rows."
        )
    distinct = np.unique(known)
    if len(distinct) <= points:
        return np.asarray(distinct, dtype=np.float64)
    low, high = np.quantile(known, (0.01, 0.99))
    return np.linspace(low, high, points) if high > low else distinct[[0, -1]].astype(np.float64)


def _rug(column: InputColumn, values: FloatArray) -> FloatArray:
    known = values[~np.isnan(values)]
    if column.is_nominal or len(known) == 0:
        return np.empty(0)
    return np.quantile(known, np.linspace(0.0, 1.0, RUG_POINTS))


def dependence_curve(subject: ModelOnCases, name: str) -> DependenceCurve:
    """Return the mean prediction with a column set to each of its values, with a band of cases."""
    place = subject.place(name)
    column = subject.model.columns[place]
    values = np.asarray(subject.inputs.arrays[place], dtype=np.float64)
    grid = _grid(column, values, CURVE_POINTS)
    found = subject.predictions(place, grid)
    low, high = np.quantile(found, BAND, axis=2)
    missing = np.isnan(values)
    at_missing = np.full(len(found), np.nan)
    if missing.any():
        at_missing = subject.predictions(place, np.array([np.nan])).mean(axis=(1, 2))
    return DependenceCurve(
        column=name,
        x=grid,
        levels=column.levels if column.is_nominal else (),
        y=found.mean(axis=2),
        low=low,
        high=high,
        rug=_rug(column, values),
        at_missing=at_missing,
        missing_share=float(missing.mean()),
    )


def dependence_map(
    subject: ModelOnCases, pair: tuple[str, str], check: Callable[[], None]
) -> DependenceMap:
    """Return the mean prediction with two columns set to each of their values.

    ``check`` is called between rows of the map: it raises where the work is to end.
    """
    places = [subject.place(name) for name in pair]
    if places[0] == places[1]:
        raise PayoffError("A map needs two different columns.", where=pair[0])
    columns = [subject.model.columns[place] for place in places]
    arrays = [np.asarray(subject.inputs.arrays[place], dtype=np.float64) for place in places]
    x, y = (
        _grid(column, values, MAP_POINTS) for column, values in zip(columns, arrays, strict=True)
    )
    values = subject.mean_over((places[0], places[1]), x, y, check)
    return DependenceMap(
        columns=pair,
        x=x,
        y=y,
        x_levels=columns[0].levels if columns[0].is_nominal else (),
        y_levels=columns[1].levels if columns[1].is_nominal else (),
        values=values,
        interaction=subject.strength(*pair),
        rug_x=_rug(columns[0], arrays[0]),
        rug_y=_rug(columns[1], arrays[1]),
    )


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
