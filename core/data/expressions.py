"""Values of expressions over columns: derived columns and row filters.

The forms that values of an expression take: numbers, texts by code, and yes or no.

Missing is NaN, -1 and -1; helpers here turn one form into another and compare two.

Walking the tree of an expression: what each sign and function gives.

What an expression over columns gives: numbers, texts or yes and no, one per row.

Missing values are never guessed: a sum with a missing part is missing, a comparison with one is
neither true nor false. What arithmetic cannot answer (division by zero, the log of 0) is missing
too, and counted by its reason.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from core.data.lazy.columns import LazyColumns
from core.data.levels import printed
from core.data.profile.summary import cell_text
from core.data.table import LoadedTable
from core.data.values import column_as_float
from core.document.data.expressions import Kind, Node, column_names, parse, quoted
from payoff.errors import PayoffError, nearest
from payoff.types import BoolArray, CodeArray, FloatArray

Truth = NDArray[np.int8]  # 1 true, 0 false, -1 not known
NOT_KNOWN = -1


@dataclass(frozen=True, slots=True, eq=False)
class Texts:
    """Texts by code: -1 = missing. ``is_date``: texts in the order of time."""

    codes: CodeArray
    texts: tuple[str, ...]
    is_date: bool = False


Value = FloatArray | Texts | Truth


def coded(values: pa.ChunkedArray, *, is_date: bool) -> Texts:
    """A column of texts or dates by code."""
    if not pa.types.is_dictionary(values.type):
        values = pc.dictionary_encode(values)
    whole = values.combine_chunks()
    if isinstance(whole, pa.ChunkedArray):  # an empty column stays chunked
        return Texts(np.empty(0, dtype=np.int32), (), is_date)
    codes = whole.indices.cast(pa.int32()).fill_null(-1).to_numpy(zero_copy_only=False)
    texts = tuple(cell_text(value) for value in whole.dictionary.to_pylist())
    return Texts(np.asarray(codes, dtype=np.int32), texts, is_date)


def compare_texts(sign: str, left: Texts, right: Texts, first: Node, second: Node) -> Truth:
    """Texts by printed form; dates by their order."""
    if sign in ("=", "<>"):
        forms: dict[str, int] = {}
        one, other = (
            np.array([*(forms.setdefault(printed(t), len(forms)) for t in side.texts), -1])
            for side in (left, right)
        )
        return compared(
            sign, *(_known(table[side.codes]) for table, side in ((one, left), (other, right)))
        )
    if not (left.is_date or right.is_date):
        raise PayoffError(
            f"{named_part(first)} and {named_part(second)} are texts, which have no order.",
            remedy="Compare texts by = or <>, or with in (…).",
        )
    order = {text: place for place, text in enumerate(sorted({*left.texts, *right.texts}))}
    one, other = (np.array([*(order[text] for text in side.texts), -1]) for side in (left, right))
    return compared(sign, _known(one[left.codes]), _known(other[right.codes]))


def _known(places: NDArray[np.int64]) -> FloatArray:
    return np.where(places < 0, np.nan, places).astype(np.float64)


def compared(sign: str, left: FloatArray, right: FloatArray) -> Truth:
    """Numbers compared, one answer per row; not known where either is missing."""
    compare = {
        "=": np.equal,
        "<>": np.not_equal,
        "<": np.less,
        "<=": np.less_equal,
        ">": np.greater,
        ">=": np.greater_equal,
    }[sign]
    result = compare(left, right).astype(np.int8)
    result[np.isnan(left) | np.isnan(right)] = NOT_KNOWN
    return result


def as_numbers(value: FloatArray | Truth) -> FloatArray:
    """Yes and no as 1 and 0, numbers as they are; missing = NaN."""
    if value.dtype == np.int8:
        return np.where(value == NOT_KNOWN, np.nan, value).astype(np.float64)
    return np.asarray(value, dtype=np.float64)


def banded(number: FloatArray, edges: list[float]) -> Texts:
    """Bands between edges; an edge belongs to the band above it."""
    if any(low >= high for low, high in pairwise(edges)):
        raise PayoffError("The edges of bands have to rise.", remedy="bands(age, 30, 45, 60)")
    shown = [printed(edge) for edge in edges]
    between = (f"{low} to below {high}" for low, high in pairwise(shown))
    codes = np.searchsorted(np.array(edges), number, side="right").astype(np.int32)
    codes[np.isnan(number)] = -1
    return Texts(codes, (f"below {shown[0]}", *between, f"{shown[-1]} and over"))


def is_missing(value: Value) -> BoolArray:
    """Where a value is missing, whatever its form."""
    if isinstance(value, Texts):
        return np.asarray(value.codes < 0)
    return np.asarray(value == NOT_KNOWN if value.dtype == np.int8 else np.isnan(value))


def tidy_texts(texts: Texts) -> Texts:
    """The same with each text once."""
    forms: dict[str, int] = {}
    lookup = np.array([*(forms.setdefault(t, len(forms)) for t in texts.texts), -1], dtype=np.int32)
    return Texts(lookup[texts.codes], tuple(forms))


def named_part(node: Node) -> str:
    """How a message names a part."""
    if node.kind is Kind.NAME:
        return f"“{node.text}”"
    if node.kind is Kind.TEXT:
        return f"the text “{node.text}”"
    return "a part"


DIVISION = "division by zero"
LOG = "log of 0 or less"
ROOT = "square root of a negative number"
OVERFLOW = "a result too large for a number"


class Evaluator:
    """Walks a tree; every value is an array of n, or of 1 for a constant."""

    def __init__(self, table: LoadedTable) -> None:
        self._table = table
        self._columns: dict[str, Value] = {}
        self.lost: Counter[str] = Counter()
        self._ways: dict[Kind, Callable[[Node], Value]] = {
            Kind.NUMBER: lambda node: np.array([node.number]),
            Kind.TEXT: lambda node: Texts(np.zeros(1, dtype=np.int32), (node.text,)),
            Kind.TRUTH: lambda node: np.array([node.text == "true"], dtype=np.int8),
            Kind.NAME: lambda node: self._column(node.text),
            Kind.SIGN: self._sign,
            Kind.COMPARE: lambda node: self._compare(node.text, *node.parts),
            Kind.AND: self._joined,
            Kind.OR: self._joined,
            Kind.NOT: self._not,
            Kind.MISSING: self._is_missing,
            Kind.ONE_OF: self._one_of,
            Kind.CALL: self._call,
        }

    def of(self, node: Node) -> Value:
        """The value of a node."""
        return self._ways[node.kind](node)

    def _not(self, node: Node) -> Truth:
        truth = self._truth(node.parts[0])
        return np.where(truth == NOT_KNOWN, NOT_KNOWN, 1 - truth).astype(np.int8)

    def _is_missing(self, node: Node) -> Truth:
        return is_missing(self.of(node.parts[0])).astype(np.int8)

    # ------------------------------------------------------------ leaves

    def _column(self, name: str) -> Value:
        if name not in self._columns:
            self._columns[name] = self._read(name)
        return self._columns[name]

    def _read(self, name: str) -> Value:
        table = self._table
        if name not in table.kinds:
            near = next(iter(nearest(name, table.columns)), None)
            raise PayoffError(
                f"There is no column “{name}”.",
                why=f"There is “{near}”." if near else "",
                remedy=f"Write {quoted(near)}." if near else "Texts stand in quotes: “N”.",
            )
        kind = table.kinds[name]
        if kind in ("integer", "number"):
            return column_as_float(table, name)
        values = table.require_column(name)
        if kind == "boolean":
            known = pc.fill_null(values.cast(pa.int8()), NOT_KNOWN)
            return np.asarray(known.to_numpy(), dtype=np.int8)
        return coded(values, is_date=kind == "date")

    def _number(self, node: Node) -> FloatArray:
        """A part that has to be a number; a text column is one where every cell is."""
        value = self.of(node)
        if isinstance(value, Texts):
            if node.kind is Kind.NAME and not value.is_date:
                return column_as_float(self._table, node.text)
            form = "date" if value.is_date else "text"
            raise PayoffError(f"{named_part(node)} is a {form}, and a number is due.")
        if value.dtype == np.int8:
            return np.where(value == NOT_KNOWN, np.nan, value).astype(np.float64)
        return np.asarray(value, dtype=np.float64)

    def _truth(self, node: Node) -> Truth:
        value = self.of(node)
        if isinstance(value, Texts) or value.dtype != np.int8:
            raise PayoffError(
                f"{named_part(node)} is neither true nor false.",
                remedy="Compare it with something: " + f"{named_part(node)} > 0.",
            )
        return np.asarray(value, dtype=np.int8)

    # ------------------------------------------------------------ arithmetic

    def _sign(self, node: Node) -> FloatArray:
        numbers = [self._number(part) for part in node.parts]
        if len(numbers) == 1:
            return -numbers[0] if node.text == "-" else numbers[0]
        left, right = numbers
        if node.text == "/":
            return self._divided(left, right)
        with np.errstate(over="ignore", invalid="ignore"):
            if node.text == "+":
                return self._finite(left + right)
            return self._finite(left - right if node.text == "-" else left * right)

    def _divided(self, left: FloatArray, right: FloatArray) -> FloatArray:
        with np.errstate(all="ignore"):
            result = left / right
        left, right = np.broadcast_arrays(left, right)
        return self._finite(self._lose(result, (right == 0) & ~np.isnan(left), DIVISION))

    def _lose(self, result: FloatArray, wrong: BoolArray, reason: str) -> FloatArray:
        """The result with rows that arithmetic cannot answer made missing, and counted."""
        count = int(wrong.sum())
        if not count:
            return result
        self.lost[reason] += count
        return np.where(wrong, np.nan, result)

    def _finite(self, result: FloatArray) -> FloatArray:
        return self._lose(result, np.isinf(result), OVERFLOW)

    # ------------------------------------------------------------ conditions

    def _compare(self, sign: str, first: Node, second: Node) -> Truth:
        left, right = self.of(first), self.of(second)
        if isinstance(left, Texts) and isinstance(right, Texts):
            return compare_texts(sign, left, right, first, second)
        if isinstance(left, Texts) or isinstance(right, Texts):
            if sign in ("=", "<>"):
                return self._same_form(sign, left, right, first, second)
            return compared(sign, self._number(first), self._number(second))
        return compared(sign, self._number(first), self._number(second))

    def _same_form(self, sign: str, left: Value, right: Value, first: Node, second: Node) -> Truth:
        """A column of texts beside a number, or a column of numbers beside a text: by print."""
        texts, other = (left, right) if isinstance(left, Texts) else (right, left)
        assert isinstance(texts, Texts)
        assert not isinstance(other, Texts)
        if len(other) == 1 and len(texts.codes) > 1:
            word = printed(bool(other[0]) if other.dtype == np.int8 else float(other[0]))
            constant = Texts(np.zeros(1, dtype=np.int32), (word,))
            return compare_texts(sign, texts, constant, first, second)
        if len(texts.codes) == 1:
            word = printed(texts.texts[0])
            if other.dtype == np.int8 and word in ("true", "false"):
                return compared(sign, as_numbers(other), np.array([float(word == "true")]))
            try:
                return compared(sign, as_numbers(other), np.array([float(word)]))
            except ValueError:
                number = first if left is other else second
                raise PayoffError(
                    f"{named_part(number)} holds no texts, so it is never “{texts.texts[0]}”.",
                    remedy="Compare it with a number.",
                ) from None
        raise PayoffError(
            f"{named_part(first)} and {named_part(second)} are a text and a number.",
            remedy="Compare columns of one kind.",
        )

    def _joined(self, node: Node) -> Truth:
        """And, or: what is certain stays certain beside what is not known."""
        left, right = np.broadcast_arrays(*(self._truth(part) for part in node.parts))
        settles = 0 if node.kind is Kind.AND else 1
        settled = (left == settles) | (right == settles)
        unknown = (left == NOT_KNOWN) | (right == NOT_KNOWN)
        return np.where(settled, settles, np.where(unknown, NOT_KNOWN, 1 - settles)).astype(np.int8)

    def _one_of(self, node: Node) -> Truth:
        first, *choices = node.parts
        result = self._compare("=", first, choices[0])
        for choice in choices[1:]:
            result = np.maximum(result, self._compare("=", first, choice))
        return result

    # ------------------------------------------------------------ functions

    def _call(self, node: Node) -> Value:
        name, parts = node.text, node.parts
        if name == "if":
            return self._chosen(*parts)
        if name in ("contains", "starts"):
            return self._searched(name, *parts)
        numbers = [self._number(part) for part in parts]
        if name == "bands":
            return banded(numbers[0], [_constant(node) for node in parts[1:]])
        if name in ("min", "max"):
            smallest = np.minimum if name == "min" else np.maximum
            result = numbers[0]
            for other in numbers[1:]:
                result = smallest(result, other)
            return result
        if name == "ratio":
            return self._divided(numbers[0], numbers[1])
        if name == "round":
            digits = int(_constant(parts[1])) if len(parts) == 2 else 0
            return np.round(numbers[0], digits)
        return self._of_one(name, numbers[0])

    def _of_one(self, name: str, number: FloatArray) -> FloatArray:
        functions: dict[str, Callable[[FloatArray], FloatArray]] = {
            "log": np.log,
            "log10": np.log10,
            "exp": np.exp,
            "sqrt": np.sqrt,
            "abs": np.abs,
            "floor": np.floor,
        }
        with np.errstate(all="ignore"):
            result = functions[name](number)
        if name in ("log", "log10"):
            return self._lose(result, number <= 0, LOG)
        if name == "sqrt":
            return self._lose(result, number < 0, ROOT)
        return self._finite(result)

    def _chosen(self, condition: Node, then: Node, other: Node) -> Value:
        """One of two values; missing where the condition is not known."""
        truth = self._truth(condition)
        left, right = self.of(then), self.of(other)
        if isinstance(left, Texts) and isinstance(right, Texts):
            texts = (*left.texts, *right.texts)
            shifted = np.where(right.codes < 0, -1, right.codes + len(left.texts))
            codes = np.where(truth == 1, left.codes, shifted)
            return tidy_texts(
                Texts(np.where(truth == NOT_KNOWN, -1, codes).astype(np.int32), texts)
            )
        if isinstance(left, Texts) or isinstance(right, Texts):
            raise PayoffError(
                "“if” gives a text in one case and a number in the other.",
                remedy="Give two numbers or two texts.",
            )
        if left.dtype == np.int8 and right.dtype == np.int8:
            either = np.where(truth == 1, left, right)
            return np.where(truth == NOT_KNOWN, NOT_KNOWN, either).astype(np.int8)
        chosen = np.where(truth == 1, as_numbers(left), as_numbers(right))
        return np.where(truth == NOT_KNOWN, np.nan, chosen)

    def _searched(self, name: str, column: Node, part: Node) -> Truth:
        texts = self.of(column)
        if not isinstance(texts, Texts):
            raise PayoffError(f"“{name}” looks into texts, and {named_part(column)} is none.")
        if part.kind is not Kind.TEXT:
            raise PayoffError(f"“{name}” looks for a text in quotes.")
        wanted = part.text.casefold()
        hits = [
            wanted in text.casefold() if name == "contains" else text.casefold().startswith(wanted)
            for text in texts.texts
        ]
        lookup = np.array([*hits, NOT_KNOWN], dtype=np.int8)
        return lookup[texts.codes]


def _constant(node: Node) -> float:
    """A number written out, with its sign."""
    if node.kind is Kind.NUMBER:
        return node.number
    if node.kind is Kind.SIGN and len(node.parts) == 1:
        return (-1.0 if node.text == "-" else 1.0) * _constant(node.parts[0])
    raise PayoffError("The edges of bands and digits are plain numbers.")


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
