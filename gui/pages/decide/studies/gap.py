"""The tab Gap: expected against realised, what was left on the table, what better ranking earns."""

from __future__ import annotations

import math

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from core.document.model import Document
from core.document.studies.gap import GapResult
from core.document.wording import (
    NBSP,
    format_count,
    format_money,
    format_money_interval,
    format_number,
)
from core.presentation.labels import Labels
from core.presentation.table import Cell, Table
from core.questions.decide import Gap
from gui.pages.decide.studies.gap_chart import GapChart
from gui.pages.decide.studies.study import Study
from gui.pages.decide.words import foresight_words
from gui.parts import ElidedLabel, IconLabel, TextLabel
from gui.parts.figure_table import FigureTable
from gui.workspace import Workspace


class GapStudy(Study):
    """A chart with two lines, a verdict in words, and a table of what was left behind."""

    asks = Gap

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(workspace, parent)
        self.chart = GapChart()
        self.chart.refused.connect(workspace.post)
        self.sign = IconLabel("check", "gain", 14)
        self.verdict = TextLabel("", "strong", wraps=True)
        self.where = TextLabel("", "note", wraps=True)
        self.left_title = ElidedLabel("", "quiet", mode=Qt.TextElideMode.ElideRight)
        self.left = FigureTable("Left on the table")
        self.auc = TextLabel("", "note", wraps=True)
        row = QHBoxLayout()
        row.setSpacing(16)
        row.addWidget(self.chart, 1)
        row.addWidget(self._make_right(), 1)
        self.body.addLayout(row, 1)

    def title(self) -> str:
        return "Gap"

    def _make_right(self) -> QWidget:
        right = QWidget()
        column = QVBoxLayout(right)
        column.setContentsMargins(0, 6, 0, 0)
        column.setSpacing(6)
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self.sign, 0, Qt.AlignmentFlag.AlignTop)
        head.addWidget(self.verdict, 1)
        column.addLayout(head)
        column.addWidget(self.where)
        column.addSpacing(4)
        column.addWidget(self.left_title)
        column.addWidget(self.left)
        column.addWidget(self.auc)
        column.addStretch(1)
        return right

    def wish(self, document: Document) -> Gap | None:
        if self.workspace.decisions is None or not document.models:
            self.say("The totals are being worked out.")
            return None
        model = document.reference_model or document.models[0].name
        return Gap(model=model)

    def show_answer(self, document: Document, answer: GapResult) -> None:
        words = Labels.of(document, self.workspace.decisions)
        model = document.model(answer.model)
        self.chart.show_result(answer, words, model.series if model is not None else 0)
        self.sign.set_icon(
            "check" if answer.is_kept else "warning", "gain" if answer.is_kept else "loss"
        )
        self.verdict.setText(answer.verdict[0])
        self.where.setText(where_words(answer, words))
        self.left_title.set_full_text(left_words(answer, words))
        self.left.show_content(left_rows(document, answer, words))
        self.left.setFixedHeight(self.left.content_height() + 2)
        self.auc.setText(auc_words(answer, words))


def where_words(result: GapResult, words: Labels) -> str:
    """Promise and outcome at the rule, the gap's interval, and where it is largest."""
    promised = words.money(result.rule_expected)
    came = words.money(result.rule_realised)
    gap = result.rule_gap
    ends = format_money_interval(*words.interval(gap.low, gap.high))
    text = f"At the rule {promised} promised, {came} {words.verbs.came_in}; gap {ends}, 95{NBSP}%"
    text = f"{text} {result.holds_fixed}.".replace(" .", ".")
    return " ".join((text, *result.verdict[1:]))


def left_words(result: GapResult, words: Labels) -> str:
    """How much perfect foresight would have brought beyond what came in."""
    left = foresight_words(result.left_total, result.best_total, words)
    return f"Left on the table: {left}{'' if words.is_loss else ' with perfect foresight'}"


def left_rows(document: Document, result: GapResult, words: Labels) -> Table:
    """What was lost by class and decision: cases and money."""
    header: list[str] = [f"If the {words.case}…"]
    for name in result.decisions:
        header += [name, words.currency]
    rows = []
    for place, level in enumerate(result.levels):
        cells = [Cell(text=words.label_of(document, level))]
        for decision in range(len(result.decisions)):
            cells += _left_cells(result.left_cases[place, decision], result.left[place, decision])
        rows.append(tuple(cells))
    total = [Cell(text=f"all {words.cases}", is_bold=True)]
    for decision in range(len(result.decisions)):
        sums = result.left_cases[:, decision].sum(), result.left[:, decision].sum()
        total += _left_cells(*sums, is_bold=True)
    rows.append(tuple(total))
    return Table(columns=tuple(header), rows=tuple(rows))


def _left_cells(cases: float, lost: float, *, is_bold: bool = False) -> list[Cell]:
    role = "loss" if lost > 0.005 else "quiet"
    return [
        Cell(text=format_count(cases), role="text" if cases > 0 else "quiet", is_bold=is_bold),
        Cell(text=format_money(lost, "", decimals=0), role=role, is_bold=is_bold),
    ]


def auc_words(result: GapResult, words: Labels) -> str:
    """What better ranking would earn, and what that rests on."""
    worth = result.auc
    if not math.isfinite(worth.per_point):
        return f"The worth of better ranking cannot be told: {worth.method}."
    earned = words.verbs.gains(f"about {format_money(worth.per_point, words.currency)}")
    auc = format_number(worth.auc, 3)
    text = f"One more point of AUC ({auc} to {format_number(worth.auc + 0.01, 3)}) would {earned}."
    text += f" Assumed: {worth.method}"
    if math.isfinite(worth.model_profit):
        best = "least loss" if words.is_loss else "best profit"
        text += f", whose {best} would be {words.money(worth.model_profit)}; "
        text += f"the model's is {words.money(result.best_profit)}"
    return text + "."
