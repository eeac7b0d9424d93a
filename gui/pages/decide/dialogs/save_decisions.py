"""Save who gets which decision: which columns, which cases, by which rule, into which file."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPushButton, QScrollArea, QVBoxLayout, QWidget

from core.document.model import Document
from core.engine.messages import Ask, SaveArguments
from core.questions.decide import HoldOutPlan
from gui.pages.decide.dialogs.hold_out_row import HoldOutRow
from gui.pages.decide.dialogs.path_row import CSV, TableToWrite
from gui.pages.decide.dialogs.saving_fields import (
    Ticked,
    column_fields,
    default_request,
    name_fields,
    offered,
    rule_fields,
    ticked,
    why_nothing,
    with_rule,
)
from gui.pages.decide.validity import invalid_of
from gui.pages.decide.words import needs_probabilities
from gui.session.session import Session
from gui.widgets import Rule, TextLabel
from gui.widgets.dialog import dialog_buttons, dialog_column
from gui.widgets.fields.form import Form

WIDTH = 640
RECORD = (
    "A record beside the file will hold: time, versions, hashes of the data, matrix, priors, "
    "models, cut-off, seed and totals."
)


class SaveDecisionsDialog(QDialog):
    """Asks what to write and hands it to the engine; the window goes on meanwhile."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.document: Document = session.project.document
        self.cursor_depth = session.results.cursor_depth
        self.asked = default_request(self.document)
        body = dialog_column(self, "Save decisions", width=WIDTH)
        self.rule = Form(fills=True)
        self.rule.changed.connect(self._on_rule)
        self.probabilities_button = QPushButton("Turn the score into chances…")
        self.probabilities_button.clicked.connect(self._open_probabilities)
        body.addWidget(self.rule)
        body.addWidget(self.probabilities_button, 0, Qt.AlignmentFlag.AlignLeft)
        body.addWidget(Rule())
        body.addLayout(self._make_choices())
        body.addWidget(Rule())
        self.hold_out = HoldOutRow(session, self._hold_out_question)
        body.addWidget(self.hold_out)
        body.addWidget(Rule())
        name = session.name_to_write("decisions")
        self.file = TableToWrite(str(Path(session.folder_to_write) / f"{name}{CSV}"))
        for widget in (
            TextLabel("File", "strong"),
            self.file,
            TextLabel(RECORD, "note", wraps=True),
        ):
            body.addWidget(widget)
        self.buttons, self.save_button = dialog_buttons(self, "Save decisions")
        body.addWidget(self.buttons)
        self.file.path_changed.connect(lambda _path: self._check())
        self._show()
        self.setMinimumWidth(max(WIDTH, self.minimumSizeHint().width()))  # names may be long

    def _make_choices(self) -> QHBoxLayout:
        self.columns, self.decisions, self.kept = (self._ticks(what) for what in _LISTS)
        row, left, right = QHBoxLayout(), QVBoxLayout(), QVBoxLayout()
        row.setSpacing(24)
        for column in (left, right):
            column.setSpacing(6)
        left.addWidget(TextLabel("Columns to write", "strong"))
        left.addWidget(self.columns)
        left.addStretch(1)
        right.addWidget(TextLabel("Cases that get", "strong"))
        right.addWidget(self.decisions)
        right.addSpacing(6)
        right.addWidget(TextLabel("Columns of the data to write along", "strong"))
        right.addWidget(_framed(self.kept), 1)
        row.addLayout(left, 3)
        row.addLayout(right, 2)
        return row

    def _ticks(self, what: Ticked) -> Form:
        form = Form(spacing=3)
        form.changed.connect(partial(self._on_tick, what))
        return form

    # ------------------------------------------------------------ what is asked for

    def problem(self) -> str:
        """Why nothing can be saved yet, or an empty text."""
        wrong = invalid_of(self.session.results.decisions, self.asked.model)
        reason = wrong.reason if wrong is not None else why_nothing(self.asked)
        return reason or self.file.problem()

    def arguments(self) -> SaveArguments:
        """What the engine is asked to write; with the depth of the cursor, dragged or not."""
        requested, plan = self.asked, self.hold_out.plan
        is_all = requested.decisions == offered(self.document, "decisions")
        depth = self.cursor_depth if requested.use_cursor else self.document.cursor_depth
        return replace(
            requested,
            document=replace(self.document, cursor_depth=depth),
            path=self.file.text(),
            decisions=() if is_all else requested.decisions,
            hold_out=plan.share if plan is not None else 0.0,
            hold_out_seed=plan.seed if plan is not None else None,
        )

    def _hold_out_question(self, plan: HoldOutPlan) -> Ask[HoldOutPlan]:
        """What to ask of a hold-out, with document, model and cut as they are chosen now."""
        requested = self.arguments()
        question = replace(plan, model=requested.model, use_cursor=requested.use_cursor)
        return Ask.of(requested.document, question)

    def _on_rule(self, name: str, value: object) -> None:
        self.asked = with_rule(self.asked, name, value)
        self.hold_out.refresh()
        self._show()

    def _on_tick(self, what: Ticked, name: str, is_on: bool) -> None:
        self.asked = ticked(self.asked, what, name, is_on)
        self._show()

    # ------------------------------------------------------------ showing

    def _show(self) -> None:
        self.rule.show_fields(rule_fields(self.asked, self.cursor_depth))
        self.columns.show_fields(column_fields(self.asked))
        self.decisions.show_fields(name_fields(self.asked, "decisions"))
        self.kept.show_fields(name_fields(self.asked, "keep_columns"))
        self.probabilities_button.setVisible(
            bool(needs_probabilities(self.document, self.asked.model))
        )
        self._check()

    def _check(self) -> None:
        problem = self.problem()
        self.save_button.setEnabled(not problem)
        self.save_button.setToolTip(problem)
        self.file.show_problem(problem)

    def _open_probabilities(self) -> None:
        from gui.pages.data.dialogs.calibration import ProbabilitiesDialog

        ProbabilitiesDialog(self.session, self.asked.model, self.parentWidget()).show()
        self.reject()

    def accept(self) -> None:
        if self.problem():
            self._check()
            return
        self.session.files.save_decisions(self.arguments())
        super().accept()


_LISTS: tuple[Ticked, ...] = ("columns", "decisions", "keep_columns")


def _framed(form: Form) -> QScrollArea:
    """A long list of boxes, which scrolls."""
    holder = QWidget()
    holder.setProperty("surface", "card")
    column = QVBoxLayout(holder)
    column.setContentsMargins(8, 8, 8, 8)
    column.addWidget(form)
    column.addStretch(1)
    area = QScrollArea()
    area.setProperty("framed", "true")
    area.setWidget(holder)
    area.setWidgetResizable(True)
    area.setMinimumHeight(120)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    return area
