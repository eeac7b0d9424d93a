"""Whether a table has a header line, and which of its first lines it is."""

from __future__ import annotations

from core.data.text.number_marks import looks_numeric
from core.data.text.number_texts import bare_number
from core.data.text.records import Record
from core.document.data.model import ReaderSettings
from core.document.data.results import ReaderFinding


def find_header(
    reader: ReaderSettings,
    table: list[Record],
    before: Record | None,
    width: int,
    findings: list[ReaderFinding],
) -> tuple[Record | None, list[Record], str]:
    """Find the header.

    Parameters
    ----------
    reader : ReaderSettings
    table : list of Record
        Records from the first of full width on.
    before : Record, optional
        The record in front of them.
    width : int
        Fields of the table's rows.
    findings : list of ReaderFinding
        Gets the finding on the header.

    Returns
    -------
    header, rows, note
        The header record or None, the data records, and "short" when the header has one name less
        than the rows have fields.
    """
    is_short = before is not None and before.width == width - 1
    if reader.has_header is not None:
        return _as_reported(reader, table, before if is_short else None, width)
    if before is not None and is_short and _is_all_words(before):
        _show_message(findings, "yes", "it has one name less than the rows have fields")
        return before, table, "short"
    has_header = _judge(table, findings)
    return (table[0], table[1:], "") if has_header else (None, table, "")


def _as_reported(
    reader: ReaderSettings, table: list[Record], before: Record | None, width: int
) -> tuple[Record | None, list[Record], str]:
    """The header where the user says that there is one, or none."""
    if not reader.has_header:
        return None, table, ""
    if before is not None and before.line > reader.skip_lines:
        return before, table, "short"
    return table[0], table[1:], "short" if table[0].width == width - 1 else ""


def _judge(table: list[Record], findings: list[ReaderFinding]) -> bool:
    """Whether the first record is a header, by what it and the records below hold."""
    first = table[0]
    numeric = sum(_is_number(cell) for cell in first.fields)
    if numeric == first.width:
        words = f"line {first.line} holds only numbers: kept as data; please check"
        return _show_message(findings, "no", words, is_certain=False)
    if numeric:
        words = f"line {first.line} holds numbers among its cells, so it is data"
        return _show_message(findings, "no", words, is_certain=numeric > 1)
    if len(table) == 1:
        return _show_message(findings, "yes", f"line {first.line} holds words only")
    if any(_is_number(cell) for record in table[1:50] for cell in record.fields):
        words = f"line {first.line} holds words only, the lines below hold numbers"
        return _show_message(findings, "yes", words)
    later = {cell for record in table[1:] for cell in record.fields}
    if len(set(first.fields)) == first.width and not later & set(first.fields):
        words = f"all cells are words; those of line {first.line} occur nowhere else"
        return _show_message(findings, "yes", words, is_certain=len(table) > 20)
    words = f"all cells are words; those of line {first.line} occur in other lines too"
    return _show_message(findings, "no", words, is_certain=False)


def _show_message(
    findings: list[ReaderFinding], value: str, reason: str, *, is_certain: bool = True
) -> bool:
    """Add the finding on the header; True for "yes"."""
    findings.append(
        ReaderFinding(setting="has_header", value=value, reason=reason, is_certain=is_certain)
    )
    return value == "yes"


def _is_number(cell: bytes) -> bool:
    return looks_numeric(bare_number(cell.decode("utf-8", "replace")))


def _is_all_words(record: Record) -> bool:
    """No cell is a number and none is empty."""
    return all(cell.strip() and not _is_number(cell) for cell in record.fields)
