"""What one unit of a case's amount adds to the cells of a document's matrix."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from core.assembly.context import AssemblyContext
from core.document.decisions.formulas import shares_of
from core.document.decisions.matrix_model import MatrixSpec
from payoff.errors import PayoffError
from payoff.specs import DecisionMatrix
from payoff.types import FloatArray


def shares_of_amount(
    spec: MatrixSpec,
    levels: tuple[str, ...],
    plugin: DecisionMatrix,
    parameters: Mapping[str, float],
    context: AssemblyContext,
) -> FloatArray | None:
    """Shares (levels, decisions) by the document's formulas, or by the template; None = none.

    Raises
    ------
    PayoffError
        If a formula cannot be read, or the template needs an amount and no column is chosen.
    """
    if spec.cells:
        shares = np.array(shares_of(spec), dtype=np.float64)
        shares = shares[[spec.levels.index(level) for level in levels]]
    elif plugin.shares is None:
        return None
    else:
        shares = _of_template(plugin, parameters, len(levels), context)
    if not shares.any():
        return None
    if spec.amount is None:
        words = plugin.amount.words if plugin.amount is not None else "amount"
        raise PayoffError(
            f"'{plugin.label}' needs to know the {words} of each case.",
            where="amount per case",
            remedy="Choose its column below the matrix.",
        )
    return shares


def _of_template(
    plugin: DecisionMatrix, parameters: Mapping[str, float], count: int, context: AssemblyContext
) -> FloatArray:
    """Shares worked out by a plugin, checked as its cells are."""
    assert plugin.shares is not None  # by the caller
    registry = context.registry
    owner = registry.owner(plugin).plugin
    mark = owner if registry.is_third_party(plugin) else ""
    with context.marked(mark, f"matrix {plugin.id}"):
        given = plugin.shares(count, parameters)
    shares = np.array(given, dtype=np.float64)
    if shares.shape != (count, len(plugin.decisions)) or not np.isfinite(shares).all():
        raise PayoffError(
            f"The plugin '{plugin.id}' did not say what shares of the amount the cells are.",
            where=f"shape {shares.shape}",
            why=f"{count} classes by {len(plugin.decisions)} decisions of finite numbers are "
            "needed.",
            remedy="Choose another matrix, or turn the plugin off.",
        )
    return shares
