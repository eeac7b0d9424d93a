"""Columns of another file beside rows with the same key: found, counted, then taken.

Keys match by printed form, as levels do: 1, 1.0 and " 1" are one. Case and leading zeros count
unless the join says otherwise. A row without a key, or whose key the other file lacks, gets missing
values: no row is ever lost or added.

Joining by one key of whole numbers: partners and counts without a list of all keys.

A dictionary of tens of millions of different ids costs more than all else of a join. Only the keys
of the other file are put into one; ids of the data are looked up in it piece by piece, and counted
by sorting where they do not ascend already.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from core.data.cancellation import check_stop
from core.data.levels import printed
from core.data.profile.summary import cell_text
from core.data.table import LoadedTable
from core.document.data.model import FileRef, JoinSpec
from core.document.studies.data import JoinReport, Spelling
from payoff.counting import counted
from payoff.errors import PayoffError
from payoff.types import BoolArray, IntArray

PIECE_ROWS = 16_000_000  # every look-up hashes the other keys anew: few and large pieces


@dataclass(frozen=True, slots=True, eq=False)
class WholeMatch:
    """What looking up a column of whole numbers found.

    Attributes
    ----------
    partner : (n,) int32
        Place of each row's key among those looked up; -1 = none.
    has_key : (n,) bool
    repeated : int
        Keys of the column that stand in several rows.
    """

    partner: np.ndarray[tuple[int], np.dtype[np.int32]]
    has_key: BoolArray
    repeated: int


def look_up(values: pa.ChunkedArray, forms: pa.Array) -> WholeMatch:
    """Find whole numbers among others, all different, and count those that repeat.

    Raises
    ------
    StoppedError
    """
    partner = np.empty(len(values), dtype=np.int32)
    has_key = np.ones(len(values), dtype=bool)
    for start, piece in _pieces(values):
        found = pc.index_in(piece, value_set=forms).fill_null(-1)
        stop = start + len(piece)
        partner[start:stop] = found.to_numpy()
        if piece.null_count:
            has_key[start:stop] = pc.is_valid(piece).to_numpy()
    partner[~has_key] = -1  # a null among the forms is no key
    return WholeMatch(partner, has_key, _repeated(values))


def first_different(values: pa.ChunkedArray, rows: IntArray, most: int) -> list[int]:
    """The first different values at some rows, in the order of the rows."""
    taken = 64 * most
    while True:
        found: list[int] = pc.unique(values.take(pa.array(rows[:taken]))).to_pylist()
        if len(found) >= most or taken >= len(rows):
            return found[:most]
        taken *= 16


def _repeated(values: pa.ChunkedArray) -> int:
    """How many values stand in several rows; missing ones do not count."""
    if _ascends(values):
        return 0
    known = np.sort(values.drop_null().to_numpy())
    same = known[1:] == known[:-1]
    # A run of equal values counts once: where a row equals the one before, and that one does not.
    return int(np.count_nonzero(same[1:] & ~same[:-1])) + int(bool(len(same)) and bool(same[0]))


def _ascends(values: pa.ChunkedArray) -> bool:
    """Whether every known value is greater than the one before, as ids mostly are."""
    last = None
    for _, piece in _pieces(values):
        known = piece.drop_null().to_numpy()
        if not len(known):
            continue
        if (last is not None and known[0] <= last) or not bool((known[1:] > known[:-1]).all()):
            return False
        last = known[-1]
    return True


def _pieces(values: pa.ChunkedArray) -> Iterator[tuple[int, pa.ChunkedArray]]:
    """Pieces of a column with their first row; Stop is asked between them."""
    for start in range(0, len(values), PIECE_ROWS):
        check_stop()
        yield start, values.slice(start, PIECE_ROWS)


EXAMPLES = 20
_NO_FILE = FileRef(path="", content_hash="", size_bytes=0)
_JOINT = "\x1f"  # between the parts of a key of several columns
_PLAIN = r"^[+-]?[0-9]+(\.[0-9]+)?$|^(?i:true|false)$"


@dataclass(frozen=True, slots=True, eq=False)
class Match:
    """For each row the row of the other file with its key; -1 = none."""

    rows: IntArray
    report: JoinReport


@dataclass(frozen=True, eq=False)
class _Keys:
    """Keys of one file: a code per row (-1 = no key), and per code its form.

    Forms are texts, or whole numbers where both files hold such (``_are_whole``).
    """

    codes: IntArray
    forms: pa.Array

    @cached_property
    def first(self) -> IntArray:
        """The first row of each code."""
        known = np.flatnonzero(self.codes >= 0)
        place = np.full(len(self.forms), -1, dtype=np.int64)
        place[self.codes[known][::-1]] = known[::-1]
        return place

    @cached_property
    def counts(self) -> IntArray:
        """Rows of each code."""
        return np.bincount(self.codes[self.codes >= 0], minlength=len(self.forms)).astype(np.int64)


def match_rows(table: LoadedTable, other: LoadedTable, join: JoinSpec) -> Match:
    """Find each row's partner in another file, and count what was found.

    Raises
    ------
    PayoffError
        For columns that are not there.
    """
    if not join.keys:
        raise PayoffError(
            "No key is named.", remedy="Name a column of each file that holds the same ids."
        )
    if _are_whole(table, other, join):
        return _match_whole(table, other, join)
    own, theirs = _keys_of_both(table, other, join)
    partner = _partners(own, theirs)
    rows = np.full(table.rows, -1, dtype=np.int64)
    has_partner = own.codes >= 0
    has_partner[has_partner] = partner[own.codes[has_partner]] >= 0
    rows[has_partner] = theirs.first[partner[own.codes[has_partner]]]
    return Match(rows, _report(table, other, join, own, theirs, partner, rows))


def _match_whole(table: LoadedTable, other: LoadedTable, join: JoinSpec) -> Match:
    """``match_rows`` by a key of whole numbers in both files: these are written in one way only."""
    ((mine, yours),) = join.keys
    values = table.require_column(mine).cast(pa.int64())
    theirs = _encoded(other.require_column(yours).cast(pa.int64()))
    found = look_up(values, theirs.forms)
    first = np.append(theirs.first, -1)  # -1, no partner, takes the last
    rows = first[found.partner]
    is_unused = np.ones(len(theirs.forms) + 1, dtype=bool)
    is_unused[found.partner] = False
    is_unused = is_unused[:-1]
    lost = found.has_key & (rows < 0)
    repeated = np.flatnonzero(theirs.counts > 1)
    report = JoinReport(
        rows=table.rows,
        other_rows=other.rows,
        matched=int((rows >= 0).sum()),
        unmatched=int(lost.sum()),
        keyless=int((~found.has_key).sum()),
        unused=int(theirs.counts[is_unused].sum()),
        other_keyless=int((theirs.codes < 0).sum()),
        repeated_own=found.repeated,
        repeated_other=len(repeated),
        unmatched_examples=tuple(map(str, first_different(values, np.flatnonzero(lost), EXAMPLES))),
        unused_examples=_examples(theirs, np.flatnonzero(is_unused)),
        repeated_examples=_examples(theirs, repeated),
        spellings=(),
        by_case=0,
        by_zeros=0,
        refusal=_refusal(other, join, theirs, repeated),
    )
    return Match(rows, report)


def join_columns(
    table: LoadedTable, other: LoadedTable, join: JoinSpec, match: Match
) -> dict[str, pa.Array]:
    """The join's columns of the other file, one value per row of the table, by their match.

    Raises
    ------
    PayoffError
        If keys of the other file stand in several rows that differ, or names are taken.
    """
    if match.report.refusal:
        raise PayoffError(
            match.report.refusal,
            where=other.path,
            why=f"Such as {', '.join(match.report.repeated_examples[:5])}."
            if match.report.repeated_examples
            else "",
            remedy="Take the first row of each key, or put the file right.",
        )
    _check_names(table, other, join)
    places = pa.array(match.rows, mask=match.rows < 0)
    return {name: other.table.column(column).take(places) for column, name in join.columns}


def likely_keys(table: LoadedTable, other: LoadedTable) -> tuple[tuple[str, str], ...]:
    """Pairs of columns that may be the key: alike by name and different in most rows, best first.

    A pair counts if at least half of 2,000 rows of the data find a partner.
    """
    found: list[tuple[float, str, str]] = []
    folded = {_folded(name): name for name in other.columns}
    for name in table.columns:
        twin = folded.get(_folded(name))
        pairs = [twin] if twin else [c for c in other.columns if _is_id_like(other, c)]
        if not twin and not _is_id_like(table, name):
            continue
        for candidate in pairs:
            share = _share_matched(table, other, name, candidate)
            unique = _distinct_share(other, candidate)
            if share >= 0.5 and unique >= 0.5:
                found.append((share * unique + (0.5 if twin else 0.0), name, candidate))
    found.sort(key=lambda entry: -entry[0])
    return tuple((own, theirs) for _, own, theirs in found[:5])


def _check_names(table: LoadedTable, other: LoadedTable, join: JoinSpec) -> None:
    names = [name for _, name in join.columns]
    if not names:
        raise PayoffError("No column of the other file is chosen.", where=other.path)
    for name in names:
        if name in table.kinds or names.count(name) > 1:
            raise PayoffError(
                f"There is a column called '{name}' already.",
                where=other.path,
                remedy="Give the added column another name.",
            )


# ---------------------------------------------------------------- keys


def _keys_of_both(table: LoadedTable, other: LoadedTable, join: JoinSpec) -> tuple[_Keys, _Keys]:
    if _are_whole(table, other, join):
        ((mine, yours),) = join.keys
        columns = table.require_column(mine), other.require_column(yours)
        own, theirs = (_encoded(column.cast(pa.int64())) for column in columns)
        return own, theirs
    return (
        _keys(table, tuple(pair[0] for pair in join.keys), join),
        _keys(other, tuple(pair[1] for pair in join.keys), join),
    )


def _are_whole(table: LoadedTable, other: LoadedTable, join: JoinSpec) -> bool:
    """Whether a single key holds whole numbers in both files.

    These agree as numbers: their printed forms, which nothing can change, would take many times
    the memory.
    """
    if len(join.keys) != 1:
        return False
    ((mine, yours),) = join.keys
    return table.kinds.get(mine) == "integer" and other.kinds.get(yours) == "integer"


def _keys(table: LoadedTable, columns: tuple[str, ...], join: JoinSpec) -> _Keys:
    """The keys of a file; a row where any part is missing has none."""
    if len(columns) == 1 and not (join.ignores_case or join.ignores_zeros):
        as_is = _plain_keys(table, columns[0])
        if as_is is not None:
            return as_is
    parts = [_forms(table, name, join) for name in columns]
    whole = parts[0] if len(parts) == 1 else pc.binary_join_element_wise(*parts, _JOINT)
    return _encoded(whole)


def _plain_keys(table: LoadedTable, name: str) -> _Keys | None:
    """The keys of one column of texts that are their own printed forms; None for others.

    Ids mostly are: tens of millions of them are then put into a dictionary once, not twice.
    """
    if table.kinds[name] != "text":
        return None
    found = _encoded(table.require_column(name).cast(pa.string()))
    forms = printed_forms(found.forms, "text")
    return found if forms.equals(found.forms) else None


def _encoded(values: pa.ChunkedArray | pa.Array) -> _Keys:
    coded = pc.dictionary_encode(values)
    coded = coded.combine_chunks() if isinstance(coded, pa.ChunkedArray) else coded
    if isinstance(coded, pa.ChunkedArray):  # an empty column stays chunked
        return _Keys(np.empty(0, dtype=np.int64), pa.array([], coded.type.value_type))
    codes = coded.indices.cast(pa.int64()).fill_null(-1).to_numpy(zero_copy_only=False)
    return _Keys(np.asarray(codes, dtype=np.int64), coded.dictionary)


def _forms(table: LoadedTable, name: str, join: JoinSpec) -> pa.Array:
    """A key column as texts in printed form; missing = null."""
    values = table.require_column(name)
    kind = table.kinds[name]
    if kind == "integer":
        texts = pc.cast(values, pa.string())
    else:
        coded = values if pa.types.is_dictionary(values.type) else pc.dictionary_encode(values)
        coded = coded.combine_chunks()
        if isinstance(coded, pa.ChunkedArray):
            return pa.array([], type=pa.string())
        forms = printed_forms(coded.dictionary, kind)
        texts = forms.take(coded.indices)
    if isinstance(texts, pa.ChunkedArray):
        texts = texts.combine_chunks()
    texts = _loosened(texts, ignores_case=join.ignores_case, ignores_zeros=join.ignores_zeros)
    return pa.array(texts) if not isinstance(texts, pa.Array) else texts


def printed_forms(values: pa.Array, kind: str) -> pa.Array:
    """Printed forms of different values; texts that look like no number are only trimmed."""
    if kind != "text":
        return pa.array([printed(value) or None for value in values.to_pylist()], pa.string())
    trimmed = pc.utf8_trim_whitespace(values.cast(pa.string()))
    plain = np.flatnonzero(
        pc.match_substring_regex(trimmed, _PLAIN).fill_null(False).to_numpy(zero_copy_only=False)
    )
    if not len(plain):
        return pc.if_else(pc.equal(trimmed, ""), pa.scalar(None, pa.string()), trimmed)
    forms = trimmed.to_pylist()
    for place in plain:
        forms[place] = printed(forms[place])
    return pa.array([form or None for form in forms], pa.string())


def _partners(own: _Keys, theirs: _Keys) -> IntArray:
    """For each code of the data the code of the same form in the other file; -1 = none."""
    found = pc.index_in(own.forms, value_set=theirs.forms)
    return np.asarray(found.fill_null(-1).to_numpy(zero_copy_only=False), dtype=np.int64)


# ---------------------------------------------------------------- what is told


def _report(
    table: LoadedTable,
    other: LoadedTable,
    join: JoinSpec,
    own: _Keys,
    theirs: _Keys,
    partner: IntArray,
    rows: IntArray,
) -> JoinReport:
    has_key = own.codes >= 0
    is_unused = np.ones(len(theirs.forms), dtype=bool)
    is_unused[partner[partner >= 0]] = False
    repeated = np.flatnonzero(theirs.counts > 1)
    return JoinReport(
        rows=table.rows,
        other_rows=other.rows,
        matched=int((rows >= 0).sum()),
        unmatched=int((has_key & (rows < 0)).sum()),
        keyless=int((~has_key).sum()),
        unused=int(theirs.counts[is_unused].sum()),
        other_keyless=int((theirs.codes < 0).sum()),
        repeated_own=int((own.counts > 1).sum()),
        repeated_other=len(repeated),
        unmatched_examples=_examples(own, np.flatnonzero(partner < 0)),
        unused_examples=_examples(theirs, np.flatnonzero(is_unused)),
        repeated_examples=_examples(theirs, repeated),
        spellings=_spellings(table, other, join, own, rows),
        by_case=_further(own, theirs, partner, join, ignores_case=True),
        by_zeros=_further(own, theirs, partner, join, ignores_zeros=True),
        refusal=_refusal(other, join, theirs, repeated),
    )


def _examples(keys: _Keys, codes: IntArray) -> tuple[str, ...]:
    shown = keys.forms.take(pa.array(codes[:EXAMPLES], pa.int64())).cast(pa.string()).to_pylist()
    return tuple(form.replace(_JOINT, ", ") for form in shown)


def _refusal(other: LoadedTable, join: JoinSpec, theirs: _Keys, repeated: IntArray) -> str:
    """Why keys in several rows cannot be joined; nothing where the rows say the same."""
    if not len(repeated) or join.takes_first:
        return ""
    inside = np.isin(theirs.codes, repeated)
    rows = np.flatnonzero(inside)
    first = theirs.first[theirs.codes[rows]]
    for column, _ in join.columns:
        values = other.require_column(column)
        one, two = values.take(rows), values.take(first)
        same = pc.fill_null(pc.equal(one, two), False)
        both = pc.and_(pc.is_null(one), pc.is_null(two))
        if not pc.all(pc.or_(same, both)).as_py():
            return (
                f"{counted(len(repeated), 'key stands', 'keys stand')} in several rows of the "
                "file, "
                f"which differ in '{column}'."
            )
    return ""


def _spellings(
    table: LoadedTable, other: LoadedTable, join: JoinSpec, own: _Keys, rows: IntArray
) -> tuple[Spelling, ...]:
    """Matched keys that are written differently, the most frequent first."""
    matched = np.flatnonzero(rows >= 0)
    if not len(matched):
        return ()
    differs = np.zeros(len(matched), dtype=bool)
    for mine, yours in join.keys:
        left = _as_written(table, mine, matched)
        right = _as_written(other, yours, rows[matched])
        differs |= np.asarray(pc.fill_null(pc.not_equal(left, right), False))
    places = matched[differs]
    codes, counts = np.unique(own.codes[places], return_counts=True)
    order = np.argsort(-counts, kind="stable")[:EXAMPLES]
    first = own.first
    found = []
    for place in order:
        row = first[codes[place]]
        found.append(
            Spelling(
                own=_written(table, [mine for mine, _ in join.keys], int(row)),
                other=_written(other, [yours for _, yours in join.keys], int(rows[row])),
                rows=int(counts[place]),
            )
        )
    return tuple(found)


def _as_written(table: LoadedTable, name: str, rows: IntArray) -> pa.Array:
    values = table.require_column(name).take(rows)
    if pa.types.is_floating(values.type):  # a table of numbers shows 1.0 as 1
        return pa.array([cell_text(value) for value in values.to_pylist()], pa.string())
    return values.cast(pa.string()).combine_chunks()


def _written(table: LoadedTable, names: list[str], row: int) -> str:
    return ", ".join(cell_text(table.require_column(name)[row].as_py()) for name in names)


def _further(
    own: _Keys,
    theirs: _Keys,
    partner: IntArray,
    join: JoinSpec,
    *,
    ignores_case: bool = False,
    ignores_zeros: bool = False,
) -> int:
    """Rows without a partner that had one if case, or leading zeros, did not count."""
    if (ignores_case and join.ignores_case) or (ignores_zeros and join.ignores_zeros):
        return 0
    lost = np.flatnonzero(partner < 0)
    if not len(lost):
        return 0
    loosen = partial(_loosened, ignores_case=ignores_case, ignores_zeros=ignores_zeros)
    forms = own.forms.take(pa.array(lost))
    mine, yours = loosen(forms), loosen(theirs.forms)
    if mine is forms and yours is theirs.forms:
        return 0  # nothing became looser
    found = pc.is_in(mine, value_set=yours)
    return int(own.counts[lost[np.asarray(found)]].sum())


def _loosened(forms: pa.Array, *, ignores_case: bool, ignores_zeros: bool) -> pa.Array:
    """Forms in which case, or leading zeros of any part, do not count."""
    if ignores_case:
        forms = pc.utf8_lower(forms)
    if ignores_zeros and _has_leading_zeros(forms):
        forms = pc.replace_substring_regex(
            forms, pattern=rf"(^|{_JOINT})0+([0-9])", replacement=r"\1\2"
        )
    return forms


def _has_leading_zeros(forms: pa.Array) -> bool:
    """Whether any part of any form begins with 0: a look that saves most columns the rewriting."""
    is_padded = pc.or_(pc.starts_with(forms, "0"), pc.match_substring(forms, f"{_JOINT}0"))
    return bool(pc.any(is_padded).as_py())


# ---------------------------------------------------------------- likely keys


def _folded(name: str) -> str:
    return "".join(sign for sign in name.casefold() if sign.isalnum())


def _is_id_like(table: LoadedTable, name: str) -> bool:
    is_kind = table.kinds[name] in ("integer", "text")
    return is_kind and _distinct_share(table, name) > 0.9


def _distinct_share(table: LoadedTable, name: str) -> float:
    """Different values among up to 20,000 known ones."""
    head = table.table.slice(0, 20_000).column(name).drop_null()
    return len(pc.unique(head)) / len(head) if len(head) else 0.0


def _share_matched(table: LoadedTable, other: LoadedTable, own: str, theirs: str) -> float:
    """The share of up to 2,000 rows of the data with a partner."""
    step = max(1, table.rows // 2_000)
    some = table.with_rows(np.arange(0, table.rows, step, dtype=np.int64), (own,))
    join = JoinSpec(file=_NO_FILE, keys=((own, theirs),), columns=())
    mine, yours = _keys_of_both(some, other, join)
    partner = _partners(mine, yours)
    hits: BoolArray = partner[mine.codes[mine.codes >= 0]] >= 0
    return float(hits.mean()) if len(hits) else 0.0
