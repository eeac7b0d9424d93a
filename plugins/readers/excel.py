"""Excel workbooks: the values of one sheet. Formulas, formats and macros are never run."""

from __future__ import annotations

import datetime
import re
import zipfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from payoff import (
    Found,
    OpenedTable,
    PayoffError,
    ReaderForm,
    ReadRequest,
    TableReader,
    cell_words,
    column_from_cells,
)
from payoff.counting import counted
from payoff.name_lines import names_of_index, names_stand_below
from payoff.readers import marks_beside
from plugins.readers.excel_areas import area_named, find_areas
from plugins.readers.excel_notes import sheet_currencies, sheet_notes
from plugins.readers.excel_size import check_workbook

_BATCH = 50_000
_LOOKED_AT = 200
_DAY = re.compile(r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4}")
_COUNTING = re.compile(
    r"(?:\A|[\W_])(?:id|no|nr|num|number|nummer|row|index|key|lp|pos|obs|case|rank|name)s?\.?\Z|id\Z|#|nr\.?\Z",
    re.IGNORECASE,
)
_MUCH_LARGER = 10  # a table than lists of its codes and fields
_LISTS = re.compile(
    r"read[ _-]?me|\b(?:info|legende?|codes?|codebook|dictionary|lookups?|glossar|glossary|notes?|"
    r"notizen|hinweise?|fields?|felder|variables|variablen|metadata|schlüssel|description|"
    r"beschreibung|definitions?|definitionen|parameters?|instructions|lisez[ -]?moi|légende)\b",
    re.IGNORECASE,
)
Row = list[Any]


@dataclass(frozen=True, slots=True)
class _OfSheet:
    """What a sheet says beside its values."""

    notes: list[str]
    merged: list[int]  # the last row of each merged stretch, from 0
    money: dict[int, str]  # signs of money, by column


def _open(request: ReadRequest) -> OpenedTable:
    """Open one sheet of a workbook."""
    from python_calamine import CalamineError, CalamineWorkbook

    path = request.path
    try:
        check_workbook(path)
        with CalamineWorkbook.from_path(path) as book:
            sheets = _sheets_with_cells(book)
            name, found = _choose(book, sheets, request)
            sheet = book.get_sheet_by_name(name)
            rows: list[Row] = sheet.to_python(skip_empty_area=False)
            part, rows, areas = _table_on_sheet(rows, name, sheets, request, found)
            notes = sheet_notes(path, name) if request.first_rows is None or rows else []
            money = sheet_currencies(path, name)
            merged = [last for _, (last, _) in sheet.merged_cell_ranges or ()]
    except PayoffError:
        raise
    except (CalamineError, OSError, zipfile.BadZipFile, ValueError) as error:
        raise PayoffError(
            "The workbook cannot be opened.",
            where=path,
            why=f"{str(error) or type(error).__name__}.",
            remedy="Open it in Excel and save it again; a workbook with a password stays shut.",
        ) from None
    area = area_named(part.rpartition("!")[2])
    money = {at - area.left: sign for at, sign in money.items()} if area is not None else money
    facts = _OfSheet(notes, merged, money)
    return _table_of(rows, part, (*sheets, *areas), found, facts, request)


def _table_on_sheet(
    rows: list[Row], name: str, sheets: list[str], request: ReadRequest, found: list[Found]
) -> tuple[str, list[Row], tuple[str, ...]]:
    """The part that is read of a sheet with several tables, its cells, and all such parts.

    A sheet by its own name is read whole.
    """
    areas = find_areas(rows)
    names = tuple(f"{name}!{area.name}" for area in areas)
    if request.part is not None:
        area = None if request.part in sheets else area_named(request.part.rpartition("!")[2])
        return request.part, rows if area is None else area.cut(rows), names
    if not areas:
        return name, rows, ()
    count = counted(len(areas), "table")
    reason = f"the largest of {count} on sheet '{name}'; the sheet by its name is read whole"
    found[:] = [entry for entry in found if entry.setting != "part" or not entry.is_certain]
    found.append(Found(setting="part", value=names[0], reason=reason))
    return names[0], areas[0].cut(rows), names


def _sheets_with_cells(book: Any) -> list[str]:
    """Names of the sheets that hold anything, visible ones first."""
    from python_calamine import SheetTypeEnum, SheetVisibleEnum

    shown: list[str] = []
    hidden: list[str] = []
    for entry in book.sheets_metadata:
        if entry.typ == SheetTypeEnum.WorkSheet and book.get_sheet_by_name(entry.name).height:
            (shown if entry.visible == SheetVisibleEnum.Visible else hidden).append(entry.name)
    return shown + hidden


def _is_visible(book: Any, name: str) -> bool:
    from python_calamine import SheetVisibleEnum

    shown = (
        entry.name for entry in book.sheets_metadata if entry.visible == SheetVisibleEnum.Visible
    )
    return name in shown


