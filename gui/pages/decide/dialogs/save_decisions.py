"""Save who gets which decision: which columns, which cases, by which rule, into which file."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QGridLayout,
    QHBoxLayout,
    QPushButton,
    QRadioButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from core.document.decisions.matrix_model import MatrixKind
from core.document.model import Document, Role
from core.document.wording import format_share
from core.engine.messages import Ask, SaveArguments
from core.presentation.labels import done_word
from core.questions.decide import HoldOutPlan
from gui import PROGRAM
from gui.pages.decide.dialogs.hold_out_row import HoldOutRow
from gui.pages.decide.validity import invalid_of
from gui.pages.decide.words import needs_chances
from gui.session.session import Session
from gui.widgets import Rule, TextField, TextLabel
from gui.widgets.dialog import dialog_buttons
from gui.widgets.model_box import ModelBox

CSV, PARQUET = ".csv", ".parquet"
LOSS_NAMES = {"EP": "EL", "CP": "CL", "BP": "BL"}


def folder_to_write(workspace: Session) -> Path:
    """Where a file is proposed: beside the project, else beside the data, never in the program."""
    if workspace.files.project_path:
        return Path(workspace.files.project_path).resolve().parent
    data = workspace.project.document.data
    folder = Path(data.path).resolve().parent if data is not None else Path.home()
    is_usable = PROGRAM not in (folder, *folder.parents) and os.access(folder, os.W_OK)
    return folder if is_usable else Path.home()


class PathRow(QWidget):
    """A file to write: its path, its format, and a button that looks for a place."""

    path_changed = Signal(str)

    def __init__(self, path: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        self.path = TextField(path)
        self.path.setAccessibleName("File to write")
        self.path.setMinimumWidth(280)
        self.format = QComboBox()
        self.format.setAccessibleName("Format of the file")
        self.format.addItem("CSV", CSV)
        self.format.addItem("Parquet", PARQUET)
        self.browse = QPushButton("Browse…")
        row.addWidget(self.path, 1)
        row.addWidget(self.format)
        row.addWidget(self.browse)
        self.path.textChanged.connect(self._on_path)
        self.format.activated.connect(self._on_format)
        self.browse.clicked.connect(self._on_browse)
        self._on_path(path)

    def text(self) -> str:
        """The path; one without a known ending gets that of the format chosen."""
        text = self.path.text().strip()
        if not text or Path(text).suffix.lower() in (CSV, PARQUET):
            return text
        return text + str(self.format.currentData())

    def set_text(self, path: str) -> None:
        """Put another path in the field, as if it had been typed."""
        self.path.setText(path)

    def problem(self) -> str:
        """Why nothing can be written there, or an empty text."""
        text = self.text()
        if not text:
            return "Name a file to write."
        target = Path(text)
        if target.is_dir():
            return "This is a folder; name a file in it."
        if not target.parent.is_dir():
            return f"There is no folder {target.parent}."
        return ""

    def replaces(self) -> bool:
        """Whether a file stands there already."""
        return Path(self.text()).is_file()

    def _on_path(self, text: str) -> None:
        suffix = Path(text.strip()).suffix.lower()
        index = self.format.findData(suffix)
        if index >= 0:
            self.format.setCurrentIndex(index)
        self.path_changed.emit(self.text())

    def _on_format(self, index: int) -> None:
        text = self.path.text().strip()
        path = Path(text)
        known = path.suffix.lower() in (CSV, PARQUET)
        if text:
            stem = str(path.with_suffix("")) if known else text
            self.path.setText(stem + str(self.format.itemData(index)))

    def _on_browse(self) -> None:
        kinds = "CSV (*.csv);;Parquet (*.parquet)"
        chosen, _kind = QFileDialog.getSaveFileName(self, "Save decisions", self.text(), kinds)
        if chosen:
            self.path.setText(chosen)


class SaveDecisionsDialog(QDialog):
    """Asks what to write and hands it to the engine; the window goes on meanwhile."""

    def __init__(self, workspace: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.workspace = workspace
        self.document: Document = workspace.project.document
        self.cursor_depth = workspace.results.cursor_depth
        self.setWindowTitle("Save decisions")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.columns: dict[str, QCheckBox] = {}
        self.decisions: dict[str, QCheckBox] = {}
        body = QVBoxLayout(self)
        body.setContentsMargins(16, 16, 16, 16)
        body.setSpacing(12)
        body.addLayout(self._make_rule())
        body.addWidget(Rule())
        body.addLayout(self._make_choices())
        body.addWidget(Rule())
        self.hold_out = HoldOutRow(workspace, self._hold_out_question)
        self.model.currentIndexChanged.connect(lambda _place: self.hold_out.refresh())
        self.by_cursor.toggled.connect(lambda _is_on: self.hold_out.refresh())
        body.addWidget(self.hold_out)
        body.addWidget(Rule())
        body.addLayout(self._make_file())
        body.addWidget(self._make_buttons())
        self._show_model()

    # ------------------------------------------------------------ parts

    def _make_rule(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(8)
        grid.setColumnStretch(1, 1)
        self.model = ModelBox()
        self.model.offer(self.document)
        matrix = self.document.matrix
        self.by_rule = QRadioButton("By the rule: each case gets its own best decision")
        self.by_rule.setChecked(True)
        self.chances_button = QPushButton("Turn the score into chances…")
        self.chances_button.clicked.connect(self._open_chances)
        done = done_word(matrix.acting if matrix else "")
        self.by_cursor = QRadioButton(
            f"By the cursor: the best {format_share(self.cursor_depth)} are {done}"
        )
        grid.addWidget(TextLabel("Model", "quiet"), 0, 0)
        grid.addWidget(self.model, 0, 1, Qt.AlignmentFlag.AlignLeft)
        grid.addWidget(TextLabel("Decide", "quiet"), 1, 0)
        grid.addWidget(self.by_rule, 1, 1)
        grid.addWidget(self.by_cursor, 2, 1)
        grid.addWidget(self.chances_button, 3, 1, Qt.AlignmentFlag.AlignLeft)
        self.model.activated.connect(lambda _place: self._show_model())
        return grid

    def _show_model(self) -> None:
        """Grey what the model cannot give: a score without chances has no rule and no promise."""
        reason = needs_chances(self.document, str(self.model.currentData()))
        self.by_rule.setEnabled(not reason)
        self.by_rule.setToolTip(reason)
        self.chances_button.setVisible(bool(reason))
        if reason:
            self.by_cursor.setChecked(True)
        for key in ("EP", "P"):
            box = self.columns[key]
            box.setEnabled(not reason)
            box.setToolTip(reason)
            if reason:
                box.setChecked(False)
        self._check()

    def _open_chances(self) -> None:
        from gui.pages.data.dialogs.chances import ChancesDialog

        ChancesDialog(self.workspace, str(self.model.currentData()), self.parentWidget()).show()
        self.reject()

    def _make_choices(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(24)
        row.addLayout(self._make_columns(), 3)
        right = QVBoxLayout()
        right.setSpacing(6)
        right.addLayout(self._make_decisions())
        right.addSpacing(6)
        right.addWidget(TextLabel("Columns of the data to write along", "strong"))
        right.addWidget(self._make_kept(), 1)
        row.addLayout(right, 2)
        return row

    def _make_columns(self) -> QVBoxLayout:
        column = QVBoxLayout()
        column.setSpacing(6)
        column.addWidget(TextLabel("Columns to write", "strong"))
        for key, name, words, reason in self._column_entries():
            box = QCheckBox(f"{name}   {words}")
            box.setEnabled(not reason)
            box.setToolTip(reason)
            box.setChecked(key in ("D", "EP"))
            box.toggled.connect(lambda _on: self._check())
            self.columns[key] = box
            column.addWidget(box)
        column.addStretch(1)
        return column

    def _column_entries(self) -> list[tuple[str, str, str, str]]:
        """Key, name in the file, words, and the reason where it cannot be written."""
        target, matrix = self.document.target, self.document.matrix
        suffix = target.column if target else "target"
        is_loss = matrix is not None and matrix.kind is MatrixKind.LOSS
        amount = "loss" if is_loss else "profit"
        has_cost = matrix is not None and bool(matrix.costs)
        no_cost = "" if has_cost else "There is no extra cost per case."
        words = {
            "D": ("the decision", ""),
            "EP": (f"expected {amount} of the decision", ""),
            "CP": (f"{amount} that it really brought", ""),
            "BP": (f"best possible {amount}", ""),
            "IC": ("extra cost of the decision", no_cost),
            "ROI": (
                "money won on that cost, less than 0 for a loss"
                if is_loss
                else "return on that cost",
                no_cost,
            ),
            "P": ("the chances as used, one column per outcome", ""),
            "I": ("the most likely outcome", ""),
            "F": ("the outcome as it was read", ""),
            "R": ("outcome less chance, before any correction", ""),
        }
        if target is not None and not target.levels:
            words["P"] = ("the prediction", "")
            words["R"] = ("outcome less prediction", "")
            del words["I"], words["F"]
        entries = []
        for key, (text, reason) in words.items():
            prefix = LOSS_NAMES.get(key, key) if is_loss else key
            entries.append((key, f"{prefix}_{suffix}", text, reason))
        return entries

    def _make_decisions(self) -> QVBoxLayout:
        column = QVBoxLayout()
        column.setSpacing(6)
        column.addWidget(TextLabel("Cases that get", "strong"))
        for decision in self.document.matrix.decisions if self.document.matrix else ():
            box = QCheckBox(decision)
            box.setChecked(True)
            box.toggled.connect(lambda _on: self._check())
            self.decisions[decision] = box
            column.addWidget(box)
        return column

    def _make_kept(self) -> QScrollArea:
        holder = QWidget()
        holder.setProperty("surface", "card")
        column = QVBoxLayout(holder)
        column.setContentsMargins(8, 8, 8, 8)
        column.setSpacing(4)
        ids = self.document.columns_of(Role.ID)
        self.kept: dict[str, QCheckBox] = {}
        for name in self.document.data.columns if self.document.data else ():
            box = QCheckBox(name)
            box.setChecked(name in ids)
            self.kept[name] = box
            column.addWidget(box)
        column.addStretch(1)
        area = QScrollArea()
        area.setProperty("framed", "true")
        area.setWidget(holder)
        area.setWidgetResizable(True)
        area.setMinimumHeight(120)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        return area

    def _make_file(self) -> QVBoxLayout:
        column = QVBoxLayout()
        column.setSpacing(6)
        column.addWidget(TextLabel("File", "strong"))
        self.file = PathRow(self._proposal())
        self.file.path_changed.connect(lambda _path: self._check())
        column.addWidget(self.file)
        self.note = TextLabel("", "note", wraps=True)
        column.addWidget(self.note)
        column.addWidget(
            TextLabel(
                (
                    "A record beside the file will hold: time, versions, hashes of the data, "
                    "matrix, priors, models, cut-off, seed and totals."
                ),
                "note",
                wraps=True,
            )
        )
        return column

    def _proposal(self) -> str:
        data = self.document.data
        path = Path(data.path) if data is not None else Path("data.csv")
        return str(folder_to_write(self.workspace) / f"{path.stem}_decisions{CSV}")

    def _make_buttons(self) -> QDialogButtonBox:
        self.buttons, self.save_button = dialog_buttons(self, "Save decisions")
        return self.buttons

    # ------------------------------------------------------------ what is asked for

    def problem(self) -> str:
        """Why nothing can be saved yet, or an empty text."""
        wrong = invalid_of(self.workspace.results.decisions, str(self.model.currentData()))
        if wrong is not None:
            return wrong.reason
        if not any(box.isChecked() for box in self.columns.values()):
            return "Choose at least one column to write."
        if self.decisions and not any(box.isChecked() for box in self.decisions.values()):
            return "Choose at least one decision."
        return self.file.problem()

    def _check(self) -> None:
        if not hasattr(self, "save_button"):
            return
        problem = self.problem()
        self.save_button.setEnabled(not problem)
        self.save_button.setToolTip(problem)
        replaced = "The file that stands there will be replaced."
        text = problem or (replaced if self.file.replaces() else "")
        self.note.setText(text)
        self.note.setVisible(bool(text))
        self.note.set_role("error" if problem else "plainNote")

    def kept_columns(self) -> tuple[str, ...]:
        """Columns of the data that are ticked, in file order."""
        return tuple(name for name, box in self.kept.items() if box.isChecked())

    def arguments(self) -> SaveArguments:
        """What the engine is asked to write."""
        chosen = tuple(name for name, box in self.decisions.items() if box.isChecked())
        plan = self.hold_out.plan
        return SaveArguments(
            document=self._document_to_save(),
            model=str(self.model.currentData()),
            path=self.file.text(),
            columns=tuple(key for key, box in self.columns.items() if box.isChecked()),
            decisions=() if len(chosen) == len(self.decisions) else chosen,
            keep_columns=self.kept_columns(),
            use_cursor=self.by_cursor.isChecked(),
            hold_out=plan.share if plan is not None else 0.0,
            hold_out_seed=plan.seed if plan is not None else None,
        )

    def _hold_out_question(self, plan: HoldOutPlan) -> Ask[HoldOutPlan]:
        """What to ask of a hold-out, with document, model and cut as they are chosen now."""
        model, by_cursor = str(self.model.currentData()), self.by_cursor.isChecked()
        question = replace(plan, model=model, use_cursor=by_cursor)
        return Ask.of(self._document_to_save(), question)

    def _document_to_save(self) -> Document:
        """The document with the depth that the cursor stands at, dragged or by the rule."""
        if not self.by_cursor.isChecked():
            return self.document
        return replace(self.document, cursor_depth=self.cursor_depth)

    def accept(self) -> None:
        if self.problem():
            self._check()
            return
        self.workspace.files.save_decisions(self.arguments())
        super().accept()
