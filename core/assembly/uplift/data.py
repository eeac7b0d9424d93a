"""From a table to an experiment: arms, outcome, chances of treatment; for jobs and scripts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from core import boosting
from core.assembly.context import AssemblyContext
from core.assembly.models.input_columns import input_column, read_inputs
from core.boosting import BoostSettings, TrainingCases
from core.boosting.losses import responses
from core.data import LoadedTable, column_as_float, count_levels, encode_levels, place_of
from core.document.data.column_meaning import counted_together, spellings_of
from core.document.uplift.model import guess_control, looks_after_treatment
from core.uplift.experiment import ArmArray, Experiment
from core.uplift.foretelling import Predictability, case_sample, foretold
from payoff.counting import counted
from payoff.errors import PayoffError
from payoff.types import AnyArray, FloatArray, IntArray
from payoff.vocabulary import Task

Value = TypeVar("Value", bound=np.generic)
FOLDS = 5
MOST_GUARD_LEVELS = 60


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TreatmentArms:
    """Which rows are in which arm: ``code`` (n,) is 1 treated, 0 control, 2 another arm."""

    treated: str
    control: str
    levels: tuple[str, ...]
    code: ArmArray


def read_arms(
    table: LoadedTable, column: str, treated: str = "", control: str = "", *, asks: bool = True
) -> TreatmentArms:
    """The arms of a treatment column.

    Parameters
    ----------
    treated, control : str
        Printed forms of the levels; empty = the ones that can be told by their names.
    asks : bool
        Refuse more than two levels where the arms are not named; else the guessed control is
        compared with the first of the others.

    Raises
    ------
    PayoffError
        For a missing value, fewer than two arms, unknown levels, or arms that cannot be told.
    """
    codes, levels = encode_levels(table, column)
    shown = ", ".join(f"'{level}'" for level in levels[:8])
    if (codes < 0).any():
        row = int(np.argmax(codes < 0))
        raise PayoffError(
            f"The treatment '{column}' is missing in "
            f"{counted(float((codes < 0).sum()), 'row', 'rows')}.",
            where=place_of(table, row, column),
            why="A case belongs to an effect only where its arm is known.",
            remedy="Fill it in, or leave these rows out.",
        )
    if len(levels) < 2:
        raise PayoffError(
            f"The treatment '{column}' has one value only.",
            where=f"{table.path}, values {shown}",
            why="An effect is the difference of two arms.",
            remedy="Choose a column in which both arms appear.",
        )
    for level in (treated, control):
        if level and level not in levels:
            raise PayoffError(
                f"There is no arm '{level}' in '{column}'.", why=f"There are: {shown}."
            )
    if len(levels) > 2 and asks and not (treated and control):
        raise PayoffError(
            f"The treatment '{column}' has {counted(len(levels), 'value')}.",
            where=f"{table.path}, values {shown}",
            why="Two arms are compared at a time.",
            remedy="Name the treated and the control arm.",
        )
    words = dict(dict(table.data.code_words).get(column, ()))
    treated, control = _named_arms(column, levels, treated, control, words)
    code = np.full(len(levels), 2, dtype=np.uint8)
    code[levels.index(treated)], code[levels.index(control)] = 1, 0
    return TreatmentArms(treated=treated, control=control, levels=levels, code=code[codes])


def _named_arms(
    column: str, levels: tuple[str, ...], treated: str, control: str, words: Mapping[str, str]
) -> tuple[str, str]:
    if not control:
        others = [level for level in levels if level != treated]
        is_last = treated and len(others) == 1
        guessed = others[0] if is_last else guess_control(levels, column, words)
        if guessed is None or guessed == treated:
            raise PayoffError(
                f"It cannot be told which value of '{column}' is the control arm.",
                where=f"values {', '.join(levels[:8])}",
                why="Changed arms turn every effect round.",
                remedy="Name the treated and the control arm.",
            )
        control = guessed
    if not treated:
        treated = next(level for level in levels if level != control)
    if treated == control:
        raise PayoffError("Treated and control are the same arm.", where=column)
    return treated, control


def read_outcome(
    table: LoadedTable,
    column: str,
    event: str = "",
    spellings: tuple[tuple[str, str], ...] | None = None,
) -> tuple[FloatArray, str]:
    """The outcome as numbers (NaN = not known) and its event: 0/1 for two levels of text.

    ``spellings`` are values that stand for others, as the project says; None: those of two classes
    are found, as for any outcome.

    Raises
    ------
    PayoffError
        For texts of more than two levels without an event.
    """
    if not event and table.kinds.get(column) in ("integer", "number", "boolean"):
        return column_as_float(table, column, role="outcome"), ""
    table.require_column(column)
    codes, levels = encode_levels(table, column)
    event, meaning_it = event_levels(column, count_levels(codes, levels), event, spellings)
    values = np.isin(codes, [levels.index(level) for level in meaning_it]).astype(np.float64)
    values[codes < 0] = np.nan
    return values, event


def event_levels(
    column: str,
    counts: dict[str, int],
    event: str,
    spellings: tuple[tuple[str, str], ...] | None,
) -> tuple[str, tuple[str, ...]]:
    """The event of an outcome of levels, and the levels that mean it; refuses as ``read_outcome``.

    Parameters
    ----------
    counts : dict of level -> rows
    """
    meant = dict(spellings_of(counts) if spellings is None else spellings)
    event = meant.get(event, event)
    together = counted_together(counts, tuple(meant.items()))
    if not event:
        if len(together) != 2:
            raise PayoffError(
                f"The outcome '{column}' is no number and has {counted(len(together), 'value')}.",
                remedy="Name the value that counts as the event.",
            )
        from core.document.data.events import guess_event

        event = guess_event(together)[0]
    if event not in together:
        raise PayoffError(f"The outcome '{column}' has no value '{event}'.")
    return event, tuple(level for level in counts if meant.get(level, level) == event)


def values_at(values: NDArray[Value], rows: IntArray) -> NDArray[Value]:
    """Values of some rows of a table, (m,), in memory of their own; ``rows`` rise."""
    return values.copy() if len(rows) == len(values) else values[rows]


def refuse_gaps(
    table: LoadedTable, rows: IntArray, values: FloatArray, role: str, column: str
) -> None:
    """Refuse a column in which one of the rows used has no finite number, naming the first.

    Raises
    ------
    PayoffError
    """
    missing = ~np.isfinite(values)
    if missing.any():
        raise PayoffError(
            f"The {role} column '{column}' is missing or infinite in "
            f"{counted(missing.sum(), 'row')}.",
            where=place_of(table, int(rows[int(np.argmax(missing))]), column),
            remedy="Fill it in, or leave these rows out.",
        )


def guard_columns(
    table: LoadedTable, columns: tuple[str, ...]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Columns that may have decided the treatment, and those left out as measured after it."""
    after = tuple(name for name in columns if looks_after_treatment(name))
    kept = []
    for name in columns:
        if name in after or table.kinds[name] == "date":
            continue
        if table.kinds[name] == "text" and len(encode_levels(table, name)[1]) > MOST_GUARD_LEVELS:
            continue
        kept.append(name)
    return tuple(kept), after


