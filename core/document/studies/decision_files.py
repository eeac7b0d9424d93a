"""Decisions, rules and matrices in files.

What a hold-out costs and can show, before decisions are saved with one.

A rule on new cases: how like the evaluated ones they are, and what a list of a size brings.

Handing a decision rule over: what window and engine say to each other about it.

A decision matrix as a file holds it, and what window and engine say to each other about it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from core.document.decisions.formulas import ResolvedCells
from core.document.decisions.matrix_model import CostSpec, MatrixKind, MatrixSpec
from core.document.model import Document
from core.document.results import Advice, Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class HoldOutResult:
    """Cases of the file, the expected profit forgone, and the smallest effect that would show.

    ``event_rate`` is the mean chance of the event among the chosen; ``smallest_effect`` a
    difference in that rate, NaN where the hold-out is too small to show any.
    """

    chosen: int
    held: int
    forgone: float
    event_rate: float
    smallest_effect: float
    power: float
    significance: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ListResult:
    """What a list of so many cases like the evaluated ones is expected to bring.

    Intervals hold both what is not known of the population and the luck of the list itself.
    ``total`` is in the sense of profit, like all amounts of results.
    """

    cases: int
    counts: tuple[tuple[str, Estimate], ...]
    total: Estimate
    rule: str
    source: str  # the rows it is scaled from, in words
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportRuleArguments:
    """-> RuleHandedOver. Kind "export_rule"."""

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


class Rows(StrEnum):
    """What the rows of a file stand for; the columns then stand for the other."""

    ACTUAL = "actual"  # what really happens (the classes): the program's own way
    DECIDED = "decided"  # what is decided or predicted


class MatrixStyle(StrEnum):
    """Ways to write a matrix."""

    CSV = "csv"  # actual classes down, decisions across
    PREDICTED = "predicted"  # decisions (predicted classes) down, actual classes across
    SAS = "sas"  # SAS decision data: target value, COUNT, ..., DECPRIOR, a column per decision
    JSON = "json"


@dataclass(frozen=True, slots=True, kw_only=True)
class MatrixFile:
    """A matrix read from a file, always with the actual classes in rows.

    Attributes
    ----------
    rows : Rows
        What the rows of the file stood for.
    is_stated : bool
        Whether the file or the caller said so; else it was guessed.
    style : MatrixStyle
    costs : tuple of CostSpec
        One per decision, or none.
    priors, old_priors : tuple of (level, share)
        DECPRIOR and TRAINPRIOR of SAS decision data; empty = the file has none.
    notes : tuple of str
        How the file was read, in sentences.
    doubts : tuple of str
        What may be wrong with that, above all rows and columns swapped.
    """

    path: str
    levels: tuple[str, ...]
    decisions: tuple[str, ...]
    cells: tuple[tuple[float, ...], ...]
    kind: MatrixKind
    rows: Rows
    is_stated: bool
    style: MatrixStyle
    acting: str = ""
    do_nothing: str | None = None
    costs: tuple[CostSpec, ...] = ()
    priors: tuple[tuple[str, float], ...] = ()
    old_priors: tuple[tuple[str, float], ...] = ()
    notes: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadMatrixArguments:
    """-> MatrixImport. Kind "read_matrix", quick lane. ``None`` = as the file says."""

    document: Document
    path: str
    rows: Rows | None = None
    kind: MatrixKind | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MatrixImport:
    """A file's matrix fitted to the outcome of the document.

    ``matrix`` is ready to be taken over; ``priors`` in the order of its levels, None = none.
    """

    file: MatrixFile
    matrix: MatrixSpec
    priors: tuple[tuple[str, float], ...] | None
    advice: tuple[Advice, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteMatrixArguments:
    """-> MatrixWritten. Kind "write_matrix", quick lane."""

    document: Document
    path: str
    style: MatrixStyle


@dataclass(frozen=True, slots=True, kw_only=True)
class MatrixWritten:
    """Where a matrix was written, and what the file says of its axes."""

    path: str
    axes: str
    warnings: tuple[str, ...] = ()
