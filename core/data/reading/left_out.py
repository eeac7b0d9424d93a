"""Rows of a file that are no cases: totals, notes, units, what a person leaves out."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from core.data.table import RowPlaces
from core.data.text.footer import NOTE
from core.data.text.number_texts import bare_number, looks_numeric, read_number_texts
from core.document.data.model import ReaderSettings
from payoff.counting import counted
from payoff.errors import PayoffError
from payoff.types import BoolArray, FloatArray

_LOOKED_AT = 5  # rows at the end
_FEWEST_ROWS = 5  # above them, before anything at the end is taken for totals
_TOTAL = re.compile(
    r"(?:grand |sub|overall )?total(?:s|e|i|aux|en|en?wert|summa?|t)?"
    r"(?: (?:général|general|geral|complessivo|generale|général)|)|summen?|sum|somme|somma|soma|"
    r"gesamt(?:summe|ergebnis|zahl|betrag)?|insgesamt|zwischensumme|(?:eind)?totaal|suma|"
    r"suma końcowa|razem|ogółem|łącznie|summa|hovedtotal|i alt|sammanlagt|celkem|celkový součet|"
    r"součet|spolu|celkový súčet|súčet|összesen|végösszeg|yhteensä|loppusumma|summa yhteensä|"
    r"(?:genel )?toplam|итого|всего|общий итог|разом|σύνολο|ukupno|skupaj|kokku|kopā|iš viso|"
    r"合計|総計|小計|合计|总计|小计|합계|총계|"
    r"average|avg|mean|mittelwert|durchschnitt|moyenne|media|promedio|média|gemiddelde|średnia|"
    r"průměr|medelvärde|medel|gennemsnit|gjennomsnitt|átlag|keskiarvo|ortalama|среднее|"
    r"ø|σ|all|alle|ensemble|count|anzahl|nombre",
    re.IGNORECASE,
)
_GROUP = (
    r"^(?:übertrag|saldovortrag|zwischenstand|(?:brought|carried) forward|à reporter|"
    r"report à nouveau|suma y sigue|a riportare)\b.{0,30}$|"
    r"^(?:(?:grand |sub-? ?|sous-|zwischen|teil|gesamt)?(?:total|totaal|summe|somme|sum|suma)"
    r"(?:s|e|aux|en)?|(?:gesamt|teil|zwischen)?ergebnis|zwischensumme|\w{3,}summe)\b.{0,60}$|"
    r"^.{1,60}\b(?:total|totals|totaal|ergebnis|summe|gesamt|sum|average|mittelwert|moyenne)[ :]*$"
)
"""What a row of sums within a table calls itself: "Subtotal North", "Nord Ergebnis"."""
_STATISTIC = {
    "min": r"min(?:imum)?|minimo|mínimo",
    "max": r"max(?:imum)?|massimo|máximo",
    "mean": r"average|avg|mean|mittelwert|durchschnitt|moyenne|promedio|media|média|gemiddelde|ø",
    "median": r"median(?:wert)?|médiane?|mediana",
    "std": r"(?:std|st|standard|stand)\.?[ _-]?(?:dev|abw)?(?:iation|\.)?|stdev|stabw|"
    r"standardabweichung|écart[ -]type|desviación (?:estándar|típica)|deviazione standard",
    "quartile": r"\d\d?(?:th|st|nd|rd|\.)? (?:percentile|perzentil)|"
    r"(?:lower|upper|1st|3rd|first|third|unteres|oberes) quartile?",
}
"""What rows below a table hold beside sums and means; what each is called."""
_ALL_OF_THEM = re.compile(
    r"(?:total|gesamt|all|alle|ensemble|tous|toutes|todos|todas|tutti|tutte)\b.*", re.IGNORECASE
)
_MOST_SUMS = 2_000  # between the groups of a report
_REPORT_ROWS = 100_000  # a file of more is no report with sums between its groups
_PADDED = r"^\s*[+-]?0[0-9]"
_COUNT = re.compile(
    r"(?:anzahl|count|nombre|number|rows|zeilen|lignes|n)\s*[:=]\s*[\d.,' \u00a0]+", re.IGNORECASE
)
_UNIT = re.compile(
    r"[(\[]?(?:in )?(?:€|\$|£|eur|usd|gbp|chf|t€|k€|tsd\.? ?(?:€|eur)|mio\.? ?(?:€|eur)|%|percent|"
    r"prozent|years?|jahre?|months?|monate?|days?|tage?|ans|mois|jours|ja/nein|j/n|yes/no|y/n|"
    r"oui/non|0/1|1/0|text|datum|date|number|anzahl|nombre|points?|punkte)[)\]]?",
    re.IGNORECASE,
)
_RULE = re.compile(r"^[-=_]{2,}$")
_IMPORT_ID = re.compile(r'\s*\{"Import(?:Id)?":')
_FEWEST_OF_GROUP = 3  # columns, for a row with one cell to be the heading of a group
_MOST_HEADS = 5  # rows above the names on each page of a list
_SAME = 1e-6
_ROUNDED = 0.005  # of the median, by which a statistic may be rounded
_WORDS_OF_NOTE = 4  # alone in a row at the end
_SHOWN, _LONGEST = 12, 60  # rows that a message names, and letters of a label
_HEAD_ROWS = 200  # that show whether a column holds numbers
_MOST_NAMES = 3  # lines of words below the names, as survey programs write them
_FEWEST_NAMES = 2  # columns of numbers below words, for a row to speak of its columns


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptRows:
    """Which rows of a file are rows of its table.

    ``left_out`` are the others, from 0 as they stand in the file; ``words`` says why, ``totals``
    how many hold totals.
    """

    left_out: tuple[int, ...] = ()
    words: tuple[str, ...] = ()
    totals: int = 0
    decimal: str = "."

    def take(self, table: pa.Table) -> pa.Table:
        """The table as if the rows that are left out had never been in the file.

        A column that was text because of them alone is one of numbers.
        """
        if not self.left_out:
            return table
        taken = self._without(table)
        for at, name in enumerate(table.column_names):
            words = [_cell(table.column(at)[row].as_py()) for row in self.left_out]
            if any(isinstance(word, str) for word in words):
                taken = taken.set_column(at, name, _retyped(taken.column(at), self.decimal))
        return taken

    def take_columns(self, columns: dict[str, pa.ChunkedArray]) -> dict[str, pa.ChunkedArray]:
        """Columns of texts without the rows that are left out."""
        if not self.left_out or not columns:
            return columns
        table = self._without(pa.table(columns))
        return {name: table.column(name) for name in columns}

    def _without(self, table: pa.Table) -> pa.Table:
        edges = [-1, *self.left_out, table.num_rows]
        pieces = [table.slice(a + 1, b - a - 1) for a, b in pairwise(edges)]
        return pa.concat_tables([piece for piece in pieces if piece.num_rows])

    def in_settings(self, settings: ReaderSettings) -> ReaderSettings:
        """The settings that leave the same rows out again."""
        rows = tuple(row + 1 for row in self.left_out)
        return settings if settings.left_out == rows else replace(settings, left_out=rows)

    def places(self, places: RowPlaces) -> RowPlaces:
        """Where the rows that are kept stand in the file."""
        return (
            replace(places, left_out=self.left_out, totals=self.totals) if self.left_out else places
        )


def _retyped(values: pa.ChunkedArray, decimal: str) -> pa.ChunkedArray:
    """A column of texts as numbers or dates, where every cell is one: 007 is a name, no number."""
    text = values.cast(pa.string())
    if pc.any(pc.match_substring_regex(text, _PADDED)).as_py():
        return values
    text = pc.utf8_trim_whitespace(text)
    if decimal != ".":
        if pc.any(pc.match_substring(text, ".")).as_py():
            return values
        text = pc.replace_substring(text, decimal, ".")
    for kind in (pa.int64(), pa.float64(), pa.date32(), pa.timestamp("s")):
        try:
            return pc.cast(text, kind)
        except pa.ArrowInvalid:
            continue
    return values


def choose_rows(
    table: pa.Table,
    settings: ReaderSettings,
    path: str,
    line: Callable[[int], str],
    notes: int = 0,
) -> KeptRows:
    """Find the rows that are left out: those that the settings name, else totals at the end.

    Parameters
    ----------
    table : pyarrow.Table
        As read, before its columns are settled.
    settings : ReaderSettings
        ``left_out`` names data rows from 1; None = find out.
    path : str
        What messages call the file.
    line : callable
        Words for the place of a row (from 0).
    notes : int
        How many rows at the end are known to be notes, whatever they say.

    Raises
    ------
    PayoffError
        For a row that there is not, or where no row would be left.
    """
    decimal = settings.decimal or "."
    count = table.num_rows
    again = _names_again(table) if settings.left_out is None else []
    if again:
        return _between_names(table, again, settings, path, line, notes)
    below = [(row, _first_word(table, row)) for row in range(count - notes, count)]
    if settings.left_out is not None:
        rows = (*settings.left_out, *(row + 1 for row, _ in below))
        return replace(_as_reported(count, rows, path), decimal=decimal)
    cases, blank = _without_blank_end(table.slice(0, count - notes))
    if cases.num_rows <= _REPORT_ROWS:
        cases = _with_numbers(cases, settings)
    at_start, at_end = _row_at_start(cases), _rows_at_end(cases)
    cases, more = _without_blank_end(cases.slice(0, at_end[0][0] if at_end else cases.num_rows))
    blank = sorted([*blank, *more, *(row for row, label in at_end if label is None)])
    named = [(row, label) for row, label in at_end if label is not None]
    inside = _rows_inside(cases, first=len(at_start))
    headings = [] if inside else _group_headings(cases)
    found = [*at_start, *headings, *inside, *named, *below]
    words = [_in_words(found, line)] if found else []
    if blank:
        which = line(blank[0]) + (f" to {line(blank[-1])}" if blank[1:] else "")
        many = "hold nothing and are" if blank[1:] else "holds nothing and is"
        words.append(f"{counted(len(blank), 'row')} at the end {many} left out: {which}.")
    return KeptRows(
        left_out=tuple(sorted([*blank, *(row for row, _ in found)])),
        words=tuple(words),
        totals=len(inside) + sum(not label or _is_label(label) for _, label in (*at_start, *named)),
        decimal=decimal,
    )


def _between_names(
    table: pa.Table,
    again: list[int],
    settings: ReaderSettings,
    path: str,
    line: Callable[[int], str],
    notes: int,
) -> KeptRows:
    """What is left out of a list of several pages, beside the names above each of them."""
    pages = KeptRows(left_out=tuple(again), decimal=settings.decimal or ".")
    row_in_file = RowPlaces(left_out=pages.left_out).row_in_file
    kept = choose_rows(pages.take(table), settings, path, lambda row: line(row_in_file(row)), notes)
    shown = ", ".join(map(line, again[:_SHOWN])) + ", ..." * bool(again[_SHOWN:])
    count = counted(len(again), "row repeats", "rows repeat")
    is_left = "are" if again[1:] else "is"
    words = f"{count} the names of the columns or what stands above them, as pages of a list do, "
    return replace(
        kept,
        left_out=tuple(sorted([*again, *map(row_in_file, kept.left_out)])),
        words=(f"{words}and {is_left} left out: {shown}.", *kept.words),
    )


def _names_again(table: pa.Table) -> list[int]:
    """Rows that hold the names of their columns, rules below these, and page heads above them."""
    names, width = [name.strip() for name in table.column_names], table.num_columns
    if width < 2:
        return []
    rows = np.arange(table.num_rows)
    for name, column in zip(names, table.columns, strict=True):
        rows = rows[_may_be_heads(column.take(pa.array(rows)), name)]
        if not len(rows):
            return []
    found = table.take(pa.array(rows))
    cells = [[_cell(cell) for cell in found.column(at).to_pylist()] for at in range(width)]
    lines = [tuple(column[row] for column in cells) for row in range(len(rows))]
    least = max(2, (width + 1) // 2)
    named = [
        int(row)
        for row, held in zip(rows, lines, strict=True)
        if sum(cell is not None for cell in held) >= least
        and len({cell is not None and bool(_RULE.fullmatch(str(cell))) for cell in held}) == 1
    ]
    return sorted({*named, *_page_heads(table, named)})


def _may_be_heads(column: pa.ChunkedArray, name: str) -> BoolArray:
    """Which cells hold the name of their column, a rule, or nothing, (n,)."""
    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    if not pa.types.is_string(kind):
        return np.asarray(column.is_null(nan_is_null=True), dtype=np.bool_)
    text = pc.utf8_trim_whitespace(column.cast(pa.string()))
    is_head = pc.or_(pc.equal(text, name), pc.match_substring_regex(text, _RULE.pattern))
    return np.asarray(pc.fill_null(is_head, True), dtype=np.bool_)


def _page_heads(table: pa.Table, named: list[int]) -> set[int]:
    """Rows with little in them right above names that come again: "Loans, page 2", blank ones."""
    heads: dict[int, str] = {}
    for names in named:
        for row in range(names - 1, max(-1, names - 1 - _MOST_HEADS), -1):
            cells = [_cell(column[row].as_py()) for column in table.columns]
            filled = [str(cell) for cell in cells if cell is not None]
            if 2 * len(filled) > len(cells) or row in heads:
                break
            heads[row] = re.sub(r"[\d\W]+", "", " ".join(filled)).casefold()
    counts = Counter(heads.values())
    return {
        row for row, words in heads.items() if not words or counts[words] > 1 or NOTE.match(words)
    }


def _in_words(found: list[tuple[int, str]], line: Callable[[int], str]) -> str:
    """Which rows hold totals, notes or units."""
    short = [
        (row, label if len(label) <= _LONGEST else f"{label[:_LONGEST]}…")
        for row, label in ((row, " ".join(label.split())) for row, label in found)
    ]
    shown = [f"{line(row)} ('{label}')" if label else line(row) for row, label in short]
    more = f" and {counted(len(shown) - _SHOWN, 'more row')}" if len(shown) > _SHOWN else ""
    places = ", ".join(shown[:_SHOWN]) + more
    count = counted(len(found), "row holds", "rows hold")
    is_left = "is" if len(found) == 1 else "are"
    return f"{count} totals, notes or units and {is_left} left out: {places}."


def _first_word(table: pa.Table, row: int) -> str:
    """The first filled cell of a row."""
    cells = (_cell(column[row].as_py()) for column in table.columns)
    return next((str(cell) for cell in cells if cell is not None), "")


def _without_blank_end(table: pa.Table) -> tuple[pa.Table, list[int]]:
    """The table without the rows at its end that hold nothing, and which these are."""
    end = table.num_rows - _blank_rows_at_end(table)
    return table.slice(0, end), list(range(end, table.num_rows))


def _blank_rows_at_end(table: pa.Table) -> int:
    """How many rows at the end hold nothing, below at least a few that do."""
    count, looked = table.num_rows, 8
    if table.num_columns < 2 or not count:
        return 0
    while True:
        end = table.slice(max(0, count - looked))
        filled = np.flatnonzero(np.any([_is_filled(column) for column in end.columns], axis=0))
        if len(filled) or looked >= count:
            blank = end.num_rows - 1 - int(filled[-1]) if len(filled) else count
            return blank if count - blank >= _FEWEST_ROWS else 0
        looked *= 8


def _is_filled(column: pa.ChunkedArray) -> BoolArray:
    """Which cells hold something, (n,)."""
    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    if pa.types.is_string(kind):
        words = pc.utf8_trim_whitespace(column.cast(pa.string()))
        held = pc.fill_null(pc.not_equal(words, ""), False)
    else:
        held = pc.invert(column.is_null(nan_is_null=True))
    return np.asarray(held, dtype=np.bool_)


def _as_reported(rows: int, reported: tuple[int, ...], path: str) -> KeptRows:
    """The rows that the settings name."""
    wanted = sorted(set(reported))
    if wanted and not 1 <= wanted[0] <= wanted[-1] <= rows:
        wrong = wanted[0] if wanted[0] < 1 else wanted[-1]
        raise PayoffError(
            f"There is no data row {wrong} to leave out.",
            where=path,
            why=f"The file has {counted(rows, 'data row')}.",
            remedy="Name data rows from 1 on.",
        )
    if rows and len(wanted) == rows:
        raise PayoffError("All rows are to be left out.", where=path)
    return KeptRows(left_out=tuple(row - 1 for row in wanted))


def _row_at_start(table: pa.Table) -> list[tuple[int, str]]:
    """The first row, where it holds the totals of those below, or the units of its columns."""
    if table.num_rows < _FEWEST_ROWS + 1 or table.num_columns < 2:
        return []
    cells = [_cell(column.slice(0, 1).to_pylist()[0]) for column in table.columns]
    filled = [(at, cell) for at, cell in enumerate(cells) if cell is not None]
    words = [(at, cell) for at, cell in filled if isinstance(cell, str)]
    below = table.slice(1)
    units = [(at, cell) for at, cell in words if _UNIT.fullmatch(cell)]
    if len(units) == len(filled) >= 1 and all(
        not _occurrences(below.column(at), cell, below.num_rows) for at, cell in units
    ):
        return [(0, ", ".join(cell for _, cell in units))]
    for at, cell in words:
        if not _TOTAL.fullmatch(cell.rstrip(" :")):
            continue
        is_alone = not _occurrences(below.column(at), cell, below.num_rows)
        is_sum = _adds_up(below, cells, below.num_rows)
        if is_alone and (is_sum or 2 * len(filled) <= len(cells)):
            return [(0, cell)]
    if words and _is_of_all(below, cells, below.num_rows):
        return [(0, str(words[0][1]))]
    if survey := _survey_lines(table):
        return survey
    for count in range(1, _MOST_NAMES + 1):
        if table.num_rows < count + _FEWEST_ROWS:
            break
        if lines := _lines_of_words(table, count):
            lines += _sparse_line(table, count)
            return [(row, ", ".join(dict.fromkeys(line))) for row, line in enumerate(lines)]
    return []


def _survey_lines(table: pa.Table) -> list[tuple[int, str]]:
    """The questions and the ids below them that Qualtrics writes between names and answers."""
    for row in range(min(_MOST_NAMES, table.num_rows)):
        cells = [_cell(column[row].as_py()) for column in table.columns]
        filled = [str(cell) for cell in cells if cell is not None]
        if filled and all(_IMPORT_ID.match(cell) for cell in filled):
            return [(above, _first_word(table, above)) for above in range(row + 1)]
    return []


def _sparse_line(table: pa.Table, row: int) -> list[list[str]]:
    """A row of few words, none of which occurs again, below lines that are no cases: ",,,class"."""
    below = table.slice(row + 1)
    cells = [(at, _cell(column[row].as_py())) for at, column in enumerate(table.columns)]
    filled = [(at, cell) for at, cell in cells if isinstance(cell, str)]
    is_sparse = 0 < len(filled) == sum(cell is not None for _, cell in cells) <= len(cells) // 2
    if not is_sparse or any(
        _occurrences(below.column(at), cell, below.num_rows) for at, cell in filled
    ):
        return []
    return [[cell for _, cell in filled]]


def _lines_of_words(table: pa.Table, count: int) -> list[list[str]]:
    """The words of the first rows, where these are names or units of the columns; else nothing."""
    lines: list[list[str]] = []
    for row in range(count):
        cells = [(at, _cell(column[row].as_py())) for at, column in enumerate(table.columns)]
        filled = [(at, cell) for at, cell in cells if cell is not None]
        if not filled or not _are_above_numbers(table.slice(count), filled):
            return []
        lines.append([str(cell) for _, cell in filled])
    return lines


def _are_above_numbers(below: pa.Table, words: Iterable[tuple[int, object]]) -> bool:
    """Whether words are no case: most of the columns of numbers have one at their top.

    They are units or a second line of names: "mg/l" above 20.9, and none occurs again.
    """
    head, named = below.slice(0, _HEAD_ROWS), dict(words)
    if not all(isinstance(cell, str) for cell in named.values()):
        return False
    above = numbers = 0
    for at, column in enumerate(head.columns):
        cells = [cell for cell in map(_cell, column.to_pylist()) if cell is not None]
        if named.get(at) in cells:
            return False
        are_texts = len(cells) >= _FEWEST_ROWS and all(isinstance(cell, str) for cell in cells)
        is_above = are_texts and all(looks_numeric(bare_number(str(cell))) for cell in cells)
        above += is_above and at in named
        numbers += is_above or (bool(cells) and not are_texts)
    return above >= _FEWEST_NAMES and 2 * above >= numbers


def _with_numbers(table: pa.Table, settings: ReaderSettings) -> pa.Table:
    """The table with columns of amounts as numbers: 1.234,50 and € 5 are texts so far."""
    marks = settings.decimal or "", settings.thousands or ""
    for at, name in enumerate(table.column_names):
        kind = table.column(at).type
        kind = kind.value_type if pa.types.is_dictionary(kind) else kind
        read = read_number_texts("", table.column(at), *marks) if pa.types.is_string(kind) else None
        if read is not None:
            table = table.set_column(at, name, read.values)
    return table


def _rows_inside(table: pa.Table, *, first: int) -> list[tuple[int, str]]:
    """Sums between the groups of a report from a row on, in file order, each with its label.

    They add up what stands above them, or hold a label that no other row has and little beside it.
    """
    if not _FEWEST_ROWS < table.num_rows <= _REPORT_ROWS or table.num_columns < 2:
        return []
    named: dict[int, tuple[int, str]] = {}
    for at, column in enumerate(table.columns):
        for row, label in _rows_named(column):
            named.setdefault(row, (at, label))
    if not named or len(named) > min(_MOST_SUMS, table.num_rows // _FEWEST_ROWS):
        return []
    filled = np.sum([_is_filled(column) for column in table.columns], axis=0)
    usual = float(np.median(filled))
    sums = _RunningSums(table)
    found: list[tuple[int, str]] = []
    cases: set[tuple[int, str]] = set()  # labels, with their columns, of rows that are no sums
    for row in sorted(row for row in named if row >= first):
        at, label = named[row]
        if named[row] in cases:
            continue
        is_sparse = 2 * filled[row] <= usual
        is_sparse = is_sparse and _occurrences(table.column(at), label, table.num_rows) == 1
        if sums.are_in(row, is_short=bool(filled[row] < usual)) or is_sparse:
            found.append((row, label))
            sums.begin_group(row)
        else:
            cases.add(named[row])
    return [(row, label) for row, label in found if named[row] not in cases]


def _group_headings(table: pa.Table) -> list[tuple[int, str]]:
    """Rows that hold the name of a group alone, in their first cell, from the first row on.

    Two or more above groups of full rows, none of which has such a name.
    """
    if not _FEWEST_ROWS < table.num_rows <= _REPORT_ROWS or table.num_columns < _FEWEST_OF_GROUP:
        return []
    if any(_cell(column[0].as_py()) is not None for column in table.columns[1:]):
        return []
    is_rest = np.any([_is_filled(column) for column in table.columns[1:]], axis=0)
    rows = np.flatnonzero(~is_rest)
    labels = [_cell(table.column(0)[int(row)].as_py()) for row in rows]
    are_apart = bool(len(rows) > 1 and (np.diff(np.append(rows, table.num_rows)) > 1).all())
    if not are_apart or not all(isinstance(label, str) for label in labels):
        return []
    below = table.column(0).filter(pa.array(is_rest)).cast(pa.string())
    if pc.any(pc.is_in(below, value_set=pa.array(map(str, labels), pa.string()))).as_py():
        return []
    forms = {_form_of(str(cell)) for cell in below.to_pylist() if cell is not None} - {""}
    if forms >= {_form_of(str(label)) for label in labels}:
        return []  # ids of cases of which nothing else is known
    return [(int(row), str(label)) for row, label in zip(rows, labels, strict=True)]


def _form_of(cell: str) -> str:
    """A cell with its digits alike, where it has some: "C0001" is written as "C0014" is."""
    return re.sub(r"\d", "0", cell) if any(map(str.isdigit, cell)) else ""


def _rows_named(column: pa.ChunkedArray) -> Iterator[tuple[int, str]]:
    """Rows whose text is what sums between groups are called, and that text."""
    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    if not pa.types.is_string(kind):
        return
    coded = pc.dictionary_encode(column).combine_chunks()
    forms = pc.utf8_trim_whitespace(coded.dictionary)
    labels = np.asarray(pc.match_substring_regex(forms, _GROUP, ignore_case=True))
    if labels.any():
        codes = np.asarray(pc.fill_null(coded.indices, -1))
        for row in map(int, np.flatnonzero((codes >= 0) & labels[codes])):
            yield row, forms[int(codes[row])].as_py()


class _RunningSums:
    """Sums of the columns of numbers over the rows since the former totals, and over all cases."""

    def __init__(self, table: pa.Table) -> None:
        kinds = [column.type for column in table.columns]
        self._steps = [0.5 if pa.types.is_integer(kind) else 0.005 for kind in kinds]
        self._columns = [
            column.cast(pa.float64(), safe=False).to_numpy() if _is_number(column.type) else None
            for column in table.columns
        ]
        self._next = 0  # the first row that is not counted yet
        self._rows = [0, 0]  # of the group, of all
        self._sums = np.zeros((2, len(kinds)))
        self._largest = np.full((2, len(kinds)), -np.inf)

    def are_in(self, row: int, *, is_short: bool) -> bool:
        """Whether a row holds the sum of those above it, which are its group or all cases.

        One that has no cell less than others do (``is_short``) must exceed each of several rows:
        that 1 is the sum of 0 and 1 says nothing.
        """
        self._count(row)
        for at, column in enumerate(self._columns):
            value = math.nan if column is None else float(column[row])
            for which in (0, 1):
                total, rows = float(self._sums[which, at]), self._rows[which]
                is_near = abs(value - total) <= max(_SAME * abs(total), self._steps[at])
                is_larger = rows > 1 and value > self._largest[which, at]
                if total and is_near and (is_short or is_larger):
                    return True
        return False

    def begin_group(self, row: int) -> None:
        """A row of totals, which counts in no sum, ends its group."""
        self._next = row + 1
        self._rows[0], self._sums[0], self._largest[0] = 0, 0.0, -np.inf

    def _count(self, end: int) -> None:
        """Count the rows up to one that is to be looked at."""
        if end == self._next:
            return
        for at, column in enumerate(self._columns):
            piece = np.empty(0) if column is None else column[self._next : end]
            piece = piece[~np.isnan(piece)]
            self._sums[:, at] += piece.sum()
            self._largest[:, at] = np.maximum(self._largest[:, at], piece.max(initial=-np.inf))
        self._rows = [rows + end - self._next for rows in self._rows]
        self._next = end


def _is_number(kind: pa.DataType) -> bool:
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind))


def _rows_at_end(table: pa.Table) -> list[tuple[int, str | None]]:
    """Totals, notes and blank rows at the end, in file order, each with its label.

    The label of sums without a name is empty, that of a blank row None.
    """
    count = table.num_rows
    if count < _FEWEST_ROWS + 1 or table.num_columns < 2:
        return []
    start = max(_FEWEST_ROWS, count - _LOOKED_AT)
    end = table.slice(start).to_pydict()
    cells = [[_cell(end[name][at]) for name in end] for at in range(count - start)]
    found: list[tuple[int, str | None]] = []
    for at in range(len(cells) - 1, -1, -1):
        is_blank = _is_blank(cells[at])
        label = None if is_blank else _label_of(table, cells[at], start + at)
        if label is None and not is_blank:
            break
        found.append((start + at, label))
    while found and found[-1][1] is None:
        found.pop()
    return found[::-1]


def _cell(value: object) -> object:
    """A cell's value; blank text and NaN are nothing."""
    if isinstance(value, str):
        return value.strip() or None
    return None if isinstance(value, float) and math.isnan(value) else value


