"""Which use each row has, and which rows a number is computed from.

Without a use column rows are drawn by a hash of their number: within each outcome level the rows
are put in the order of ``splitmix64(seed, row number)`` and cut at the shares. So every level is
split in the same shares, the draw depends on nothing but seed, row number and outcome, and adding
threads or reading the file again changes nothing. A split in order is no draw: the rows that the
filter lets through are cut at the shares as they stand.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from core.data.expressions import row_filter
from core.data.levels import (
    encode_levels,
    is_empty,
    outcome_codes,
    printed,
    refuse_missing_outcomes,
    refuse_third_value,
)
from core.data.table import LoadedTable
from core.data.values import column_as_float, frequency, score_is_missing
from core.document.data.model import BadValues, MissingOutcomes, RowUse
from core.document.model import Document, Role, SplitSpec
from core.document.results import RowsNote
from core.document.wording import join_words
from payoff.counting import counted
from payoff.errors import PayoffError
from payoff.types import BoolArray, CodeArray, FloatArray, IntArray

ROW_USE_CODES: dict[RowUse, int] = {
    RowUse.TRAIN: 0,
    RowUse.VALIDATION: 1,
    RowUse.TEST: 2,
    RowUse.TO_DECIDE: 3,
}
UNKNOWN_USE = 255
LEFT_OUT = 254  # by the row filter
_MOST_NAMED = 20  # models whose missing scores are told apart
_USE_WORDS = {
    RowUse.TRAIN: "training rows",
    RowUse.VALIDATION: "validation rows",
    RowUse.TEST: "test rows",
    RowUse.TO_DECIDE: "rows to decide",
    RowUse.ALL: "all rows with a known outcome",
}
#: Spellings of a use column, folded to lower case.
USE_SPELLINGS: dict[str, RowUse] = {
    **dict.fromkeys(
        (
            "train",
            "training",
            "trn",
            "tr",
            "learn",
            "learning",
            "fit",
            "build",
            "dev",
            "development",
            "insample",
            "in-sample",
            "entwicklung",
            "training data",
            "trainingsdaten",
            "lernstichprobe",
            "apprentissage",
            "entraînement",
            "entrenamiento",
        ),
        RowUse.TRAIN,
    ),
    **dict.fromkeys(
        (
            "validation",
            "validate",
            "valid",
            "val",
            "vld",
            "tune",
            "tuning",
            "holdout",
            "hold-out",
            "hold out",
            "oot",
            "out-of-time",
            "oos",
            "validierung",
            "validación",
        ),
        RowUse.VALIDATION,
    ),
    **dict.fromkeys(
        ("test", "testing", "tst", "te", "eval", "evaluation", "testdaten", "teststichprobe"),
        RowUse.TEST,
    ),
    **dict.fromkeys(
        (
            "to_decide",
            "to decide",
            "decide",
            "score",
            "scoring",
            "new",
            "predict",
            "apply",
            "deploy",
            "production",
            "unlabeled",
            "unlabelled",
        ),
        RowUse.TO_DECIDE,
    ),
}


def row_uses(table: LoadedTable, document: Document) -> NDArray[np.uint8]:
    """The use of each row.

    Returns
    -------
    (n,) uint8
        Codes of ``ROW_USE_CODES``. A row whose outcome is missing is to decide, whatever else is
        said of it; ``UNKNOWN_USE`` where the use column says nothing that has a meaning;
        ``LEFT_OUT`` where the row filter is not true.
    """
    uses = _uses(table, document, _outcome(table, document))
    inside = rows_inside(table, document)
    if inside is not None:
        uses[~inside[0]] = LEFT_OUT
    return uses


def rows_inside(table: LoadedTable, document: Document) -> tuple[BoolArray, int] | None:
    """Rows for which the row filter is true, and for how many it is not known; None without one.

    Raises
    ------
    PayoffError
        If the filter names a column that is not there, or is no condition.
    """
    where = document.split.where
    if not where:
        return None
    try:
        return row_filter(table, where)
    except PayoffError as refusal:
        raise PayoffError(
            f"The row filter cannot be followed: {refusal.what}",
            where=refusal.where,
            why=refusal.why,
            remedy=refusal.remedy or "Change or clear the row filter on page Data.",
        ) from refusal


@dataclass(frozen=True, slots=True)
class _Outcome:
    """The outcome read once: which rows have one, and their levels."""

    known: BoolArray
    codes: CodeArray | None


def _outcome(table: LoadedTable, document: Document) -> _Outcome | None:
    """The outcome; None without a target."""
    target = document.target
    if target is None or target.column not in table.kinds:
        return None
    if target.levels:
        codes = outcome_codes(table, target)[0]
        return _Outcome(np.asarray(codes >= 0), codes)
    values = column_as_float(table, target.column, role="target")
    return _Outcome(np.asarray(~np.isnan(values)), None)


def _uses(table: LoadedTable, document: Document, outcome: _Outcome | None) -> NDArray[np.uint8]:
    """The use of each row, given the outcome."""
    split = document.split
    column = split.column or document.column_of(Role.ROW_USE)
    if column is not None:
        uses = _uses_from_column(table, column, split)
    elif split.in_order:
        uses = uses_in_order(_inside(table, document, []), split)
    elif split.together is not None and split.together in table.kinds:
        uses = draw_whole(encode_levels(table, split.together)[0], split)
    else:
        strata = outcome.codes if outcome is not None else None
        if strata is None:
            strata = np.zeros(table.rows, dtype=np.int32)
        uses = draw_uses(table.rows, strata, split)
    if outcome is not None:
        uses[~outcome.known] = ROW_USE_CODES[RowUse.TO_DECIDE]
    return uses


def _uses_from_column(table: LoadedTable, column: str, split: SplitSpec) -> NDArray[np.uint8]:
    """Uses as a column states them, by the split's meaning or the usual spellings."""
    codes, forms = encode_levels(table, column)
    meaning = {printed(value): use for value, use in split.meaning}
    lookup = np.full(len(forms) + 1, UNKNOWN_USE, dtype=np.uint8)
    for index, form in enumerate(forms):
        use = meaning.get(form) if meaning else USE_SPELLINGS.get(form.casefold())
        if use is not None and use in ROW_USE_CODES:
            lookup[index] = ROW_USE_CODES[use]
    return lookup[codes]


