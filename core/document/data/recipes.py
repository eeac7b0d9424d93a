"""What is made of a data file: the name of the result, and the roles of what was added."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from typing import TYPE_CHECKING

from core.document.data.model import DataRecipe, DataRef, FileRef, JoinSpec
from core.document.data.opening import SINGLE_ROLES
from core.document.files.codec import to_plain
from core.document.model import Document, Role, RoleAssignment

if TYPE_CHECKING:
    from core.document.data.results import TableSummary


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
            chances=entry.chances
            and replace(entry.chances, data_hash=known(entry.chances.data_hash)),
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
