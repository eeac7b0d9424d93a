"""Words of page Data: roles, kinds of columns, uses of rows."""

from __future__ import annotations

from core.document.data.model import RowUse
from core.document.data.results import ColumnSummary
from core.document.model import Document, Role, RoleAssignment
from core.document.wording import NBSP, format_count, format_number, format_share

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

KIND_WORDS: dict[str, str] = {
    "integer": "whole number",
    "number": "number",
    "text": "text",
    "boolean": "yes or no",
    "date": "date",
}


def role_words(role: Role) -> str:
    """What a role is called."""
    return ROLE_WORDS[role]


def chip_words(entry: RoleAssignment) -> str:
    """The short form for a column's header: "outcome", "gbm 2: yes", "input"."""
    if entry.role is Role.POSTERIOR and entry.model:
        return f"{entry.model}: {entry.level}" if entry.level else entry.model
    if entry.role is Role.SCORE and entry.model:
        return f"{entry.model}: {'score'}"
    if entry.role is Role.PREDICTION and entry.model:
        return entry.model
    short = {Role.ID: "name", Role.ROW_USE: "row use"}
    return short.get(entry.role) or role_words(entry.role).lower()


def code_words(column: ColumnSummary, code: str) -> str:
    """A code with the file's word for it: "North (1)"."""
    word = dict(column.value_labels).get(code, "")
    return f"{word} ({code})" if word and word != code else code


def missing_share(column: ColumnSummary) -> float:
    """Share of rows without a value."""
    return column.missing / column.rows if column.rows else 0.0


def missing_words(column: ColumnSummary) -> str:
    """ "no gaps", "2.1 % missing"."""
    if not column.missing:
        return "no gaps"
    return "%1 missing".replace("%1", format_share(missing_share(column)))


def value_words(value: float | None) -> str:
    """A value of a column at a glance, with about four digits."""
    if value is None:
        return ""
    size = abs(value)
    if size >= 1000 or float(value).is_integer():
        return format_number(value, 0)
    return format_number(value, 4 if size < 0.1 else 3 if size < 10 else 1)


def facts_of(column: ColumnSummary) -> tuple[tuple[str, str], ...]:
    """Captions and values that describe a column."""
    distinct = "many" if column.distinct < 0 else format_count(column.distinct)
    facts = [("In words", column.label)] if column.label else []
    facts += [
        ("Kind", KIND_WORDS.get(column.kind, column.kind)),
        ("Different values", distinct),
        (
            "Missing",
            f"{format_count(column.missing)} ({format_share(missing_share(column))})",
        ),
    ]
    if column.mean is not None:
        facts += [
            ("Mean", value_words(column.mean)),
            ("Standard deviation", value_words(column.standard_deviation)),
        ]
    if column.minimum is not None and column.maximum is not None:
        span = f"{value_words(column.minimum)} … {value_words(column.maximum)}"
        facts.append(("Smallest … largest", span.replace(" … ", f"{NBSP}…{NBSP}")))
    return tuple(facts)


def level_words(document: Document, level: str) -> str:
    """A level with the user's word for it."""
    target = document.target
    label = target.label(level) if target is not None else level
    return label if label == level else f"{label} ({level})"
