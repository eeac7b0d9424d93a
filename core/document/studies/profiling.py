"""What page Data asks to look at: rows in an order, and what an expression would give."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class TableOrder:
    """Which rows of a table are looked at, and in which order; nothing of it changes a number.

    ``search`` keeps rows in which a cell holds the text (case does not count). ``sort`` names a
    column; missing values come last both ways.
    """

    sort: str = ""
    is_falling: bool = False
    search: str = ""
    only_used: bool = False  # rows of the document's row filter only

    @property
    def is_plain(self) -> bool:
        """Whether it is the file's own order with all rows."""
        return not (self.sort or self.search or self.only_used)


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeGaps:
    """Rows that should have an outcome and have none; ``words`` names the first of them."""

    rows: int
    total: int
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpressionResult:
    """What an expression gives over the data; ``refusal`` says why it gives nothing.

    ``kind`` is number, text or boolean. ``lost``: reason -> rows that arithmetic left missing.
    ``examples``: the values of the first rows.
    """

    text: str
    kind: str = ""
    rows: int = 0
    true: int = 0
    missing: int = 0
    lost: tuple[tuple[str, int], ...] = ()
    examples: tuple[str, ...] = ()
    refusal: str = ""