def uses_in_order(inside: BoolArray, split: SplitSpec) -> NDArray[np.uint8]:
    """Train, validation and test rows by the shares of the rows inside (n,), first ones first.

    A share of rows that is no whole number is cut off: of 10 rows 0.39 train 3.
    """
    shares = _checked_shares(split)
    count = int(inside.sum())
    first = int(shares[0] * count)
    last = max(first, count - int(shares[2] * count))
    part = np.full(count, ROW_USE_CODES[RowUse.VALIDATION], dtype=np.uint8)
    part[:first] = ROW_USE_CODES[RowUse.TRAIN]
    part[last:] = ROW_USE_CODES[RowUse.TEST]
    if count == len(inside):
        return part
    uses = np.full(len(inside), LEFT_OUT, dtype=np.uint8)
    uses[inside] = part
    return uses


def draw_uses(rows: int, strata: CodeArray, split: SplitSpec) -> NDArray[np.uint8]:
    """Draw train, validation and test by the shares, within each stratum.

    Parameters
    ----------
    rows : int
    strata : (n,) int32
        Small whole numbers, such as outcome codes.
    split : SplitSpec
        Seed and shares; the shares are scaled to sum to 1.
    """
    shares = _checked_shares(split)
    bounds = np.cumsum(shares) / shares.sum()
    uses = np.empty(rows, dtype=np.uint8)
    keys = hash_rows(rows, split.seed)
    for stratum in range(int(strata.min(initial=0)), int(strata.max(initial=0)) + 1):
        members = np.flatnonzero(strata == stratum)
        own = keys[members]
        first, second = np.rint(bounds[:2] * len(members)).astype(np.int64)
        # Keys are all different (the hash is a bijection), so the k-th smallest one cuts exactly.
        part = np.full(len(members), ROW_USE_CODES[RowUse.TEST], dtype=np.uint8)
        part[_smallest(own, int(second))] = ROW_USE_CODES[RowUse.VALIDATION]
        part[_smallest(own, int(first))] = ROW_USE_CODES[RowUse.TRAIN]
        uses[members] = part
    return uses


