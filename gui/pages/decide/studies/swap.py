"""The tab Swap set: two ways to decide the same cases, who moves between them, and the money."""

from __future__ import annotations

from typing import TypeVar

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QVBoxLayout, QWidget

from core.document.model import Document
from core.document.results import DecisionResult, ModelProfit
from core.document.studies.swap import (
    BOTH,
    FIRST,
    NEITHER,
    SECOND,
    SwapGroup,
    SwapSet,
    SwapSide,
)
from core.document.wording import (
    format_count,
    format_money,
    format_money_interval,
    format_p_value,
    format_share,
)
from core.presentation.labels import Labels, capitalised
from core.presentation.table import Cell, Table
from core.questions.decide import Swap
from gui.pages.decide import figures
from gui.pages.decide.studies.study import Study
from gui.pages.decide.studies.swap_picture import SwapPicture
from gui.parts import TextLabel
from gui.parts.figure_table import FigureTable
from gui.parts.model_box import ModelBox
from gui.workspace import Workspace
from payoff.counting import counted

RATE_COLUMN = 2
SCENARIO = "scenario "  # before its name: a way to cut that is no depth
RULE, CURSOR, PINNED, BEST = "rule", "cursor", "pinned", "best"
PICTURE, LEAST_PICTURE = 360, 236
NARROW = 860  # below this width the table leaves out what the tiles say


class WayChooser(QWidget):
    """A model, and how deep it acts, or by the rule of which scenario."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        self.model = ModelBox()
        self.model.setProperty("small", True)
        self.model.setAccessibleName(f"{name} model")
        self.cut = QComboBox()
        self.cut.setProperty("small", True)
        self.cut.setAccessibleName(f"{name} model: how deep it acts")
        self.cut.addItem("at its rule", RULE)
        self.cut.addItem("at the cursor's depth", CURSOR)
        self.cut.addItem("at the pinned depth", PINNED)
        self.cut.addItem("at its best depth", BEST)
        self._depths = self.cut.count()  # what follows them are the document's scenarios
        row.addWidget(self.model)
        row.addWidget(self.cut)

    def show_models(self, document: Document, first_choice: str) -> None:
        """Offer the document's models and scenarios; one that is gone gives way."""
        self._show_scenarios(document)
        names = [entry.name for entry in document.models]
        if [self.model.itemData(place) for place in range(self.model.count())] == names:
            return
        kept = self.model.currentData()
        self.model.offer(document, kept if kept in names else first_choice)

    def _show_scenarios(self, document: Document) -> None:
        """Each scenario's matrix is a rule of its own."""
        names = [entry.name for entry in document.scenarios]
        places = range(self._depths, self.cut.count())
        if [self.cut.itemData(place).removeprefix(SCENARIO) for place in places] == names:
            return
        kept = self.cut.currentData()
        while self.cut.count() > self._depths:
            self.cut.removeItem(self._depths)
        for name in names:
            self.cut.addItem(f"by the rule of “{name}”", SCENARIO + name)
        entries = [self.cut.itemData(place) for place in range(self.cut.count())]
        self.cut.setCurrentIndex(entries.index(kept) if kept in entries else 0)

    def side(self, result: DecisionResult, cursor: float, pinned: float | None) -> SwapSide:
        """The way chosen; without a pin its depth is the cursor's."""
        name = str(self.model.currentData())
        kind = str(self.cut.currentData())
        if kind == RULE:
            return SwapSide(model=name)
        if kind.startswith(SCENARIO):
            return SwapSide(model=name, scenario=kind.removeprefix(SCENARIO))
        entry: ModelProfit | None = figures.profit_of(result, name)
        if kind == BEST and entry is not None:
            return SwapSide(model=name, depth=entry.best_depth)
        is_pinned = kind == PINNED and pinned is not None
        return SwapSide(model=name, depth=pinned if is_pinned else cursor)


