"""Signs that rows and columns of a matrix may be swapped."""

from __future__ import annotations

from dataclasses import replace

from core.data.levels import printed
from core.document.decisions.matrix_model import MatrixKind
from core.document.studies.decision_files import MatrixFile

_IDLE = ("do nothing", "ignore", "nothing", "wait", "pass", "refuse", "reject")


def level_key(name: str) -> str:
    """A name as it is compared: printed form, without regard to case."""
    return printed(name).strip().casefold()


def with_doubts(made: MatrixFile, known: set[str]) -> MatrixFile:
    """The matrix with every sign that rows and columns may be swapped."""
    doubts = []
    rows_known = [name for name in made.levels if level_key(name) in known]
    columns_known = [name for name in made.decisions if level_key(name) in known]
    if known and not rows_known and columns_known:
        doubts.append(
            f"“{columns_known[0]}” is a class of the outcome, but stands among the decisions."
        )
    idle_rows = [
        name
        for name, row in zip(made.levels, made.cells, strict=True)
        if name.casefold() in _IDLE and level_key(name) not in known
    ]
    if idle_rows:
        doubts.append(f"“{idle_rows[0]}” sounds like a decision, but stands among the classes.")
    zero_rows = [name for name, row in zip(made.levels, made.cells, strict=True) if not any(row)]
    has_zero_column = any(not any(column) for column in zip(*made.cells, strict=True))
    if zero_rows and not has_zero_column and made.kind is MatrixKind.PROFIT:
        doubts.append(
            f"The class “{zero_rows[0]}” brings nothing whatever is decided, as a decision "
            "that does nothing would."
        )
    both = {level_key(name) for name in made.levels} == {level_key(name) for name in made.decisions}
    if both and not made.is_stated and not _is_symmetric(made):
        doubts.append("Classes and decisions have the same names, and the file names no axes.")
    idle = next((name for name in made.decisions if name.casefold() in _IDLE), None)
    column = made.decisions.index(idle) if idle is not None else -1
    is_nothing = idle is not None and not any(row[column] for row in made.cells)
    nothing = made.do_nothing or (idle if is_nothing else None)
    acting = made.acting or next(
        (name for name in made.decisions if name != nothing), made.decisions[0]
    )
    tail = " Rows and columns may be swapped."
    return replace(
        made,
        acting=acting,
        do_nothing=nothing,
        doubts=(*made.doubts, *(text + tail for text in doubts)),
    )


def _is_symmetric(made: MatrixFile) -> bool:
    order = [
        [level_key(n) for n in made.decisions].index(level_key(level)) for level in made.levels
    ]
    return all(
        made.cells[i][order[j]] == made.cells[j][order[i]]
        for i in range(len(order))
        for j in range(i)
    )
