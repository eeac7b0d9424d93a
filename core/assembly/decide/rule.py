"""The cut-off of a model at the document's cursor."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from core.assembly.analysis import analysed_at
from core.assembly.context import AssemblyContext
from core.assembly.rank_only import without_useless_scores
from core.assembly.scores import rank_position_of
from core.decisions.depths.cut import DepthCut
from core.document.model import Document
from payoff.errors import PayoffError


def cursor_cut_off(document: Document, model: str, context: AssemblyContext) -> DepthCut | None:
    """The cut-off at the document's cursor; None where the cursor follows the rule."""
    depth = document.cursor_depth
    if depth is None:
        return None
    document, left_out = without_useless_scores(document, context)
    result, reading = analysed_at(document, depth, context)
    if model not in reading.models:
        raise PayoffError(f"There is no model '{model}'.", why=" ".join(left_out))
    value = float(reading.threshold[reading.models.index(model)])
    cut = DepthCut(depth=depth, value=value, kind=result.threshold_kind, side=result.threshold_side)
    if not document.is_rank_only(model):
        # Where the reference only ranks, cases are still in the order of the event's chance.
        return replace(cut, kind="chance") if cut.kind == "score" else cut
    standing = rank_position_of(document, model, context)
    points = float(standing.score(np.array([value]))[0])
    is_lowest = (cut.side == "below") != (standing.sign < 0)
    return replace(cut, kind="score", points=points, points_side="below" if is_lowest else "above")
