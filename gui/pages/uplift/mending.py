"""The step that makes an experiment's figures valid. No widgets: a command comes out."""

from __future__ import annotations

from core.document.commands import Command
from core.document.model import Document, Role
from core.document.studies.uplift import ERROR, UpliftResult
from core.document.uplift.commands import SetPropensity

ARMS_DIFFER = frozenset({"predictable", "imbalance", "score"})
"""Checks that chances of treatment answer: who was treated was no accident."""


def mending(result: UpliftResult, document: Document) -> tuple[str, Command] | None:
    """One step that makes the areas valid again: its words and its command; None without one."""
    spec = document.uplift
    if result.guard.state != ERROR or result.has_propensity or spec.estimates_propensity:
        return None
    failed = {check.key for check in result.guard.checks if check.state == ERROR}
    if "overlap" in failed or not (failed & ARMS_DIFFER or spec.drawn_by_lot is False):
        return None
    columns = document.columns_of(Role.PROPENSITY)
    if columns:
        words = f"Use the chances of treatment in “{columns[0]}”"
        return words, SetPropensity(column=columns[0])
    if not document.columns_of(Role.INPUT):
        return None
    words = "Estimate each one's chance of treatment"
    return words, SetPropensity(is_estimated=True)
