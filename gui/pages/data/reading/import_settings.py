"""The settings of the import dialog: what each is called, its choices, and when it is asked."""

from __future__ import annotations

import codecs
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QVBoxLayout

from core.document.data.model import ReaderSettings
from core.document.data.results import PreviewResult, ReaderFinding
from core.document.markup import joined, tag
from core.questions.fields import FieldKind, FormField
from core.questions.suggestions import choices_from
from gui.widgets import Card, RichLabel
from gui.widgets.card_column import CardColumn, scrolling
from gui.widgets.fields.form import Form, FormRow
from gui.widgets.fields.text_field import focused_field

FOUND = "\0found"
FIELD = 178  # pixels
OF_PARQUET = "A Parquet file says this itself."
MOST_LINES = 10_000  # that can be skipped
TEXT_FORMATS = ("delimited", "fixed_width", "libsvm")

FORMATS = (
    ("delimited", "Delimited text"),
    ("fixed_width", "Fixed width"),
    ("libsvm", "LibSVM text"),
)
DELIMITERS = ((",", "Comma ,"), (";", "Semicolon ;"), ("\t", "Tab"), ("|", "Bar |"), (" ", "Space"))
QUOTES = (('"', 'Double "'), ("'", "Single '"), ("", "None"))
DECIMALS = ((".", "Point 0.5"), (",", "Comma 0,5"))
THOUSANDS = (
    ("", "None"),
    (",", "Comma 1,234"),
    (".", "Point 1.234"),
    (" ", "Space 1 234"),
    ("'", "Apostrophe 1'234"),
    ("\u202f", "Narrow space"),
    ("\u00a0", "No-break space"),
)
DATES = (("dmy", "Day, month, year"), ("mdy", "Month, day, year"), ("text", "Keep as text"))
ENCODINGS = (
    ("utf-8", "UTF-8"),
    ("utf-8-sig", "UTF-8 with mark"),
    ("utf-16", "UTF-16"),
    ("cp1252", "Windows 1252 (Western)"),
    ("cp1250", "Windows 1250 (Central)"),
    ("cp1251", "Windows 1251 (Cyrillic)"),
    ("cp1253", "Windows 1253 (Greek)"),
    ("cp1254", "Windows 1254 (Turkish)"),
    ("cp1257", "Windows 1257 (Baltic)"),
    ("iso-8859-1", "Latin 1"),
    ("iso-8859-2", "Latin 2 (Central)"),
    ("iso-8859-15", "Latin 9 (€)"),
)
_WITH_ORDER = re.compile(r"(utf)-(16|32)-[lb]e")  # of bytes, which the mark says