def _is_blank(cells: list[object]) -> bool:
    return all(cell is None for cell in cells)


def _label_of(table: pa.Table, cells: list[object], row: int) -> str | None:
    """What a row at the end calls itself; None where it may be a case."""
    filled = [cell for cell in cells if cell is not None]
    words = [(at, cell) for at, cell in enumerate(cells) if isinstance(cell, str)]
    labels = [(at, cell) for at, cell in words if _is_label(cell)]
    if len(filled) == 1 and words and table.num_columns > 2:
        at, cell = words[0]
        is_sentence = len(cell.split()) >= _WORDS_OF_NOTE
        if NOTE.fullmatch(cell) or (is_sentence and not _occurrences(table.column(at), cell, row)):
            return cell
    if words and (_is_statistic(table, cells, row) or _is_of_all(table, cells, row)):
        return words[0][1]
    is_sum = _adds_up(table, cells, row)
    if labels:
        at, label = labels[0]
        is_sparse = 2 * len(filled) <= len(cells)
        is_alone = _occurrences(table.column(at), label, row) == 0
        is_sum = is_sum or (
            bool(_TOTAL.fullmatch(label.rstrip(" :"))) and _has_gap(table, cells, row)
        )
        return label if is_alone and (is_sum or is_sparse) else None
    is_bare = not words and is_sum and 2 * len(filled) <= len(cells)
    return "" if is_bare else None


