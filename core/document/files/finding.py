"""Where the files of an opened project's data are: as they are named, or beside the project."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from core.document.data.model import DataRef
from core.document.data.recipes import at_paths
from core.document.model import Document


def paths_of_data(document: Document) -> list[str]:
    """Return the paths of the data file and of further files; none without data."""
    data = document.data
    return [] if data is None else [data.path, *(file.path for file in data.recipe.files)]


def found_beside(document: Document, project_path: str | None) -> Document:
    """Return the document with its files found: as named, or beside the project by their names."""
    data = document.data
    if data is None or project_path is None:
        return document
    folder = Path(project_path).resolve().parent
    additional = {file.path: _beside(folder, file.path) for file in data.recipe.files}
    path = _beside(folder, data.path)
    return replace(
        document, data=replace(data, path=path, recipe=at_paths(data.recipe, additional))
    )


def missing_additional_file(data: DataRef) -> str | None:
    """Return the first further file of the data that is not where it was."""
    paths = (file.path for file in data.recipe.files)
    return next((path for path in paths if not Path(path).is_file()), None)


def with_lost_at(data: DataRef, path: str) -> DataRef:
    """Return the data with the file that is lost at another path: their own, or a further one."""
    lost = missing_additional_file(data) if Path(data.path).is_file() else None
    if lost is None:
        return replace(data, path=path)
    return replace(data, recipe=at_paths(data.recipe, {lost: path}))


def _beside(folder: Path, path: str) -> str:
    """A path as it stands, or in the project's folder by the same name where it is there."""
    found = (place for place in (folder / path, folder / Path(path).name) if place.is_file())
    return str(next(found, path))
