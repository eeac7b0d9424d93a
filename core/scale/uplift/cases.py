"""Cases of an experiment that is read in pieces: arm, event, scores, and how much each counts.

A case counts by measures (``UpliftMeasures``). They are added as whole multiples of a unit, a
power of two that is 2^-51 of their sum at most, so that sums have the same digits in any order.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from core.data import (
    LoadedTable,
    column_as_float,
    encode_levels,
    rows_with_outcome_expected,
    select_rows,
)
from core.data.levels import is_empty
from core.document.model import Document
from core.scale.exact_sums import SumArray, add_products, merge_sums, new_sums, rounded_value
from core.scale.reading import OutcomeSummary, batch_table, filter_columns
from core.scale.sources import PlannedTask, SourcePart, read_batches
from core.scale.uplift.measures import UpliftMeasures
from core.uplift.experiment import OTHER_ARM, SCORELESS, WEIGHTLESS
from payoff.errors import PayoffError
from payoff.types import BoolArray, FloatArray, IntArray

UNIT_BITS = 50  # a sum of measures is below 2^51 units, so that twice it is a double
_NONE: FloatArray = np.empty(0)
_MOST_AMOUNT = 1e150  # whose square is a number


@dataclass(frozen=True, slots=True, kw_only=True)
class UpliftReading:
    """How rows become cases of an experiment.

    Attributes
    ----------
    scores : tuple of (name, column)
    treatment, treated, control : str
        The column, and the printed levels of both arms; other arms are left out.
    outcome : str
    events : tuple of str
        Printed levels that count as the event; empty: the column is 0 or 1.
    lowest_first : tuple of str
        Rankings in which the lowest score comes first.
    document : Document, optional
        The project that says which rows count; cases that a ranking says nothing of are left out.
        None: all rows, and a gap is refused.
    weight, propensity : str, optional
        Columns of case weights, and of chances of being treated.
    clip : float, optional
        How far chances are kept from 0 and 1.
    is_sampled : bool
        Weights say for how many of the population a row stands; those with fractions always do.
    has_amounts : bool
        The outcome is any number, without ``events``.
    """

    scores: tuple[tuple[str, str], ...]
    treatment: str
    treated: str
    control: str
    outcome: str
    events: tuple[str, ...] = ()
    lowest_first: tuple[str, ...] = ()
    document: Document | None = None
    weight: str | None = None
    propensity: str | None = None
    clip: float | None = None
    is_sampled: bool = False
    has_amounts: bool = False

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that are read, once each."""
        names = [*(column for _, column in self.scores), self.treatment, self.outcome]
        names += [name for name in (self.weight, self.propensity) if name is not None]
        if self.document is not None:
            target = self.document.target
            names += [*filter_columns(self.document), *([target.column] if target else [])]
        return tuple(dict.fromkeys(names))

    @property
    def measures(self) -> UpliftMeasures:
        """What a case counts by."""
        return UpliftMeasures(self.propensity is not None, self.has_amounts)

    @property
    def width(self) -> int:
        """What a row takes under way, in scores: three measures take as much as one."""
        measures = 0 if self.is_counted else len(self.measures.powers)
        return len(self.scores) + -(-measures // 3)

    @property
    def is_counted(self) -> bool:
        """Whether every case counts once."""
        return self.weight is None and self.propensity is None and not self.has_amounts


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ArmCases:
    """Cases of a batch.

    Attributes
    ----------
    rows : (n,) int64
        Row numbers in the whole, from 0.
    codes : (n,) uint8
        Twice the arm (treated 1) and the event; 0 for it where outcomes are amounts.
    scores : list of (n,) float64
    weight : (n,) or (0,) float64
    inverse : (n,) or (0,) float64
        1 over the chance of the arm that the case is in.
    amount : (n,) or (0,) float64
        Outcomes that are neither 0 nor 1.
    measures : UpliftMeasures
    """

    rows: IntArray
    codes: NDArray[np.uint8]
    scores: list[FloatArray]
    weight: FloatArray
    inverse: FloatArray
    amount: FloatArray
    measures: UpliftMeasures

    def terms(self) -> FloatArray:
        """What each case adds to the measures, (measures, n)."""
        weight = self.weight if len(self.weight) else np.ones(len(self.rows))
        return self.measures.terms(weight, self.inverse, self.amount)

    def times(self, units: tuple[float, ...]) -> IntArray | None:
        """The terms in whole units, (n, measures); None where every case counts once."""
        if not units:
            return None
        whole = np.rint(self.terms() / np.array(units)[:, np.newaxis]).astype(np.int64)
        for own, (_, of_amount) in zip(whole, self.measures.powers, strict=True):
            if not of_amount:
                np.maximum(own, 1, out=own)
        return np.ascontiguousarray(whole.T)


@dataclass(slots=True, kw_only=True, eq=False)
class TermSums:
    """Sums of the sizes of measures (measures, 67), of squared weights (67,); whether weights have
    fractions.
    """

    sums: SumArray
    squares: SumArray = field(default_factory=new_sums)
    has_fractions: bool = False

    def merge(self, other: TermSums) -> None:
        """Take in what other rows gave."""
        self.sums = merge_sums(self.sums, other.sums)
        self.squares = merge_sums(self.squares, other.squares)
        self.has_fractions |= other.has_fractions

    @property
    def units(self) -> tuple[float, ...]:
        """The unit of every measure; whole numbers below 2^50 in all are kept as they are."""
        totals = (rounded_value(own) for own in self.sums)
        return tuple(math.ldexp(1.0, math.frexp(total)[1] - UNIT_BITS) for total in totals)

    def widening(self) -> float:
        """How much wider intervals are for sampling weights than for equal counts (Kish)."""
        return math.sqrt(rounded_value(self.squares) / rounded_value(self.sums[0]))


def sum_terms(task: PlannedTask[UpliftReading]) -> TermSums:
    """Add up what the cases of a task count."""
    reading = task.plan
    found = TermSums(sums=new_sums(len(reading.measures.powers)))
    for first, raw in read_batches(task.rows, reading.columns):
        part = task.rows.part
        cases, _ = arm_cases(batch_table(raw, part, first), part, first, reading)
        own = new_sums(len(reading.measures.powers))
        for sums, terms in zip(own, np.abs(cases.terms()), strict=True):
            add_products(terms, np.ones(len(terms)), sums)
        weight = cases.weight
        squares = new_sums()
        add_products(weight, weight, squares)
        found.merge(
            TermSums(sums=own, squares=squares, has_fractions=bool((weight % 1 != 0).any()))
        )
    return found


def arm_cases(
    table: LoadedTable, part: SourcePart, first: int, reading: UpliftReading
) -> tuple[ArmCases, dict[str, int]]:
    """The cases of a batch, and how many rows are left out, and why.

    Raises
    ------
    PayoffError
        For a value that is missing or none of its kind, naming file and row.
    """
    arms, levels = encode_levels(table, reading.treatment)
    _refuse(arms < 0, f"The treatment '{reading.treatment}' is missing.", part, first)
    is_treated = np.isin(arms, [p for p, name in enumerate(levels) if name == reading.treated])
    is_control = np.isin(arms, [p for p, name in enumerate(levels) if name == reading.control])
    event, amount, is_known = _outcomes(table, part, first, reading)
    dropped: Counter[str] = Counter()
    is_case = np.ones(table.rows, dtype=bool)
    if reading.document is not None:
        kept = select_rows(
            table, reading.document, reading.document.rows_used, (), keeps_weightless=True
        )
        is_case = kept.rows
        dropped.update(dict(kept.dropped))

    def keep(inside: BoolArray, reason: str) -> None:
        nonlocal is_case
        dropped[reason] += int(np.count_nonzero(is_case & ~inside))
        is_case = is_case & inside

    keep(is_treated | is_control, OTHER_ARM)
    keep(is_known, f"'{reading.outcome}' not known")
    weight = _NONE
    if reading.weight is not None:
        weight = column_as_float(table, reading.weight, role="weight")
        is_bad = is_case & ~((weight >= 0) & np.isfinite(weight))
        what = f"The weight '{reading.weight}' is missing, negative or infinite."
        _refuse(is_bad, what, part, first)
        keep(weight != 0, WEIGHTLESS)
    scores = []
    for name, column in reading.scores:
        values = column_as_float(table, column, role="score")
        is_missing = np.isnan(values)
        if reading.document is None:
            _refuse(is_missing & is_case, f"The score '{name}' is missing.", part, first)
        keep(~is_missing, SCORELESS)
        scores.append(-values if name in reading.lowest_first else values)
    inverse = _inverse_chances(table, part, first, reading, is_treated, is_case)
    found = ArmCases(
        rows=np.flatnonzero(is_case) + (part.first_row + first),
        codes=(2 * is_treated[is_case] + event[is_case]).astype(np.uint8),
        scores=[np.ascontiguousarray(values[is_case], dtype=np.float64) for values in scores],
        weight=weight[is_case] if len(weight) else _NONE,
        inverse=inverse,
        amount=amount[is_case] if len(amount) else _NONE,
        measures=reading.measures,
    )
    return found, {reason: rows for reason, rows in dropped.items() if rows}


def _inverse_chances(
    table: LoadedTable,
    part: SourcePart,
    first: int,
    reading: UpliftReading,
    is_treated: BoolArray,
    is_case: BoolArray,
) -> FloatArray:
    """1 over the chance of the arm that each case is in, (n,), or (0,)."""
    if reading.propensity is None:
        return _NONE
    chance = column_as_float(table, reading.propensity, role="propensity")
    is_bad = is_case & ~((chance >= 0) & (chance <= 1))
    what = f"The chance of treatment in '{reading.propensity}' is missing or not between 0 and 1."
    _refuse(is_bad, what, part, first)
    if reading.clip is not None:
        chance = np.clip(chance, reading.clip, 1 - reading.clip)
    what = f"The chance of treatment in '{reading.propensity}' is 0 or 1."
    why = "A case that could be in one arm only says nothing of the effect."
    _refuse(is_case & ((chance == 0) | (chance == 1)), what, part, first, why)
    return np.asarray(1.0 / np.where(is_treated, chance, 1.0 - chance)[is_case])


def _outcomes(
    table: LoadedTable, part: SourcePart, first: int, reading: UpliftReading
) -> tuple[BoolArray, FloatArray, BoolArray]:
    """Whether each row has the event, its amount (or (0,)), and whether that is known."""
    if reading.events:
        codes, levels = encode_levels(table, reading.outcome)
        events = [place for place, name in enumerate(levels) if name in reading.events]
        return np.isin(codes, events), _NONE, np.asarray(codes >= 0)
    values = column_as_float(table, reading.outcome, role="outcome")
    is_known = ~np.isnan(values)
    if reading.has_amounts:
        what = f"The outcome '{reading.outcome}' is beyond 1e150."
        _refuse(np.abs(values) > _MOST_AMOUNT, what, part, first)
        return np.zeros(table.rows, dtype=bool), values, is_known
    is_other = is_known & (values != 0.0) & (values != 1.0)
    what = f"The outcome '{reading.outcome}' is neither 0 nor 1."
    _refuse(is_other, what, part, first, "All that were looked at first are 0 or 1.")
    return np.asarray(values == 1.0), _NONE, is_known


def _refuse(is_bad: BoolArray, what: str, part: SourcePart, first: int, why: str = "") -> None:
    if is_bad.any():
        row = first + int(np.argmax(is_bad)) + 1
        raise PayoffError(
            what,
            where=f"{part.shown}, data row {row:,}",
            why=why,
            remedy="Mend the value, or leave such rows out.",
        )


def count_gaps(task: PlannedTask[UpliftReading]) -> OutcomeSummary:
    """Count rows of both arms that should have an outcome and have none."""
    reading, found = task.plan, OutcomeSummary()
    assert reading.document is not None
    for first, raw in read_batches(task.rows, reading.columns):
        table = batch_table(raw, task.rows.part, first)
        arms, levels = encode_levels(table, reading.treatment)
        both = (reading.treated, reading.control)
        compared = np.isin(arms, [place for place, name in enumerate(levels) if name in both])
        expected = rows_with_outcome_expected(table, reading.document) & compared
        piece = OutcomeSummary(rows=table.rows)
        piece.note_missing(is_empty(table, reading.outcome) & expected, task.rows.part, first)
        found.merge(piece)
    return found


__all__ = [
    "UNIT_BITS",
    "ArmCases",
    "TermSums",
    "UpliftReading",
    "arm_cases",
    "count_gaps",
    "sum_terms",
]
