"""What of a document stays when another file, or another table of the same file, is taken."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from core.document.data.expressions import column_names
from core.document.data.model import RowUse
from core.document.model import Document, Role, RoleAssignment, SplitSpec, TargetSpec

SINGLE_ROLES = frozenset((Role.TARGET, Role.ID, Role.ROW_USE, Role.WEIGHT, Role.TREATMENT))
"""Roles that only one column has."""


@dataclass(frozen=True, slots=True)
class Kept:
    """Matrix and priors stay for the same outcome with the same levels, models for the outcome."""

    has_matrix: bool
    has_models: bool


def what_stays(document: Document, target: TargetSpec | None) -> Kept:
    """Whether matrix and models fit another file's outcome."""
    old, before = document.matrix, document.target
    if before is None or target is None or before.column != target.column:
        return Kept(has_matrix=False, has_models=False)
    if old is None:
        return Kept(has_matrix=False, has_models=True)
    same = old.levels == (target.levels or (old.levels if not before.levels else ()))
    return Kept(has_matrix=same, has_models=True)


def target_by_name(
    before: TargetSpec | None, guessed: TargetSpec | None, levels: Mapping[str, tuple[str, ...]]
) -> TargetSpec | None:
    """The outcome of a file that takes another's place: the column of that name, where it is.

    ``levels`` are those of each column of the new file; empty for numbers. The same levels keep
    their order and their words.
    """
    if before is None or before.column not in levels:
        return guessed
    there = levels[before.column]
    if not before.levels or set(there) == set(before.levels):
        return before
    if guessed is not None and guessed.column == before.column:
        return guessed
    ordered = tuple(sorted(there, key=lambda level: level != before.event))
    return replace(before, levels=ordered, labels=(), spellings=(), order=())


def roles_by_name(
    document: Document, guessed: tuple[RoleAssignment, ...]
) -> tuple[RoleAssignment, ...]:
    """Roles of a file that takes another's place: a column of a known name keeps its role.

    What was said of a weight is asked again; a new column gets no role that only one can have and
    another has.
    """
    there = {entry.column for entry in guessed}
    known = {entry.column: entry for entry in document.roles if entry.column in there}
    taken = {entry.role for entry in known.values()} & SINGLE_ROLES
    roles: list[RoleAssignment] = []
    for guess in guessed:
        if guess.column in known:
            roles.append(replace(known[guess.column], weight_kind=None))
        elif guess.role in taken:
            role = Role.IGNORED if guess.role is Role.ID else Role.INPUT
            reason = f"another column has the role that its name suggests: {guess.role}"
            made = RoleAssignment(column=guess.column, role=role, reason=reason, is_guess=True)
            roles.append(made)
        else:
            roles.append(guess)
    return tuple(roles)


def rows_beside(document: Document, split: SplitSpec) -> RowUse:
    """The rows used, or others where no row has their use: test before training rows."""
    there = {use for _, use in split.meaning}
    if document.rows_used in (RowUse.ALL, *there) or not split.column or not there:
        return document.rows_used
    order = (RowUse.VALIDATION, RowUse.TEST, RowUse.TRAIN)
    return next((use for use in order if use in there), document.rows_used)


def split_beside(document: Document, split: SplitSpec, columns: tuple[str, ...]) -> SplitSpec:
    """The split with the row filter that was set, where its columns are there."""
    where = document.split.where
    if split.where or not where or not set(column_names(where)) <= set(columns):
        return split
    return replace(split, where=where)
