"""What the shared cursor reads where the outcome is a number: cases by falling prediction."""

from __future__ import annotations

import numpy as np

from core.document.results import ModelDepths
from core.evaluation.cases import JudgedCases
from core.evaluation.ranking import DEPTH_GRID, GRID_POINTS


def number_depths(cases: JudgedCases) -> tuple[ModelDepths, ...]:
    """What the shared cursor reads of every model: highest predictions first, no classes."""
    grid = DEPTH_GRID
    weight = cases.weight if len(cases.weight) else np.ones(len(cases))
    none = np.empty((0, GRID_POINTS))
    found = []
    for model in cases.problem.models:
        prediction = np.ascontiguousarray(cases.fit_chances(model)[0])
        order = np.argsort(-prediction, kind="stable")
        running = np.concatenate([[0.0], np.cumsum(weight[order])])
        running /= running[-1]
        rows = np.interp(grid, running, np.arange(len(order) + 1, dtype=np.float64))
        last = np.clip(np.ceil(rows - 1e-9).astype(np.int64) - 1, 0, len(order) - 1)
        found.append(
            ModelDepths(
                model=model.name,
                depth=grid,
                cases=rows,
                threshold=prediction[order][last],
                class_share=none,
                class_share_low=none,
                class_share_high=none,
            )
        )
    return tuple(found)