class SwapStudy(Study):
    """Two choosers, four tiles, and the money of each group with its interval."""

    asks = Swap

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(workspace, parent)
        self.first = WayChooser("First")
        self.second = WayChooser("Second")
        self._is_new = True
        self._content: Table | None = None
        self.picture = SwapPicture()
        self.table = FigureTable("Swap set")
        self.sentence = TextLabel("", "body", wraps=True)
        self.note = TextLabel("", "note", wraps=True)
        self.body.addLayout(self._make_top())
        self.body.addWidget(self.sentence)
        row = QHBoxLayout()
        row.setSpacing(16)
        left = QVBoxLayout()
        left.addWidget(self.picture)
        left.addStretch(1)
        right = QVBoxLayout()
        right.addWidget(self.table)
        right.addWidget(self.note)
        right.addStretch(1)
        row.addLayout(left)
        row.addLayout(right, 1)
        self.body.addLayout(row, 1)

    def title(self) -> str:
        return "Swap set"

    def _make_top(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setContentsMargins(2, 4, 0, 0)
        row.setSpacing(10)
        row.addWidget(self.first)
        row.addWidget(TextLabel("against", "quiet"))
        row.addWidget(self.second)
        row.addStretch(1)
        for chooser in (self.first, self.second):
            chooser.model.activated.connect(lambda _place: self.refresh())
            chooser.cut.activated.connect(lambda _place: self.refresh())
        self.workspace.pinned_changed.connect(lambda _depth: self.refresh())
        return row

    # ------------------------------------------------------------ asking

    def forget(self) -> None:
        self._is_new = True

    def wish(self, document: Document) -> Swap | None:
        result = self.workspace.decisions
        if result is None or not result.models:
            self.say("The totals are being worked out.")
            return None
        names = [entry.model for entry in result.models]
        mine = document.reference_model or names[0]
        others = [name for name in names if name != mine]
        self.first.show_models(document, mine)
        self.second.show_models(document, others[0] if others else mine)
        if self._is_new:
            self._is_new = False
            if not others:  # one model: its rule against its best depth
                self.second.cut.setCurrentIndex(self.second.cut.findData(BEST))
        depths = (self.workspace.cursor_depth, self.workspace.pinned_depth)
        return Swap(
            first=self.first.side(result, *depths),
            second=self.second.side(result, *depths),
        )

    # ------------------------------------------------------------ showing

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.picture.setFixedWidth(max(LEAST_PICTURE, min(PICTURE, int(0.3 * self.width()))))
        self._show_table()

    def _show_table(self) -> None:
        content = self._content
        if content is None:
            return
        if self.width() < NARROW:
            content = Table(
                columns=_without(content.columns, RATE_COLUMN),
                rows=tuple(_without(row, RATE_COLUMN) for row in content.rows),
                help=_without(content.help, RATE_COLUMN),
            )
        self.table.show_content(content)
        self.table.setFixedHeight(self.table.content_height() + 2)

    def show_answer(self, document: Document, answer: SwapSet) -> None:
        words = Labels.of(document, self.workspace.decisions)
        event = words.level(answer.levels[0])
        self.picture.show_swap(answer, words, event)
        self.sentence.setText(swap_sentence(answer, words))
        self._content = swap_rows(answer, words, event)
        self._show_table()
        parts = [answer.rows.text, f"intervals {answer.holds_fixed}"]
        if answer.judged_by:
            parts.append(f"money counted by {answer.judged_by}")
        self.note.setText("; ".join(part for part in parts if part) + ".")


Entry = TypeVar("Entry")


def _without(entries: tuple[Entry, ...], place: int) -> tuple[Entry, ...]:
    return (*entries[:place], *entries[place + 1 :])


def swap_sentence(swap: SwapSet, words: Labels) -> str:
    """Who moves, and what that is worth."""
    only_first, only_second = swap.group(FIRST), swap.group(SECOND)
    text = f"{swap.first} acts on {format_share(swap.first_depth)}, {swap.second} on "
    text += f"{format_share(swap.second_depth)}. "
    if only_first.cases < 0.5 and only_second.cases < 0.5:
        same = "the same" if swap.group(BOTH).cases >= 0.5 else "no"
        return text + f"They choose {same} {words.cases}."
    first = counted(only_first.cases, f"{words.case} is", f"{words.cases} are")
    text += f"{first} {words.done} by the first only, "
    text += f"{format_count(only_second.cases)} by the second only. "
    estimate = swap.difference.estimate
    ends = (estimate.low, estimate.high)
    if estimate.value < 0:
        ends = (-estimate.high, -estimate.low)
    amount = format_money(abs(estimate.value), words.currency)
    verbs = words.verbs
    text += f"The first {verbs.earns} {amount} {verbs.more(estimate.value)} "
    text += f"({format_money_interval(*ends)}, {format_p_value(swap.difference.p_value)})."
    return text


def swap_rows(swap: SwapSet, words: Labels, event: str) -> Table:
    """One row per group: cases, rate of events, money of both ways and the difference."""
    names = {
        BOTH: "both",
        FIRST: "only the first",
        SECOND: "only the second",
        NEITHER: "neither",
        "all": f"all {words.cases}",
    }
    rows = tuple(
        _row(names[group.name], group, words, is_bold=group.name == "all")
        for group in (*swap.groups, swap.everyone)
    )
    header = (
        f"{capitalised(words.done)} by",
        capitalised(words.cases),
        event,
        f"First, {words.currency}",
        f"Second, {words.currency}",
        f"Difference, {words.currency}",
        "95\u00a0%",
    )
    help_texts = (
        "",
        "Weighted to the priors",
        f"Share of “{event}”",
        f"What {swap.first} {words.verbs.brings} with these {words.cases}",
        f"What {swap.second} {words.verbs.brings} with these {words.cases}",
        "First less second, case by case",
        "Interval of the difference: the same cases, paired",
    )
    return Table(columns=header, rows=rows, help=help_texts)


def _row(name: str, group: SwapGroup, words: Labels, *, is_bold: bool) -> tuple[Cell, ...]:
    gain = group.difference.value
    role = "text" if abs(gain) < 0.5 else "gain" if gain > 0 else "loss"
    is_same = max(abs(group.difference.low), abs(group.difference.high)) < 0.5
    ends = "" if is_same else format_money_interval(group.difference.low, group.difference.high)
    return (
        Cell(text=name, is_bold=is_bold),
        Cell(text=format_count(group.cases), is_bold=is_bold),
        Cell(text=format_share(group.event_rate.value), is_bold=is_bold),
        Cell(text=format_money(words.shown(group.first), "", decimals=0), is_bold=is_bold),
        Cell(text=format_money(words.shown(group.second), "", decimals=0), is_bold=is_bold),
        Cell(text=format_money(gain, "", decimals=0, sign=True), role=role, is_bold=is_bold),
        Cell(text=ends if group.cases > 0 else "", role="quiet"),
    )
