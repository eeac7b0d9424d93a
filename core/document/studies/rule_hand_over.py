"""Handing a decision rule over: what window and engine say to each other about it."""

from __future__ import annotations

from dataclasses import dataclass

from core.document.decisions.matrix_cells import ResolvedCells
from core.document.model import Document


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportRuleArguments:
    """-> RuleHandedOver. Kind "hand_over_rule"."""

    document: Document
    model: str
    folder: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleExported:
    """What was written; ``notes`` say what whoever runs it must know."""

    folder: str
    files: tuple[str, ...]
    inputs: tuple[str, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberChange:
    """A number of the matrix that a decision workbook holds otherwise than the rule.

    With ``is_share`` it is what the cell gains for each unit of the case's amount.
    """

    level: str
    decision: str
    before: float
    after: float
    is_share: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionChange:
    """A case of a decision workbook that is decided otherwise than when it was written.

    ``row`` is its row on sheet Cases; ``by_hand``: the decision is none of the workbook's formula.
    """

    case: str
    row: int
    before: str
    after: str
    by_hand: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkbookChanges:
    """What somebody changed in a decision workbook since it was written.

    ``others`` names numbers that follow from the project and cannot be taken over; ``added`` are
    rows of sheet Cases, ``removed`` and ``changed_inputs`` numbers of cases; ``is_stale``: no
    program has worked the formulas out since, so the decisions are those of Payoff.
    """

    path: str
    cases: int
    numbers: tuple[NumberChange, ...]
    others: tuple[str, ...]
    decisions: tuple[DecisionChange, ...]
    changed_inputs: tuple[str, ...]
    added: tuple[int, ...]
    removed: tuple[str, ...]
    is_stale: bool
    resolved: ResolvedCells = ()  # of the document that takes numbers over, as in ``EditCell``

    @property
    def are_any(self) -> bool:
        """Whether anything was changed."""
        rows = (*self.decisions, *self.changed_inputs, *self.added, *self.removed)
        return bool(self.numbers or self.others or rows)
