"""The job behind every question: what it needs, what it is worked out from, and the work."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

from core.assembly.threads import fair_threads
from core.engine.context import JobContext
from core.engine.messages import Ask


def answer_question(ask: Ask, context: JobContext) -> object:
    """Work out what a question asks of a document.

    Raises
    ------
    PayoffError
        Where the project lacks what the question needs, or the work refuses.
    """
    question, document = ask.question, ask.document
    refusal = question.why_not(document)
    if refusal is not None:
        raise refusal
    facts = question.facts
    with fair_threads(context):
        inputs = _found(facts.inputs)(document, context) if facts.inputs else document
        return _found(facts.work)(inputs, question, context)


@cache
def _found(place: str) -> Any:
    """The function that a place names: "module:function"."""
    module, _, name = place.partition(":")
    return getattr(import_module(module), name)
