"""Gradient boosted trees: binning, growing, the boosting loop, prediction, explanation.

The mathematics of R's gbm with any loss distribution plugin, on histogram or exact trees.
"""

from __future__ import annotations

from core.boosting.inputs import UNSEEN, Cases, InputColumn, Inputs, inputs_of_matrix
from core.boosting.settings import BoostSettings, MissingPolicy, Precision
from core.boosting.trees import Forest

__all__ = [
    "UNSEEN",
    "BoostSettings",
    "Cases",
    "Forest",
    "InputColumn",
    "Inputs",
    "MissingPolicy",
    "Precision",
    "inputs_of_matrix",
]
