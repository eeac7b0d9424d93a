"""The job behind every question: what it needs, what it is worked out from, and the work."""

from __future__ import annotations

from typing import Any

from core.assembly.running import fair_threads
from core.engine.context import JobContext
from core.engine.kinds import resolve
from core.engine.messages import Ask
from core.questions.question import Question


def answer_question(ask: Ask[Question[Any]], context: JobContext) -> object:
    """Work out what a question asks of a document.

    Raises
    ------
    PayoffError
        Where the project lacks what the question needs, or the work refuses.
    """
    question, document = ask.question, ask.document
    refusal = question.refusal(document)
    if refusal is not None:
        raise refusal
    facts = question.facts
    if document.data is not None and document.data.is_in_parts and facts.of_parts:
        return resolve(facts.of_parts)(document, question, context)
    with fair_threads(context):
        inputs = resolve(facts.inputs)(document, context) if facts.inputs else document
        return resolve(facts.work)(inputs, question, context)