def draw_whole(codes: CodeArray, split: SplitSpec) -> NDArray[np.uint8]:
    """Draw train, validation and test by the shares, all rows of one code into the same.

    Parameters
    ----------
    codes : (n,) int32
        What each row belongs to; negative = to nothing but itself.
    split : SplitSpec
        Seed and shares; the whole that a cut would go through goes where most of it lies.
    """
    shares = _checked_shares(split)
    own = np.where(codes >= 0, codes, codes.max(initial=0) + 1 + np.arange(len(codes)))
    _, first, wholes = np.unique(own, return_index=True, return_inverse=True)
    order = np.argsort(hash_rows(len(codes), split.seed)[first])
    sizes = np.bincount(wholes)[order]
    middles = np.cumsum(sizes) - 0.5 * sizes
    bounds = np.cumsum(shares)[:2] / shares.sum() * len(codes)
    kinds = np.array(
        [ROW_USE_CODES[use] for use in (RowUse.TRAIN, RowUse.VALIDATION, RowUse.TEST)], np.uint8
    )
    drawn = np.empty(len(sizes), dtype=np.uint8)
    drawn[order] = kinds[np.searchsorted(bounds, middles, side="right")]
    return drawn[wholes]


def _checked_shares(split: SplitSpec) -> FloatArray:
    shares = np.asarray(split.shares, dtype=np.float64)
    if len(shares) != 3 or not np.all(np.isfinite(shares)) or shares.min() < 0 or shares.sum() <= 0:
        raise PayoffError(
            "The shares of train, validation and test rows must be 0 or more, and not all 0.",
            where=f"shares {split.shares}",
        )
    return shares


def _smallest(keys: NDArray[np.uint64], count: int) -> BoolArray:
    """Which keys are among the ``count`` smallest."""
    if count >= len(keys):
        return np.ones(len(keys), dtype=bool)
    return np.asarray(keys < np.partition(keys, count)[count])


