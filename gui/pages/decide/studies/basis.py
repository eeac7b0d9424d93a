"""The tab Basis: decisions by each case's own score, beside those by averages."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from core.document.commands import Command
from core.document.model import Document
from core.document.studies.basis import (
    HONEST,
    LEAF,
    MEAN,
    SCORE,
    SPREAD,
    BasisLine,
    BasisResult,
)
from core.document.wording import (
    NBSP,
    format_count,
    format_money,
    format_money_interval,
    format_number,
    format_share,
    join_words,
)
from core.presentation.labels import Labels, capitalised
from core.presentation.table import Cell, Table
from core.questions.decide import Basis
from gui.pages.decide.studies.basis_choice import BasisChoice
from gui.pages.decide.studies.study import Study
from gui.parts import TextLabel
from gui.parts.figure_table import FigureTable
from gui.workspace import Workspace
from payoff.counting import counted, counted_of


class BasisStudy(Study):
    """A choice of what to average over, and a table of what each way brings."""

    asks = Basis

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        self._is_built = False
        super().__init__(workspace, parent)
        self.choice = BasisChoice()
        self.sentence = TextLabel("", "strong", wraps=True)
        self.table = FigureTable("Ways to decide")
        self.note = TextLabel("", "note", wraps=True)
        for widget in (self.choice, self.sentence, self.table, self.note):
            self.body.addWidget(widget)
        self.body.addStretch(1)
        self.choice.chosen.connect(self._execute)
        self.choice.columns_wanted.connect(self.open_columns)
        self._is_built = True

    def title(self) -> str:
        return "Basis"

    def say(self, text: str) -> None:
        """A sentence in place of the figures; the choice stays, to be mended."""
        super().say(text)
        if self._is_built and self._document_shown():
            self._stack.setCurrentIndex(1)
            self.sentence.setText(text)
            self.note.setText("")
            self.table.hide()

    def _document_shown(self) -> bool:
        return bool(self.choice.model)

    def wish(self, document: Document) -> Basis | None:
        summary = self.workspace.summary
        self.choice.show_document(document, summary.columns if summary is not None else ())
        if self.workspace.decisions is None or not document.models:
            self.say("The totals are being worked out.")
            return None
        model = document.reference_model or document.models[0].name
        return Basis(model=model)

    def open_columns(self) -> QWidget:
        """Open the dialog that says which columns hold quantiles."""
        from gui.dialogs.quantile_columns import QuantileColumnsDialog

        dialog = QuantileColumnsDialog(self.workspace, self)
        dialog.finished.connect(lambda _result: self.refresh())
        dialog.open()
        return dialog

    def _execute(self, command: Command) -> None:
        self.workspace.execute(command)
        document = self.workspace.document  # what was refused goes back in the choice
        summary = self.workspace.summary
        self.choice.show_document(document, summary.columns if summary is not None else ())

    def show_answer(self, document: Document, answer: BasisResult) -> None:
        if answer.has_own_quantiles:
            self.choice.add_quantiles_of(answer.model)
        words = Labels.of(document, self.workspace.decisions)
        self.sentence.setText(basis_sentence(answer, words))
        self.table.setVisible(bool(answer.lines))
        self.table.show_content(basis_rows(document, answer, words))
        self.table.setFixedHeight(self.table.content_height() + 2)
        self.note.setText(basis_note(answer, words))


def way_words(way: str, words: Labels) -> str:
    """A way to decide, as the first cell of its row."""
    return {
        SCORE: f"each {words.case}'s own score",
        MEAN: "the mean of its quantiles",
        SPREAD: "averaged over its quantiles",
        LEAF: "its leaf's average of promises",
        HONEST: "its leaf's average of outcomes",
    }[way]


def basis_sentence(result: BasisResult, words: Labels) -> str:
    """What averaging changes: decisions, promises and what came in."""
    if not result.lines:
        return (
            f"“{result.model}” decides each {words.case} by its own score. Choose quantiles that "
            "were predicted, or the leaves of a tree, to average over."
        )
    first, last = result.lines[0], _averaged(result)
    decided = counted_of(last.changed, result.cases, words.case, words.cases)
    text = f"Averaging decides {decided} "
    text += f"otherwise ({format_share(last.changed / max(result.cases, 1e-300))})"
    ends = format_money_interval(*words.interval(last.difference.low, last.difference.high))
    money = words.money(last.difference.value, sign=True)
    text += f": {money} {words.verbs.came_in} with it ({ends}). "
    if result.leaves:
        return text
    mean = next(line for line in result.lines if line.way == MEAN)
    gap = mean.promised - mean.averaged
    lost = last.averaged - mean.averaged
    seems = f"seem to {words.verbs.bring} {words.money(mean.promised)}"
    text += f"Jensen gap: at the mean its decisions {seems}, "
    text += f"over the distribution {words.money(mean.averaged)}, {words.money(abs(gap))} "
    text += f"{'less' if (gap > 0) != words.is_loss else 'more'}; deciding over it is worth "
    text += f"{format_money(lost, words.currency)}. At the score itself: "
    return text + f"{words.money(first.promised)} and {words.money(first.averaged)}."


def _averaged(result: BasisResult) -> BasisLine:
    """The way of averaging that decides, or the first one where none does."""
    averaged = [line for line in result.lines if line.way in (SPREAD, LEAF, HONEST)]
    return next((line for line in averaged if line.way == result.used), averaged[0])


def basis_rows(document: Document, result: BasisResult, words: Labels) -> Table:
    """One row per way: promised, what the averages say of it, came in, decided otherwise."""
    acting = capitalised(words.done)
    came_in = capitalised(words.verbs.came_in.removeprefix("was "))
    header = (
        "Decided by",
        acting,
        f"Promised, {words.currency}",
        f"By averages, {words.currency}",
        f"{came_in}, {words.currency}",
        "Difference",
        f"95{NBSP}%",
        "Otherwise",
    )
    help_texts = (
        "What each decision is read from; the way in use is in bold",
        f"{capitalised(words.cases)} that are {words.done}, weighted to the priors",
        "What this way itself promises of its decisions",
        "What the averages promise of the same decisions",
        f"What these decisions really {words.verbs.brought}",
        f"{came_in}, less that of the first way",
        "Interval of the difference: the same cases, paired",
        f"{capitalised(words.cases)} that the first way decides otherwise",
    )
    rows = tuple(_row(line, words, is_bold=line.way == result.used) for line in result.lines)
    return Table(columns=header, rows=rows, help=help_texts)


def _row(line: BasisLine, words: Labels, *, is_bold: bool) -> tuple[Cell, ...]:
    def money(profit: float) -> Cell:
        text = format_money(words.shown(profit), "", decimals=0)
        return Cell(text=text, exact=words.money(profit), is_bold=is_bold)

    gain, is_first = line.difference.value, line.way == SCORE
    role = "text" if abs(gain) < 0.5 else "gain" if gain > 0 else "loss"
    ends = format_money_interval(*words.interval(line.difference.low, line.difference.high))
    difference = format_money(words.shown(gain), "", decimals=0, sign=True)
    return (
        Cell(text=way_words(line.way, words), is_bold=is_bold),
        Cell(text=format_count(line.acted), is_bold=is_bold),
        money(line.promised),
        money(line.averaged),
        money(line.realised.value),
        Cell(text="" if is_first else difference, role=role, is_bold=is_bold),
        Cell(text="" if is_first else ends, role="quiet"),
        Cell(text="" if is_first else format_count(line.changed), is_bold=is_bold),
    )


def basis_note(result: BasisResult, words: Labels) -> str:
    """What is averaged over, and over which rows."""
    if not result.lines:
        return ""
    parts = [result.rows.text, f"intervals {result.holds_fixed}".strip()]
    if result.levels:
        levels = join_words([f"{format_number(100 * level, 1)}{NBSP}%" for level in result.levels])
        parts.append(
            f"quantiles of {levels}, straight between them; the outer ones stand for the "
            f"{format_share(result.tail)} beyond"
        )
    if result.crossed:
        parts.append(
            f"the quantiles of {counted(result.crossed, words.case, words.cases)} cross and "
            "were put in order"
        )
    if result.leaves:
        parts.append(
            f"{counted(result.leaves, 'leaf', 'leaves')}; new {words.cases} get the averages "
            "of these rows, and pay their own costs"
        )
    return "; ".join(part for part in parts if part) + "."
