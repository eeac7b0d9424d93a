"""Quantiles and leaves that a document's models decide by, read for some rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from core import data
from core.assembly.context import AssemblyContext
from core.assembly.models.input_columns import read_inputs
from core.assembly.models.trained import boosted_model
from core.data import LoadedTable
from core.data.values import no_predictions
from core.decisions import LeafCases, ModelScores, predicted_quantiles, predicted_scores
from core.decisions.number_targets.knots import PredictedQuantiles
from core.document.decisions.matrix_model import DecisionBasis
from core.document.model import Document, TrainedModel
from core.document.results import Advice
from payoff.counting import counted
from payoff.errors import PayoffError
from payoff.types import BoolArray, FloatArray, IntArray

Number = TypeVar("Number", bound=np.generic)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ReadBasis:
    """What a model's decisions may be averaged over, (n,) rows; ``is_used`` says whether they are.

    ``leaf_names`` are those of the codes of ``leaf``.
    """

    is_used: bool
    quantiles: PredictedQuantiles | None = None
    leaf: LeafCases | None = None
    leaf_names: tuple[str, ...] = ()

    @property
    def size_bytes(self) -> int:
        """Memory of all arrays."""
        spread = 0 if self.quantiles is None else self.quantiles.values.nbytes
        return spread + (0 if self.leaf is None else self.leaf.code.nbytes)

    def given_to(self, scores: ModelScores) -> ModelScores:
        """Scores whose decisions are averaged over this, whether it is in use or not."""
        if scores.predicted is not None:
            return predicted_scores(
                scores.name, scores.predicted, quantiles=self.quantiles, leaf=self.leaf
            )
        return replace(scores, quantiles=self.quantiles, leaf=self.leaf)

    def means(self, model: str) -> FloatArray:
        """Means of the distributions, (n,), of a model without predictions of its own."""
        if self.quantiles is None:
            raise no_predictions(model)
        return self.quantiles.mean


def basis_of(document: Document, model: str) -> DecisionBasis | None:
    """What a model of a document names; quantiles of a number only."""
    entry = document.model(model)
    basis = entry.basis if entry is not None else None
    has_levels = document.target is not None and bool(document.target.levels)
    return None if basis is None or (basis.has_quantiles and has_levels) else basis


def read_basis(
    table: LoadedTable,
    document: Document,
    model: str,
    taken: IntArray | None,
    own: PredictedQuantiles | None,
    context: AssemblyContext,
) -> ReadBasis | None:
    """A model's quantiles and leaves on some rows of a table; None where it names neither.

    ``taken`` None: of all rows. ``own`` are the quantiles of these rows that the model predicts
    itself, if it does.
    """
    basis = basis_of(document, model)
    if basis is None:
        return None
    spread: PredictedQuantiles | None = None
    leaf: LeafCases | None = None
    names: tuple[str, ...] = ()
    if basis.has_quantiles:
        spread = _own(own, model) if basis.has_own_quantiles else _quantiles(table, basis, taken)
    if basis.has_leaves or spread is None:
        code, names = _leaves(table, document, model, basis, context)
        leaf = LeafCases(
            code=_some(code, taken),
            is_training=_training(table, basis, taken),
            is_honest=basis.is_honest,
        )
    return ReadBasis(is_used=basis.is_used, quantiles=spread, leaf=leaf, leaf_names=names)


def _some(values: NDArray[Number], taken: IntArray | None) -> NDArray[Number]:
    return values if taken is None else values[taken]


def _training(table: LoadedTable, basis: DecisionBasis, taken: IntArray | None) -> BoolArray | None:
    """The cases that leaves average over; None = all of them."""
    if basis.training is None:
        return None
    values = data.column_as_float(table, basis.training, role="training rows")
    return np.asarray(_some(values, taken) > 0)


def _own(own: PredictedQuantiles | None, model: str) -> PredictedQuantiles:
    if own is None:
        raise PayoffError(
            f"'{model}' predicts no quantiles of its own.",
            remedy="Choose columns that hold quantiles, or train a model of several quantiles.",
        )
    return own


def _quantiles(
    table: LoadedTable, basis: DecisionBasis, taken: IntArray | None
) -> PredictedQuantiles:
    columns = [
        _some(data.column_as_float(table, column, role="quantile"), taken)
        for _, column in basis.quantiles
    ]
    levels = np.array([level for level, _ in basis.quantiles])
    return predicted_quantiles(levels, np.array(columns))


def _leaves(
    table: LoadedTable,
    document: Document,
    model: str,
    basis: DecisionBasis,
    context: AssemblyContext,
) -> tuple[IntArray, tuple[str, ...]]:
    """Leaf of every row of a table (n,), and the names of the leaves."""
    if basis.leaf is not None:
        code, names = data.encode_levels(table, basis.leaf)
        return code.astype(np.int64), names
    trained = _one_tree(document, model)
    boosted = boosted_model(trained, context)
    from core.boosting.export.leaf_numbers import leaf_numbers  # the whole room of boosting

    numbers = leaf_numbers(boosted, read_inputs(table, boosted.columns))
    highest = int(numbers.max(initial=-1))
    return numbers, tuple(str(number) for number in range(highest + 1))


def _one_tree(document: Document, model: str) -> TrainedModel:
    trained = document.trained_model(model)
    if trained is None or trained.trees_used != 1:
        trees = (
            "no trees of this program" if trained is None else counted(trained.trees_used, "tree")
        )
        raise PayoffError(
            f"'{model}' has no leaves of its own to average over.",
            why=f"It is {trees}: leaves are those of one tree.",
            remedy="Train a model of one tree, or choose a column that names the leaf.",
        )
    return trained


def basis_advice(bases: Mapping[str, ReadBasis]) -> tuple[Advice, ...]:
    """Which models decide by averages, and what the cut-off in words is then worth."""
    return tuple(
        Advice(
            state="info",
            text=f"“{model}” decides by averages over "
            + ("its predicted quantiles." if basis.leaf is None else "the leaves of its tree."),
            detail="A cut-off in words holds where a case is read by its own score; the tab "
            "Basis shows both.",
        )
        for model, basis in bases.items()
        if basis.is_used
    )