def _choose(book: Any, sheets: list[str], request: ReadRequest) -> tuple[str, list[Found]]:
    """The sheet that is read: the only one with a table; which of several is asked."""
    if request.part is not None:
        if request.part in sheets:
            return request.part, []
        sheet, _, area = request.part.rpartition("!")
        if sheet in sheets and area_named(area) is not None:
            return sheet, []
        raise PayoffError(
            f"The workbook has no sheet '{request.part}' with anything in it.",
            where=request.path,
            why=f"It has {', '.join(sheets[:12]) or 'empty sheets only'}.",
        )
    if not sheets:
        raise PayoffError("The workbook has no sheet with anything in it.", where=request.path)
    if len(sheets) == 1:
        reason = "the only sheet with anything in it"
        return sheets[0], [Found(setting="part", value=sheets[0], reason=reason)]
    shapes = {name: _shape_of_table(book.get_sheet_by_name(name)) for name in sheets}
    tables = [name for name in sheets if shapes[name]]
    hidden = [name for name in tables if not _is_visible(book, name)]
    listed = ", ".join(sheets[:8])
    if len(tables) == 1:
        reason = f"the only one of {counted(len(sheets), 'sheet')} ({listed}) that holds a table"
        return tables[0], [Found(setting="part", value=tables[0], reason=reason)]
    if len(tables) - len(hidden) == 1:
        count = counted(len(hidden), "sheet")
        reason = f"the only visible sheet with a table; {count} with one is hidden: "
        reason = reason.replace(" is ", " are ") if hidden[1:] else reason
        words = f"{reason}{', '.join(hidden[:8])}"
        return tables[0], [Found(setting="part", value=tables[0], reason=words)]
    largest = max(tables or sheets, key=lambda name: shapes[name])
    others = [name for name in tables if name != largest]
    are_lists = all(
        _LISTS.search(name) and _MUCH_LARGER * shapes[name] <= shapes[largest] for name in others
    )
    if others and are_lists:
        reason = f"the other sheets ({', '.join(others[:8])}) explain it, by their names"
        return largest, [Found(setting="part", value=largest, reason=reason)]
    reason = f"the workbook has {counted(len(sheets), 'sheet')}: {listed}"
    return largest, [Found(setting="part", value=largest, reason=reason, is_certain=False)]


def _shape_of_table(sheet: Any) -> int:
    """Cells of a sheet whose first rows look like a table; 0 for a cover, a chart or notes."""
    rows: list[Row] = sheet.to_python(skip_empty_area=False, nrows=_LOOKED_AT)
    counts = [count for row in rows if (count := _filled(row))]
    wide = [count for count in counts if count >= 2]
    if len(wide) < 3 or 2 * len(wide) < len(counts):
        return 0
    usual = Counter(wide).most_common(1)[0][0]
    alike = sum(2 * count > usual for count in wide)
    return int(sheet.height * usual) if 2 * alike >= len(counts) else 0


def _table_of(
    rows: list[Row],
    name: str,
    sheets: tuple[str, ...],
    found: list[Found],
    facts: _OfSheet,
    request: ReadRequest,
) -> OpenedTable:
    """Find header and data among the rows of the sheet."""
    where = f"{request.path}, sheet {name}"
    top = request.skip_lines or _first_row(rows, found)
    body = rows[top:]
    while body and not _filled(body[-1]):
        body.pop()
    if not body:
        raise PayoffError("The sheet is empty from there on.", where=f"{where}, row {top + 1}")
    has_header = request.has_header
    if has_header is None:
        has_header = _judge_header(body, top + 1, found)
    is_title = request.has_header is None and (_is_title(body) or _is_less_than_names(body))
    if is_title or (has_header and request.has_header is None and _are_questions(body)):
        top, body, has_header = top + 1, body[1:], True
        what = "a title" if is_title else "the questions"
        reason = f"row {top} holds {what} above the names"
        found.append(Found(setting="skip_lines", value=str(top), reason=reason))
    header = body[0] if has_header else []
    data = body[1:] if has_header else body
    above = rows[top - 1] if has_header and top else []
    index = names_of_index(_texts(header), _texts(data[0])) if header and data else []
    if index:
        header, data, body = index, data[1:], body[1:]
        top += 1
    if not data:
        raise PayoffError("The sheet has a header and no data rows.", where=where)
    used = _used_columns(header, data)
    notes = facts.notes
    merged = sum(last >= top + has_header for last in facts.merged)
    if merged:
        notes.append(
            f"Sheet '{name.rpartition('!')[0] or name}' has "
            f"{counted(merged, 'merged stretch', 'merged stretches')} among its rows: only the "
            "first cell of one has the value."
        )
    if has_header:
        names = tuple(cell_words(header[at]).strip() for at in used)
        names = _moved(names, [[row[at] for row in data] for at in (used[0], used[-1])], notes)
    else:
        names = tuple(f"column_{at + 1}" for at in used)
    cells = ([row[at] for row in data] for at in used)
    marks = marks_beside(names, request.missing_marks, cells)
    blank = sum(not _filled(row) for row in data)
    if blank:
        what = counted(blank, "blank row", "blank rows")
        notes.append(f"{what} of sheet '{name}' {'is' if blank == 1 else 'are'} passed over.")
        data = [row for row in data if _filled(row)]
    return OpenedTable(
        columns=names,
        batches=_batches(data, used, replace(request, missing_marks=marks)),
        rows=len(data),
        first_line=0 if blank else top + 1 + has_header,
        part=name,
        parts=sheets,
        found=tuple(found),
        notes=notes,
        currencies=[facts.money.get(at, "") for at in used],
        headings=[cell_words(above[at]).strip() for at in used] if above else (),
    )


