"""Numbers of the decision problem at other values, what is asked and answered.

A number that can be tried at other values, as tabs offer it.

At which value of a number the decision changes: what is asked, and what is answered.

Which number, at which value, would bring a wanted total: what is answered.

Numbers at other values: what is asked, and what each model would bring.

Who wins where, over two numbers: what is asked, and what is answered.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from core.document.decisions.formulas import ResolvedCells
from core.document.decisions.matrix_model import NumberRef
from core.document.results import Estimate, RowsNote
from payoff.types import FloatArray, IntArray


@dataclass(frozen=True, slots=True, kw_only=True)
class TriedNumber:
    """A number with its words, its present value, and the range that is offered for it."""

    number: NumberRef
    name: str
    unit: str  # "money" or "share"
    now: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Crossing:
    """One value at which something changes, in the user's sense of the number.

    ``distance`` is (value - now) / abs(now), NaN where now is 0. ``becomes`` says what holds beyond
    the value: the model that wins, the constant rule that does as well, the decision that starts or
    stops. ``is_jump``: many cases change their decision there at once (or one case does), so that
    totals jump past each other instead of being equal.
    """

    value: float
    distance: float
    becomes: str
    total: float  # of the best model at the value (for the rule: of the chosen model), as profit
    is_jump: bool = False
    starts: bool = False  # of a rule: the decision starts being chosen; else it stops


@dataclass(frozen=True, slots=True, kw_only=True)
class BreakEvenRow:
    """One number that can move, with what happens below and above its present value.

    Each pair holds the nearest value below and above; None where nothing changes on that side.

    Attributes
    ----------
    kind : str
        "cell", "cost", "parameter" or "prior".
    name : str
        Words for it: "Mail, responds".
    level, decision : str
        Of a cell or cost.
    unit : str
        "money" or "share".
    now : float
    rule : pair
        A decision starts or stops being chosen by the rule of the chosen model.
    never : float or None
        From here on no chance at all makes a decision the better one (two decisions).
    winner : pair
        Another model has the highest total.
    beaten : pair
        A constant rule does as well as the best model (or, where it does now, no longer does).
    zero : pair
        The total of the best model crosses 0.
    """

    kind: str
    name: str
    level: str = ""
    decision: str = ""
    unit: str = "money"
    now: float
    rule: tuple[Crossing | None, Crossing | None] = (None, None)
    never: float | None = None
    winner: tuple[Crossing | None, Crossing | None] = (None, None)
    beaten: tuple[Crossing | None, Crossing | None] = (None, None)
    zero: tuple[Crossing | None, Crossing | None] = (None, None)


@dataclass(frozen=True, slots=True, kw_only=True)
class BreakEvenResult:
    """What tab Break-even shows. Totals are profits."""

    rows: RowsNote
    model: str  # whose rule is meant
    winner: str  # the best model now
    total: float  # its total now
    constant: str  # the best constant rule now ("Do nothing", "Mail" for all)
    constant_total: float
    pays: bool  # the best model beats every constant rule and, where profits are told, 0
    is_kept: bool
    numbers: tuple[BreakEvenRow, ...]
    seconds: float
    warnings: tuple[str, ...] = ()


def nearest(pair: tuple[Crossing | None, Crossing | None], now: float) -> Crossing | None:
    """The one of two crossings that lies nearer to the present value."""
    known = [entry for entry in pair if entry is not None]
    return min(known, key=lambda entry: abs(entry.value - now), default=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class GoalRow:
    """One number that moves alone, and the nearest value at which the rule brings what is wanted.

    Attributes
    ----------
    number : NumberRef
        Which number of the document it is.
    name : str
        Words for it: "Mail, responds".
    unit : str
        "money" or "share".
    now, value : float
        Its present value and the one looked for; NaN where no value of it brings that.
    total : float
        Of the rule at that value, decisions made again. Without a value: the nearest to the wanted
        total that the number can bring.
    is_exact : bool
        Whether that is the wanted total; else the total jumps past it there, for many cases change
        their decision at one value (or one case does).
    """

    number: NumberRef
    name: str
    unit: str
    now: float
    value: float
    total: float
    is_exact: bool = False

    @property
    def is_within_reach(self) -> bool:
        """Whether the number alone can bring what is wanted."""
        return not math.isnan(self.value)


@dataclass(frozen=True, slots=True, kw_only=True)
class GoalSeekResult:
    """What tab Goal seek shows. Totals are profits.

    ``share``: of what perfect foresight would add to the present total, the part that a model would
    have to bring with the numbers as they are; NaN where less is wanted than there is. Above 1 no
    model brings it. ``resolved``: the present cells of a worded matrix, for who uses a value.
    """

    rows: RowsNote
    model: str  # whose rule is meant
    total: float  # its total now
    wanted: float
    perfect: float  # the total with perfect foresight
    share: float
    numbers: tuple[GoalRow, ...]
    resolved: ResolvedCells = ()
    seconds: float
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelWhatIf:
    """One model now, and with the numbers at other values. Amounts are profits.

    ``kept``: every case keeps its present decision; ``remade``: decisions are made again. The
    changes are differences to now on the same cases. ``moved`` cases (sum of frequencies) get
    another decision.
    """

    model: str
    now: Estimate
    kept: Estimate
    remade: Estimate
    kept_change: Estimate
    remade_change: Estimate
    moved: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenarioOutcome:
    """One scenario side by side with the others; ``refusal`` says why there are no totals."""

    name: str
    changes: tuple[tuple[str, str, float, float], ...]  # words, unit, now, value
    kept_model: str = ""  # the best model now
    kept: float = float("nan")  # its total, present decisions kept
    best_model: str = ""  # of the scenario, decisions made again
    remade: float = float("nan")  # its total
    refusal: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class WhatIfResult:
    """What tab What-if shows."""

    rows: RowsNote
    numbers: tuple[TriedNumber, ...]
    models: tuple[ModelWhatIf, ...]
    rule_text: str  # the rule at the numbers tried
    # cells of the matrix at the parameters tried, before single cells are changed
    resolved: tuple[tuple[float | str, ...], ...]
    scenarios: tuple[ScenarioOutcome, ...]
    holds_fixed: str
    seconds: float
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleChangeResult:
    """What every model's rule brings now beside what it brought with the former numbers.

    In ``models`` "now" is the former state: ``now`` its total, ``kept`` what those decisions bring
    at the present numbers, ``remade`` the present total; changes are present less former.
    """

    rows: RowsNote
    models: tuple[ModelWhatIf, ...]
    holds_fixed: str
    warnings: tuple[str, ...] = ()


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
