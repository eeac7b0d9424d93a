"""The tab Capacity: the best decisions where only so much can be done, and what more would earn."""

from __future__ import annotations

import math

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from core.document.model import Document
from core.document.studies.capacity import (
    ACTIONS,
    MONEY,
    NO_COST,
    CapacityPoint,
    CapacityResult,
)
from core.document.wording import (
    NBSP,
    format_count,
    format_money,
    format_money_interval,
    format_share,
    join_words,
)
from core.questions.decide import Capacity
from core.questions.suggestions import acting_decisions
from gui.pages.decide.studies.capacity_chart import CapacityChart, action_word
from gui.pages.decide.studies.study import Study
from gui.pages.decide.words import DecisionWords, words_of
from gui.parts import ElidedLabel, TextLabel
from gui.parts.form import QuestionForm
from gui.plots import ChartLook
from gui.workspace import Workspace
from payoff.counting import counted_of

LEFT = 330


class CapacityStudy(Study):
    """Two limits, the best profit within them, the shadow price, and profit against capacity."""

    asks = Capacity

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(workspace, parent)
        self.form = QuestionForm(Capacity, ("most_actions", "most_money", "price"))
        self.number = TextLabel("", "number")
        self.interval = TextLabel("", "note")
        self.price = TextLabel("", "strong", wraps=True)
        self.sentence = TextLabel("", "note", wraps=True)
        self.use_button = QPushButton("Use this depth")
        self.use_button.setProperty("small", True)
        self.chart = CapacityChart()
        self.chart.refused.connect(workspace.post)
        self._depth: float | None = None
        row = QHBoxLayout()
        row.setSpacing(16)
        row.addWidget(self._make_left())
        row.addWidget(self.chart, 1)
        self.body.addLayout(row, 1)
        self.form.asked_anew.connect(self.refresh)
        self.use_button.clicked.connect(self._use_depth)

    def title(self) -> str:
        return "Capacity"

    def _make_left(self) -> QWidget:
        left = QWidget()
        left.setFixedWidth(LEFT)
        column = QVBoxLayout(left)
        column.setContentsMargins(2, 0, 0, 0)
        column.setSpacing(4)
        column.addSpacing(4)
        column.addWidget(self.form)
        column.addSpacing(6)
        self.caption = ElidedLabel("", "quiet", mode=Qt.TextElideMode.ElideRight)
        for widget in (self.caption, self.number, self.interval, self.price, self.sentence):
            column.addWidget(widget)
        column.addSpacing(4)
        column.addWidget(self.use_button, 0, Qt.AlignmentFlag.AlignLeft)
        column.addStretch(1)
        return left

    # ------------------------------------------------------------ asking

    def forget(self) -> None:
        self.form.draft.forget()

    def wish(self, document: Document) -> Capacity | None:
        decisions = self.workspace.decisions
        if decisions is None or document.matrix is None:
            self.say("The totals are being worked out.")
            return None
        words, acting = words_of(document, decisions), acting_decisions(document, decisions)
        self.form.show_for(self.workspace.form_context(document, action_word(acting, words)))
        question: Capacity = self.form.question()
        return question

    # ------------------------------------------------------------ showing

    def show_answer(self, document: Document, answer: CapacityResult) -> None:
        words = words_of(document, self.workspace.decisions)
        is_one_action = len(answer.acting) == 1
        self.form.assume("price", answer.price if is_one_action else None, answer.price_reason)
        self.chart.show_result(answer, words, ChartLook.from_document(document))
        point = answer.point(document.reference_model or "") or answer.points[0]
        free = answer.free[answer.points.index(point)]
        self._show_figures(answer, words, point, free)
        self._depth = point.depth if is_one_action else None
        self.use_button.setEnabled(is_one_action)
        self.use_button.setToolTip(
            f"Move the cursor to {format_share(point.depth)}"
            if is_one_action
            else "Several decisions count as actions: these are no depth of one of them"
        )

    def _show_figures(
        self,
        result: CapacityResult,
        words: DecisionWords,
        point: CapacityPoint,
        free: CapacityPoint,
    ) -> None:
        amount = "Least total loss within it" if words.is_loss else ""
        self.caption.set_full_text(f"{amount or 'Best total profit within it'}, {point.model}")
        self.number.setText(words.money(point.profit.value))
        ends = words.interval(point.profit.low, point.profit.high)
        self.interval.setText(
            f"{format_money_interval(*ends)}, 95{NBSP}% {point.profit.holds_fixed}".rstrip()
        )
        self.price.setText(price_sentence(result, words, point))
        self.sentence.setText(_use_sentence(result, words, point, free))

    def _use_depth(self) -> None:
        if self._depth is not None:
            self.workspace.move_cursor(self._depth, finished=True)


def price_sentence(result: CapacityResult, words: DecisionWords, point: CapacityPoint) -> str:
    """What one more action or unit of money would earn."""
    done = action_word(result.acting, words)
    if point.binding == "none":
        return f"The limit does not bind: one more {words.case} {done} is expected to gain nothing."
    parts = []
    if point.action_price > 0 or point.binding == ACTIONS:
        earned = words.verbs.gains(format_money(point.action_price, words.currency, decimals=2))
        parts.append(f"One more {words.case} {done} would {earned}")
    if point.money_price > 0 or point.binding == MONEY:
        earned = words.verbs.gains(format_money(point.money_price, words.currency, decimals=2))
        unit = format_money(1.0, words.currency)
        head = "one more" if parts else "One more"
        parts.append(f"{head} {unit} would {earned}")
    text = ", ".join(parts)
    if math.isfinite(point.realised_price):
        came = format_money(point.realised_price, words.currency, decimals=2)
        text += f"; around here it really {'saved' if words.is_loss else 'brought'} {came}"
    return text + "."


def _use_sentence(
    result: CapacityResult, words: DecisionWords, point: CapacityPoint, free: CapacityPoint
) -> str:
    """How much is used, of what, and what the limit costs."""
    several = len(result.acting) > 1
    done = action_word(result.acting, words)
    if several:
        shares = [f"{name} {format_count(count)}" for name, count in point.counts if count > 0]
        used = join_words(shares)
    else:
        used = counted_of(point.actions, result.cases, words.case, words.cases) + f" {done}"
        used += f" ({format_share(point.depth)})"
    text = f"{used}, {_spent_words(result, point, words)}."
    promised = format_money(words.shown(point.expected), words.currency)
    text += f" The chances promise {promised}."
    lost = free.profit.value - point.profit.value
    if point.binding != "none":
        verb = "costs" if lost >= 0 else "saves"
        text += f" The limit {verb} {format_money(abs(lost), words.currency)}"
        text += f" against none ({format_count(free.actions)} {done})."
    is_said = not result.price_reason.startswith(NO_COST)  # else it stands beside the money
    if result.price is not None and is_said and point.binding in (MONEY, "both"):
        text += f" Price of an action: {result.price_reason}."
    return text


def _spent_words(result: CapacityResult, point: CapacityPoint, words: DecisionWords) -> str:
    """The money used: spent where costs are known or a price was typed, else what may be lost."""
    money = format_money(point.money, words.currency)
    if result.price_reason.startswith(NO_COST):
        return f"{money} at stake ({result.price_reason})"
    return f"{money} spent"
