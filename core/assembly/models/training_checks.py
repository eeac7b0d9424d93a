"""What is looked at before a training: faults of outcome and inputs, each with what mends it.

Rows of the filter count. Nothing of it forbids training.
"""

from __future__ import annotations

import re

import numpy as np

from core import data
from core.data import LoadedTable
from core.document.model import Document, Role, TargetSpec
from core.document.training_results import Mending, TrainingCheck
from payoff.counting import counted
from payoff.types import BoolArray, FloatArray

FEWEST = 30  # rows, below which columns may go together by chance
SAME_ZEROS = 0.995
"""Share of the rows in which a consequence is 0 where the count is, and not where it is not."""

_EXPOSURE = re.compile(r"(?:^|_)(?:exposures?|exposed|at_risk|person_years|policy_years)(?:_|\d|$)")
_FOLLOW_UP = re.compile(
    r"(?:^|_)(?:follow_?up|time_to_\w+|days_to_\w+|months_to_\w+|survival_time|time_at_risk|"
    r"observed_(?:days|months|years|time)|os_(?:days|months)|tte)(?:_|\d|$)"
)


def training_checks(table: LoadedTable, document: Document) -> tuple[TrainingCheck, ...]:
    """Return what to look at before a training of the project's outcome."""
    target = document.target
    if target is None:
        return ()
    found = data.rows_inside(table, document)
    inside = np.ones(table.rows, dtype=bool) if found is None else found[0]
    checks = [*_follow_up(document, target)]
    if target.levels:
        codes = data.outcome_codes(table, target)[0][inside]
        return (*_constant(target, codes[codes >= 0].astype(np.float64)), *checks)
    outcome = data.column_as_float(table, target.column, role="target")
    inside = inside & ~np.isnan(outcome)
    checks += _constant(target, outcome[inside])
    if document.column_of(Role.EVENT) is not None:
        checks += _zero_times(document, target, outcome[inside])
    elif _are_counts(outcome[inside]):
        checks += _of_counts(table, document, outcome, inside)
    return tuple(checks)


def _constant(target: TargetSpec, outcome: FloatArray) -> list[TrainingCheck]:
    if len(outcome) == 0 or np.ptp(outcome) > 0:
        return []
    return [
        TrainingCheck(
            code="constant_outcome",
            column=target.column,
            text=f"'{target.column}' is the same in all {counted(len(outcome), 'row')} that "
            "count: there is nothing to learn. Widen the row filter, or choose another outcome.",
            mending=Mending.ROWS,
        )
    ]


def _zero_times(document: Document, target: TargetSpec, time: FloatArray) -> list[TrainingCheck]:
    zeros = int((time <= 0.0).sum())
    if zeros == 0:
        return []
    where = f"`{target.column}` > 0"
    whole = f"({document.split.where}) and {where}" if document.split.where else where
    return [
        TrainingCheck(
            code="zero_times",
            column=target.column,
            text=f"{counted(zeros, 'case has', 'cases have')} a time of 0 or less: nothing is seen "
            "of them. Leave them out.",
            mending=Mending.ROWS,
            expression=whole,
        )
    ]


def _follow_up(document: Document, target: TargetSpec) -> list[TrainingCheck]:
    return [
        TrainingCheck(
            code="follow_up_time",
            column=name,
            text=f"'{name}' sounds like a time that ends with the outcome: it is not known when a "
            "new case is scored. Leave it out of the inputs.",
            mending=Mending.INPUT,
        )
        for name in document.columns_of(Role.INPUT)
        if name != target.column and _FOLLOW_UP.search(_folded(name))
    ]


def _of_counts(
    table: LoadedTable, document: Document, outcome: FloatArray, inside: BoolArray
) -> list[TrainingCheck]:
    """Look at inputs beside a count: its exposure, and what only follows from it."""
    checks = []
    for name in document.columns_of(Role.INPUT):
        if table.kinds[name] not in ("integer", "number"):
            continue
        values = data.column_as_float(table, name, role="input")
        if _EXPOSURE.search(_folded(name)) and bool((values[inside] > 0.0).all()):
            checks.append(
                TrainingCheck(
                    code="unlogged_exposure",
                    column=name,
                    text=f"'{name}' says how long a case was exposed. Its logarithm belongs in the "
                    "offset: twice as long, twice as many.",
                    mending=Mending.OFFSET,
                    expression=f"log(`{name}`)",
                )
            )
        elif _follows(values[inside], outcome[inside]):
            checks.append(
                TrainingCheck(
                    code="consequence",
                    column=name,
                    text=f"'{name}' is 0 or missing where '{_name(document)}' is 0, and not "
                    "elsewhere: it follows from it. Leave it out of the inputs.",
                    mending=Mending.INPUT,
                )
            )
    return checks


def _follows(values: FloatArray, counts: FloatArray) -> bool:
    """Whether a column is something exactly where a count is above 0."""
    happened = counts > 0.0
    if min(int(happened.sum()), int((~happened).sum())) < FEWEST:
        return False
    is_something = ~np.isnan(values) & (values != 0.0)
    agreed = is_something == happened
    return bool(min(agreed[happened].mean(), agreed[~happened].mean()) >= SAME_ZEROS)


def _are_counts(outcome: FloatArray) -> bool:
    return len(outcome) > 0 and bool(((outcome >= 0.0) & (outcome == np.floor(outcome))).all())


def _name(document: Document) -> str:
    return document.target.column if document.target is not None else ""


def _folded(name: str) -> str:
    """Return a column's name with words apart by underscores, in small letters."""
    apart = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).casefold()
    return re.sub(r"[\s.\-]+", "_", apart)
