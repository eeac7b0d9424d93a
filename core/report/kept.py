"""What stands on the report: answered anew, or as it was kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from core.document.model import Document
from core.document.report.commands import METRIC_TABLE, with_report_charts
from core.presentation.entries import Answers, is_own_entry, own_entry
from core.presentation.labels import Labels
from core.presentation.making_views import asked_of, part_of, show
from core.presentation.page import ReportText, report_text
from core.presentation.view import View
from core.questions.compare import CompareModels
from core.questions.question import Question
from core.questions.stamps import entry_stamp
from payoff.errors import PayoffError


def answers_about(document: Document, ask: Callable[[Document, Question[Any]], object]) -> Answers:
    """Return what answers questions about a document, each once; metrics with all charts of it."""
    charted = with_report_charts(document)

    @cache
    def answer(question: Question[Any]) -> object:
        return ask(charted if isinstance(question, CompareModels) else document, question)

    return answer


def fresh_views(
    document: Document,
    kept: tuple[View, ...],
    answer: Answers,
    labels: Labels,
    refusals: dict[str, str] | None = None,
) -> tuple[View, ...]:
    """Return the entries of the report, made again of the document wherever that can be done.

    Parameters
    ----------
    document : Document
    kept : tuple of View
        As the project keeps them.
    answer : callable
        Answers a question; an entry that is refused stays as it was kept.
    labels : Labels
    refusals : dict, optional
        Takes up why an entry was not made, by its key.
    """
    by_key = {view.key: view for view in kept}
    known = cache(answer)  # several entries may show one answer
    for item in document.report:
        try:
            view = _made(item.kind, document, by_key.get(item.kind), known, labels)
        except PayoffError as refusal:
            if refusals is not None:
                refusals[item.kind] = str(refusal)
            continue
        if view is not None:
            stamp = entry_stamp(item.kind, document)
            by_key[item.kind] = replace(view, key=item.kind, stamp=stamp, made_at="")
    return tuple(by_key.values())


def _made(
    kind: str, document: Document, kept: View | None, answer: Answers, labels: Labels
) -> View | None:
    """An entry of the present document; None where it can only be kept."""
    if is_own_entry(kind):
        return own_entry(kind, document, answer)
    question = asked_of(kind, kept)
    return None if question is None else show(question, answer(question), labels, part_of(kind))


def kept_text(
    document: Document, kept: tuple[View, ...], refusals: Mapping[str, str] | None = None
) -> ReportText:
    """Return the report with its entries as they are kept; ``refusals``: why others are not."""
    by_key, said = {view.key: view for view in kept}, refusals or {}
    return report_text(document, by_key.get, lambda kind: said.get(kind, ""))


def has_metric_table(document: Document) -> bool:
    """Return whether the metric table stands on the report."""
    return any(item.kind == METRIC_TABLE for item in document.report)
