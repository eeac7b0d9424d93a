"""Columns that survival and ranking need besides the inputs: their words, help, and first guess."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

from core.document.data.results import ColumnSummary, TableSummary
from core.document.model import Document, Role, TrainedModel
from core.document.training_results import DistributionInfo
from gui.widgets import HelpText


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtraColumn:
    """A column by what it is for: ``ask`` is said where it is needed and not named yet.

    ``telling`` are words of a column's name that suggest it.
    """

    name: str
    caption: str
    text: str
    reference: str = ""
    ask: str = ""
    telling: tuple[str, ...] = ()

    def help(self) -> HelpText:
        """What the "?" beside the field says."""
        return HelpText(title=self.caption, text=self.text, reference=self.reference)


EXTRA_COLUMNS: dict[str, ExtraColumn] = {
    "event": ExtraColumn(
        name="event",
        caption="Event was seen",
        text=(
            "A column with 1 where the event happened at the end of the time, and 0 where it had "
            "not happened by then: the case was still waiting, or lost from sight. Such cases "
            "count as far as they were followed."
        ),
        reference="Right censoring; Cox 1972",
        ask="Say in step Settings which column tells whether the event was seen.",
        telling=("event", "status", "died", "dead", "death", "failed", "failure", "churned"),
    ),
    "entry": ExtraColumn(
        name="entry",
        caption="Watched from",
        text=(
            "When a case came under observation, on the same clock as the target. Before that its "
            "event would not have been seen, so it counts from then on only. Without a column "
            "everyone counts from time 0."
        ),
        reference="Left truncation, delayed entry",
    ),
    "strata": ExtraColumn(
        name="strata",
        caption="Compared within",
        text=(
            "Cases are compared only with others of the same value, such as the same clinic or "
            "country. Each value may have its own course of risk over time; the inputs act alike "
            "in all of them."
        ),
        reference="Stratified Cox model",
    ),
    "upper": ExtraColumn(
        name="upper",
        caption="At the latest",
        text=(
            "Where the event is only known to lie between two times, the later of them; the target "
            "is the earlier one. 0 where the time itself is known. Only read in rows whose event "
            "was seen."
        ),
        reference="Interval censoring",
    ),
    "group": ExtraColumn(
        name="group",
        caption="Lists",
        text=(
            "The column that names the list a case stands in: a query, a customer, a session. "
            "Only the order within a list is learned and judged; a list should be for training or "
            "for judging as a whole."
        ),
        ask="Say in step Settings which column names the lists.",
        telling=("query", "qid", "group", "list", "session", "search"),
    ),
}


ROLES = {"event": Role.EVENT, "entry": Role.ENTRY, "group": Role.GROUP}


def extra_columns_of(info: DistributionInfo | None) -> tuple[ExtraColumn, ...]:
    """The further columns that a distribution reads, those it needs first."""
    names = (*info.needs, *info.uses) if info is not None else ()
    return tuple(EXTRA_COLUMNS[name] for name in names if name in EXTRA_COLUMNS)


def missing_ask(draft: TrainedModel, info: DistributionInfo) -> str:
    """What to say where a needed column is not named; empty where all are."""
    for need in info.needs:
        if getattr(draft, need, None) is None:
            requested = EXTRA_COLUMNS.get(need)
            return requested.ask if requested else f"Name the column of the {need}."
    return ""


def with_column(draft: TrainedModel, name: str, column: str | None) -> TrainedModel:
    """The draft with a further column named; a column with a part of its own is no input."""
    features = tuple(entry for entry in draft.features if entry != column)
    monotone = tuple(entry for entry in draft.monotone if entry[0] != column)
    values: dict[str, Any] = {name: column}
    for other in (*EXTRA_COLUMNS, "offset"):
        if other != name and column is not None and getattr(draft, other) == column:
            values[other] = None
    return replace(draft, features=features, monotone=monotone, **values)


def for_distribution(
    draft: TrainedModel,
    info: DistributionInfo | None,
    summary: TableSummary | None,
    document: Document | None = None,
) -> TrainedModel:
    """The draft with exactly the further columns of its distribution.

    By their roles in the document, else guessed where a name is plain.
    """
    read = {entry.name for entry in extra_columns_of(info)}
    dropped: dict[str, Any] = {name: None for name in EXTRA_COLUMNS if name not in read}
    draft = replace(draft, **dropped)
    for entry in extra_columns_of(info):
        if getattr(draft, entry.name) is None:
            role = ROLES.get(entry.name) if document is not None else None
            named = document.column_of(role) if document is not None and role else None
            guess = named or _guess(entry, draft.target, summary)
            if guess is not None:
                draft = with_column(draft, entry.name, guess)
    return draft


def _guess(entry: ExtraColumn, target: str, summary: TableSummary | None) -> str | None:
    """The one column whose name tells what it is for; None where none or several do."""
    columns = summary.columns if summary is not None else ()
    found = [
        column.name
        for column in columns
        if column.name != target and _tells(entry, column) and not column.missing
    ]
    return found[0] if len(found) == 1 else None


def _tells(entry: ExtraColumn, column: ColumnSummary) -> bool:
    words = re.split(r"[^a-z]+", column.name.lower())
    if entry.name == "event" and (column.distinct != 2 or column.kind == "text"):
        return False
    return any(word in entry.telling for word in words)
