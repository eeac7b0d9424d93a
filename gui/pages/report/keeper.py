"""Keeps the blocks of the report: makes them of what pages show, and makes them again.

Pages that have been built are looked at whenever a result comes in; an entry whose page shows
other figures gets another block. An entry that answers a question is asked for here, as the report
without a window does; another one, of a page that has not been built or that has not worked its
figures out again, keeps the block it has and is stale.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING
from weakref import WeakSet

from PySide6.QtCore import QObject, QTimer, Signal
from shiboken6 import isValid

from core.document.report.commands import PutAllOnReport, TakeOffReport, page_of
from gui.pages.report.committee import CommitteeEntries
from gui.session.request import Request
from gui.shell.page_list import PageId
from payoff.counting import counted

if TYPE_CHECKING:
    from core.document.files.codec import Plain
    from core.presentation.view import View
    from gui.charts.card import ChartCard
    from gui.pages.report.parts import ReportedPage, ReportPart
    from gui.session.project import Project
    from gui.session.results import Results

PAUSE = 120  # ms after a result: several come in a row


class ReportKeeper(QObject):
    """The blocks of one window's report."""

    page_requested = Signal(object)  # PageId
    changed = Signal()  # a block was made, or another project opened

    def __init__(self, project: Project, results: Results) -> None:
        super().__init__(project)
        self._project, self._results = project, results
        self._blocks: dict[str, View] = {}
        self._pages: dict[str, ReportedPage] = {
            "committee": CommitteeEntries(project, results, self)
        }
        self._charts: WeakSet[QObject] = WeakSet()  # whose buttons are answered
        self._requests: dict[str, Request] = {}  # one for each entry that is asked for here
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(PAUSE)
        self._timer.timeout.connect(self.collect)
        for signal in (
            project.document_changed,
            results.evaluation_changed,
            results.decisions_changed,
            results.reading_changed,
            results.resamples_changed,
            project.jobs.job_ended,
        ):
            signal.connect(self._soon)

    def _soon(self, _sent: object = None) -> None:
        self._timer.start()

    # ------------------------------------------------------------ pages

    def adopt(self, key: str, page: ReportedPage) -> None:
        """Make the entries of a page from now on, and answer the buttons of its charts."""
        self._pages[key] = page
        self._soon()

    def page(self, key: str) -> ReportedPage | None:
        """A page that has been built."""
        page = self._pages.get(key)
        return page if page is not None and isValid(page) else None

    def parts(self, key: str) -> tuple[ReportPart, ...]:
        """What a page offers; nothing before it is built."""
        page = self.page(key)
        return page.report_parts() if page is not None else ()

    def part(self, kind: str) -> ReportPart | None:
        """The part that an entry is made of, or None."""
        return next((part for part in self.parts(page_of(kind)) if part.key == kind), None)

    # ------------------------------------------------------------ what is on it

    def is_on(self, kind: str) -> bool:
        """Whether something is on the report."""
        return any(item.kind == kind for item in self._project.document.report)

    def put(self, kind: str, is_on: bool = True) -> None:
        """Put something on the report, or take it off."""
        if is_on:
            self.put_all((kind,))
        elif self.is_on(kind):
            self._project.execute(TakeOffReport(kind=kind))
            self.collect()

    def put_all(self, kinds: Iterable[str]) -> int:
        """Put what is not there yet on the report, in one step; return how much that was."""
        new = tuple(kind for kind in kinds if not self.is_on(kind))
        if not new:
            return 0
        self._project.execute(PutAllOnReport(kinds=new))
        self.collect()
        for kind in new:
            if self.block(kind) is None:
                self.ask(kind)
        return len(new)

    def put_page(self, page: str) -> None:
        """Put everything on the report that a page shows, and say how many entries came to it."""
        shown = [part.key for part in self.parts(page) if part.make() is not None]
        more = self.put_all(shown)
        words = "This page shows nothing yet that could stand on the report."
        if more:
            words = f"On the report: {counted(more, 'entry', 'entries')} more."
        elif shown:
            words = "Everything on this page is on the report already."
        self._project.post(words)

    def show_report(self) -> None:
        """Go to page Report."""
        self.page_requested.emit(PageId.REPORT)

    # ------------------------------------------------------------ questions

    def offered(self, page: str) -> tuple[tuple[str, str], ...]:
        """Key and title of every question of a page that can be put on the report unseen."""
        from core.presentation.showing import asked_of, entry_key
        from core.questions.question import questions

        document = self._project.document
        found = (
            (entry_key(record), record.facts.title)
            for record in questions().values()
            if record.facts.page == page and record.why_not(document) is None
        )
        shown = {part.key.partition(" ")[0] for part in self.parts(page)}
        return tuple(
            (key, title)
            for key, title in found
            if key not in shown and asked_of(key, None) is not None
        )

    def is_question(self, kind: str) -> bool:
        """Whether an entry answers a question, which can be asked without its page."""
        from core.presentation.showing import asked_of

        return asked_of(kind, self.block(kind)) is not None

    def ask(self, kind: str) -> bool:
        """Have the entry of a question answered of the present document; False where it is none."""
        from core.presentation.labels import Labels
        from core.presentation.showing import asked_of, show
        from core.questions.stamps import page_stamp

        question = asked_of(kind, self.block(kind))
        if question is None:
            return False
        document, about = self._project.document, f"report {kind}"

        def on_result(answer: object) -> None:
            self._project.withdraw(about)
            view = show(question, answer, Labels.of(document, self._results.decisions))
            self._keep(replace(view, key=kind, stamp=page_stamp(page_of(kind), document)))
            self.changed.emit()

        request = self._requests.setdefault(kind, Request(self, self._project))
        request.ask(
            document,
            question,
            on_result=on_result,
            on_error=lambda refusal: self._project.post(refusal, about=about),
        )
        return True

    def _keep(self, block: View) -> None:
        now = datetime.now(UTC).isoformat(timespec="seconds")
        self._blocks[block.key] = replace(block, made_at=now)

    # ------------------------------------------------------------ blocks

    def block(self, kind: str) -> View | None:
        """An entry as it was last made; None before that."""
        return self._blocks.get(kind)

    def blocks(self) -> tuple[View, ...]:
        """The views of all entries, in order."""
        found = (self.block(item.kind) for item in self._project.document.report)
        return tuple(block for block in found if block is not None)

    def packed(self) -> tuple[Plain, ...]:
        """The views of all entries as the project file keeps them."""
        blocks = self.blocks()
        if not blocks:
            return ()
        from core.presentation.keeping import pack_views

        return pack_views(blocks)

    def take(self, blocks: Iterable[View]) -> None:
        """Take the blocks of another project."""
        self._blocks = {block.key: block for block in blocks}
        self.changed.emit()

    def is_stale(self, kind: str) -> bool:
        """Whether the document has changed in a way that the entry depends on since it was made."""
        block = self.block(kind)
        if block is None:
            return True
        from core.questions.stamps import page_stamp

        return block.stamp != page_stamp(page_of(kind), self._project.document)

    def _answer_button(self, page: str, chart: ChartCard) -> None:
        """Answer the button of a chart, once."""
        if chart not in self._charts:
            self._charts.add(chart)
            chart.report_toggled.connect(partial(self._on_toggled, page, chart))

    def _on_toggled(self, page: str, chart: ChartCard, is_on: bool) -> None:
        found = (part.key for part in self.parts(page) if part.chart is chart)
        key = next(found, None)
        if key is not None:
            self.put(key, is_on)

    # ------------------------------------------------------------ making

    def collect(self) -> None:
        """Make every entry whose page shows something else than its block."""
        self._timer.stop()
        has_changed = False
        for key in tuple(self._pages):
            page = self.page(key)
            if page is None:
                del self._pages[key]
                continue
            has_changed |= self._collect_page(key, page)
        if has_changed:
            self.changed.emit()

    def _collect_page(self, key: str, page: ReportedPage) -> bool:
        on_report = {item.kind for item in self._project.document.report}
        source = page.report_document()
        from core.questions.stamps import page_stamp

        stamp = page_stamp(key, source) if source is not None else ""
        has_changed = False
        for part in page.report_parts():
            if part.chart is not None:
                self._answer_button(key, part.chart)
                part.chart.set_on_report(part.key in on_report)
            if part.key not in on_report or not stamp:
                continue
            made = part.make()
            if made is None:
                continue
            made = replace(made, stamp=stamp)
            if not _is_same(made, self._blocks.get(part.key)):
                self._keep(replace(made, key=part.key))
                has_changed = True
        return has_changed


def _is_same(made: View, kept: View | None) -> bool:
    """Whether both say the same; charts are the same while they are one object."""
    if kept is None or len(made.charts) != len(kept.charts):
        return False
    if any(new is not old for new, old in zip(made.charts, kept.charts, strict=True)):
        return False
    new = replace(made, charts=(), by_row=())
    return new == replace(kept, charts=(), by_row=(), made_at="")
