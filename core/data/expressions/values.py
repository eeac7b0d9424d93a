"""What an expression over columns gives: numbers, texts or yes and no, one per row.

Missing values are never guessed: a sum with a missing part is missing, a comparison with one is
neither true nor false. What arithmetic cannot answer (division by zero, the log of 0) is missing
too, and counted by its reason.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
import pyarrow as pa

from core.data.expressions.forms import NOT_KNOWN, Texts, Truth, Value
from core.data.expressions.walk import Evaluator
from core.data.lazy.columns import LazyColumns
from core.data.table import LoadedTable
from core.document.data.expressions import column_names, parse
from payoff.errors import PayoffError
from payoff.types import BoolArray, CodeArray, FloatArray


@dataclass(slots=True)
class ExpressionValues:
    """The values of an expression over a table.

    Attributes
    ----------
    value : (n,) float64, ``Texts``, or (n,) int8
        Numbers (missing = NaN), texts, or 1 = true, 0 = false, -1 = not known.
    lost : mapping
        Reason -> rows whose result is missing though nothing in them was.
    """

    value: Value
    lost: Mapping[str, int] = field(default_factory=dict)

    @property
    def kind(self) -> str:
        """ "number", "text" or "boolean", as a column of such values is called."""
        if isinstance(self.value, Texts):
            return "text"
        return "boolean" if self.value.dtype == np.int8 else "number"

    def as_column(self) -> pa.ChunkedArray:
        """The values as a column of a table."""
        if isinstance(self.value, Texts):
            indices = pa.array(self.value.codes, mask=self.value.codes < 0)
            texts = pa.array(self.value.texts, type=pa.string())
            return pa.chunked_array([pa.DictionaryArray.from_arrays(indices, texts)])
        if self.value.dtype == np.int8:
            return pa.chunked_array([pa.array(self.value == 1, mask=self.value == NOT_KNOWN)])
        return pa.chunked_array([pa.array(self.value, mask=np.isnan(self.value))])


def evaluate_expression(table: LoadedTable, text: str) -> ExpressionValues:
    """Work an expression out over all rows.

    Of a table whose columns are read on need those that the expression names are gone through piece
    by piece, and none is kept: every value depends on its own row alone.

    Raises
    ------
    PayoffError
        For what cannot be read, columns that are not there, and kinds that do not fit.
    """
    if isinstance(table.table, LazyColumns) and table.rows:
        return _by_parts(table, table.table, text)
    evaluator = Evaluator(table)
    tree = parse(text)
    try:
        value = evaluator.of(tree)
    except PayoffError as refusal:
        where = refusal.where or f"“{text}”"
        raise PayoffError(
            refusal.what, where=where, why=refusal.why, remedy=refusal.remedy
        ) from refusal
    return ExpressionValues(_spread(value, table.rows), dict(evaluator.lost))


def _by_parts(table: LoadedTable, lazy: LazyColumns, text: str) -> ExpressionValues:
    """The values of an expression over columns that are read on need."""
    known = [name for name in column_names(text) if name in table.kinds]
    gathered = _Gathered(table.rows)
    lost: Counter[str] = Counter()
    for part in lazy.parts(known or list(table.columns[:1])):
        start, stop = gathered.filled, gathered.filled + part.num_rows
        numbers = table.row_numbers
        rows = np.arange(start, stop) if numbers is None else numbers[start:stop]
        found = evaluate_expression(replace(table, table=part, row_numbers=rows), text)
        lost.update(found.lost)
        gathered.add(found.value, part.num_rows)
    return ExpressionValues(gathered.value(), dict(lost))


class _Gathered:
    """Values of an expression, piece by piece in an array for all rows."""

    def __init__(self, rows: int) -> None:
        self.filled = 0
        self._rows = rows
        self._plain: FloatArray | Truth = np.empty(0)
        self._codes: CodeArray | None = None
        self._forms: dict[str, int] = {}
        self._is_date = False

    def add(self, value: Value, rows: int) -> None:
        """Take the values of the next rows; texts get one list of codes."""
        here = slice(self.filled, self.filled + rows)
        if isinstance(value, Texts):
            if self._codes is None:
                self._codes = np.empty(self._rows, dtype=np.int32)
            self._is_date = value.is_date
            places = [self._forms.setdefault(word, len(self._forms)) for word in value.texts]
            self._codes[here] = np.array([*places, -1], dtype=np.int32)[value.codes]
        else:
            if not self.filled:
                self._plain = np.empty(self._rows, dtype=value.dtype)
            self._plain[here] = value
        self.filled += rows

    def value(self) -> Value:
        """The values of all rows that were added: numbers, yes and no, or texts by code."""
        if self._codes is None:
            return self._plain
        return Texts(self._codes, tuple(self._forms), self._is_date)


def row_filter(table: LoadedTable, text: str) -> tuple[BoolArray, int]:
    """Rows for which a condition is true, and the number for which it is not known.

    Raises
    ------
    PayoffError
        If the expression is no condition, or cannot be read.
    """
    found = evaluate_expression(table, text)
    if found.kind != "boolean":
        raise PayoffError(
            "A row filter has to be true or false for each row.",
            where=f"“{text}”",
            why=f"It gives a {found.kind}.",
            remedy='Compare with something: age >= 30, region = "N".',
        )
    truth = found.value
    assert not isinstance(truth, Texts)
    return np.asarray(truth == 1), int((truth == NOT_KNOWN).sum())


def _spread(value: Value, rows: int) -> Value:
    """A constant as a value per row."""
    if isinstance(value, Texts):
        if len(value.codes) == rows:
            return value
        return Texts(np.full(rows, value.codes[0], dtype=np.int32), value.texts)
    if value.shape == (rows,):
        return value
    return np.full(rows, value[0], dtype=value.dtype)
