"""The forms that values of an expression take: numbers, texts by code, and yes or no.

Missing is NaN, -1 and -1; helpers here turn one form into another and compare two.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from core.data.levels import printed
from core.data.profile.pages import cell_text
from core.document.data.expressions import Kind, Node
from payoff.errors import PayoffError
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
