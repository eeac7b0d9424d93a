"""The settings of the import dialog: what each is called, its choices, and when it is asked."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QGridLayout,
    QVBoxLayout,
    QWidget,
)

from core.document.data.model import ReaderSettings
from core.document.data.results import PreviewResult, ReaderFinding
from core.document.markup import joined, tag
from gui.parts import Card, NumberField, RichLabel, TextField, TextLabel, after_typing
from gui.parts.card_column import CardColumn, scrolling

FOUND = "\0found"
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
    ("cp1252", "Windows 1252"),
    ("iso-8859-1", "Latin 1"),
    ("iso-8859-15", "Latin 9 (€)"),
    ("cp1250", "Windows 1250"),
    ("cp1251", "Windows 1251"),
)
HEADERS = (("yes", "Column names"), ("no", "Data"))
REPEATED = (("yes", "Number them: name_2"),)
LABELS = (("no", "Codes as they are"), ("yes", "Their labels"))


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting: field of ``ReaderSettings``, caption, choices; ``is_asked``: must be answered
    where what was found is not certain.
    """

    key: str
    caption: str
    choices: tuple[tuple[str, str], ...]
    is_asked: bool = False


SETTINGS = (
    Setting("format", "The file is", FORMATS),
    Setting("part", "Sheet", (), is_asked=True),
    Setting("delimiter", "Columns are parted by", DELIMITERS, is_asked=True),
    Setting("quote", "Texts are quoted by", QUOTES),
    Setting("decimal", "Decimal sign", DECIMALS, is_asked=True),
    Setting("thousands", "Thousands sign", THOUSANDS),
    Setting("date_order", "Dates are written", DATES, is_asked=True),
    Setting("encoding", "Encoding", ENCODINGS),
    Setting("has_header", "The first line holds", HEADERS),
    Setting("rename_repeated", "Names that occur again", REPEATED, is_asked=True),
    Setting("use_labels", "Columns with labels show", LABELS),
)
_FLAGS = ("has_header", "use_labels", "rename_repeated")
#: Settings that are offered only where the file gives reason to.
_ONLY_FOUND = ("use_labels", "rename_repeated")


