"""Decisions that a file brings along (SAS D_, EP_ and others) beside those of the program."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from payoff.counting import counted, counted_of
from payoff.errors import PayoffError

LETTERS = ("D", "EP", "EL", "CP", "CL", "BP", "BL", "IC", "ROI")
MOST_SHOWN = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class RowMismatch:
    """One row that differs; ``where`` names file, line, data row, column and value."""

    row: int
    where: str
    ours: str
    theirs: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnMatch:
    """A column of the file beside ours. ``largest`` is the largest difference of numbers."""

    column: str
    letter: str
    equal: int
    different: int
    largest: float
    first: tuple[RowMismatch, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cause:
    """A reason that was tried: ``left`` rows still differ when it is taken into account.

    ``is_additional``: it holds together with those before it, and ``left`` counts with them.
    """

    text: str
    remedy: str
    left: int
    is_additional: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Reconciliation:
    """What a comparison found.

    Attributes
    ----------
    different : int
        Rows in which at least one column differs.
    causes : tuple of Cause
        Reasons that explain every row by themselves; else those that lessen the differences
        together, in order. Empty where nothing differs, or where nothing that was tried helps.
    """

    path: str
    model: str
    rows: int
    columns: tuple[ColumnMatch, ...]
    different: int
    causes: tuple[Cause, ...]
    tolerance: float

    @property
    def agrees(self) -> bool:
        """Whether every row of every column is equal."""
        return self.different == 0

    @property
    def sentences(self) -> tuple[str, ...]:
        """The result in words."""
        names = ", ".join(entry.column for entry in self.columns)
        if self.agrees:
            return (
                f"All {counted(self.rows, 'row agrees', 'rows agree')} in {names} (tolerance "
                f"{self.tolerance:g}).",
            )
        lines = [
            f"{counted_of(self.different, self.rows, 'row', verbs='differs/differ')} in {names}."
        ]
        for entry in self.columns:
            if entry.different:
                first = entry.first[0]
                lines.append(
                    f"{entry.column}: {entry.different:,} differ; first {first.where}: "
                    f"the file has {first.theirs}, ours is {first.ours}."
                )
        for cause in self.causes:
            together = "Together they explain" if cause.is_additional else "That explains"
            rest = f"{counted(cause.left, 'row')} would still differ."
            if cause.left == 0:
                rest = f"{together} every row."
            likely = "Likely as well" if cause.is_additional else "Likely"
            lines.append(f"{likely}: {cause.text} {rest} {cause.remedy}".strip())
        if not self.causes:
            lines.append(
                "None of the usual causes explains it: priors, ties, costs, signs, rows and "
                "columns, order of classes, rounding."
            )
        return tuple(lines)


def carried_columns(columns: Sequence[str], target: str) -> dict[str, str]:
    """Letter -> column, for columns named as SAS names decisions of the target, in any case.

    With another target's name only where it is the only one in the file.
    """
    found: dict[str, dict[str, str]] = {}
    for column in columns:
        prefix, mark, suffix = column.partition("_")
        if mark and suffix and prefix.upper() in LETTERS:
            found.setdefault(suffix.casefold(), {}).setdefault(prefix.upper(), column)
    own = found.get(target.casefold())
    if own is not None:
        return own
    with_decision = [entry for entry in found.values() if _is_telling(entry)]
    return with_decision[0] if len(with_decision) == 1 else {}


def require_carried(columns: Mapping[str, str], path: str) -> None:
    """Refuse a file of which no column is known to hold decisions.

    Raises
    ------
    PayoffError
    """
    if not columns:
        raise PayoffError(
            "The file carries no decisions to compare with.",
            where=path,
            why="Columns named D_, EP_ or EL_, CP_, BP_, IC_ or ROI_ and the target are looked "
            "for.",
            remedy="Give its columns these names; scripts may name them instead: "
            "columns={'D': COLUMN, 'EP': COLUMN}.",
        )


def _is_telling(entry: Mapping[str, str]) -> bool:
    """Two columns of one target: a lone "d_" or "ic_" may be anything."""
    return len(entry) >= 2
