"""How many cases the next test needs, asked in the analyst's own figures."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtWidgets import QDialog, QVBoxLayout, QWidget

from core.document.model import Document
from core.document.studies.uplift_further import NextTestResult
from core.document.wording import format_count, format_share
from core.presentation.table import Cell, Table
from core.questions.asked import Unit
from core.questions.uplift import NextTest
from gui.jobs.request import Request
from gui.pages.uplift.words import UpliftWords, points
from gui.parts import TextLabel
from gui.parts.figure_table import FigureTable
from gui.parts.form import FormLook, QuestionForm
from gui.workspace import Workspace
from payoff.counting import counted

FIELD = 110  # pixels of a number


class NextTestDialog(QDialog):
    """Effect, power and share in; cases of both arms out."""

    def __init__(
        self,
        workspace: Workspace,
        subject: Document,
        words: UpliftWords,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.workspace, self._subject, self._words = workspace, subject, words
        self.result_shown: NextTestResult | None = None
        self._request = Request(self, workspace, self._send)
        self.setWindowTitle("How large must the next test be?")
        self.resize(560, 400)
        column = QVBoxLayout(self)
        column.setSpacing(10)
        names = ("effect", "power", "treated_share", "confidence")
        self.form = QuestionForm(NextTest, names, FormLook.ABOVE, width=FIELD)
        outcome = Unit.POINTS if words.is_binary else Unit.NONE
        self.form.show_for(replace(workspace.form_context(subject), outcome=outcome))
        self.form.asked_anew.connect(self._request.renew)
        column.addWidget(self.form)
        self.answer = TextLabel("", "strong", wraps=True)
        self.detail = TextLabel("", "body", wraps=True)
        column.addWidget(self.answer)
        column.addWidget(self.detail)
        self.table = FigureTable("Cases by effect")
        column.addWidget(self.table)
        said = (
            "The outcome is taken to be as spread out as here, in either arm. Half the effect "
            "needs four times the %s. Power is the chance that such a test finds the effect."
        )
        column.addWidget(TextLabel(said % words.cases, "quiet", wraps=True))
        column.addStretch(1)
        self._request.renew()

    def _send(self) -> None:
        self._request.ask(
            self._subject,
            self.form.question(),
            on_result=self.show_result,
            on_error=lambda refusal: self._refuse(str(refusal)),
        )

    def _refuse(self, text: str) -> None:
        self.answer.setText(text)
        self.detail.setText("")

    def show_result(self, result: NextTestResult) -> None:
        """Show what a test needs."""
        self.result_shown = result
        words = self._words
        self.form.assume("effect", result.effect)
        self.answer.setText(
            f"{counted(result.cases, words.case, words.cases)}: "
            f"{format_count(result.treated)} treated and "
            f"{format_count(result.control)} control."
        )
        self.detail.setText(
            f"This experiment shows an effect of {self._amount(result.seen.effect)}. "
            "A test of its size "
            f"({counted(result.cases_now, words.case, words.cases)}) would find "
            f"{self._amount(result.found_now)}."
        )
        header = ("Effect", "Share of the effect seen", f"{words.cases} in all")
        self.table.show_content(
            Table(columns=header, rows=tuple(self._row(*step) for step in result.ladder))
        )
        self.table.setFixedHeight(self.table.content_height() + 2)

    def _row(self, effect: float, cases: int) -> tuple[Cell, ...]:
        assert self.result_shown is not None
        seen = self.result_shown.seen.effect
        is_asked = effect == self.result_shown.effect
        return (
            Cell(text=self._amount(effect), is_left=True, is_bold=is_asked),
            Cell(text=format_share(effect / seen, 0) if seen else "", role="quiet"),
            Cell(text=format_count(cases), is_bold=is_asked),
        )

    def _amount(self, value: float) -> str:
        if self._words.is_binary:
            return f"{points(value)} {'points'}"
        return self._words.amount(value)
