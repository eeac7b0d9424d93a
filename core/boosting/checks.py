"""What cannot be trained is refused before it starts, naming column and row."""

from __future__ import annotations

import numpy as np

from core.boosting.inputs import Cases, InputArray
from payoff.errors import PayoffError
from payoff.specs import LossDistribution
from payoff.targets import check_target
from payoff.types import FloatArray
from payoff.vocabulary import Extra, TargetDomain


def check_cases(cases: Cases, distribution: LossDistribution) -> None:
    """Refuse cases that a distribution cannot be fitted to.

    Raises
    ------
    PayoffError
        Naming what is wrong, the column and the first row.
    """
    if cases.train_rows < 1:
        raise PayoffError("There are no training rows.", remedy="Raise train_fraction.")
    if not cases.inputs.columns:
        raise PayoffError("There is no input column.", remedy="Name at least one in features.")
    check_target(distribution, cases.outcome)
    _check_weight(cases)
    _check_offset(cases)
    _check_classes(cases, distribution)
    if Extra.EVENT in distribution.extras:
        _check_events(cases)
    useless = [
        column.name
        for column, array in zip(cases.inputs.columns, cases.inputs.arrays, strict=True)
        if not _varies(array[: cases.train_rows])
    ]
    if len(useless) == len(cases.inputs.columns):
        raise PayoffError(
            "No input column tells the training rows apart.",
            where=", ".join(useless),
            why="Each is constant or missing throughout.",
        )


def _varies(array: InputArray) -> bool:
    """Whether a column can split: two values, or a value and a missing one."""
    first = array[0]
    if np.isnan(first):
        return not bool(np.isnan(array).all())
    return not bool((array == first).all())


def _check_weight(cases: Cases) -> None:
    weight = cases.weight
    if weight is None:
        return
    wrong = ~(np.isfinite(weight) & (weight >= 0.0))
    if wrong.any():
        row = int(np.argmax(wrong))
        raise PayoffError(
            f"The weight {weight[row]:g} is no weight.",
            where=f"row {row + 1}",
            why="Weights must be 0 or more, and known.",
        )
    if not weight[: cases.train_rows].sum() > 0.0:
        raise PayoffError("The training rows have no weight.", why="All their weights are 0.")


def _check_offset(cases: Cases) -> None:
    if cases.offset is None:
        return
    offset: FloatArray = np.atleast_2d(cases.offset)
    wrong = ~np.isfinite(offset).all(axis=0)
    if wrong.any():
        row = int(np.argmax(wrong))
        raise PayoffError(
            "An offset is missing or infinite.",
            where=f"row {row + 1}",
            why="It is added to the score of the case.",
        )


def _check_classes(cases: Cases, distribution: LossDistribution) -> None:
    if distribution.target not in (TargetDomain.BINARY, TargetDomain.CLASSES):
        return
    outcome = cases.outcome[: cases.train_rows]
    if (outcome == outcome[0]).all():
        raise PayoffError(
            "The target has one class only.",
            where=f"{cases.train_rows:,} training rows",
            why="There is nothing to tell apart.",
            remedy="Choose another target, or rows that hold both classes.",
        )


def _check_events(cases: Cases) -> None:
    event = cases.extras.get(Extra.EVENT.value)
    if event is None:
        return
    wrong = ~((event == 0.0) | (event == 1.0))
    if wrong.any():
        row = int(np.argmax(wrong))
        raise PayoffError(
            f"The event {event[row]:g} is neither 0 nor 1.",
            where=f"row {row + 1}",
            why="1 = it happened at that time, 0 = censored.",
        )
    if not event[: cases.train_rows].any():
        raise PayoffError(
            "No training row has an event.",
            why="All are censored: there is nothing to learn from.",
        )
