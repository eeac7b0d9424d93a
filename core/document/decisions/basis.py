"""What a model's decisions are read from where that is more than each case's own score."""

from __future__ import annotations

import re
from dataclasses import dataclass

_LEVEL = re.compile(
    r"(?:^|[^a-z])(?:q|p|quantile|percentile|pctl?)[ _(=-]*(\d+(?:[.,_]\d+)?)\)?$", re.IGNORECASE
)


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionBasis:
    """Predicted quantiles that consequences are averaged over, or leaves of a tree.

    Attributes
    ----------
    quantiles : tuple of (float, str)
        Level and column of each predicted quantile (outcomes that are numbers).
    has_own_quantiles : bool
        The quantiles are those that the model, trained here, predicts itself.
    leaf : str, optional
        A column that names the leaf of each case: all cases of a leaf get one decision.
    has_own_leaves : bool
        The leaves are those of the only tree of a model trained here.
    is_honest : bool
        Average over the outcomes of a leaf's cases in place of what is predicted for them.
    training : str, optional
        A column of 0 and 1: the cases that leaves average over; None = all of them.
    is_used : bool
        False: each case is decided by its own score, and this only stands beside it.
    """

    quantiles: tuple[tuple[float, str], ...] = ()
    has_own_quantiles: bool = False
    leaf: str | None = None
    has_own_leaves: bool = False
    is_honest: bool = False
    training: str | None = None
    is_used: bool = True

    @property
    def has_quantiles(self) -> bool:
        """Whether a distribution of each case is named."""
        return bool(self.quantiles) or self.has_own_quantiles

    @property
    def has_leaves(self) -> bool:
        """Whether leaves are named."""
        return self.leaf is not None or self.has_own_leaves


def quantile_level(column: str) -> float | None:
    """The level that a column's name speaks of: 0.1 for q10, gift_q0.1 or P10; else None."""
    found = _LEVEL.search(column)
    if found is None:
        return None
    text = found[1].replace(",", ".").replace("_", ".")
    level = float(text) if "." in text and text.startswith("0") else float(text) / 100.0
    return level if 0.0 < level < 1.0 else None