def _batches(rows: list[Row], used: Sequence[int], request: ReadRequest) -> Iterator[list[Any]]:
    """Columns of some thousand rows at a time."""
    count = len(rows) if request.first_rows is None else min(len(rows), request.first_rows)
    for start in range(0, count, _BATCH):
        part = rows[start : min(count, start + _BATCH)]
        yield [column_from_cells([row[at] for row in part], request.missing_marks) for at in used]


def _filled(row: Row) -> int:
    """How many cells of a row hold anything."""
    return sum(cell != "" for cell in row)


def _used_columns(header: Row, data: list[Row]) -> list[int]:
    """Columns with a name or a value."""
    width = len(data[0])
    return [
        at
        for at in range(width)
        if (header and header[at] != "") or any(row[at] != "" for row in data)
    ]


def _first_row(rows: list[Row], found: list[Found]) -> int:
    """The first row of the table: as many filled cells as most rows have, and so the next."""
    counts = [_filled(row) for row in rows[:_LOOKED_AT]]
    usual = Counter(count for count in counts if count).most_common(1)
    enough = 0.75 * usual[0][0] if usual else 1
    top = next(
        (
            at
            for at, count in enumerate(counts)
            if count >= enough
            and (at + 1 >= len(counts) or counts[at + 1] >= 0.5 * enough or _are_names(rows, at))
        ),
        0,
    )
    top -= top > 0 and _lacks_first(rows[top - 1], rows[top])
    above = sum(count > 0 for count in counts[:top])
    if above:
        reason = f"{counted(above, 'row has', 'rows have')} fewer cells than the table below"
        found.append(Found(setting="skip_lines", value=str(top), reason=reason, is_certain=False))
    return top


def _lacks_first(names: Row, below: Row) -> bool:
    """Whether a row names all columns of the one below it but the first: its index has no name."""
    used = [at for at, cell in enumerate(below) if cell != ""]
    words = [names[at] for at in used[1:]]
    is_whole = len(words) > 1 and all(isinstance(cell, str) and cell != "" for cell in words)
    has_numbers = any(not isinstance(below[at], str) for at in used)
    return is_whole and names[used[0]] == "" and len(set(words)) == len(words) and has_numbers


def _are_names(rows: list[Row], at: int) -> bool:
    """Whether words stand above a row with little in it, of a group or a case, and a full one.

    Several such rows where each column has a word of its own: numbers begin later in all of them.
    """
    below = rows[at + 2 : at + 3] if _filled(rows[at + 1]) else []
    words = [cell for cell in rows[at] if isinstance(cell, str) and cell != ""]
    if len(words) < _filled(rows[at]):
        return False
    is_each_another = len(words) == len(rows[at]) == len(set(words)) and _filled(rows[at + 1]) > 1
    return is_each_another or any(2 * _filled(row) > len(words) for row in below)


def _is_title(body: list[Row]) -> bool:
    """Whether the first row, which has gaps, holds days, and a full row of words is below it."""
    if len(body) < 4:
        return False
    has_days = any(
        isinstance(cell, datetime.date) or (isinstance(cell, str) and _DAY.fullmatch(cell.strip()))
        for cell in body[0]
    )
    names = body[1]
    are_words = all(isinstance(cell, str) and cell != "" for cell in names)
    is_named = are_words and len(set(names)) == len(names)
    below = any(cell != "" and not isinstance(cell, str) for cell in body[2])
    return has_days and "" in body[0] and is_named and below


def _is_less_than_names(body: list[Row]) -> bool:
    """Whether the first row only counts the columns, or groups them, and the next names them."""
    if len(body) < 5 or not names_stand_below(_texts(body[0]), _texts(body[1])):
        return False
    below = [row for row in body[3:50] if _filled(row)]
    are_words = all(isinstance(cell, str) for row in body[:2] for cell in row)
    return are_words and any(
        name != "" and below and all(isinstance(row[at], float | int) for row in below)
        for at, name in enumerate(body[1])
    )


