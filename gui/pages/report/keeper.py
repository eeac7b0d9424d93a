"""Keeps the entries of the report: makes them of answers about the project, and makes them again.

Entries that need several answers (the total, the metric table, a chart of page Compare) are made of
the project's own results, and follow them. One that answers a question is asked for here, as the
report without a window does; what a page has been answered already is taken from it. What can be
neither keeps the figures it has, and says that they are old.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

from PySide6.QtCore import QObject, Signal
from shiboken6 import isValid

from core.document.report.commands import (
    PutAllOnReport,
    TakeOffReport,
    page_of,
    with_report_charts,
)
from gui.pages.report.known import KnownAnswers, NotAnsweredError
from gui.pauses import PAUSES, single_shot
from gui.session.request import Request
from gui.shell.page_list import PageId
from payoff.counting import counted
from payoff.errors import PayoffError

if TYPE_CHECKING:
    from core.document.files.codec import Plain
    from core.document.model import Document
    from core.presentation.report.page import ReportText
    from core.presentation.view import View
    from core.questions.question import Question
    from gui.charts.card import ChartCard
    from gui.pages.report.parts import ReportedPage, ReportPart
    from gui.session.project import Project
    from gui.session.results import Results


@dataclass(frozen=True, slots=True)
class _Sources:
    """What an entry was made of: the same sources make the same entry."""

    stamp: str
    document: tuple[object, ...]  # what an entry says beside what the stamp holds
    answers: tuple[object, ...]

    def are(self, other: _Sources | None) -> bool:
        """Whether these are the very same answers about the same document."""
        return (
            other is not None
            and (self.stamp, self.document) == (other.stamp, other.document)
            and len(self.answers) == len(other.answers)
            and all(a is b for a, b in zip(self.answers, other.answers, strict=True))
        )


class ReportKeeper(QObject):
    """The entries of one window's report."""

    page_requested = Signal(object)  # PageId
    changed = Signal()  # an entry was made, or refused, or another project opened

    def __init__(self, project: Project, results: Results) -> None:
        super().__init__(project)
        self._project, self._results = project, results
        self._document = project.document  # as it was when names were last looked at
        self._blocks: dict[str, View] = {}
        self._sources: dict[str, _Sources] = {}  # of entries made of the project's results
        self._refusals: dict[str, str] = {}  # why an entry was not made of the present document
        self._known = KnownAnswers(project, results)
        self._pages: dict[str, ReportedPage] = {}
        self._charts: WeakSet[QObject] = WeakSet()  # whose buttons are answered
        self._requests: dict[str, Request] = {}  # one for each entry that is asked for here
        self._timer = single_shot(self, PAUSES.report_entries, self.collect)
        project.document_changed.connect(self._follow_names)
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

    def _follow_names(self, document: Document) -> None:
        """Know every entry by what its question's model, decision or scenario is called now."""
        self._refusals.clear()
        before, self._document = self._document, document
        for item in before.report:
            if item.kind in self._requests and not self.is_on(item.kind):
                self._requests[item.kind].cancel()  # taken off: nobody waits for it
        if not self._blocks:
            return
        from core.document.report.renamed import renamed_between
        from core.presentation.making_views import after_renaming

        renaming = renamed_between(before, document)
        if renaming is not None:
            models = tuple(entry.name for entry in before.models)
            views = (after_renaming(view, renaming, models) for view in self._blocks.values())
            self._blocks = {view.key: view for view in views}

    # ------------------------------------------------------------ pages

    def adopt(self, key: str, page: ReportedPage) -> None:
        """Take the answers of a page from now on, and answer the buttons of its charts."""
        self._pages[key] = page
        self._soon()

    def page(self, key: str) -> ReportedPage | None:
        """A page that has been built."""
        page = self._pages.get(key)
        return page if page is not None and isValid(page) else None

    def parts(self, key: str) -> tuple[ReportPart, ...]:
        """What a page shows that the project can have; nothing before it is built."""
        from core.questions.stamps import can_have_entry

        page, document = self.page(key), self._project.document
        shown = page.report_parts() if page is not None else ()
        return tuple(part for part in shown if can_have_entry(part.key, document))

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
            if self.is_stale(kind):
                self.ask(kind)
        return len(new)

    def put_page(self, page: str) -> None:
        """Put everything on the report that a page shows, and say how many entries came to it."""
        shown = [part.key for part in self.parts(page) if self._has_something(part)]
        more = self.put_all(shown)
        words = "This page shows nothing yet that could stand on the report."
        if more:
            words = f"On the report: {counted(more, 'entry', 'entries')} more."
        elif shown:
            words = "Everything on this page is on the report already."
        self._project.post(words)

    def _has_something(self, part: ReportPart) -> bool:
        """Whether a page shows something of a part at present."""
        if part.answered is not None:
            return part.answered() is not None
        try:
            self._own_entry(part.key)
        except (NotAnsweredError, PayoffError):
            return False
        return True

    def show_report(self) -> None:
        """Go to page Report."""
        self.page_requested.emit(PageId.REPORT)

    def offered(self, page: str) -> tuple[tuple[str, str], ...]:
        """Key and title of everything of a page that can be put on the report, looked at or not."""
        from core.presentation.making_views import entry_key, question_of_entry
        from core.presentation.report.entries import own_entries
        from core.questions.question import questions

        document = self._project.document
        found = {part.key: part.title for part in self.parts(page)}
        answered = {key.partition(" ")[0] for key in found}
        own = ((key, title) for key, title in own_entries(document) if page_of(key) == page)
        requested = (
            (entry_key(record), record.facts.title)
            for record in questions().values()
            if record.facts.page == page
            and record.facts.reads.names  # others are of no project
            and record.why_not(document) is None
        )
        found |= {key: title for key, title in own if key not in found}
        found |= {
            key: title
            for key, title in requested
            if key not in answered and question_of_entry(key, None) is not None
        }
        return tuple(found.items())

    # ------------------------------------------------------------ asking

    def can_ask(self, kind: str) -> bool:
        """Whether an entry can be made again here, whatever page was looked at."""
        from core.presentation.making_views import question_of_entry
        from core.presentation.report.entries import is_own_entry

        return is_own_entry(kind) or question_of_entry(kind, self.block(kind)) is not None

    def is_requested(self, kind: str) -> bool:
        """Whether an entry is being made."""
        request = self._requests.get(kind)
        return request is not None and request.is_under_way

    def follows(self, kind: str) -> bool:
        """Whether there is nothing to ask for: an entry follows the project's own results."""
        from core.presentation.report.entries import is_own_entry

        if not is_own_entry(kind):
            return False
        try:
            self._own_entry(kind)
        except NotAnsweredError as missing:
            return missing.comes
        except PayoffError:
            return True  # refused, until the project changes
        return True

    def ask(self, kind: str) -> bool:
        """Have an entry made of the present document; False where it can only be kept."""
        from core.presentation.making_views import question_of_entry
        from core.presentation.report.entries import is_own_entry

        if is_own_entry(kind):
            self._ask_own(kind)
            return True
        question = question_of_entry(kind, self.block(kind))
        if question is None:
            return False
        self._ask_question(kind, question)
        return True

    def ask_stale(self) -> None:
        """Have every old entry made again that can be."""
        for kind in self.to_update():
            self.ask(kind)

    def _ask_question(self, kind: str, question: Question[Any]) -> None:
        from core.presentation.labels import Labels
        from core.presentation.making_views import part_of, show
        from core.questions.stamps import entry_stamp

        document = self._project.document

        def on_result(answer: object) -> None:
            try:
                labels = Labels.of(document, self._results.decisions)
                view = show(question, answer, labels, part_of(kind))
            except PayoffError as refusal:
                self._refuse(kind, refusal)
                return
            self._keep(replace(view, key=kind, stamp=entry_stamp(kind, document)))
            self.changed.emit()

        self._send(kind, document, question, on_result)

    def _ask_own(self, kind: str) -> None:
        """Ask for what an entry needs beside the project's own results."""
        try:
            self._own_entry(kind)
        except PayoffError as refusal:
            self._refuse(kind, refusal)
            return
        except NotAnsweredError as missing:
            question, comes = missing.question, missing.comes
        else:
            self.collect()
            return
        if comes:
            return
        document = with_report_charts(self._project.document)

        def on_result(answer: object) -> None:
            self._known.keep(question, document, answer)
            self.collect()

        self._send(kind, document, question, on_result)

    def _send(self, kind: str, document: Document, question: Question[Any], take: Any) -> None:
        """Ask; a refusal stands beside its entry."""
        refusal = question.refusal(document)
        if refusal is not None:
            self._refuse(kind, refusal)
            return
        self._refusals.pop(kind, None)
        request = self._requests.setdefault(kind, Request(self, self._project))
        request.ask(
            document,
            question,
            on_result=take,
            on_error=partial(self._refuse, kind),
            on_end=lambda _outcome: self.changed.emit(),
        )
        self.changed.emit()

    def _refuse(self, kind: str, refusal: Exception) -> None:
        self._refusals[kind] = str(refusal)
        self.changed.emit()

    # ------------------------------------------------------------ what is known

    def own_page(self, kind: str) -> ReportText:
        """A page of one entry of its own, made of what is known now; nothing is put on the report.

        Raises
        ------
        NotAnsweredError
            Where an answer is still to come; ``ask`` has it made.
        PayoffError
            Where the project has nothing to make it of.
        """
        from core.presentation.report.page import ReportEntry, ReportText, report_subtitle

        view, _ = self._own_entry(kind)
        document = self._project.document
        entry = ReportEntry(kind, view.title, "", view)
        return ReportText(document.name, report_subtitle(document), (entry,))

    def _own_entry(self, kind: str) -> tuple[View, tuple[object, ...]]:
        """An entry of the project's results, and the answers it is made of."""
        from core.presentation.report.entries import own_entry

        used: list[object] = []

        def answer(question: Question[Any]) -> Any:
            found = self._known.answer(question, kind)
            used.append(found)
            return found

        return own_entry(kind, self._project.document, answer), tuple(used)

    # ------------------------------------------------------------ entries

    def _keep(self, block: View) -> None:
        now = datetime.now(UTC).isoformat(timespec="seconds")
        self._blocks[block.key] = replace(block, made_at=now)
        self._refusals.pop(block.key, None)

    def block(self, kind: str) -> View | None:
        """An entry as it was last made; None before that."""
        return self._blocks.get(kind)

    def blocks(self) -> tuple[View, ...]:
        """The views of all entries, in order."""
        found = (self.block(item.kind) for item in self._project.document.report)
        return tuple(block for block in found if block is not None)

    def text(self) -> ReportText:
        """The report as it is written; an entry that was never made says so."""
        from core.presentation.report.page import report_text

        return report_text(self._project.document, self.block, self.why_not)

    def packed(self) -> tuple[Plain, ...]:
        """The views of all entries as the project file keeps them."""
        blocks = self.blocks()
        if not blocks:
            return ()
        from core.presentation.report.keeping import pack_views

        return pack_views(blocks)

    def take(self, blocks: Iterable[View]) -> None:
        """Take the blocks of another project."""
        self._blocks = {block.key: block for block in blocks}
        self._sources.clear()
        self._known.forget()
        self._refusals.clear()
        self.changed.emit()

    def is_stale(self, kind: str) -> bool:
        """Whether the document has changed in a way that the entry depends on since it was made."""
        block = self.block(kind)
        if block is None:
            return True
        from core.questions.stamps import is_of_document

        return not is_of_document(block.stamp, kind, self._project.document)

    def to_update(self) -> tuple[str, ...]:
        """The entries that are old, or not made yet, and can be made again when that is asked."""
        kinds = (item.kind for item in self._project.document.report)
        return tuple(kind for kind in kinds if self.is_stale(kind) and self.may_ask(kind))

    def may_ask(self, kind: str) -> bool:
        """Whether asking for an entry would do something now."""
        return self.can_ask(kind) and not self.is_requested(kind) and not self.follows(kind)

    def why_not(self, kind: str) -> str:
        """Why an entry could not be made of the present document; empty where it may be."""
        return self._refusals.get(kind, "")

    # ------------------------------------------------------------ following what is worked out

    def collect(self) -> None:
        """Make every entry again that the project's results, or answers of a page, are newer of."""
        self._timer.stop()
        has_changed = self._collect_own()
        for key in tuple(self._pages):
            page = self.page(key)
            if page is None:
                del self._pages[key]
                continue
            has_changed |= self._collect_page(key, page)
        if has_changed:
            self.changed.emit()

    def _collect_own(self) -> bool:
        """Make the entries of the project's results; those that must be asked for stay."""
        kinds = [item.kind for item in self._project.document.report]
        if not kinds:
            return False
        from core.presentation.report.entries import is_own_entry
        from core.questions.stamps import page_stamp

        document = self._project.document
        own = [kind for kind in kinds if is_own_entry(kind)]
        stamps = {page: page_stamp(page, document) for page in {page_of(kind) for kind in own}}
        made = [self._make_own(kind, stamps[page_of(kind)]) for kind in own]
        return any(made)

    def _make_own(self, kind: str, stamp: str) -> bool:
        document = self._project.document
        if not stamp:
            return False
        try:
            view, answers = self._own_entry(kind)
        except NotAnsweredError:
            return False
        except PayoffError as refusal:
            is_new = self._refusals.get(kind) != str(refusal)
            self._refusals[kind] = str(refusal)
            return is_new
        sources = _Sources(stamp, (document.chart_mode, document.cursor_depth), answers)
        if sources.are(self._sources.get(kind)) and kind in self._blocks:
            return False
        self._sources[kind] = sources
        self._keep(replace(view, stamp=stamp))
        return True

    def _collect_page(self, key: str, page: ReportedPage) -> bool:
        on_report = {item.kind for item in self._project.document.report}
        source = page.report_document()
        from core.questions.stamps import entry_stamp

        has_changed = False
        for part in page.report_parts():
            for chart in part.charts:
                self._answer_button(key, chart)
                chart.set_on_report(part.key in on_report)
            if part.key not in on_report or part.answered is None or source is None:
                continue
            stamp, made = entry_stamp(part.key, source), part.answered()
            if made is None or not stamp:
                continue
            made = replace(made, stamp=stamp)
            if not _is_same(made, self._blocks.get(part.key)):
                self._keep(replace(made, key=part.key))
                has_changed = True
        return has_changed

    def _answer_button(self, page: str, chart: ChartCard) -> None:
        """Answer the button of a chart, once."""
        if chart not in self._charts:
            self._charts.add(chart)
            chart.report_toggled.connect(partial(self._on_toggled, page, chart))

    def _on_toggled(self, page: str, chart: ChartCard, is_on: bool) -> None:
        found = (part.key for part in self.parts(page) if chart in part.charts)
        key = next(found, None)
        if key is not None:
            self.put(key, is_on)


def _is_same(made: View, kept: View | None) -> bool:
    """Whether both say the same; charts are the same while they are one object."""
    if kept is None or len(made.charts) != len(kept.charts):
        return False
    if any(new is not old for new, old in zip(made.charts, kept.charts, strict=True)):
        return False
    new = replace(made, charts=(), by_row=())
    return new == replace(kept, charts=(), by_row=(), made_at="")
