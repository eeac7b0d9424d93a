"""Column names: checked, completed, and refused when two columns bear the same one."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from core.data.records import Record
from payoff.errors import PayoffError


def settle_names(
    header: Record | None,
    rows: list[Record],
    width: int,
    note: str,
    path: str,
    warnings: list[str],
) -> tuple[str, ...]:
    """Names of the columns as they will be called.

    Without a header: column_1, column_2 ... A blank name becomes column_7 (its position). A header
    that is one name short gets ``row_name`` in front (R writes row names so) or, when the last
    field is always empty, a name behind.
    """
    if header is None:
        return tuple(f"column_{index + 1}" for index in range(width))
    names = [cell.decode("utf-8", "replace").strip() for cell in header.fields]
    if note == "short":
        if rows and all(r.width < width or not r.fields[-1].strip() for r in rows[:200]):
            names.append("")
        else:
            names.insert(0, "row_name")
            warnings.append("The first column has no name in the header: called row_name.")
    check_names(names, path, line=header.line)
    for index, name in enumerate(names):
        if not name:
            names[index] = _free_name(f"column_{index + 1}", names)
            warnings.append(f"Column {index + 1} has no name: called {names[index]}.")
    return tuple(names) + _warn_similar(names, warnings)


def settle_given_names(names: list[str], path: str, warnings: list[str]) -> tuple[str, ...]:
    """Names that a reader gives: two alike are refused, blank ones called column_7."""
    check_names(names, path)
    for index, name in enumerate(names):
        if not name:
            names[index] = _free_name(f"column_{index + 1}", names)
            warnings.append(f"Column {index + 1} has no name: called {names[index]}.")
    return tuple(names) + _warn_similar(names, warnings)


def check_names(names: list[str], path: str, *, line: int = 0) -> None:
    """Refuse two columns of the same name, naming both positions."""
    seen: dict[str, int] = {}
    for index, name in enumerate(names):
        if name and name in seen:
            where = f"{path}, line {line}" if line else path
            raise PayoffError(
                f"Two columns are called '{name}'.",
                where=f"{where}, columns {seen[name] + 1} and {index + 1}",
                remedy="Rename one of them in the file, or say that the first line is no header.",
            )
        seen[name] = index


def _free_name(name: str, taken: list[str]) -> str:
    """A name that no other column bears."""
    while name in taken:
        name += "_"
    return name


def _warn_similar(names: list[str], warnings: list[str]) -> tuple[str, ...]:
    """Warn of names that differ only in case, spaces or Unicode form; adds no name."""
    groups: dict[str, list[str]] = {}
    for name in names:
        key = "".join(unicodedata.normalize("NFKC", name).casefold().split())
        groups.setdefault(key, []).append(name)
    for alike in groups.values():
        if len(alike) > 1:
            shown = ", ".join(f"'{name}'" for name in alike[:5])
            warnings.append(f"Column names differ only in case, spaces or accents' form: {shown}.")
    return ()


def free_names(names: Sequence[str]) -> tuple[str, ...]:
    """Names for the columns of a file: blank ones by position, repeated ones with a number."""
    free: list[str] = []
    for index, name in enumerate(names):
        plain = " ".join(name.split()) or f"column_{index + 1}"
        wanted, number = plain, 2
        while wanted in free:
            wanted, number = f"{plain} {number}", number + 1
        free.append(wanted)
    return tuple(free)
