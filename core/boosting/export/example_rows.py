"""Rows that show what a model does: cases of the data, and cases with one value changed.

The changed values are those that other systems get wrong: missing, a level that the model does not
know, a number exactly at a threshold.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, cycle, islice, zip_longest

import numpy as np

from core.boosting.inputs import UNSEEN, InputColumn, Inputs
from core.boosting.model import BoostedModel
from payoff.errors import PayoffError

ROWS = 200
PROBES = 80
"""Rows with one value changed; more where the data have fewer than 120 cases."""

AS_IS = "a case of the data"


@dataclass(frozen=True, slots=True)
class ExampleRows:
    """``ROWS`` cases with a word on each."""

    inputs: Inputs
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Probe:
    column: int
    value: float
    note: str


def unknown_level(column: InputColumn) -> str:
    """A level that a column does not have."""
    name = "unknown level"
    while name in column.levels:
        name += "_"
    return name


def example_rows(model: BoostedModel, inputs: Inputs) -> ExampleRows:
    """Pick cases evenly from the data and change one value in some of them.

    Raises
    ------
    PayoffError
        If there is no case.
    """
    if inputs.n_rows == 0:
        raise PayoffError("There are no cases to take examples from.")
    kept = min(inputs.n_rows, ROWS - PROBES)
    picked = np.linspace(0, inputs.n_rows - 1, kept).round().astype(np.int64)
    probes = list(islice(cycle(_probes(model)), ROWS - kept))
    # Cases change slowest, so that each probe meets many of them.
    bases = picked[(np.arange(len(probes)) * 7) % kept]
    rows = np.concatenate([picked, bases])
    arrays = [np.asarray(array, dtype=np.float64)[rows] for array in inputs.arrays]
    for place, probe in enumerate(probes, start=kept):
        arrays[probe.column][place] = probe.value
    notes = (AS_IS,) * kept + tuple(probe.note for probe in probes)
    return ExampleRows(Inputs(inputs.columns, tuple(arrays)), notes)


def _probes(model: BoostedModel) -> list[_Probe]:
    """All changes worth showing, columns in turn; those that no split reads come last."""
    used = np.bincount(
        model.forest.feature[model.forest.feature >= 0], minlength=len(model.columns)
    )
    order = sorted(range(len(model.columns)), key=lambda place: used[place] == 0)
    turns = zip_longest(*(_probes_of(model, place) for place in order))
    return [probe for probe in chain.from_iterable(turns) if probe is not None]


def _probes_of(model: BoostedModel, place: int) -> Iterator[_Probe]:
    column = model.columns[place]
    yield _Probe(place, np.nan, f"{column.name} is missing")
    if column.is_nominal:
        yield _Probe(place, UNSEEN, f"{column.name} has an unknown level")
    if column.levels:
        return
    forest = model.forest
    threshold = forest.threshold[forest.feature == place]
    known = np.unique(threshold[np.isfinite(threshold)])
    most = min(len(known), ROWS)
    for turn in _spread(most):
        value = float(known[turn * len(known) // most])
        yield _Probe(place, value, f"{column.name} is exactly at a threshold")


def _spread(size: int) -> list[int]:
    """0 to size - 1 in an order of which every beginning is spread evenly (golden section)."""
    places = (np.arange(size) * 0.6180339887498949) % 1.0
    ranks: list[int] = np.argsort(np.argsort(places)).tolist()
    return ranks