class SettingsCard(Card):
    """Controls for every setting that the format obeys, each with what was found and why."""

    changed = Signal()

    def __init__(self, reader: ReaderSettings) -> None:
        super().__init__("How it is read")
        self.setFixedWidth(384)
        self._reader = reader
        self._is_filling = False
        self.combos: dict[str, QComboBox] = {}
        self.reasons: dict[str, TextLabel] = {}
        self._captions: dict[str, TextLabel] = {}
        inner = CardColumn()
        column = QVBoxLayout(inner)
        column.setContentsMargins(0, 0, 8, 0)
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(3)
        grid.setColumnStretch(1, 1)
        for place, setting in enumerate(SETTINGS):
            self._add_setting(grid, place, setting)
        self._add_fields(grid, 2 * len(SETTINGS))
        column.addLayout(grid)
        column.addStretch(1)
        self.area = scrolling(inner)
        self.body.addWidget(self.area, 1)

    def _add_setting(self, grid: QGridLayout, place: int, setting: Setting) -> None:
        combo = QComboBox()
        combo.setAccessibleName(setting.caption)
        combo.setMinimumWidth(178)
        combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        combo.addItem("Find out", FOUND)
        for value, words in setting.choices:
            combo.addItem(words, value)
        given = self._given(setting.key)
        if given is not None:
            _choose(combo, given)
        combo.currentIndexChanged.connect(self._on_changed)
        reason = TextLabel("", "note", wraps=True)
        label = TextLabel(setting.caption)
        label.setBuddy(combo)
        grid.addWidget(label, 2 * place, 0)
        grid.addWidget(combo, 2 * place, 1)
        grid.addWidget(reason, 2 * place + 1, 0, 1, 2)
        self.combos[setting.key] = combo
        self.reasons[setting.key] = reason
        self._captions[setting.key] = label

    def _add_fields(self, grid: QGridLayout, row: int) -> None:
        """Lines to skip, widths and missing marks: numbers and texts of one's own."""
        self.skip = NumberField(
            float(self._reader.skip_lines), whole=True, minimum=0, maximum=MOST_LINES
        )
        self.skip.value_changed.connect(self._on_changed)
        self.widths = TextField(", ".join(str(width) for width in self._reader.widths))
        self.widths.setPlaceholderText("Find out")
        self.widths.textEdited.connect(self._check_widths)
        marks = [mark for mark in self._reader.missing_marks if mark]
        self.marks = TextField(", ".join(marks))
        self.marks.setCursorPosition(0)
        self.marks.setToolTip("Texts that stand for “not known”, parted by commas")
        for field in (self.widths, self.marks):
            field.enter_is_own = True
            for is_complete in (field.paused, field.editingFinished, field.taken_back):
                is_complete.connect(self._on_changed)
        self.marks_offer = RichLabel("", "note", wraps=True)
        self.marks_offer.linkActivated.connect(self.add_mark)
        entries: tuple[tuple[str, str, QWidget], ...] = (
            ("skip_lines", "Lines to skip", self.skip),
            ("widths", "Widths of columns", self.widths),
            ("missing_marks", "Not known is written", self.marks),
        )
        for at, (key, caption, widget) in enumerate(entries):
            widget.setAccessibleName(caption)
            label = TextLabel(caption)
            label.setBuddy(widget)
            grid.addWidget(label, row + 2 * at, 0)
            grid.addWidget(widget, row + 2 * at, 1)
            reason = TextLabel("", "note", wraps=True)
            grid.addWidget(reason, row + 2 * at + 1, 0, 1, 2)
            self._captions[key] = label
            self.reasons[key] = reason
        grid.addWidget(self.marks_offer, row + 6, 0, 1, 2)

    # ------------------------------------------------------------ what the user says

    def _given(self, key: str) -> str | None:
        value = getattr(self._reader, key)
        if isinstance(value, bool):
            return "yes" if value else "no"
        if key == "format" and value not in TEXT_FORMATS:
            return None
        return None if value is None else str(value)

    def _on_changed(self) -> None:
        if not self._is_filling:
            self.changed.emit()

    def _check_widths(self, text: str) -> None:
        found = read_widths(text)
        self.widths.refuse(found if isinstance(found, str) else "")
        self._show_width_problem()

    def _show_width_problem(self) -> None:
        """Say below the field why its widths are none."""
        reason, problem = self.reasons["widths"], self.widths.refusal
        reason.set_role("loss" if problem else "note")
        if problem or reason.text():
            reason.setText(problem)
            reason.setVisible(bool(problem))

    def add_mark(self, mark: str) -> None:
        """Take a mark that was offered."""
        marks = [entry for entry in (*self._marks(), mark) if entry]
        self.marks.replace_text(", ".join(dict.fromkeys(marks)))
        self.changed.emit()

    def _marks(self) -> tuple[str, ...]:
        return tuple(mark.strip() for mark in self.marks.text().split(",") if mark.strip())

    def set_names(self, skipped: int) -> None:
        """Say that the names of the columns are in the line after so many."""
        self._is_filling = True
        _choose(self.combos["has_header"], "yes")
        self.skip.set_value(skipped)
        self._is_filling = False
        self.changed.emit()

    def wanted(self) -> ReaderSettings:
        """The settings as the controls say; None where the program is to find out."""
        chosen = {key: combo.currentData() for key, combo in self.combos.items()}
        texts = {key: None if value == FOUND else str(value) for key, value in chosen.items()}
        flags = {key: None if texts[key] is None else texts[key] == "yes" for key in _FLAGS}
        widths = read_widths(self.widths.text())
        return replace(
            self._reader,
            format=texts["format"] or self._format_kept(),
            part=texts["part"],
            delimiter=texts["delimiter"],
            quote=texts["quote"],
            decimal=texts["decimal"],
            thousands=texts["thousands"],
            date_order=texts["date_order"],
            encoding=texts["encoding"],
            skip_lines=int(self.skip.value()),
            widths=self._reader.widths if isinstance(widths, str) else widths,
            missing_marks=("", *self._marks()),
            has_header=flags["has_header"],
            use_labels=flags["use_labels"],
            rename_repeated=flags["rename_repeated"],
        )

    def _format_kept(self) -> str | None:
        """A format that is no text is kept; one of text only if it was chosen."""
        return None if self._reader.format in TEXT_FORMATS else self._reader.format

    def find_out_anew(self) -> None:
        """Let the program find every setting."""
        self._reader = ReaderSettings()
        self._is_filling = True
        for combo in self.combos.values():
            combo.setCurrentIndex(0)
        self.skip.set_value(0)
        self.widths.replace_text("")
        self.widths.refuse("")
        self.marks.replace_text(", ".join(mark for mark in self._reader.missing_marks if mark))
        self._is_filling = False
        self.changed.emit()

    # ------------------------------------------------------------ what was found

    def show_preview(self, preview: PreviewResult) -> list[str]:
        """Show what was found; return the captions of the questions that are still open."""
        found = {finding.setting: finding for finding in preview.findings}
        is_text = preview.settings.format in TEXT_FORMATS
        open_questions: list[str] = []
        first_open = ""
        self._is_filling = True
        self._show_parts(preview)
        for setting in SETTINGS:
            is_obeyed = self._is_obeyed(setting.key, preview, found, is_text=is_text)
            self._show_row(setting.key, is_shown=is_obeyed, preview=preview)
            finding = found.get(setting.key)
            is_open = self._show_found(setting, finding, preview)
            if is_open and is_obeyed:
                open_questions.append(self._captions[setting.key].text())
                first_open = first_open or setting.key
        is_typed = after_typing(self, lambda: self._show_fields(preview, found))
        if not is_typed:
            self._show_fields(preview, found)
        self._is_filling = False
        if first_open and not is_typed:
            # The rows have their places once the event loop has laid them out.
            QTimer.singleShot(0, self, lambda: self._bring_into_view(first_open))
        return open_questions

    def _bring_into_view(self, key: str) -> None:
        """Scroll to a question and the words below it, as far as there is room."""
        for widget in (self.reasons[key], self.combos[key]):
            self.area.ensureWidgetVisible(widget, 0, 8)

    def _show_parts(self, preview: PreviewResult) -> None:
        """Offer the sheets of this workbook, or the files of this archive."""
        combo = self.combos["part"]
        is_archive = preview.settings.format == "compressed"
        caption = "File in the archive" if is_archive else "Sheet"
        self._captions["part"].setText(caption)
        combo.setAccessibleName(caption)
        for part in preview.parts:
            if combo.findData(part) < 0:
                combo.addItem(part, part)

    @staticmethod
    def _is_obeyed(
        key: str, preview: PreviewResult, found: dict[str, ReaderFinding], *, is_text: bool
    ) -> bool:
        if key == "format":
            return is_text
        if key == "part":
            return bool(preview.parts)
        if key == "date_order":
            return key in found or preview.settings.date_order is not None
        if key in _ONLY_FOUND:
            return key in found
        return not preview.obeyed or key in preview.obeyed

    def _show_row(self, key: str, *, is_shown: bool, preview: PreviewResult) -> None:
        combo = self.combos[key]
        is_parquet = preview.settings.format == "parquet" and key not in _ONLY_FOUND
        combo.setEnabled(not is_parquet)
        combo.setToolTip("A Parquet file says this itself." if is_parquet else "")
        for widget in (self._captions[key], combo, self.reasons[key]):
            widget.setVisible(is_shown)

    def _show_found(
        self, setting: Setting, finding: ReaderFinding | None, preview: PreviewResult
    ) -> bool:
        """Show one finding with its reason; True if it is a question without an answer."""
        combo, label = self.combos[setting.key], self.reasons[setting.key]
        is_open = (
            setting.is_asked
            and finding is not None
            and not finding.is_certain
            and combo.currentData() == FOUND
            and (setting.key != "delimiter" or len(preview.columns) > 1)
        )
        words = self._words_of(combo, preview, setting.key)
        text = f"Found: {words}" if words else "Find out"
        combo.setItemText(0, "Please choose…" if is_open else text)
        reason = finding.reason if finding is not None else ""
        label.set_role("loss" if is_open else "note")
        if is_open:
            reason = f"Please say: {reason.removesuffix('; please say')}"
        elif finding is not None and not finding.is_certain:
            reason = f"not certain: {reason}"
        label.setText(reason)
        if not reason:
            label.hide()
        return is_open

    @staticmethod
    def _words_of(combo: QComboBox, preview: PreviewResult, key: str) -> str:
        value = getattr(preview.settings, key)
        if value is None:
            return ""
        text = ("yes" if value else "no") if isinstance(value, bool) else str(value)
        place = combo.findData(text)
        return combo.itemText(place) if place >= 0 else text

    def _show_fields(self, preview: PreviewResult, found: dict[str, ReaderFinding]) -> None:
        fields = {"skip_lines": self.skip, "widths": self.widths, "missing_marks": self.marks}
        for key, widget in fields.items():
            is_shown = preview.settings.format != "parquet" and (
                key in preview.obeyed or (not preview.obeyed and key != "widths")
            )
            finding = found.get(key) if key != "missing_marks" else None
            self._captions[key].setVisible(is_shown)
            widget.setVisible(is_shown)
            self.reasons[key].setVisible(is_shown and finding is not None)
            self.reasons[key].setText(finding.reason if finding is not None else "")
        if self.widths.refusal:
            self._show_width_problem()
        if preview.settings.widths and not self.widths.text():
            shown = ", ".join(str(width) for width in preview.settings.widths)
            self.widths.setPlaceholderText(f"Found: {shown}")
        offered = [f for f in preview.findings if f.setting == "missing_marks"]
        lines = [
            joined((finding.reason, tag("a", "take it", href=finding.value)), ": ")
            for finding in offered
            if finding.value not in self._marks()
        ]
        self.marks_offer.setText(joined(lines, tag("br")))
        self.marks_offer.setVisible(bool(lines))


def read_widths(text: str) -> tuple[int, ...] | str:
    """Widths of columns in signs, as typed: parted by commas or blanks; or why they are none."""
    parts = re.split(r"[,;\s]+", text.strip(" ,;"))
    for part in filter(None, parts):
        if not re.fullmatch(r"[0-9]{1,6}", part) or int(part) == 0:
            words = "“%s” is no width: whole numbers of signs are wanted, such as 8, 12, 5."
            return str(words % part)
    return tuple(int(part) for part in parts if part)


def _choose(combo: QComboBox, value: str) -> None:
    """Choose a value; one that is not among the choices is added."""
    place = combo.findData(value)
    if place < 0:
        combo.addItem(value, value)
        place = combo.count() - 1
    combo.setCurrentIndex(place)
