"""The view of predicted classes and score rankings, with Enterprise Miner's profits on request."""

from __future__ import annotations

import math

from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QVBoxLayout, QWidget

from core.document.model import Document
from core.document.studies.rankings import (
    RankingsResult,
)
from core.document.wording import (
    NBSP,
    UNDEFINED,
    format_count,
    format_money,
    format_number,
    format_share,
)
from core.presentation.labels import Labels, capitalised
from core.presentation.table import Cell, Table
from core.questions.decide import Rankings
from gui.pages.decide.studies.em_chart import EnterpriseChart
from gui.pages.decide.studies.study import Study
from gui.parts import TextLabel
from gui.parts.figure_table import FigureTable
from gui.parts.form import FormLook, QuestionForm
from gui.workspace import Workspace

SAME = 1e-9  # share of the total by which two ways of adding up may differ


class RankingsStudy(Study):
    """Rankings at the left; at the right predicted classes, or Enterprise Miner's chart."""

    asks = Rankings

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(workspace, parent)
        self._answer: RankingsResult | None = None
        self._shown_for = Document()
        self.table = FigureTable("Score rankings")
        self.predicted = FigureTable("Predicted classes")
        self.note = TextLabel("", "note", wraps=True)
        self.chart = EnterpriseChart()
        self.chart.refused.connect(workspace.post)
        self.body.addLayout(self._make_top())
        row = QHBoxLayout()
        row.setSpacing(16)
        row.addWidget(self.table, 7)
        right = QVBoxLayout()
        right.addWidget(self.predicted)
        right.addWidget(self.chart, 1)
        right.addWidget(self.note)
        right.addStretch(0)
        row.addLayout(right, 4)
        self.body.addLayout(row, 1)

    def title(self) -> str:
        return "Decision table"

    def _make_top(self) -> QHBoxLayout:
        self.form = QuestionForm(Rankings, ("by",), FormLook.LINE, is_small=True, has_labels=False)
        self.form.asked_anew.connect(self.refresh)
        self.as_em = QCheckBox("as SAS EM")
        self.as_em.setToolTip(
            "Set the profits that charts of SAS Enterprise Miner draw beside these"
        )
        self.as_em.toggled.connect(lambda _is_on: self._show())
        row = QHBoxLayout()
        row.setContentsMargins(2, 4, 0, 0)
        row.setSpacing(16)
        row.addWidget(self.form)
        row.addWidget(self.as_em)
        row.addStretch(1)
        return row

    def wish(self, document: Document) -> Rankings | None:
        if self.workspace.decisions is None or not document.models:
            self.say("The totals are being worked out.")
            return None
        self.form.show_for(self.workspace.form_context(document))
        model = document.reference_model or document.models[0].name
        question: Rankings = self.form.question(model=model)
        return question

    def show_answer(self, document: Document, answer: RankingsResult) -> None:
        self._answer, self._shown_for = answer, document
        self._show()

    def _show(self) -> None:
        answer, document = self._answer, self._shown_for
        if answer is None:
            return
        words = Labels.of(document, self.workspace.decisions)
        is_number = not answer.predicted.size
        self.as_em.setEnabled(not is_number)
        is_em = self.as_em.isChecked() and not is_number
        self.table.show_content(ranking_rows(answer, words, as_em=is_em))
        self.predicted.setHidden(is_em or is_number)
        self.chart.setVisible(is_em)
        if is_number:
            self.note.setText(answer.rows.text + ".")
        elif is_em:
            model = document.model(answer.model)
            self.chart.show_result(answer, words, model.series if model is not None else 0)
            self.note.setText(difference_sentence(answer, words))
        else:
            self.predicted.show_content(predicted_rows(document, answer, words))
            self.predicted.setFixedHeight(self.predicted.content_height() + 2)
            self.note.setText(predicted_sentence(answer, words))


