"""Words of page Data: roles, kinds of columns, uses of rows."""

from __future__ import annotations

from core.document.data.model import RowUse
from core.document.model import Document, Role, RoleAssignment, TargetSpec

ROLE_WORDS: dict[Role, str] = {
    Role.TARGET: "Outcome",
    Role.POSTERIOR: "Chance from a model",
    Role.SCORE: "Score in points",
    Role.PREDICTION: "Value predicted by a model",
    Role.WEIGHT: "Weight",
    Role.TREATMENT: "Treatment",
    Role.PROPENSITY: "Chance of being treated",
    Role.COST: "Cost",
    Role.ID: "Name of the case",
    Role.ROW_USE: "Use of the row",
    Role.CLUSTER: "Cluster of cases",
    Role.GROUP: "Group to rank in",
    Role.EVENT: "Event seen (survival)",
    Role.ENTRY: "Entry time (survival)",
    Role.EXIT: "Exit time (survival)",
    Role.INPUT: "Input",
    Role.IGNORED: "Ignored",
}

USE_WORDS: dict[RowUse, str] = {
    RowUse.VALIDATION: "Validation rows",
    RowUse.TEST: "Test rows",
    RowUse.TRAIN: "Training rows",
    RowUse.ALL: "All rows with a known outcome",
    RowUse.TO_DECIDE: "Rows to decide",
}


def role_words(role: Role) -> str:
    """What a role is called."""
    return ROLE_WORDS[role]


def reason_words(entry: RoleAssignment) -> str:
    """Why a column has its role: it was guessed, or given."""
    return entry.reason or ("" if entry.is_guess else "chosen by you")


def chip_words(entry: RoleAssignment, target: TargetSpec | None) -> str:
    """The short form for a column's header: "outcome", "gbm 2: yes", "input".

    Chances are of a level of the outcome, which may have a word of its own.
    """
    if entry.role is Role.POSTERIOR and entry.model:
        level = entry.level if target is None or not entry.level else target.label(entry.level)
        return f"{entry.model}: {level}" if level else entry.model
    if entry.role is Role.SCORE and entry.model:
        return f"{entry.model}: {'score'}"
    if entry.role is Role.PREDICTION and entry.model:
        return entry.model
    short = {Role.ID: "name", Role.ROW_USE: "row use"}
    return short.get(entry.role) or role_words(entry.role).lower()


def level_words(document: Document, level: str) -> str:
    """A level with the user's word for it."""
    target = document.target
    label = target.label(level) if target is not None else level
    return label if label == level else f"{label} ({level})"
