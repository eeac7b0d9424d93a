"""What a project says of its decision matrix, costs, numbers to try, and of bases of decisions.

What a project says of its decision matrix: cells, costs, numbers to try, scenarios.

What a model's decisions are read from where that is more than each case's own score.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import StrEnum


class MatrixKind(StrEnum):
    """How the numbers of a decision matrix are meant."""

    PROFIT = "profit"
    LOSS = "loss"
    REVENUE = "revenue"


@dataclass(frozen=True, slots=True, kw_only=True)
class CostSpec:
    """The cost of one decision: a constant, or a column of the data."""

    amount: float = 0.0
    column: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CellFormula:
    """A cell that follows named parameters: "margin - letter" (``formulas``)."""

    level: str
    decision: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MatrixSpec:
    """A decision matrix: ``cells[row][column]`` = consequence of a decision for a class.

    ``acting`` names the decision that counts as acting; depth runs by its expected advantage.
    ``template`` is the id of a decision-matrix plugin and ``parameters`` its parameters. A worded
    template has no ``cells`` here: the engine works them out and DecisionResult.cells shows them; a
    cell edited by hand turns it into the plain template of the same kind, with all its cells.
    A plain template's ``parameters`` are the user's own named ones; ``formulas`` say which cells
    follow them, and ``cells`` always hold what they give. ``amount`` is the column with an amount
    of each case; a formula may then say ``amount``, and ``cells`` hold what it gives at 0: what one
    unit adds comes from the formula (``formulas.shares_of``) or the template.
    """

    template: str
    kind: MatrixKind
    levels: tuple[str, ...]
    decisions: tuple[str, ...]
    cells: tuple[tuple[float, ...], ...]
    acting: str
    parameters: tuple[tuple[str, float], ...] = ()
    costs: tuple[CostSpec, ...] = ()  # empty, or one per decision
    do_nothing: str | None = None  # the decision that does nothing, if the matrix names one
    formulas: tuple[CellFormula, ...] = ()
    amount: str | None = None


class NumberKind(StrEnum):
    """What a number of the decision problem is."""

    PARAMETER = "parameter"
    CELL = "cell"
    COST = "cost"
    PRIOR = "prior"


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberRef:
    """One number that can be tried at other values.

    A parameter has its ``name``, a cell ``level`` and ``decision``, a constant cost its
    ``decision``; the prior is that of the event, the other classes keep their proportions.
    """

    kind: NumberKind
    name: str = ""
    level: str = ""
    decision: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberSetting:
    """A number at a value that is tried."""

    number: NumberRef
    value: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """A named "what if": numbers at other values, everything else as the project has it."""

    name: str
    settings: tuple[NumberSetting, ...]

    def renamed(self, decision: str, name: str) -> Scenario:
        """The same where a decision has got another name."""
        settings = tuple(
            replace(entry, number=replace(entry.number, decision=name))
            if entry.number.decision == decision
            else entry
            for entry in self.settings
        )
        return replace(self, settings=settings)


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
