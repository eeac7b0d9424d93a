"""The matrix that a freshly opened file starts with, until the user says what decisions earn."""

from __future__ import annotations

from core.document.commands import PLAIN_TEMPLATES
from core.document.model import MatrixKind, MatrixSpec, TargetSpec


def starting_matrix(target: TargetSpec) -> MatrixSpec | None:
    """Acting brings 1 on the event and costs 1 on any other case; doing nothing is worth 0.

    The break-even chance is then 50 %, which claims nothing about the user's business.
    """
    if not target.levels:
        return None
    act, rest = "Act", "Do nothing"
    cells = tuple((1.0 if level == target.event else -1.0, 0.0) for level in target.levels)
    return MatrixSpec(
        template=PLAIN_TEMPLATES[MatrixKind.PROFIT],
        kind=MatrixKind.PROFIT,
        levels=target.levels,
        decisions=(act, rest),
        cells=cells,
        acting=act,
        do_nothing=rest,
    )
