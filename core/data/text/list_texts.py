"""Lists and records that stand in cells as text, as CSV keeps the chances of all classes.

``[0.2, 0.8]`` of a database, ``[0.2 0.8]`` of numpy, ``{"no": 0.2, "yes": 0.8}`` and lists of
records of a label and its chance, in JSON or as Python prints them.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Mapping

import pyarrow as pa
import pyarrow.compute as pc

from core.data.text.nested import LABELS, named_by, nested_columns
from payoff.counting import counted

_HEAD = 200
_MOST = 50  # columns that one may become
_SHOWN = 3
_NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
_LIST = (
    rf"^\s*(?:(?:DenseVector|array|tensor)\()?\[\s*{_NUMBER}"
    rf"(?:(?:\s*,\s*|\s+){_NUMBER})+\s*,?\s*\]\)?\s*$"
)
_OPENING = re.compile(r"\s*(?:[\[{]|(?:DenseVector|array|tensor)\()")


def spread_texts(
    columns: Mapping[str, pa.ChunkedArray], told: list[str]
) -> dict[str, dict[str, pa.ChunkedArray]]:
    """The columns of numbers in each column of texts that are lists or records, by its name.

    Parameters
    ----------
    columns : mapping of str to pyarrow.ChunkedArray
        Of texts, coded or not, and others, which are passed over.
    told : list of str
        Is given a sentence for each column that is spread.
    """
    texts = {name: values for name, values in columns.items() if _may_be_lists(values)}
    spread: dict[str, dict[str, pa.ChunkedArray]] = {}
    for name, values in texts.items():
        parts = _numbers_of(name, values.cast(pa.string()).combine_chunks(), texts)
        if not 0 < len(parts) <= _MOST or parts.keys() & columns.keys() - {name}:
            continue
        spread[name] = {own: pa.chunked_array([part]) for own, part in parts.items()}
        names = ", ".join(list(parts)[:_SHOWN]) + ", ..." * (len(parts) > _SHOWN)
        told.append(
            f"Column '{name}' holds lists or records as text: read as "
            f"{counted(len(parts), 'column')} ({names})."
        )
    return spread


def _may_be_lists(values: pa.ChunkedArray) -> bool:
    """Whether the first texts all begin with a bracket."""
    kind = values.type.value_type if pa.types.is_dictionary(values.type) else values.type
    if not pa.types.is_string(kind):
        return False
    head = [cell for cell in values.slice(0, _HEAD).to_pylist() if cell and cell.strip()]
    return bool(head) and all(_OPENING.match(cell) for cell in head)


def _numbers_of(
    name: str, text: pa.Array, others: Mapping[str, pa.ChunkedArray]
) -> dict[str, pa.Array]:
    """The numbers in lists or records; nothing where a cell holds anything else."""
    text = text.combine_chunks() if isinstance(text, pa.ChunkedArray) else text
    if pc.all(pc.match_substring_regex(text, _LIST)).as_py():
        bare = pc.replace_substring_regex(text, r"^[^\[]*\[\s*|[\s,]*\][\s)]*$", "")
        cells = pc.split_pattern_regex(bare, r"\s*,\s*|\s+").cast(pa.list_(pa.float64()))
        parts = nested_columns(name, cells)
        return named_by(name, parts, _constant_labels(others))
    try:
        records = [None if cell is None else _parsed(cell) for cell in text.to_pylist()]
        nested = pa.array(records)
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError, pa.ArrowException):
        return {}
    if not pa.types.is_nested(nested.type):
        return {}
    found = nested_columns(name, nested)
    is_record = pa.types.is_struct(nested.type)
    try:
        return {
            own.replace(f"{name}.", f"{name}_"): p.cast(pa.float64())
            for own, p in found.items()
            if not (is_record and pa.types.is_string(p.type))  # the class beside its chances
        }
    except pa.ArrowException:
        return {}


def _parsed(cell: str) -> object:
    """A cell of JSON, or as Python prints it; chances in quotes are numbers."""
    try:
        value = json.loads(cell)
    except ValueError:
        value = ast.literal_eval(cell)
    if isinstance(value, list):
        return [_with_numbers(one) for one in value]
    return _with_numbers(value)


def _with_numbers(value: object) -> object:
    if not isinstance(value, dict):
        return value
    labels = {key for key in value if str(key).casefold() in LABELS}
    return {
        str(key): str(part) if key in labels and len(value) > 1 else _number(part)
        for key, part in value.items()
    }


def _number(part: object) -> object:
    return float(part) if isinstance(part, str | int) else part


def _constant_labels(others: Mapping[str, pa.ChunkedArray]) -> list[str]:
    """The labels of all rows that stand in a column beside the lists: "['no', 'yes']"."""
    for name, values in others.items():
        forms = values.unique().to_pylist() if name.casefold() in LABELS else []
        if len(forms) == 1 and forms[0]:
            try:
                listed = _parsed(forms[0])
            except (ValueError, SyntaxError, RecursionError):
                return []
            return [str(label) for label in listed] if isinstance(listed, list) else []
    return []