def hash_rows(rows: int, seed: int) -> NDArray[np.uint64]:
    """(n,) uint64: the finaliser of splitmix64 over row numbers, keyed by the seed."""
    with np.errstate(over="ignore"):
        key = _mix(np.array([seed & 0xFFFFFFFFFFFFFFFF], dtype=np.uint64))
        state = np.arange(1, rows + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        return _mix(_mix(state) ^ key)


def _mix(value: NDArray[np.uint64]) -> NDArray[np.uint64]:
    value = (value ^ (value >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    value = (value ^ (value >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return value ^ (value >> np.uint64(31))


def usable_rows(
    table: LoadedTable,
    document: Document,
    use: RowUse | None = None,
    models: tuple[str, ...] = (),
    *,
    keeps_weightless: bool = False,
) -> tuple[IntArray, RowsNote]:
    """The rows a result is computed from.

    Parameters
    ----------
    table : LoadedTable
    document : Document
    use : RowUse, optional
        The document's choice if left out; ``ALL`` = every row whose outcome is known.
    models : tuple of str
        Rows without a posterior (or prediction) of one of these are left out for all of them, so
        that every figure of every model, and every difference, is of the same rows.
    keeps_weightless : bool
        Rows of weight 0 stay: the caller counts them among the cases that it is about.

    Returns
    -------
    rows : (m,) int64
        Row numbers from 0, rising.
    note : RowsNote
        Words and counts, with what was left out by reason.

    Raises
    ------
    MissingOutcomesError
        When rows have no outcome and nobody has said that they may be left out.
    PayoffError
        When a third value stands in an outcome of two classes, or no row is left.
    """
    use = use or document.rows_used
    kept = select_rows(table, document, use, models, keeps_weightless=keeps_weightless)
    count = int(kept.rows.sum())
    note = note_of_rows(document, use, count, table.rows, kept.dropped, kept.lacking)
    if count == 0:
        refuse_no_rows(document, note, table.path)
    return np.flatnonzero(kept.rows), note


@dataclass(frozen=True, slots=True, eq=False)
class SelectedRows:
    """Which rows count, (n,) bool, and what was left out by reason and by model."""

    rows: BoolArray
    dropped: tuple[tuple[str, int], ...]
    lacking: tuple[tuple[str, int], ...]


def select_rows(
    table: LoadedTable,
    document: Document,
    use: RowUse,
    models: tuple[str, ...],
    *,
    keeps_weightless: bool = False,
) -> SelectedRows:
    """The rows that ``usable_rows`` gives, none of them included: a table may be a piece of one."""
    outcome = _outcome(table, document)
    _check_outcome(table, document, outcome)
    uses = None if use is RowUse.ALL else _uses(table, document, outcome)
    dropped: list[tuple[str, int]] = []
    known = outcome.known if outcome is not None else None
    keep = _inside(table, document, dropped)
    inside = keep.copy()
    if uses is None:
        keep &= known if known is not None else True
    else:
        keep &= uses == ROW_USE_CODES[use]
    _count_left_out(table, document, known, uses, use, inside, dropped)
    if not keeps_weightless:
        keep = _drop_weightless(table, document, keep, dropped)
    keep, lacking = _drop_scoreless(table, document, keep, models, dropped)
    return SelectedRows(rows=keep, dropped=tuple(dropped), lacking=lacking)


def note_of_rows(
    document: Document,
    use: RowUse,
    count: int,
    total: int,
    dropped: tuple[tuple[str, int], ...],
    lacking: tuple[tuple[str, int], ...],
) -> RowsNote:
    """What is said of ``count`` rows that were chosen among ``total``."""
    where = f" where {document.split.where}" if document.split.where else ""
    text = f"{_USE_WORDS[use]}{where}, {count:,} of {total:,}"
    return RowsNote(use=use.value, text=text, rows=count, dropped=dropped, lacking=lacking)


def refuse_no_rows(document: Document, note: RowsNote, path: str) -> NoReturn:
    """Refuse data of which no row is left, with what was left out.

    Raises
    ------
    PayoffError
    """
    where = f" where {document.split.where}" if document.split.where else ""
    reasons = "; ".join(f"{reason}: {counted(number, 'row')}" for reason, number in note.dropped)
    raise PayoffError(
        f"There are no {_USE_WORDS[RowUse(note.use)]}{where}.",
        where=path,
        why=f"{reasons}." if reasons else "",
        remedy="Change or clear the row filter on page Data, or choose other rows."
        if where
        else "Choose other rows, or check the column that says what rows are for.",
    )


def rows_with_use(table: LoadedTable, document: Document, uses: tuple[RowUse, ...]) -> IntArray:
    """Row numbers of some uses with a known outcome, rising; none where there are none.

    It asks nothing: ``check_outcome`` stands before whatever is computed from them.
    """
    return _rows_of_uses(table, document, _outcome(table, document), (uses,))[0]


def checked_rows(
    table: LoadedTable, document: Document, *groups: tuple[RowUse, ...]
) -> tuple[IntArray, ...]:
    """``rows_with_use`` of groups of uses, after ``check_outcome``; the outcome is read once."""
    outcome = _outcome(table, document)
    _check_outcome(table, document, outcome)
    return _rows_of_uses(table, document, outcome, groups)


def _rows_of_uses(
    table: LoadedTable,
    document: Document,
    outcome: _Outcome | None,
    groups: tuple[tuple[RowUse, ...], ...],
) -> tuple[IntArray, ...]:
    codes = _uses(table, document, outcome)
    inside = _drop_weightless(table, document, _inside(table, document, []), [])
    found = []
    for uses in groups:
        keep = np.zeros(table.rows, dtype=bool)
        for use in uses:
            if use is RowUse.ALL:
                keep |= outcome.known if outcome is not None else True
            else:
                keep |= codes == ROW_USE_CODES[use]
        found.append(np.flatnonzero(keep & inside))
    return tuple(found)


def check_outcome(table: LoadedTable, document: Document) -> None:
    """Refuse an outcome that would leave rows out of every number without anyone's word.

    Rows outside the row filter, and rows that a column says are to decide, are not looked at.

    Raises
    ------
    MissingOutcomesError, PayoffError
        As ``usable_rows`` does.
    """
    _check_outcome(table, document, _outcome(table, document))


def rows_without_outcome(table: LoadedTable, document: Document) -> BoolArray:
    """(n,) bool: rows that should have an outcome and have none.

    Rows outside the row filter, and those that a column says are to decide, should have none.
    """
    outcome = _outcome(table, document)
    if outcome is None or document.target is None or outcome.known.all():
        return np.zeros(table.rows, dtype=bool)
    expected = rows_with_outcome_expected(table, document)
    return np.asarray(expected & is_empty(table, document.target.column))


def _check_outcome(table: LoadedTable, document: Document, outcome: _Outcome | None) -> None:
    target = document.target
    if outcome is None or target is None or outcome.known.all():
        return
    without = rows_with_outcome_expected(table, document) & ~outcome.known
    if not without.any():
        return
    empty = is_empty(table, target.column)
    if document.bad_values is not BadValues.MARK:
        refuse_third_value(table, target, without & ~empty)
    if document.missing_outcomes is MissingOutcomes.ASK:
        refuse_missing_outcomes(table, target.column, without & empty)


def rows_with_outcome_expected(table: LoadedTable, document: Document) -> BoolArray:
    """(n,) bool: inside the filter, but no rows that a column says are to decide, or nothing of."""
    expected = _inside(table, document, [])
    column = document.split.column or document.column_of(Role.ROW_USE)
    if column is not None:
        stated = _uses_from_column(table, column, document.split)
        expected &= (stated != ROW_USE_CODES[RowUse.TO_DECIDE]) & (stated != UNKNOWN_USE)
    return expected


def _inside(table: LoadedTable, document: Document, dropped: list[tuple[str, int]]) -> BoolArray:
    """Rows that pass the row filter; those that do not are counted."""
    found = rows_inside(table, document)
    if found is None:
        return np.ones(table.rows, dtype=bool)
    inside, unknown = found
    outside = int((~inside).sum()) - unknown
    if outside:
        dropped.append(("outside the row filter", outside))
    if unknown:
        dropped.append(("row filter not known, a value is missing", unknown))
    return inside.copy()


def _count_left_out(
    table: LoadedTable,
    document: Document,
    outcome: BoolArray | None,
    uses: NDArray[np.uint8] | None,
    use: RowUse,
    inside: BoolArray,
    dropped: list[tuple[str, int]],
) -> None:
    """Count rows that no choice of use takes in: without outcome, without a known use."""
    if outcome is not None and use is not RowUse.TO_DECIDE and not outcome[inside].all():
        target = document.target
        assert target is not None
        empty = is_empty(table, target.column)
        missing = int((empty & inside).sum())
        unknown = int((~outcome & inside).sum()) - missing
        if missing:
            dropped.append(("outcome not known", missing))
        if unknown > 0:
            dropped.append(("outcome is none of the levels", unknown))
    if uses is not None:
        strange = int(((uses == UNKNOWN_USE) & inside).sum())
        if strange:
            dropped.append(("use of the row not known", strange))


def _drop_scoreless(
    table: LoadedTable,
    document: Document,
    keep: BoolArray,
    models: tuple[str, ...],
    dropped: list[tuple[str, int]],
) -> tuple[BoolArray, tuple[tuple[str, int], ...]]:
    """Leave out rows that one of the models has no score for: counted by who lacks them.

    A row that two models have no score for is counted once, under both names.
    """
    sets: dict[str, BoolArray] = {}
    for model in models:
        missing = keep & score_is_missing(table, document, model)
        if missing.any():
            sets[model] = missing
    if not sets:
        return keep, ()
    which = np.zeros(len(keep), dtype=np.int64)
    for bit, missing in enumerate(list(sets.values())[:_MOST_NAMED]):
        which |= missing.astype(np.int64) << bit
    none = np.any(list(sets.values()), axis=0)
    consequence = ": left out for all models" if len(models) > 1 else ""
    codes, counts = np.unique(which[none], return_counts=True)
    for code, count in zip(codes.tolist(), counts.tolist(), strict=True):
        names = [model for bit, model in enumerate(sets) if code >> bit & 1]
        shown = join_words(names) if names else "a further model"
        dropped.append((f"no score of {shown}{consequence}", count))
    lacking = tuple((model, int(missing.sum())) for model, missing in sets.items())
    return keep & ~none, lacking


def lacking_in_words(note: RowsNote) -> str:
    """Say which models' missing scores cost all models their rows; empty where none do."""
    if not note.lacking:
        return ""
    described = join_words([f"{model} ({counted(count, 'row')})" for model, count in note.lacking])
    return (
        "Rows without a score are left out for every model, so that all are judged on the same "
        f"{note.rows:,}: of {described}. A model whose columns are set to Ignored costs no rows."
    )


def _drop_weightless(
    table: LoadedTable, document: Document, keep: BoolArray, dropped: list[tuple[str, int]]
) -> BoolArray:
    """Leave out rows with weight 0: they count nowhere."""
    weight = frequency(table, document)
    if weight is None:
        return keep
    weightless = keep & (weight == 0)
    if weightless.any():
        dropped.append(("weight 0", int(weightless.sum())))
    return np.asarray(keep & ~weightless)