def _has_gap(table: pa.Table, cells: list[object], row: int) -> bool:
    """Whether a cell is empty below a column that is full: amounts with a sign are texts here."""
    return row >= _FEWEST_ROWS and any(
        cell is None and not table.column(at).slice(0, row).null_count
        for at, cell in enumerate(cells)
    )


def _is_label(cell: str) -> bool:
    """Whether a cell names totals, or counts rows: "Summe:", "Anzahl: 200"."""
    return bool(_TOTAL.fullmatch(cell.rstrip(" :")) or _COUNT.fullmatch(cell))


def _occurrences(column: pa.ChunkedArray, label: str, row: int) -> int:
    """How often a label stands in the rows above: a class is no label of totals."""
    above = column.slice(0, row).cast(pa.string())
    return int(pc.sum(pc.equal(pc.utf8_trim_whitespace(above), label)).as_py() or 0)


def _is_statistic(table: pa.Table, cells: list[object], row: int) -> bool:
    """Whether the first text of a row names a statistic, and its numbers may be just that."""
    at, label = next((at, cell) for at, cell in enumerate(cells) if isinstance(cell, str))
    words = label.strip(" :").casefold()
    named = [what for what, form in _STATISTIC.items() if re.fullmatch(form, words)]
    if named and _occurrences(table.column(at), label, row):
        return False
    found = [
        _may_be_statistic(named[0], number, above)
        for number, above, _ in (_beside_those_above(table, cells, row) if named else ())
        if np.ptp(above)
    ]
    return bool(found) and all(found)


