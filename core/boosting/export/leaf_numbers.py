"""Which leaf of a model's first tree each case falls into."""

from __future__ import annotations

import numpy as np

from core.boosting.inputs import Inputs
from core.boosting.model import BoostedModel
from core.boosting.predicting import make_predictor
from payoff.counting import counted
from payoff.errors import PayoffError
from payoff.types import IntArray


def leaf_numbers(model: BoostedModel, inputs: Inputs) -> IntArray:
    """Number of the leaf of each case, (n,): its node's place in the tree.

    The first tree is scored with the numbers of its nodes in place of their values.

    Raises
    ------
    PayoffError
        For a model that grows several trees at a time.
    """
    if model.n_scores != 1:
        raise PayoffError(
            f"The model grows {counted(model.n_scores, 'tree')} at a time.",
            why="A case then falls into a leaf of each, and leaves are those of one tree.",
        )
    nodes = np.arange(model.forest.value.shape[0], dtype=np.float64)
    numbered = make_predictor(model.forest._replace(value=nodes), model.columns)
    found = np.rint(numbered.link(inputs, np.zeros(1), 1)[0])
    return np.asarray(found, dtype=np.int64)
