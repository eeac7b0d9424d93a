"""Columns that may be known only after the outcome, or that give it away.

Two signs: a name that speaks of afterwards, and values that tell the classes apart almost without
fault. The second is looked for in up to 10,000 rows spread over the file.
"""

from __future__ import annotations

import re

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from core.data.levels import printed
from core.data.profile.summary import as_float
from core.document.data.results import ColumnSummary
from core.document.model import TargetSpec
from payoff.types import BoolArray, FloatArray

PREVIEW_ROWS = 10_000
FEWEST = 30  # rows of each class: below, any column may tell them apart by chance
PERFECT = 0.995  # area under the ROC curve
MOST_LEVELS = 50
_AFTER = re.compile(
    r"(?:^|_)(?:post\d*|after|afterwards|later|future|next|followup|follow_up|time_to|days_to|"
    r"months_to|until|recover\w*|charge_?off\w*|charged_off|write_?off\w*|refund\w*|collections?|"
    r"cancel\w*_date|clos\w+_date|churn_date|default_date|respon\w+_date|outcome\w*)(?:_|\d|$)"
)


def describes_afterwards(name: str) -> bool:
    """Whether a name speaks of something measured after the outcome or the treatment."""
    folded = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).casefold()
    return _AFTER.search(re.sub(r"[\s.\-]+", "_", folded)) is not None


class LeakFinder:
    """Looks at one column after another beside the outcome.

    Parameters
    ----------
    table : pyarrow.Table
    target : TargetSpec
    """

    def __init__(self, table: pa.Table, target: TargetSpec) -> None:
        self._table = table
        rows = table.num_rows
        step = max(1, rows // PREVIEW_ROWS)
        self._places = pa.array(np.arange(0, rows, step, dtype=np.int64))
        self._event: BoolArray | None = None
        self._number: FloatArray | None = None
        outcome = table.column(target.column).take(self._places)
        if target.levels:
            forms = _forms(outcome)
            first = printed(target.levels[0])
            events = {first, *(printed(s) for s, level in target.spellings if level == first)}
            event = np.array([form in events for form in forms])
            self._known = np.array([form is not None for form in forms])
            if min(int(event.sum()), int((self._known & ~event).sum())) >= FEWEST:
                self._event = event
        elif pa.types.is_floating(outcome.type) or pa.types.is_integer(outcome.type):
            number = as_float(outcome)
            self._known = ~np.isnan(number)
            if int(self._known.sum()) >= FEWEST:
                self._number = number

    def reason(self, column: ColumnSummary) -> str:
        """Why a column gives the outcome away, in words; an empty text if it does not."""
        if self._event is None and self._number is None:
            return ""
        values = self._table.column(column.name).take(self._places)
        if self._number is not None:
            return _of_number(values, self._number) if column.kind in _NUMBERS else ""
        return self._of_classes(values, column)

    def _of_classes(self, values: pa.ChunkedArray, column: ColumnSummary) -> str:
        assert self._event is not None
        event, known = self._event[self._known], self._known
        missing = np.asarray(pc.is_null(values, nan_is_null=True))[known]
        gap = abs(float(missing[event].mean()) - float(missing[~event].mean()))
        if gap >= 2 * PERFECT - 1:
            return "it is missing in one class and there in the other"
        if column.kind in _NUMBERS and not 0 <= column.distinct <= 2:
            number = as_float(values)[known]
            area = _area(number[~missing], event[~missing])
            if max(area, 1 - area) >= PERFECT:
                return f"its values alone tell the classes apart (AUC {max(area, 1 - area):.3f})"
            return ""
        if not 0 <= column.distinct <= MOST_LEVELS:
            return ""
        wrong = _mistakes(np.array(_forms(values), dtype=object)[known], event)
        if wrong <= (1 - PERFECT) * min(int(event.sum()), int((~event).sum())):
            return "each of its values goes with one class only"
        return ""


_NUMBERS = ("integer", "number")


def _forms(values: pa.ChunkedArray) -> list[str | None]:
    """Printed forms; missing = None. Different values are printed once."""
    coded = values if pa.types.is_dictionary(values.type) else pc.dictionary_encode(values)
    whole = coded.combine_chunks()
    if isinstance(whole, pa.ChunkedArray):
        return []
    forms = [printed(value) or None for value in whole.dictionary.to_pylist()]
    return [forms[code] if code is not None else None for code in whole.indices.to_pylist()]


def _area(number: FloatArray, event: BoolArray) -> float:
    """The share of pairs in which the event has the higher value, ties half; 0.5 if undecided."""
    events = int(event.sum())
    others = len(event) - events
    if events < FEWEST or others < FEWEST:
        return 0.5
    values, codes = np.unique(number, return_inverse=True)
    hits = np.bincount(codes, weights=event, minlength=len(values))
    rest = np.bincount(codes, minlength=len(values)) - hits
    below = np.cumsum(rest) - rest
    return float((hits * (below + rest / 2)).sum() / (events * others))


def _mistakes(forms: np.ndarray[tuple[int], np.dtype[np.object_]], event: BoolArray) -> int:
    """Rows that are not of the more frequent class of their value."""
    codes = np.unique(np.array([form or "" for form in forms], dtype=object), return_inverse=True)[
        1
    ]
    hits = np.bincount(codes, weights=event)
    return int(np.minimum(hits, np.bincount(codes) - hits).sum())


def _of_number(values: pa.ChunkedArray, outcome: FloatArray) -> str:
    number = as_float(values)
    both = ~np.isnan(number) & ~np.isnan(outcome)
    if int(both.sum()) < FEWEST or np.ptp(number[both]) == 0 or np.ptp(outcome[both]) == 0:
        return ""
    strength = abs(_correlation(number[both], outcome[both]))
    return (
        f"it is nearly the outcome itself (correlation {strength:.4f})" if strength > 0.9995 else ""
    )


def _correlation(first: FloatArray, second: FloatArray) -> float:
    """Of numbers of any size: each is divided by its largest, so that squares are in range."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        scaled = [values / np.abs(values).max() for values in (first, second)]
        return float(np.corrcoef(*scaled)[0, 1])