def _may_be_statistic(what: str, number: float, above: FloatArray) -> bool:
    """Whether a number is about as large as a statistic of those above it."""
    low, early, middle, late, high = np.quantile(above, [0.0, 0.4, 0.5, 0.6, 1.0])
    mean, spread = float(np.mean(above)), float(np.std(above))
    least, most = {
        "min": (low, low),
        "max": (high, high),
        "mean": (mean - spread / 4, mean + spread / 4),  # least and largest may stand above it
        "median": (early, late),
        "std": (0.8 * spread, 1.2 * spread),
        "quartile": (low, high),
    }[what]
    slack = _ROUNDED * abs(middle)
    return bool(least - slack <= number <= most + slack)


def _is_of_all(table: pa.Table, cells: list[object], row: int) -> bool:
    """Whether a row holds sums of all others that exceed each: in two columns, or named so."""
    words = next(str(cell) for cell in cells if isinstance(cell, str))
    sums = sum(
        number > above.max(initial=0.0) and _is_sum(number, above, step)
        for number, above, step in _beside_those_above(table, cells, row)
    )
    return sums > 1 or (sums == 1 and bool(_ALL_OF_THEM.fullmatch(words)))


def _beside_those_above(
    table: pa.Table, cells: list[object], row: int
) -> Iterator[tuple[float, FloatArray, float]]:
    """Each number of a row with those above it, and what it may be off by."""
    for name, cell in zip(table.column_names, cells, strict=True):
        kind = table.column(name).type
        if cell is None or not _is_number(kind):
            continue
        above = table.column(name).slice(0, row).cast(pa.float64(), safe=False).to_numpy()
        above = above[~np.isnan(above)]
        if len(above):
            yield float(str(cell)), above, 0.5 if pa.types.is_integer(kind) else 0.005


def _is_sum(number: float, above: FloatArray, step: float) -> bool:
    with np.errstate(over="ignore"):
        total = float(np.sum(above))
    is_known = bool(total) and math.isfinite(total)
    return is_known and abs(number - total) <= max(_SAME * abs(total), step)


def _adds_up(table: pa.Table, cells: list[object], row: int) -> bool:
    """Whether a number of the row is the sum or mean of those above."""
    for number, above, step in _beside_those_above(table, cells, row):
        with np.errstate(over="ignore"):
            total = float(np.sum(above))
        if not total or not math.isfinite(total):
            continue
        mean = total / len(above)
        near_sum = _is_sum(number, above, step)
        near_mean = abs(number - mean) <= _SAME * abs(mean) + 1e-4
        if near_sum or (near_mean and np.ptp(above) > 0):
            return True
    return False
