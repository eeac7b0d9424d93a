"""At which value of a number the decision changes: what is asked, and what is answered."""

from __future__ import annotations

from dataclasses import dataclass

from core.document.results import RowsNote


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
