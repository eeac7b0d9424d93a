"""Entries of the report under the name of a model, when the model gets another name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.document.model import Document, ReportItem

ABOUT_A_MODEL = (
    "compare/chances",
    "compare/power",
    "compare/survival",
    "decide/basis",
    "decide/case_cloud",
    "decide/expect_list",
    "decide/gap",
    "decide/hold_out",
    "decide/rankings",
    "decide/reconcile",
    "explain/model",
    "explain/one_case",
    "explain/what_if",
    "models/learning",
    "models/quantiles",
)
"""Questions about a model: what tells their entries apart begins with its name, if with any."""


def kind_renamed(kind: str, former: str, name: str, models: Sequence[str]) -> str:
    """Return what an entry is called once a model has another name.

    Parameters
    ----------
    kind : str
    former, name : str
    models : sequence of str
        The names of all models before; the longest that an entry begins with is meant.
    """
    question, _, part = kind.partition(" ")
    if question not in ABOUT_A_MODEL:
        return kind
    meant = max((entry for entry in models if _begins(part, entry)), key=len, default=None)
    return f"{question} {name}{part[len(former) :]}" if meant == former else kind


def _begins(part: str, model: str) -> bool:
    return part == model or part.startswith((f"{model},", f"{model}:", f"{model} "))


def report_renamed(document: Document, former: str, name: str) -> tuple[ReportItem, ...]:
    """Return the entries of a report once a model of the document has another name."""
    models = tuple(entry.name for entry in document.models)
    return tuple(
        replace(item, kind=kind_renamed(item.kind, former, name, models))
        for item in document.report
    )
