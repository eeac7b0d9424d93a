"""Who wins where, over two numbers: what is asked, and what is answered."""

from __future__ import annotations

from dataclasses import dataclass

from core.document.decisions.matrix_model import NumberRef
from core.document.results import RowsNote
from core.document.studies.numbers import TriedNumber
from payoff.types import FloatArray, IntArray


@dataclass(frozen=True, slots=True, kw_only=True)
class MapAxis:
    """A number and the range over which it is tried."""

    number: NumberRef
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class WinnerMapResult:
    """What tab Winner map shows. Arrays (y, x) rise along both axes; amounts are profits.

    ``names`` are the models, then the constant rules (one decision for all cases), from ``models``
    on. Where a model earns no more than a constant rule, the constant rule is the winner: it needs
    no model. ``margin`` is the winner's profit less that of the ``second``.
    """

    rows: RowsNote
    x: TriedNumber
    y: TriedNumber
    x_values: FloatArray
    y_values: FloatArray
    names: tuple[str, ...]
    models: int
    winner: IntArray
    second: IntArray
    profit: FloatArray
    margin: FloatArray
    now_winner: int
    now_profit: float
    is_exact: bool
    cases: int  # that it is worked out on
    error: float  # largest 95 % error of a margin from looking at a part of the cases; 0 if exact
    checked: int  # points between those worked out that were worked out after all
    missed: int  # of these, how many had another winner than the map said
    seconds: float
    numbers: tuple[TriedNumber, ...] = ()
    warnings: tuple[str, ...] = ()