HEADERS = (("yes", "Column names"), ("no", "Data"))
REPEATED = (("yes", "Number them: name_2"),)
LABELS = (("no", "Codes as they are"), ("yes", "Their labels"))


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting: field of ``ReaderSettings``, caption, choices; ``is_requested``: must be
    answered where what was found is not certain.
    """

    key: str
    caption: str
    choices: tuple[tuple[str, str], ...]
    is_requested: bool = False


SETTINGS = (
    Setting("format", "The file is", FORMATS),
    Setting("part", "Sheet", (), is_requested=True),
    Setting("delimiter", "Columns are parted by", DELIMITERS, is_requested=True),
    Setting("quote", "Texts are quoted by", QUOTES),
    Setting("decimal", "Decimal sign", DECIMALS, is_requested=True),
    Setting("thousands", "Thousands sign", THOUSANDS),
    Setting("date_order", "Dates are written", DATES, is_requested=True),
    Setting("encoding", "Encoding", ENCODINGS),
    Setting("has_header", "The first line holds", HEADERS),
    Setting("rename_repeated", "Names that occur again", REPEATED, is_requested=True),
    Setting("use_labels", "Columns with labels show", LABELS),
)
_FLAGS = ("has_header", "use_labels", "rename_repeated")
#: Settings that are offered only where the file gives reason to.
_ONLY_FOUND = ("use_labels", "rename_repeated")


def _found_words(setting: Setting, value: str) -> str:
    """What was found as the list calls it; encodings have several names, some are not listed."""
    if setting.key != "encoding":
        return dict(setting.choices).get(value, value)
    ordered = _WITH_ORDER.fullmatch(value)
    if ordered is not None:
        return f"UTF-{ordered[2]}"
    wanted = codecs.lookup(value).name
    named = (words for code, words in ENCODINGS if codecs.lookup(code).name == wanted)
    return next(named, value.upper())


def described_settings_of(reader: ReaderSettings) -> dict[str, Any]:
    """Return what settings say, field by field; ``FOUND`` where the program is to find out."""
    described: dict[str, Any] = {setting.key: _given(reader, setting.key) for setting in SETTINGS}
    described["skip_lines"] = reader.skip_lines or None
    described["widths"] = ", ".join(str(width) for width in reader.widths)
    described["missing_marks"] = ", ".join(filter(None, reader.missing_marks))
    return described


def settings_of(described: Mapping[str, Any], before: ReaderSettings) -> ReaderSettings:
    """Return the settings as the fields say; None where the program is to find out.

    A format that is no text is kept; one of text only if it was chosen.
    """
    given = {setting.key: described[setting.key] for setting in SETTINGS}
    texts = {key: None if value == FOUND else value for key, value in given.items()}
    flags = {key: None if texts[key] is None else texts[key] == "yes" for key in _FLAGS}
    kept = None if before.format in TEXT_FORMATS else before.format
    widths = read_widths(described["widths"])
    others: dict[str, Any] = {
        "format": texts["format"] or kept,
        "skip_lines": int(described["skip_lines"] or 0),
        "widths": before.widths if isinstance(widths, str) else widths,
        "missing_marks": ("", *_marks(described)),
    }
    return replace(before, **{**texts, **flags, **others})


def setting_fields(
    described: Mapping[str, Any], preview: PreviewResult | None
) -> tuple[FormField, ...]:
    """Return a field for every setting that the format obeys, with what was found and why."""
    return (
        *(_choice_field(setting, described[setting.key], preview) for setting in SETTINGS),
        *_own_fields(described, preview),
    )


def _choice_field(setting: Setting, value: str, preview: PreviewResult | None) -> FormField:
    key, finding = setting.key, _finding(preview, setting.key)
    is_open = _is_open(setting, value, finding, preview)
    words = dict(setting.choices)
    if key == "part" and preview is not None:
        words |= {part: part for part in preview.parts}
    if value != FOUND:
        words.setdefault(value, value)
    found = getattr(preview.settings, key) if preview is not None else None
    text = _yes_or_no(found) if isinstance(found, bool) else "" if found is None else str(found)
    first = f"Found: {_found_words(setting, text)}" if found is not None else "Find out"
    is_parquet = preview is not None and preview.settings.format == "parquet"
    is_archive = preview is not None and preview.settings.format == "compressed"
    return FormField(
        name=key,
        label="File in the archive" if key == "part" and is_archive else setting.caption,
        kind=FieldKind.CHOICE,
        value=value,
        options=choices_from({FOUND: "Please choose…" if is_open else first} | words),
        note=_note(finding, is_open=is_open),
        is_urgent=is_open,
        why_not=OF_PARQUET if is_parquet and key not in _ONLY_FOUND else "",
        is_offered=preview is None or _is_obeyed(key, preview),
    )


def _own_fields(
    described: Mapping[str, Any], preview: PreviewResult | None
) -> tuple[FormField, ...]:
    """Lines to skip, widths and missing marks: numbers and texts of one's own."""
    found = preview.settings.widths if preview is not None else ()
    shown = ", ".join(str(width) for width in found)
    fields = (
        FormField(
            name="skip_lines",
            label="Lines to skip",
            kind=FieldKind.WHOLE,
            value=described["skip_lines"],
            empty="Find out" if preview is None else f"Found: {preview.settings.skip_lines}",
            lowest=0,
            highest=MOST_LINES,
        ),
        FormField(
            name="widths",
            label="Widths of columns",
            kind=FieldKind.TEXT,
            value=described["widths"],
            empty=f"Found: {shown}" if shown else "Find out",
            check=_width_problem,
        ),
        FormField(
            name="missing_marks",
            label="Not known is written",
            kind=FieldKind.TEXT,
            value=described["missing_marks"],
            help="Texts that stand for “not known”, parted by commas",
        ),
    )
    if preview is None:
        return fields
    return tuple(
        replace(
            entry,
            note="" if entry.name == "missing_marks" else _reason(preview, entry.name),
            is_offered=preview.settings.format != "parquet"
            and (entry.name in preview.obeyed or (not preview.obeyed and entry.name != "widths")),
        )
        for entry in fields
    )


def _finding(preview: PreviewResult | None, key: str) -> ReaderFinding | None:
    findings = preview.findings if preview is not None else ()
    return next((entry for entry in reversed(findings) if entry.setting == key), None)


def _reason(preview: PreviewResult, key: str) -> str:
    finding = _finding(preview, key)
    return finding.reason if finding is not None else ""


def _is_open(
    setting: Setting, value: str, finding: ReaderFinding | None, preview: PreviewResult | None
) -> bool:
    """Whether it is a question without an answer."""
    return (
        setting.is_requested
        and preview is not None
        and finding is not None
        and not finding.is_certain
        and value == FOUND
        and (setting.key != "delimiter" or len(preview.columns) > 1)
    )


def _note(finding: ReaderFinding | None, *, is_open: bool) -> str:
    if finding is None:
        return ""
    if is_open:
        return f"Please say: {finding.reason.removesuffix('; please say')}"
    return finding.reason if finding.is_certain else f"not certain: {finding.reason}"


