"""Handing a decision rule over: what window and engine say to each other about it."""

from __future__ import annotations

from dataclasses import dataclass

from core.document.model import Document


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportRuleArguments:
    """-> RuleHandedOver. Kind "hand_over_rule"."""

    document: Document
    model: str
    folder: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleExported:
    """What was written; ``notes`` say what whoever runs it must know."""

    folder: str
    files: tuple[str, ...]
    inputs: tuple[str, ...]
    notes: tuple[str, ...]
