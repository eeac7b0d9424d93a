"""One figure by two definitions, and the cause where they differ."""

from __future__ import annotations

import math

from core.document.studies.compare import DefinitionRow

SAME = "the same"


def paired_figure(
    figure: str,
    model: str,
    ours: float,
    theirs: float,
    cause: str,
    words: tuple[str, str],
    decimals: int = 4,
) -> DefinitionRow:
    """The row of a figure; values within 1e-9 are the same, whatever the cause given.

    Parameters
    ----------
    words : (str, str)
        Payoff's name and rule, and the tool's.
    """
    is_same = math.isclose(ours, theirs, rel_tol=1e-9, abs_tol=1e-9)
    return DefinitionRow(
        figure=figure,
        model=model,
        ours=ours,
        theirs=theirs,
        decimals=decimals,
        cause=SAME if is_same else cause,
        ours_words=words[0],
        theirs_words=words[1],
    )
