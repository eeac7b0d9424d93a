"""Naming another outcome: its kind, its levels, and the matrix that fits them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from core.document.commands import SetTarget
from core.document.data.column_meaning import counted_together, spellings_of
from core.document.data.events import guess_event
from core.document.data.expressions import quoted
from core.document.data.model import DerivedColumn
from core.document.data.results import ColumnSummary
from core.document.decisions.starting_matrix import follow_event, starting_matrix
from core.document.model import Document, Role, RoleAssignment, TargetSpec
from gui.shell.page_list import PageId

if TYPE_CHECKING:
    from gui.session.project import Project
    from gui.session.session import Session

MOST_CLASSES = 20
_NUMBERS = ("integer", "number", "boolean")
_SEEN = (("1", "0"), ("true", "false"))  # the event first: as a column of events is read
_FORMER = "the outcome before: an input only if it is known beforehand"


def target_of(column: ColumnSummary) -> TargetSpec:
    """The target that a column would be: two levels, several, or a number; the event is guessed."""
    spellings = spellings_of(dict(column.levels))
    counts = counted_together(dict(column.levels), spellings)
    names = sorted(counts, key=lambda name: -counts[name])
    is_number = column.kind == "number" and column.distinct > 2
    if not names or is_number or not 2 <= column.distinct <= MOST_CLASSES:
        return TargetSpec(column=column.name, kind="interval")
    event = guess_event(counts, column.name)[0]
    ordered = (event, *(name for name in names if name != event))
    kind = "binary" if len(ordered) == 2 else "multiclass"
    return TargetSpec(column=column.name, kind=kind, levels=ordered, spellings=spellings)


def take_target(session: Session, column: ColumnSummary, page: PageId = PageId.DATA) -> None:
    """Make a column the outcome; ``page`` is shown where a column has to be worked out for it.

    Where it is the time up to which the old outcome was watched, and the old one does not say by 1
    and 0 whether the event was seen, a derived column does.
    """
    project = session.project
    summary = project.summary
    old = None if summary is None else _watched(project.document, column)
    if summary is None or old is None or (old.levels in _SEEN and not old.spellings):
        _take(project, column)
        return
    seen = _seen_column(old, next(c for c in summary.columns if c.name == old.column))
    if seen.name in {entry.column for entry in project.document.roles}:
        _take(project, column, seen.name)
        return

    def on_end(error: Exception | None) -> None:
        if error is None:
            _take(project, column, seen.name)
        else:
            project.post(error)

    session.tables.derive(seen, on_end, page=page)


def _take(project: Project, column: ColumnSummary, seen: str = "") -> None:
    project.execute(name_target(project.document, column, seen))
    project.finish_editing()


def _watched(document: Document, column: ColumnSummary) -> TargetSpec | None:
    """The outcome whose event may end the time that a column holds; None: it holds no such time."""
    old = document.target
    is_time = document.column_of(Role.EXIT) == column.name and target_of(column).kind == "interval"
    return old if is_time and old is not None and old.levels else None


def _seen_column(old: TargetSpec, column: ColumnSummary) -> DerivedColumn:
    """A column that is true where an outcome with classes is its event."""
    forms = [old.event, *(form for form, level in old.spellings if level == old.event)]
    if column.kind not in _NUMBERS:
        forms = ["'" + form + "'" if '"' in form else f'"{form}"' for form in forms]
    is_one = len(forms) == 1
    told = f"= {forms[0]}" if is_one else f"in ({', '.join(forms)})"
    name = f"{old.column} is {old.label(old.event)}"
    return DerivedColumn(name=name, text=f"{quoted(old.column)} {told}")


def name_target(document: Document, column: ColumnSummary, seen: str = "") -> SetTarget:
    """The command that makes a column the outcome; the old outcome is left out, for it may be known
    only when the new one is.

    Where the new one is the time up to which the old one was watched, ``seen`` says whether its
    event was, else the old one itself.
    """
    target = target_of(column)
    is_event = _watched(document, column) is not None
    events = {seen or document.target.column} if is_event and document.target else set()
    roles = tuple(_role_beside(entry, column.name, events) for entry in document.roles)
    return SetTarget(target=target, matrix=starting_matrix(target, (column,)), roles=roles)


def _role_beside(entry: RoleAssignment, target: str, events: set[str]) -> RoleAssignment:
    if entry.column == target:
        return RoleAssignment(column=target, role=Role.TARGET)
    if entry.column in events:
        return RoleAssignment(column=entry.column, role=Role.EVENT)
    if entry.role is Role.TARGET:
        return RoleAssignment.guess(entry.column, Role.IGNORED, _FORMER)
    return entry


def name_event(document: Document, event: str) -> SetTarget | None:
    """The command that makes a level the event; labels move with their levels."""
    target = document.target
    if target is None or event not in target.levels or event == target.event:
        return None
    order = [event, *(level for level in target.levels if level != event)]
    places = [target.levels.index(level) for level in order]
    labels = tuple(target.labels[place] for place in places) if target.labels else ()
    turned = replace(target, levels=tuple(order), labels=labels)
    matrix = document.matrix
    return SetTarget(target=turned, matrix=follow_event(matrix, target, turned) if matrix else None)


def other_values(target: TargetSpec, column: ColumnSummary) -> list[tuple[str, int]]:
    """Values of the outcome's column that are no level of it, with their rows: spellings first."""
    counts = dict(column.levels)
    meant = dict(target.spellings)
    values = [value for value in (*meant, *counts) if value not in target.levels]
    return [(value, counts.get(value, 0)) for value in dict.fromkeys(values)]


def name_meaning(document: Document, value: str, level: str | None) -> SetTarget | None:
    """The command that makes a value a spelling of a level; None: it is a class of its own."""
    target = document.target
    if target is None or dict(target.spellings).get(value, "") == level:
        return None
    spellings = {name: meant for name, meant in target.spellings if name != value}
    if level is not None:
        spellings[value] = level
        return SetTarget(target=replace(target, spellings=tuple(spellings.items())))
    labels = (*target.labels, value) if target.labels else ()
    wider = replace(
        target,
        kind="multiclass",
        levels=(*target.levels, value),
        labels=labels,
        spellings=tuple(spellings.items()),
        order=(),  # nothing is known of where the new class stands
    )
    return SetTarget(target=wider, matrix=starting_matrix(wider))


def name_label(document: Document, level: str, label: str) -> SetTarget | None:
    """The command that gives a level the user's word; an empty word takes it away."""
    target = document.target
    if target is None or level not in target.levels:
        return None
    labels = list(target.labels or target.levels)
    labels[target.levels.index(level)] = label.strip() or level
    changed = replace(target, labels=tuple(labels))
    return None if changed == target else SetTarget(target=changed)
