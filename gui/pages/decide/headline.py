"""The one big number, and what it is compared with."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from core.document.commands import Command
from core.document.decisions.matrix_model import MatrixKind
from core.document.markup import joined
from core.document.model import Document
from core.document.results import CursorReading, DecisionResult, ResampleResult
from core.presentation.decide.figures import profit_of
from core.presentation.decide.headline import Comparison, TotalHeadline, headline_of
from core.presentation.labels import Labels, short_name
from gui.pages.decide.profit.goal_label import GoalLabel
from gui.pages.decide.validity import Invalid, invalid_of
from gui.widgets import (
    Card,
    EstimateBar,
    HelpButton,
    HelpText,
    MoneyLabel,
    RichLabel,
    Rule,
    TextLabel,
    strong,
)

MAIN, BLOCK = 34, 20  # shares of the width: the total, and each comparison
BESIDE_TITLE = 32  # pixels of margins and gaps
LEAST_LETTERS = 12  # of a model's name


class AgainstBlock(QWidget):
    """One comparison: what with, the difference with its arrow, interval and a line of words."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        self.title = TextLabel("", "quiet", wraps=True)
        self.amount = MoneyLabel()
        self.interval = TextLabel("", "note", wraps=True)
        self.words = TextLabel("", "note", wraps=True)
        column.addWidget(self.title)
        column.addSpacing(3)
        column.addWidget(self.amount)
        column.addSpacing(1)
        column.addWidget(self.interval)
        column.addWidget(self.words)
        column.addStretch(1)

    def show_comparison(self, shown: Comparison, currency: str) -> None:
        """Show a difference; an interval that holds 0 is marked as uncertain."""
        self.title.setText(shown.title)
        self.amount.set_amount(
            shown.against.value, currency, decimals=shown.decimals, certain=shown.is_certain
        )
        self.interval.setText(shown.interval)
        self.interval.setVisible(bool(shown.interval))
        self.words.setText(shown.words)
        self.words.setVisible(bool(shown.words))


