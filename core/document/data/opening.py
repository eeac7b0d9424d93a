"""What of a document stays when another file, or another table of the same file, is taken.

What is made of a data file: the name of the result, and the roles of what was added.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from core.document.data.expressions import column_names
from core.document.data.model import DataRecipe, DataRef, FileRef, JoinSpec, RowUse
from core.document.files.codec import to_plain
from core.document.model import Document, Role, RoleAssignment, SplitSpec, TargetSpec

if TYPE_CHECKING:
    from core.document.data.results import TableSummary


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
            made = RoleAssignment.guess(guess.column, role, reason)
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


def made_hash(own_hash: str, recipe: DataRecipe) -> str:
    """The content hash of a table made by a recipe; paths do not count, contents do."""
    if recipe.is_empty:
        return own_hash
    plain = to_plain(at_paths(recipe, {entry.path: "" for entry in recipe.files}))
    text = json.dumps([own_hash, plain], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def with_recipe(data: DataRef, recipe: DataRecipe) -> DataRef:
    """The same file with another recipe; the table's rows and columns follow when it is made."""
    own = data.own_hash
    return replace(
        data,
        recipe=recipe,
        content_hash=made_hash(own, recipe),
        file_hash="" if recipe.is_empty else own,
    )


def at_paths(recipe: DataRecipe, paths: dict[str, str]) -> DataRecipe:
    """The recipe with further files at other paths: old path -> new path."""

    def moved(file: FileRef) -> FileRef:
        return replace(file, path=paths.get(file.path, file.path))

    return replace(
        recipe,
        rows=tuple(replace(entry, file=moved(entry.file)) for entry in recipe.rows),
        joins=tuple(replace(entry, file=moved(entry.file)) for entry in recipe.joins),
    )


def with_join(data: DataRef, join: JoinSpec) -> DataRef:
    """The data with one more join."""
    return with_recipe(data, replace(data.recipe, joins=(*data.recipe.joins, join)))


def with_rows_of_part(document: Document) -> Document:
    """An older project's document: what it remembers of a file's rows is of the part it reads.

    Projects once told rows apart by the files alone, whichever sheet of a workbook was read.
    """
    data = document.data
    if data is None or data.rows_hash == data.rows_of_files:
        return document
    before, now = data.rows_of_files, data.rows_hash

    def known(text: str) -> str:
        return now if text == before else text

    models = tuple(
        replace(
            entry,
            trained=entry.trained
            and replace(entry.trained, data_hash=known(entry.trained.data_hash)),
            calibration=entry.calibration
            and replace(entry.calibration, data_hash=known(entry.calibration.data_hash)),
        )
        for entry in document.models
    )
    choice = document.choice and replace(
        document.choice, data_hash=known(document.choice.data_hash)
    )
    return replace(document, models=models, choice=choice)


def roles_beside(document: Document, summary: TableSummary) -> tuple[RoleAssignment, ...]:
    """Roles of a table that was made of the document's data.

    What the user said stays; what was guessed stays too where the outcome was known already, else
    it is guessed again beside the new columns. A new column gets no role that only one can have
    and another has.
    """
    known = {entry.column: entry for entry in document.roles}
    recipe = summary.data.recipe
    use_column = recipe.use_column if recipe.rows else None
    has_target = document.target is not None
    roles: list[RoleAssignment] = []
    taken = {entry.role for entry in document.roles}
    for guess in summary.roles:
        before = known.get(guess.column)
        if before is not None and (has_target or not before.is_guess):
            roles.append(before)
        elif before is None and guess.role in SINGLE_ROLES and guess.role in taken:
            roles.append(
                RoleAssignment(
                    column=guess.column,
                    role=Role.IGNORED if guess.role is Role.ID else Role.INPUT,
                    reason=f"another column has the role that its name suggests: {guess.role}",
                    is_guess=True,
                )
            )
        else:
            roles.append(guess)
    if use_column is not None:
        roles = [_role_beside_uses(entry, use_column) for entry in roles]
    return tuple(roles)


def _role_beside_uses(entry: RoleAssignment, use_column: str) -> RoleAssignment:
    """The role of a column where the use of a row is said by the file it came from."""
    if entry.column == use_column:
        reason = "says which file a row came from"
        return RoleAssignment(column=use_column, role=Role.ROW_USE, reason=reason)
    if entry.role is Role.ROW_USE:
        return replace(entry, role=Role.IGNORED, reason="the files say what rows are for")
    return entry
