"""Whether the totals of a model may be read at all: for the window, the report and saved files."""

from __future__ import annotations

from core.document.results import DecisionResult


def void_reason(result: DecisionResult | None, model: str | None) -> str:
    """Why the totals of a model are none to go by; empty where they are.

    The red advice about a model is one: its chances were corrected to the priors twice.
    """
    advice = result.advice if result is not None else ()
    for entry in advice:
        if entry.state == "error" and model and entry.model == model:
            return f"{entry.text} Its totals and decisions rest on chances that are wrong."
    return ""
