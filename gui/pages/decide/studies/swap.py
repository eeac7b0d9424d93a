"""The tab Swap set: two ways to decide the same cases, who moves between them, and the money."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from core.document.model import Document
from core.questions.decide import Swap
from core.questions.decide_fields import (
    Ways,
    side_of,
    swap_fields,
    usual_ways,
    ways_left,
    with_way,
)
from gui.pages.decide.studies.study import Study
from gui.session.session import Session
from gui.widgets.fields.form import Form, FormLayout


class SwapStudy(Study):
    """Two ways, four tiles, and the money of each group with its interval."""

    asks = Swap
    fills_page = False

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, parent)
        self._ways: Ways | None = None
        self.form = Form(FormLayout.LINE, is_small=True)
        self.form.changed.connect(self._on_described)
        self.body.addWidget(self.form)
        self.add_panel("right", share=2)
        session.results.pinned_changed.connect(lambda _depth: self.refresh())

    def title(self) -> str:
        return "Swap set"

    # ------------------------------------------------------------ asking

    def forget(self) -> None:
        self._ways = None

    def request_for(self, document: Document) -> Swap | None:
        totals = self.session.results.decisions
        if totals is None or not totals.models:
            self.say("The totals are being worked out.")
            return None
        ways = self._ways or usual_ways(document, totals)
        self._ways = first, second = ways_left(ways, document, totals)
        self.form.show_fields(swap_fields(self._ways, document))
        depths = (self.session.results.cursor_depth, self.session.results.pinned_depth)
        return Swap(first=side_of(first, totals, *depths), second=side_of(second, totals, *depths))

    def _on_described(self, name: str, value: str) -> None:
        if self._ways is not None:
            self._ways = with_way(self._ways, name, value)
            self.refresh()
