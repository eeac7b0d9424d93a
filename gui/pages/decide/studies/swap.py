"""The tab Swap set: two ways to decide the same cases, who moves between them, and the money."""

from __future__ import annotations

from PySide6.QtWidgets import QComboBox, QHBoxLayout, QWidget

from core.document.model import Document
from core.document.results import DecisionResult, ModelProfit
from core.document.studies.swap import SwapSide
from core.presentation import decide_figures as figures
from core.questions.decide import Swap
from gui.pages.decide.studies.study import Study
from gui.parts import TextLabel
from gui.parts.model_box import ModelBox
from gui.workspace import Workspace

SCENARIO = "scenario "  # before its name: a way to cut that is no depth
RULE, CURSOR, PINNED, BEST = "rule", "cursor", "pinned", "best"


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
        self.body.addLayout(self._make_top())
        self.add_panel("right", share=2)

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
