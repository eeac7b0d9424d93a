"""Words of page Data: roles, kinds of columns, uses of rows."""

from __future__ import annotations

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

from core.document.data.model import RowUse
from core.document.data.results import ColumnSummary
from core.document.model import Document, Role, RoleAssignment
from core.document.wording import NBSP, format_count, format_number, format_share

ROLE_WORDS: dict[Role, str] = {
    Role.TARGET: str(QT_TRANSLATE_NOOP("DataWords", "Outcome")),
    Role.POSTERIOR: str(QT_TRANSLATE_NOOP("DataWords", "Chance from a model")),
    Role.SCORE: str(QT_TRANSLATE_NOOP("DataWords", "Score in points")),
    Role.PREDICTION: str(QT_TRANSLATE_NOOP("DataWords", "Value predicted by a model")),
    Role.WEIGHT: str(QT_TRANSLATE_NOOP("DataWords", "Weight")),
    Role.TREATMENT: str(QT_TRANSLATE_NOOP("DataWords", "Treatment")),
    Role.PROPENSITY: str(QT_TRANSLATE_NOOP("DataWords", "Chance of being treated")),
    Role.COST: str(QT_TRANSLATE_NOOP("DataWords", "Cost")),
    Role.ID: str(QT_TRANSLATE_NOOP("DataWords", "Name of the case")),
    Role.ROW_USE: str(QT_TRANSLATE_NOOP("DataWords", "Use of the row")),
    Role.CLUSTER: str(QT_TRANSLATE_NOOP("DataWords", "Cluster of cases")),
    Role.GROUP: str(QT_TRANSLATE_NOOP("DataWords", "Group to rank in")),
    Role.EVENT: str(QT_TRANSLATE_NOOP("DataWords", "Event seen (survival)")),
    Role.ENTRY: str(QT_TRANSLATE_NOOP("DataWords", "Entry time (survival)")),
    Role.EXIT: str(QT_TRANSLATE_NOOP("DataWords", "Exit time (survival)")),
    Role.INPUT: str(QT_TRANSLATE_NOOP("DataWords", "Input")),
    Role.IGNORED: str(QT_TRANSLATE_NOOP("DataWords", "Ignored")),
}

USE_WORDS: dict[RowUse, str] = {
    RowUse.VALIDATION: str(QT_TRANSLATE_NOOP("DataWords", "Validation rows")),
    RowUse.TEST: str(QT_TRANSLATE_NOOP("DataWords", "Test rows")),
    RowUse.TRAIN: str(QT_TRANSLATE_NOOP("DataWords", "Training rows")),
    RowUse.ALL: str(QT_TRANSLATE_NOOP("DataWords", "All rows with a known outcome")),
    RowUse.TO_DECIDE: str(QT_TRANSLATE_NOOP("DataWords", "Rows to decide")),
}

KIND_WORDS: dict[str, str] = {
    "integer": str(QT_TRANSLATE_NOOP("DataWords", "whole number")),
    "number": str(QT_TRANSLATE_NOOP("DataWords", "number")),
    "text": str(QT_TRANSLATE_NOOP("DataWords", "text")),
    "boolean": str(QT_TRANSLATE_NOOP("DataWords", "yes or no")),
    "date": str(QT_TRANSLATE_NOOP("DataWords", "date")),
}


def words(text: str) -> str:
    """A text of this page in the user's language."""
    return QCoreApplication.translate("DataWords", text)


def role_words(role: Role) -> str:
    """What a role is called."""
    return words(ROLE_WORDS[role])


def chip_words(entry: RoleAssignment) -> str:
    """The short form for a column's header: "outcome", "gbm 2: yes", "input"."""
    if entry.role is Role.POSTERIOR and entry.model:
        return f"{entry.model}: {entry.level}" if entry.level else entry.model
    if entry.role is Role.SCORE and entry.model:
        return f"{entry.model}: {words('score')}"
    if entry.role is Role.PREDICTION and entry.model:
        return entry.model
    short = {Role.ID: words("name"), Role.ROW_USE: words("row use")}
    return short.get(entry.role) or role_words(entry.role).lower()


def missing_share(column: ColumnSummary) -> float:
    """Share of rows without a value."""
    return column.missing / column.rows if column.rows else 0.0


def missing_words(column: ColumnSummary) -> str:
    """ "no gaps", "2.1 % missing"."""
    if not column.missing:
        return words("no gaps")
    return words("%1 missing").replace("%1", format_share(missing_share(column)))


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
    distinct = words("many") if column.distinct < 0 else format_count(column.distinct)
    facts = [
        (words("Kind"), words(KIND_WORDS.get(column.kind, column.kind))),
        (words("Different values"), distinct),
        (
            words("Missing"),
            f"{format_count(column.missing)} ({format_share(missing_share(column))})",
        ),
    ]
    if column.mean is not None:
        facts += [
            (words("Mean"), value_words(column.mean)),
            (words("Standard deviation"), value_words(column.standard_deviation)),
        ]
    if column.minimum is not None and column.maximum is not None:
        span = f"{value_words(column.minimum)} … {value_words(column.maximum)}"
        facts.append((words("Smallest … largest"), span.replace(" … ", f"{NBSP}…{NBSP}")))
    return tuple(facts)


def level_words(document: Document, level: str) -> str:
    """A level with the user's word for it."""
    target = document.target
    label = target.label(level) if target is not None else level
    return label if label == level else f"{label} ({level})"
