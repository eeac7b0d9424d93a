"""How many cases the next test needs, asked in the analyst's own figures."""

from __future__ import annotations

from PySide6.QtWidgets import QDialog, QGridLayout, QVBoxLayout, QWidget

from core.document.model import Document
from core.document.studies.uplift_further import NextTestResult
from core.document.wording import format_count, format_share
from core.presentation.table import Cell, Table
from core.questions.uplift import NextTest
from gui.jobs.request import Request
from gui.pages.uplift.words import UpliftWords, points
from gui.parts import NumberField, TextLabel
from gui.parts.figure_table import FigureTable
from gui.workspace import Workspace
from payoff.counting import counted


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
        self._is_effect_given = False
        self.setWindowTitle("How large must the next test be?")
        self.resize(560, 400)
        column = QVBoxLayout(self)
        column.setSpacing(10)
        column.addLayout(self._fields())
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

    def _fields(self) -> QGridLayout:
        is_binary = self._words.is_binary
        self.effect = NumberField(
            0.0,
            decimals=2,
            unit="points" if is_binary else "",
            factor=100.0 if is_binary else 1.0,
            step=0.1,
        )
        self.power = _percent(0.8, 0.5, 0.99)
        self.share = _percent(0.5, 0.01, 0.99)
        self.confidence = _percent(0.95, 0.5, 0.99)
        named = (
            ("Effect to find", self.effect),
            ("Power", self.power),
            ("Share treated", self.share),
            ("Confidence", self.confidence),
        )
        grid = QGridLayout()
        for place, (caption, field) in enumerate(named):
            label = TextLabel(caption, "note")
            label.setBuddy(field)
            field.setAccessibleName(caption)
            field.value_changed.connect(self._on_changed)
            grid.addWidget(label, 0, place)
            grid.addWidget(field, 1, place)
        return grid

    def _on_changed(self, _value: float) -> None:
        self._is_effect_given |= self.sender() is self.effect
        self._request.renew()

    def _send(self) -> None:
        question = NextTest(
            effect=self.effect.value() if self._is_effect_given else None,
            power=self.power.value(),
            treated_share=self.share.value(),
            confidence=self.confidence.value(),
        )
        self._request.ask(
            self._subject,
            question,
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
        if not self._is_effect_given:
            self.effect.set_value(result.effect)
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


def _percent(value: float, minimum: float, maximum: float) -> NumberField:
    """A field for a share, written as a percentage."""
    return NumberField(
        value, decimals=0, minimum=minimum, maximum=maximum, unit="%", factor=100.0, step=5.0
    )
