"""What cannot be trained is refused before it starts, naming column and row."""

from __future__ import annotations

import numpy as np

from core.boosting.inputs import InputArray, TrainingCases
from core.boosting.losses import extra_columns
from payoff.counting import counted
from payoff.errors import PayoffError
from payoff.parameters import Parameters
from payoff.specs import LossDistribution
from payoff.targets import check_cases as check_together
from payoff.targets import check_target
from payoff.types import FloatArray
from payoff.vocabulary import TargetDomain

MOST_WEIGHT, LEAST_WEIGHT = 1e290, 1e-290


def check_cases(
    cases: TrainingCases, distribution: LossDistribution, parameters: Parameters
) -> None:
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
    rows = cases.train_rows
    columns = {name: array[:rows] for name, array in extra_columns(distribution, cases).items()}
    weight = np.ones(rows) if cases.weight is None else cases.weight[:rows]
    check_together(distribution, cases.outcome[:rows], weight, parameters, columns)
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


def training_warnings(cases: TrainingCases, distribution: LossDistribution) -> tuple[str, ...]:
    """What the training rows should make one think of, in words; nothing of it forbids training."""
    warnings = []
    rows = cases.train_rows
    for column, array in zip(cases.inputs.columns, cases.inputs.arrays, strict=True):
        values = array[:rows]
        if bool(np.isnan(values).all()):
            warnings.append(f"The input '{column.name}' is missing in every training row.")
        elif not _varies(values):
            warnings.append(f"The input '{column.name}' is the same in every training row.")
    outcome = cases.outcome[:rows]
    if distribution.target == TargetDomain.COUNTS:
        broken = outcome != np.floor(outcome)
        if broken.any():
            warnings.append(
                f"{counted(int(broken.sum()), 'count is', 'counts are')} no whole numbers, "
                "the first in row "
                f"{int(np.argmax(broken)) + 1}: {outcome[np.argmax(broken)]:g}."
            )
    if distribution.target == TargetDomain.TIME_EVENT and "event" in cases.extras:
        events = int((cases.extras["event"][:rows] == 1.0).sum())
        if events == 1:
            warnings.append("Only one case has the event: nothing can be learnt from one.")
    return tuple(warnings)


def _varies(array: InputArray) -> bool:
    """Whether a column can split: two values, or a value and a missing one."""
    first = array[0]
    if np.isnan(first):
        return not bool(np.isnan(array).all())
    return not bool((array == first).all())


def _check_weight(cases: TrainingCases) -> None:
    weight = cases.weight
    if weight is None:
        return
    wrong = ~(np.isfinite(weight) & (weight >= 0.0))
    if wrong.any():
        row = int(np.argmax(wrong))
        raise PayoffError(
            f"The weight {weight[row]:g} is no weight.",
            where=f"weight, row {row + 1}",
            why="Weights must be 0 or more, and known.",
        )
    largest = float(weight.max())
    if largest > 0.0 and not LEAST_WEIGHT < largest < MOST_WEIGHT:
        raise PayoffError(
            "The weights are too small or too large to be added up.",
            where=f"weight, the largest {largest:g}",
            remedy="Divide all weights by the largest.",
        )
    if not weight[: cases.train_rows].sum() > 0.0:
        raise PayoffError(
            "The training rows have no weight.", where="weight", why="All their weights are 0."
        )


def _check_offset(cases: TrainingCases) -> None:
    if cases.offset is None:
        return
    offset: FloatArray = np.atleast_2d(cases.offset)
    wrong = ~np.isfinite(offset).all(axis=0)
    if wrong.any():
        row = int(np.argmax(wrong))
        raise PayoffError(
            "An offset is missing or infinite.",
            where=f"offset, row {row + 1}",
            why="It is added to the score of the case.",
        )