def ranking_rows(result: RankingsResult, words: Labels, *, as_em: bool = False) -> Table:
    """A row per bin of depth: response or value, lift, and money."""
    is_number = not result.predicted.size
    name = "value" if is_number else "response"
    mean = "Mean" if is_number else f"Response,{NBSP}%"
    money = capitalised(words.amount)
    header = ["Depth", capitalised(words.cases), mean, f"Captured,{NBSP}%", "Lift", money]
    header += ["All so far", "As SAS EM"] if as_em else ["All so far", "Expected so far"]
    last = "em_cumulative_total" if as_em else "expected_cumulative_total"
    helps = (
        "The best cases down to here",
        "Weighted to the priors; cases with equal scores are shared between bins in proportion",
        "Of this bin",
        "Share of all, from the best case down to here",
        "Of this bin: times the average of all cases",
        f"What the decisions of this bin {words.verbs.brought}, {words.currency}",
        "The same, from the best case down to here; the last row is the total",
        "As Enterprise Miner's chart has it" if as_em else "What the chances promise of the same",
    )
    columns = ("depth", "cases", name, "cumulative_captured", "lift", "total", "cumulative_total")
    found = [result.column(column) for column in (*columns, last)]
    return Table(
        columns=tuple(header),
        help=helps,
        rows=tuple(_ranking_row(tuple(map(float, entry))) for entry in zip(*found, strict=True)),
    )


def _ranking_row(entry: tuple[float, ...]) -> tuple[Cell, ...]:
    depth, cases, mean, captured, lift, total, cumulative, last = entry
    texts = (
        format_share(depth, 0),
        format_count(cases),
        _number(mean, 2),
        _number(captured, 1),
        _number(lift, 2),
        format_money(total, "", decimals=0),
        format_money(cumulative, "", decimals=0),
        format_money(last, "", decimals=0),
    )
    return tuple(Cell(text=text) for text in texts)


def _number(value: float, decimals: int) -> str:
    return format_number(value, decimals) if math.isfinite(value) else UNDEFINED


def predicted_rows(document: Document, result: RankingsResult, words: Labels) -> Table:
    """Actual class by predicted class: cases and how many of a row were right."""
    names = [words.level(level) for level in result.levels]
    header = ("Predicted:", *names, "Right")
    rows = []
    for place, name in enumerate(names):
        cells = [Cell(text=name, is_left=True)]
        cells += [Cell(text=format_count(float(count))) for count in result.predicted[place]]
        cells.append(Cell(text=_share_right(result, place)))
        rows.append(tuple(cells))
    total = [Cell(text=f"all {words.cases}", is_bold=True, is_left=True)]
    total += [
        Cell(text=format_count(float(count)), is_bold=True)
        for count in result.predicted.sum(axis=0)
    ]
    share = float(result.predicted.trace() / result.predicted.sum())
    total.append(Cell(text=format_share(share), is_bold=True))
    return Table(columns=header, rows=(*rows, tuple(total)))


def _share_right(result: RankingsResult, place: int) -> str:
    whole = float(result.predicted[place].sum())
    return format_share(float(result.predicted[place, place]) / whole) if whole else UNDEFINED


def predicted_sentence(result: RankingsResult, words: Labels) -> str:
    """What the table of predicted classes is, and what it is not."""
    text = "Rows: what happened. Columns: the class with the highest chance, whatever decisions "
    text += "earn; "
    adjusted = float(result.adjusted.trace() / result.adjusted.sum())
    if result.has_priors:
        text += f"weighted to the priors {format_share(adjusted)} of {words.cases} are right; "
    return f"{text}{result.rows.text}."


def difference_sentence(result: RankingsResult, words: Labels) -> str:
    """How far Enterprise Miner's chart ends from the total, and why."""
    ours = float(result.column("cumulative_total")[-1])
    theirs = float(result.column("em_cumulative_total")[-1])
    head = f"Enterprise Miner's chart ends at {format_money(theirs, words.currency)}, "
    if abs(theirs - ours) <= SAME * max(abs(ours), abs(theirs)):
        text = f"{head}the total, as here: "
        text += "no equal chances mix classes. " if result.has_priors else "no priors are set. "
    else:
        text = f"{head}the total is {format_money(ours, words.currency)}: it averages profits of "
        text += "equal chances first and weights them to the priors afterwards. "
    base = result.column("em_base_cumulative_average")
    ends, right = (format_money(float(base[place]), words.currency) for place in (-1, 0))
    return f"{text}Its base line adds up averages and ends at {ends}, not at {right}."