def _is_obeyed(key: str, preview: PreviewResult) -> bool:
    """Whether a setting matters to the file, as far as it has been read."""
    is_found = _finding(preview, key) is not None
    if key == "format":
        return preview.settings.format in TEXT_FORMATS
    if key == "part":
        return bool(preview.parts)
    if key == "date_order":
        return is_found or preview.settings.date_order is not None
    if key in _ONLY_FOUND:
        return is_found
    return not preview.obeyed or key in preview.obeyed


def _given(reader: ReaderSettings, key: str) -> str:
    value = getattr(reader, key)
    if isinstance(value, bool):
        return _yes_or_no(value)
    is_other = key == "format" and value not in TEXT_FORMATS
    return FOUND if value is None or is_other else str(value)


def _yes_or_no(is_so: bool) -> str:
    return "yes" if is_so else "no"


def _marks(described: Mapping[str, Any]) -> tuple[str, ...]:
    marks = (mark.strip() for mark in described["missing_marks"].split(","))
    return tuple(mark for mark in marks if mark)


class SettingsCard(Card):
    """The form of the settings, and below it marks that may stand for "not known"."""

    changed = Signal()

    def __init__(self, reader: ReaderSettings) -> None:
        super().__init__("How it is read")
        self.setFixedWidth(384)
        self._reader, self._described = reader, described_settings_of(reader)
        self._preview: PreviewResult | None = None
        self.form = Form(width=FIELD, fills=True, spacing=3)
        self.form.changed.connect(self._show_message)
        self.marks_offer = RichLabel("", "note", wraps=True)
        self.marks_offer.linkActivated.connect(self.add_mark)
        inner = CardColumn()
        column = QVBoxLayout(inner)
        column.setContentsMargins(0, 0, 8, 0)
        column.setSpacing(3)
        column.addWidget(self.form)
        column.addWidget(self.marks_offer)
        column.addStretch(1)
        self.area = scrolling(inner)
        self.body.addWidget(self.area, 1)
        self._show()

    def wanted(self) -> ReaderSettings:
        """The settings as the fields say; None where the program is to find out."""
        return settings_of(self._described | self.form.written(), self._reader)

    def add_mark(self, mark: str) -> None:
        """Take a mark that was offered."""
        marks = dict.fromkeys(filter(None, (*_marks(self._described), mark)))
        self._show_message("missing_marks", ", ".join(marks))

    def set_names(self, skipped: int) -> None:
        """Say that the names of the columns are in the line after so many."""
        self._described["has_header"] = "yes"
        self._show_message("skip_lines", skipped)

    def find_out_anew(self) -> None:
        """Let the program find every setting."""
        self._reader = ReaderSettings()
        self._described = described_settings_of(self._reader)
        self._show()
        self.changed.emit()

    def show_preview(self, preview: PreviewResult) -> list[str]:
        """Show what was found; return the captions of the questions that are still open."""
        is_first, self._preview = self._preview is None, preview
        is_typed = not is_first and focused_field() in [r.widget for r in self.form.rows.values()]
        requested = [entry for entry in self._show() if entry.is_urgent and entry.is_offered]
        if requested and not is_typed:
            # The rows have their places once the event loop has laid them out.
            row = self.form.rows[requested[0].name]
            QTimer.singleShot(0, self, lambda: self._bring_into_view(row, is_begun=is_first))
        return [entry.label for entry in requested]

    def _show_message(self, key: str, value: Any) -> None:
        self._described[key] = value
        self._show()
        self.changed.emit()

    def _show(self) -> tuple[FormField, ...]:
        fields = setting_fields(self._described, self._preview)
        self.form.show_fields(fields)
        findings = self._preview.findings if self._preview is not None else ()
        lines = [
            joined((finding.reason, tag("a", "take it", href=finding.value)), ": ")
            for finding in findings
            if finding.setting == "missing_marks" and finding.value not in _marks(self._described)
        ]
        self.marks_offer.setText(joined(lines, tag("br")))
        self.marks_offer.setVisible(bool(lines))
        return fields

    def _bring_into_view(self, row: FormRow, *, is_begun: bool) -> None:
        """Scroll to a question and the words below it, as far as there is room."""
        if is_begun:
            row.widget.setFocus()
        for widget in (row.note, row.widget):
            self.area.ensureWidgetVisible(widget, 0, 8)


def read_widths(text: str) -> tuple[int, ...] | str:
    """Widths of columns in signs, as typed: parted by commas or blanks; or why they are none."""
    parts = re.split(r"[,;\s]+", text.strip(" ,;"))
    for part in filter(None, parts):
        if not re.fullmatch(r"[0-9]{1,6}", part) or int(part) == 0:
            words = "“%s” is no width: whole numbers of signs are wanted, such as 8, 12, 5."
            return str(words % part)
    return tuple(int(part) for part in parts if part)


def _width_problem(text: str) -> str:
    found = read_widths(text)
    return found if isinstance(found, str) else ""
