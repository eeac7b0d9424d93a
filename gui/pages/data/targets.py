"""Naming another outcome: its kind, its levels, and the matrix that fits them."""

from __future__ import annotations

from dataclasses import replace

from core.document.commands import SetTarget
from core.document.data.column_meaning import counted_together, spellings_of
from core.document.data.results import ColumnSummary
from core.document.decisions.starting_matrix import follow_event, starting_matrix
from core.document.model import Document, Role, RoleAssignment, TargetSpec

MOST_CLASSES = 20
EVENT_WORDS = ("1", "yes", "true", "y", "event", "bad", "response", "responded")


def target_of(column: ColumnSummary) -> TargetSpec:
    """The target that a column would be: two levels, several, or a number.

    Of two levels the event is the one named like one, else the rarer; of several the most frequent.
    """
    spellings = spellings_of(dict(column.levels))
    counts = counted_together(dict(column.levels), spellings)
    names = sorted(counts, key=lambda name: -counts[name])
    is_number = column.kind == "number" and column.distinct > 2
    if not names or is_number or not 2 <= column.distinct <= MOST_CLASSES:
        return TargetSpec(column=column.name, kind="interval")
    named = [name for name in names if name.strip().lower() in EVENT_WORDS]
    event = (named or names[-1:])[0] if len(names) == 2 else names[0]
    ordered = (event, *(name for name in names if name != event))
    kind = "binary" if len(ordered) == 2 else "multiclass"
    return TargetSpec(column=column.name, kind=kind, levels=ordered, spellings=spellings)


def name_target(document: Document, column: ColumnSummary) -> SetTarget:
    """The command that makes a column the outcome; the old outcome becomes an input.

    Where the new one is the time up to which the old one was watched, the old one is its event.
    """
    target = target_of(column)
    old = document.target
    is_time = document.column_of(Role.EXIT) == column.name and target.kind == "interval"
    is_event = is_time and old is not None and old.kind == "binary"
    before = Role.EVENT if is_event else Role.INPUT
    roles = tuple(_role_beside(entry, column.name, before) for entry in document.roles)
    return SetTarget(target=target, matrix=starting_matrix(target, (column,)), roles=roles)


def _role_beside(entry: RoleAssignment, target: str, before: Role) -> RoleAssignment:
    if entry.column == target:
        return RoleAssignment(column=target, role=Role.TARGET)
    if entry.role is Role.TARGET:
        return RoleAssignment(column=entry.column, role=before)
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
