"""Columns that tell rows apart, by their names and values: ids, codes, numbers of rows."""

from __future__ import annotations

import re

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from core.data.names import NO_NAME
from core.data.roles.names import has_word
from core.data.roles.words import COST_WORDS, ID_NAMES, PERSON_WORDS
from core.document.data.events import fold
from core.document.data.results import ColumnSummary
from core.document.model import Role, RoleAssignment
from payoff.counting import counted

_ID_ROWS = 100_000
_FEWEST_NUMBERED = 20  # rows: fewer may count up by chance, as years do
_NUMBER_WORDS = ("id", "key", "number", "nbr", "no", "nr", "n", "num", "numéro", "numero", "nummer")
_NO_ID = re.compile(  # words that end as ids do
    r"(?:paid|oid|acid|aid|(?:^|_)(?:bid|lipid|fluid|liquid|grid|hybrid|covid|solid|rapid|humid|mid)|"
    r"valid)\Z"
)
_CODE_WORDS = ("réf", "ref", "code", "código", "codigo", "codice")
OWN_TEXT = "nearly every row has a text of its own"
_ANOTHER = "every row has a value of its own, and its name is one of an id beside another one"
_CLUSTER = "it is a person's id with several rows each, which belong together: please check"

_assign = RoleAssignment.guess


def ids_first(table: pa.Table, columns: tuple[ColumnSummary, ...]) -> tuple[ColumnSummary, ...]:
    """Columns with those last that only number the rows: "RowNumber" beside "CustomerId"."""
    return tuple(sorted(columns, key=lambda column: _only_numbers(table, column)))


def _only_numbers(table: pa.Table, column: ColumnSummary) -> bool:
    is_first = column.minimum in (0, 1) and _is_named_id(column)
    return column.name == NO_NAME or (is_first and numbers_rows(table, column))


def guess_id(
    table: pa.Table, column: ColumnSummary, taken: set[Role], warnings: list[str]
) -> RoleAssignment | None:
    """The role of a column whose name is one of an id, where its values are those of one.

    Parameters
    ----------
    table : pyarrow.Table
    column : ColumnSummary
    taken : set of Role
        Roles that other columns have: a second id is no input.
    warnings : list of str
        Is told of values that occur again.
    """
    if not _is_named_id(column):
        return None
    told: list[str] = []
    reason = _id_reason(table, column, told)
    if Role.ID in taken and reason and not told and _names_id_alone(column.name):
        return _assign(column.name, Role.IGNORED, _ANOTHER)
    if Role.ID not in taken and reason:
        warnings += told
        return _assign(column.name, Role.ID, reason)
    if Role.CLUSTER not in taken and _has_rows_each(column):
        return _assign(column.name, Role.CLUSTER, _CLUSTER)
    return None


def _names_id_alone(name: str) -> bool:
    """Whether a name is one of an id at its end, and of no amount: "loan" is both."""
    folded = fold(name)
    is_named = folded in ID_NAMES or folded.split("_")[-1] in _NUMBER_WORDS
    return (is_named or folded.endswith("id")) and not has_word(name, COST_WORDS)


def _is_named_id(column: ColumnSummary) -> bool:
    """The name of an id, on a column without missing values."""
    folded = fold(column.name)
    parts = folded.split("_")
    is_named = folded in ID_NAMES or parts[-1] in _NUMBER_WORDS or parts[0] in _NUMBER_WORDS[4:]
    is_named = is_named or (folded.endswith(("id", "nummer", "nr")) and not _NO_ID.search(folded))
    is_named = is_named or any(
        folded.removesuffix(word) in ID_NAMES for word in _NUMBER_WORDS if folded.endswith(word)
    )
    is_named = is_named or parts[0] == "id" or bool(re.match("ID[a-z]", column.name))
    is_named = is_named or (parts[0] in _CODE_WORDS and any(part in ID_NAMES for part in parts))
    is_number = column.kind == "number" and parts[-1] == "id"
    return is_named and not column.missing and (is_number or column.kind in ("integer", "text"))


def _id_reason(table: pa.Table, column: ColumnSummary, warnings: list[str]) -> str:
    """Why a column tells rows apart, or nothing; warns of values that occur again."""
    head = table.column(column.name).slice(0, _ID_ROWS)
    codes = pc.dictionary_encode(head.cast(pa.string())).combine_chunks().indices.to_numpy()
    counts = np.bincount(codes)
    repeated = np.flatnonzero(counts[codes] > 1)
    is_amount = has_word(column.name, COST_WORDS) and fold(column.name) in ID_NAMES
    if (
        is_amount
        and len({len(f"{edge or 0:.0f}") for edge in (column.minimum, column.maximum)}) > 1
    ):
        return ""  # a loan is an amount as often as a number, and these have one length
    if not len(repeated):
        return "every row has a value of its own, and its name is one of an id"
    if len(repeated) > 0.1 * len(codes):
        return ""
    if is_amount:
        return ""
    first = int(repeated[0])
    again = int(np.flatnonzero(codes == codes[first])[1])
    words = (
        f"{counted(len(repeated), 'row shares', 'rows share')} a value of the id "
        f"'{column.name}' with another row"
    )
    warnings.append(f"{words}, first data rows {first + 1} and {again + 1}: please check.")
    return "its name is one of an id, and nearly every row has a value of its own"


def _has_rows_each(column: ColumnSummary) -> bool:
    """Whether a person's id has several rows for most of its values."""
    is_person = has_word(column.name, PERSON_WORDS) or fold(column.name) == "id"
    return is_person and _FEWEST_NUMBERED <= column.distinct <= column.rows / 1.5


def guess_code_id(
    table: pa.Table, columns: tuple[ColumnSummary, ...], found: dict[str, RoleAssignment]
) -> None:
    """Where no name says id: a column that numbers the rows, else codes like "INV-00017"."""
    for column in columns:
        if found[column.name].role is Role.INPUT and numbers_rows(table, column):
            reason = "it numbers the rows: please check"
            found[column.name] = _assign(column.name, Role.ID, reason)
            return
    for column in columns:
        if found[column.name].reason != OWN_TEXT or column.missing:
            continue
        head = table.column(column.name).slice(0, _ID_ROWS).cast(pa.string())
        is_coded = pc.match_substring_regex(head, r"^[\w./+=#-]*\d[\w./+=#-]*$")
        if len(pc.unique(head)) == len(head) and pc.all(is_coded).as_py():
            found[column.name] = _assign(column.name, Role.ID, "every row has a code of its own")
            return


def leave_out_numbering(
    table: pa.Table, columns: tuple[ColumnSummary, ...], found: dict[str, RoleAssignment]
) -> None:
    """A column that numbers the rows from 0 or 1 beside an id is the index of a data frame."""
    for column in columns:
        is_first = column.minimum in (0, 1) and found[column.name].role is Role.INPUT
        if is_first and numbers_rows(table, column):
            found[column.name] = _assign(column.name, Role.IGNORED, "it numbers the rows")


def numbers_rows(table: pa.Table, column: ColumnSummary) -> bool:
    """Whether whole numbers rise by one from row to row."""
    is_number = column.kind in ("integer", "number")  # data frames with a gap write 1.0
    if not is_number or column.missing or column.rows < _FEWEST_NUMBERED:
        return False
    head = table.column(column.name).slice(0, _ID_ROWS).cast(pa.float64()).to_numpy()
    return bool((np.diff(head) == 1.0).all())


def is_code(column: ColumnSummary) -> bool:
    """Text with more values than anything could be learnt from."""
    return column.kind == "text" and (
        column.distinct < 0 or column.distinct > 0.9 * column.rows > 9
    )