class HeadlineCard(Card):
    """Total at the cursor with its interval, against doing nothing, all, and the best rival.

    Where the total is none to go by it is grey, with the reason and the step that mends it.
    """

    mending_wanted = Signal(Command)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(margin=0, parent=parent)
        # A tab that takes the chart's room must get it, not this card.
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.title = RichLabel("", "quiet")
        self.help = HelpButton(HelpText(title="Total profit", text=""))
        self.number = GoalLabel()
        self.bar = EstimateBar()
        self.bar.setMaximumWidth(112)
        self.interval = TextLabel("", "note", wraps=True)
        self.per_thousand = TextLabel("", "note")
        self.invalid = TextLabel("", "error", wraps=True)
        self.mend = QPushButton()
        self.mend.setProperty("small", True)
        self.mend.clicked.connect(lambda _checked: self._mend())
        self.wrong: Invalid | None = None  # why the total is none to go by
        self.said: TotalHeadline | None = None
        self.blocks = (AgainstBlock(), AgainstBlock(), AgainstBlock())
        self._rules: list[Rule] = []
        self._is_compact = False
        self._row = row = QHBoxLayout()
        row.setContentsMargins(16, 9, 12, 7)
        row.setSpacing(16)
        row.addWidget(self._make_main(), MAIN)
        for block in self.blocks:
            rule = Rule(vertical=True)
            self._rules.append(rule)
            row.addWidget(rule)
            row.addWidget(block, BLOCK)
        self.body.addLayout(row)

    def _make_main(self) -> QWidget:
        main = QWidget()
        column = QVBoxLayout(main)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self.title)
        head.addWidget(self.help)
        head.addStretch(1)
        self._number_line = QHBoxLayout()
        self._number_line.setSpacing(16)
        self._number_line.addWidget(self.number)
        self._interval_line = QHBoxLayout()
        self._interval_line.setSpacing(10)
        self._interval_line.addWidget(self.bar, 1)
        self._interval_line.addWidget(self.interval, 3)
        column.addLayout(head)
        column.addLayout(self._number_line)
        column.addLayout(self._interval_line)
        column.addWidget(self.per_thousand)
        column.addWidget(self.invalid)
        column.addWidget(self.mend, 0, Qt.AlignmentFlag.AlignLeft)
        column.addStretch(1)
        return main

    def _mend(self) -> None:
        if self.wrong is not None:
            self.mending_wanted.emit(self.wrong.mend)

    def _show_validity(self, wrong: Invalid | None) -> None:
        """Grey the figures that are none to go by, and say why."""
        self.wrong = wrong
        self.number.set_role("quietNumber" if wrong else "number")
        self.invalid.setText(wrong.reason if wrong else "")
        self.mend.setText(wrong.words if wrong else "")
        for widget in (self.invalid, self.mend):
            widget.setVisible(wrong is not None)

    def set_compact(self, is_compact: bool) -> None:
        """Stand closer where the window is low: the bar beside the number, one line less."""
        if is_compact == self._is_compact:
            return
        self._is_compact = is_compact
        self._row.setContentsMargins(16, 4 if is_compact else 9, 12, 3 if is_compact else 7)
        self.per_thousand.setVisible(not is_compact)
        for block in self.blocks:
            block.title.set_role("note" if is_compact else "quiet")
        if is_compact:
            self._number_line.insertWidget(1, self.bar, 1)
        else:
            self._interval_line.insertWidget(0, self.bar, 1)

    def sizeHint(self) -> QSize:
        """As high as its words need at its width: more than the height it is given cuts them."""
        hint = super().sizeHint()
        needed = self.heightForWidth(self.width()) if self.isVisible() else 0
        return QSize(hint.width(), max(hint.height(), needed))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()
            if self.said is not None:
                self._fit_title(self.said)

    def _fit_title(self, described: TotalHeadline) -> None:
        """What the number is, in one line: without room a long name loses its end, or goes.

        The other columns keep their share of the width. The model stands above the page as well.
        """
        before, share, after = described.title
        blocks = BLOCK * len(described.comparisons)
        room = self.width() * MAIN // (MAIN + blocks) - self.help.sizeHint().width() - BESIDE_TITLE
        model = described.model
        shorter = (model, short_name(model), short_name(model, LEAST_LETTERS))
        for words in (
            *(after.replace(model, name) for name in shorter),
            after.replace(f", {model}", ""),
        ):
            self.title.setText(joined((before, strong(share), words)))
            if self.title.natural_width() <= room:
                break

    # ------------------------------------------------------------ showing

    def show_result(
        self,
        document: Document,
        result: DecisionResult | None,
        depth: float,
        reading: CursorReading | None,
        resamples: ResampleResult | None,
    ) -> None:
        """Show the total at a depth; None empties the card."""
        described = headline_of(document, result, depth, reading, resamples) if result else None
        self.said = described
        self.setVisible(described is not None)
        if result is None or described is None:
            return
        self._show_validity(invalid_of(result, described.model))
        self._fit_title(described)
        self._show_number(described, result, Labels.of(document, result))
        for block, comparison in zip(self.blocks, described.comparisons, strict=False):
            block.show_comparison(comparison, described.currency)
        has_rival = len(described.comparisons) == len(self.blocks)
        self.blocks[-1].setVisible(has_rival)
        self._rules[-1].setVisible(has_rival)
        if self.wrong is not None:
            for block in self.blocks:
                block.amount.set_role("quiet")

    def _show_number(
        self, described: TotalHeadline, result: DecisionResult, labels: Labels
    ) -> None:
        chosen = profit_of(result, described.model)
        is_known = chosen is not None and self.wrong is None and not result.knots
        start = labels.shown(chosen.total.value) if chosen is not None and is_known else None
        self.number.words = lambda total: labels.money(
            labels.shown(total), decimals=described.decimals
        )
        self.number.show_figure(described.figure, described.exact, start)
        self.interval.setText(described.interval)
        self.bar.set_estimate(
            described.estimate, described.scale, described.series, described.interval
        )
        self.per_thousand.setText(described.per_thousand)
        is_loss = result.kind == MatrixKind.LOSS.value
        self.help.set_content(
            HelpText(
                title="Total loss" if is_loss else "Total profit",
                text=f"{described.question} {described.interval}. {result.rows.text}",
                formula="Σᵢ F(i) · C(i) · Paw(T(i))",
                reference="SAS Enterprise Miner, Decisions, total profit with priors",
            )
        )
