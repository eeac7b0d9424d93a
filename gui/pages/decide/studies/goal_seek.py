"""Tab Goal seek: which number, at which value, or which model would bring a wanted total."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from core.document.decisions.matrix_model import NumberSetting
from core.document.decisions.numbers import UseNumbers
from core.document.model import Document
from core.document.studies.moving_numbers import GoalRow, GoalSeekResult
from core.questions.decide import GoalSeek
from gui.pages.decide.studies.study import Study
from gui.pauses import PAUSES
from gui.session.session import Session
from gui.widgets import HelpButton, HelpText
from gui.widgets.fields.form import FormLayout, QuestionForm


class GoalSeekStudy(Study):
    """A row per number with the value that it needs; a click on it tries that value."""

    asks = GoalSeek
    fills_page = False

    @property
    def pause(self) -> int:
        return PAUSES.goal_seek

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, parent)
        self.form = QuestionForm(GoalSeek, ("total",), FormLayout.LINE, width=120)
        self.form.requested_again.connect(self.refresh)
        self.add_panel("left")
        self.panel.table_clicked.connect(self._on_row)
        self.try_button = QPushButton("Try it")
        self.try_button.setProperty("small", True)
        self.try_button.setToolTip("Write the value of the chosen row into the project")
        self.try_button.clicked.connect(lambda _on=False: self._on_row())
        line = QHBoxLayout()
        line.setContentsMargins(0, 6, 0, 4)
        line.setSpacing(12)
        for widget in (self.form, self.try_button, self._help()):
            line.addWidget(widget)
        line.addStretch(1)
        self.panel.above.addLayout(line)

    def _help(self) -> HelpButton:
        return HelpButton(
            HelpText(
                title="Goal seek",
                text=(
                    "Say what the rule should bring in total, here or by dragging the large figure "
                    "up or down. Each number then moves alone until it does. Click a row to try "
                    "its value: the former line stays in the chart; Ctrl+Z brings the number back. "
                    "The last row says what part of the gap to perfect foresight a model would "
                    "have to close with the numbers as they are."
                ),
                formula="T(v) = wanted;  (wanted − T) ÷ (P − T)",
                reference="Own derivation; totals as on tab Totals",
            )
        )

    def title(self) -> str:
        return "Goal seek"

    def forget(self) -> None:
        self.form.draft.forget()

    def request_for(self, document: Document) -> GoalSeek | None:
        self.form.show_for(self.session.form_context())
        if self.form.values().get("total") is None:
            self.say("The totals are being worked out.")
            return None
        question: GoalSeek = self.form.question()
        return question

    def seek(self, total: float) -> None:
        """Ask for another total, as the page shows it."""
        self.form.show_for(self.session.form_context())
        self.form.take("total", total)

    def show_answer(self, document: Document, answer: GoalSeekResult) -> None:
        super().show_answer(document, answer)
        self.panel.tables[0].let_choose_rows(True)

    def chosen(self) -> GoalRow | None:
        """The number whose row is chosen, where a value of it brings what is wanted."""
        if self.answer is None:
            return None
        rows = {index.row() for index in self.panel.tables[0].selectedIndexes()}
        known: tuple[GoalRow, ...] = self.answer.numbers
        row = rows.pop() if len(rows) == 1 else len(known)
        return known[row] if row < len(known) and known[row].is_within_reach else None

    def _on_row(self) -> None:
        """Try the value of the chosen row, in one step to undo."""
        row = self.chosen()
        if row is None or row.value == row.now or not self.is_current:
            return
        setting = NumberSetting(number=row.number, value=row.value)
        self.form.draft.say("total", self.form.values()["total"])  # the goal that is now reached
        project = self.session.project
        project.finish_editing()
        project.execute(UseNumbers(settings=(setting,), resolved=self.answer.resolved))
        project.finish_editing()
