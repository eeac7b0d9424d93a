"""Which number, at which value, would bring a wanted total: what is answered."""

from __future__ import annotations

import math
from dataclasses import dataclass

from core.document.decisions.matrix_cells import ResolvedCells
from core.document.decisions.matrix_model import NumberRef
from core.document.results import RowsNote


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
