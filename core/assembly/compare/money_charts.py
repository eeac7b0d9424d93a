"""Charts of page Compare that need the decision matrix: return on what is spent."""

from __future__ import annotations

import numpy as np

from core.assembly.analysis import analysis_of
from core.assembly.context import AssemblyContext
from core.decisions.case_values import values_of
from core.decisions.depths.chart import roi_by_depth
from core.decisions.limits.frontier import uses_of
from core.document.model import Document
from core.document.results import ChartData, Curve

POINTS = 401
ROI_TEXT = (
    "What acting on the best share x of the cases brings beyond their best other decision, over "
    "what it costs ({reason}). 0 = it just pays back, 1 = every unit of money comes back twice. "
    "Bands: pointwise 95 % of the ratio."
)


def roi_chart(document: Document, context: AssemblyContext) -> ChartData:
    """Return on what is spent by depth, of every model that says chances."""
    curves, notes, reason = [], [], "costs of the decisions"
    sayers = document.without_rankers()
    grid = np.linspace(0.0, 1.0, POINTS)
    if sayers.models:
        state = analysis_of(sayers, context).state
        for model in state.models:
            context.check()
            values = values_of(state, model)
            uses = uses_of(state.problem, values)
            reason = uses.reason
            curve = roi_by_depth(values, uses, grid)
            if curve is None:
                notes.append(f"{model.scores.name}: nothing is spent, so there is no return on it.")
                continue
            curves.append(
                Curve(
                    model=model.scores.name,
                    x=curve.depth,
                    y=curve.value,
                    low=curve.low,
                    high=curve.high,
                )
            )
    curves.append(Curve(model="", name="pays back", x=np.array([0.0, 1.0]), y=np.zeros(2)))
    return ChartData(
        kind="roi",
        curves=tuple(curves),
        definition=ROI_TEXT.format(reason=reason),
        variant="of acting on the best",
        notes=tuple(notes),
    )
