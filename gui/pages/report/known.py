"""The answers that the window has got of the present document, for entries of the report."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from core.document.compare.chart_kinds import chart_task, charts_shown
from core.document.report.commands import METRIC_TABLE, is_grid_entry, with_report_charts
from payoff.errors import PayoffError

if TYPE_CHECKING:
    from core.document.model import Document
    from core.questions.compare import CompareModels
    from core.questions.question import Question
    from gui.session.project import Project
    from gui.session.results import Results


class NotAnsweredError(Exception):
    """An entry needs the answer to a question that nobody has asked of the present document."""

    def __init__(self, question: Question[Any], *, comes: bool = False) -> None:
        super().__init__(question.heading())
        self.question = question
        self.comes = comes  # by itself: the project asks for it


class KnownAnswers:
    """The project's own results, and the metric tables that entries needed beside them."""

    def __init__(self, project: Project, results: Results) -> None:
        self._project, self._results = project, results
        self._kept: dict[Question[Any], tuple[Document | None, object]] = {}

    def keep(self, question: Question[Any], document: Document, answer: object) -> None:
        """Keep an answer that was asked for, as long as the document is the same to it."""
        self._kept[question] = (question.key(document), answer)

    def forget(self) -> None:
        """Drop what was kept: another project has been opened."""
        self._kept.clear()

    def answer(self, question: Question[Any], kind: str) -> object:
        """The answer to a question, where the window has it of the present document."""
        from core.questions.compare import CompareModels
        from core.questions.decide import AtDepth, Resamples, Totals

        is_decided = self._results.decisions is not None and self._results.decisions_are_fresh
        if isinstance(question, Totals):
            if not is_decided:
                self._wait_for(question, "decide")
            return self._results.decisions
        if isinstance(question, CompareModels):
            return self._evaluation(question, kind)
        if isinstance(question, AtDepth):
            reading = self._results.reading if is_decided else None
            is_whole = reading is not getattr(self._results.decisions, "at_rest", None)
            if reading is not None and reading.depth == question.depth and is_whole:
                return reading
        drawn = self._results.resamples if is_decided else None
        drawn_at = self._results.resampled_at
        is_there = drawn is not None and drawn_at == getattr(question, "depth", None)
        if isinstance(question, Resamples) and is_there:
            return drawn
        raise PayoffError("It is still being worked out.")  # the entry is made without it, first

    def _evaluation(self, question: CompareModels, kind: str) -> object:
        """Metrics and charts: the project's own where they hold the entry's chart."""
        document = self._project.document
        charted = with_report_charts(document)
        key, answer = self._kept.get(question, (None, None))
        if answer is not None and key == question.key(charted):
            return answer
        if self._results.level != question.level or not _is_drawn(kind, document):
            raise NotAnsweredError(question)
        found = self._results.evaluation
        if found is None or not found.resamples or not self._results.evaluation_is_fresh:
            self._wait_for(question, "evaluate")
        return found

    def _wait_for(self, question: Question[Any], job: str) -> NoReturn:
        """Say why there are no results, or that they come by themselves."""
        document = self._project.document
        refusal = question.refusal(document)
        if refusal is not None:
            raise refusal
        described = self._results.refusals.get(job)
        if described:
            raise PayoffError(described)
        raise NotAnsweredError(question, comes=True)


def _is_drawn(kind: str, document: Document) -> bool:
    """Whether an entry is no chart, or one that page Compare has worked out."""
    name = kind.partition(" ")[0]
    if not is_grid_entry(kind) or name == METRIC_TABLE:
        return True
    return name in charts_shown(document.charts, chart_task(document))