def _texts(row: Row) -> list[str]:
    return [cell_words(cell).strip() for cell in row]


def _moved(names: tuple[str, ...], ends: list[list[Any]], notes: list[str]) -> tuple[str, ...]:
    """Names one place further right, where R left out that of the row names in front.

    Only the last column has none, and the first, called otherwise than an id, numbers the rows.
    ``ends`` holds the cells of both. Row names that are words are only told.
    """
    first, last = ends
    is_short = len(names) > 2 and names[-1] == "" and all(names[:-1]) and "" not in last
    if not is_short or "" in first or _COUNTING.search(names[0]) or len(first) < 3:
        return names
    if first == [*range(1, len(first) + 1)] or first == [*range(len(first))]:
        notes.append(
            f"The last column has no name and the first, below '{names[0]}', numbers the rows: the "
            "names are moved one place to the right, as R writes row names without one."
        )
        return ("row_name", *names[:-1])
    if len(set(first)) == len(first) and all(isinstance(cell, str) for cell in first):
        notes.append(
            f"The last column has no name, and each row has a text of its own below '{names[0]}': "
            "if these are row names of R, all names belong one place to the right. Then call the "
            "columns otherwise in the import settings."
        )
    return names


def _are_questions(body: list[Row]) -> bool:
    """Whether the first row has questions, and the next what could be answered, as surveys do.

    Answers stand below blanks, and blanks where every row below holds something, numbers too.
    """
    if len(body) < 5:
        return False
    blank = [at for at, cell in enumerate(body[1]) if cell == ""]
    words = [cell for cell in body[1] if cell != ""]
    is_asked = body[0][0] != "" and "" in body[0]
    if not (is_asked and blank and words and all(isinstance(cell, str) for cell in words)):
        return False
    below = [row for row in body[2:_LOOKED_AT] if _filled(row)]
    are_full = all(row[at] != "" for row in below for at in blank)
    has_numbers = any(isinstance(row[at], float | int) for row in below[:1] for at in blank)
    is_whole = all(a != "" or b != "" for a, b in zip(*body[:2], strict=True))
    return bool(below) and is_whole and are_full and has_numbers


def _judge_header(body: list[Row], line: int, found: list[Found]) -> bool:
    """Whether the first row holds names."""
    first = [cell for cell in body[0] if cell != ""]
    later = [cell for row in body[1:50] for cell in row if cell != ""]
    if _names_numbers(body):
        is_header, certain = True, True
        reason = f"row {line} holds words where the rows below hold numbers"
    elif any(not isinstance(cell, str) for cell in first):
        is_header, certain = False, False
        reason = f"row {line} holds numbers or dates, so it is data"
    elif any(not isinstance(cell, str) for cell in later):
        is_header, certain = True, True
        reason = f"row {line} holds words only, the rows below hold numbers"
    else:
        is_header, certain = not set(first) & set(later), False
        reason = f"all cells are words; row {line} is taken " + (
            "as names" if is_header else "as data"
        )
    value = "yes" if is_header else "no"
    found.append(Found(setting="has_header", value=value, reason=reason, is_certain=certain))
    return is_header


def _names_numbers(body: list[Row]) -> bool:
    """Whether words stand above two columns of numbers or more, and whole numbers above others."""
    others = [cell for cell in body[0] if not isinstance(cell, str)]
    are_whole = all(isinstance(cell, int | float) and cell == int(cell) for cell in others)
    if not others or len(body) < 3 or not are_whole:
        return False
    words = 0
    for at, name in enumerate(body[0]):
        below = [row[at] for row in body[1:50] if row[at] != ""]
        are_numbers = bool(below) and not any(isinstance(cell, str) for cell in below)
        words += are_numbers and isinstance(name, str) and name != ""
    return words > 1


def _example(folder: str) -> str:
    import xlsxwriter

    path = str(Path(folder) / "cases.xlsx")
    with xlsxwriter.Workbook(path) as book:
        sheet = book.add_worksheet("Cases")
        for at, row in enumerate((("id", "score", "y"), ("007", 0.25, 0), ("008", 0.75, 1))):
            sheet.write_row(at, 0, row)
    return path


EXCEL = TableReader(
    id="excel",
    label="Excel workbook",
    help="The values of one sheet, as last calculated; formulas and macros are never run.",
    form=ReaderForm.COLUMNS,
    suffixes=(".xlsx", ".xlsm"),
    marks=(b"PK\x03\x04",),
    open=_open,
    settings=("part", "has_header", "skip_lines", "missing_marks"),
    part_word="sheet",
    example=_example,
    reference="ECMA-376, Office Open XML",
)