def column_values(table: LoadedTable, name: str, rows: IntArray) -> AnyArray:
    """A column as the imbalance check reads it: float64 numbers, or level codes."""
    if table.kinds[name] in ("integer", "number"):
        return column_as_float(table, name, role="input")[rows]
    return encode_levels(table, name)[0][rows]


def covariate_matrix(table: LoadedTable, columns: tuple[str, ...], rows: IntArray) -> FloatArray:
    """Columns as a design matrix: numbers (missing = mean), one column per level but the first."""
    parts = []
    for name in columns:
        if table.kinds[name] in ("integer", "number", "boolean"):
            values = column_as_float(table, name, role="input")[rows]
            known = np.isfinite(values)
            if not known.any():
                continue
            parts.append(np.where(known, values, values[known].mean()))
            if not known.all():
                parts.append((~known).astype(np.float64))
            continue
        codes, levels = encode_levels(table, name)
        parts += [(codes[rows] == place).astype(np.float64) for place in range(1, len(levels))]
    return np.column_stack(parts) if parts else np.empty((len(rows), 0))


def cross_fitted_treatment(
    table: LoadedTable,
    columns: tuple[str, ...],
    rows: IntArray,
    treated: ArmArray,
    context: AssemblyContext,
    *,
    weight: FloatArray | None = None,
    seed: int = 20261,
) -> FloatArray | None:
    """Chance of treatment of each row by boosted trees that did not see it, (n,).

    A row is in one fold whatever its weight. None where there are too few cases, or no column, to
    learn from.
    """
    smallest = min(int(treated.sum()), int(len(treated) - treated.sum()))
    if not columns or smallest < 4 * FOLDS:
        return None
    inputs = read_inputs(table, tuple(input_column(table, name) for name in columns)).take(rows)
    cases = TrainingCases(
        inputs=inputs, outcome=treated.astype(np.float64), weight=weight, n_classes=2
    )
    settings = BoostSettings(
        n_trees=80,
        interaction_depth=3,
        shrinkage=0.05,
        min_cases_in_node=max(5, min(50, smallest // 20)),
        bag_fraction=0.7,
        keeps_train_deviance=False,
        seed=seed,
    )
    spec = context.registry.distribution(Task.BINARY)
    context.progress(None, "Predicting the treatment from the inputs")
    crossed = boosting.cross_validate(cases, spec, {}, settings, FOLDS)
    probability: FloatArray = responses(spec, np.empty(0), crossed.link)[0]
    return np.ascontiguousarray(probability)


def foretold_by(
    table: LoadedTable, columns: tuple[str, ...], rows: IntArray, experiment: Experiment, seed: int
) -> Predictability | None:
    """How far columns foretell the treatment of an experiment's rows; None: nothing to tell by."""
    if not columns:
        return None
    places, weight = case_sample(experiment, seed)
    matrix = covariate_matrix(table, columns, rows[places])
    return foretold(matrix, experiment.treated[places] > 0, weight=weight, seed=seed)
