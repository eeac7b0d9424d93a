"""The matrix that a freshly opened file starts with, until the user says what decisions earn.

Loans with their amounts: the matrix a lender starts from, and what it assumes, in words.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from core.document.decisions.commands import knot_name
from core.document.decisions.formulas import PLAIN_TEMPLATES
from core.document.decisions.matrix_model import CellFormula, MatrixKind, MatrixSpec
from core.document.wording import format_share, join_words

if TYPE_CHECKING:
    from core.document.data.results import ColumnSummary
    from core.document.model import TargetSpec


MARGIN = 0.05
"""What a loan that is repaid earns, as a share of its amount: assumed."""
LOSS = 0.45
"""What a default loses of the amount: the Basel foundation approach's for senior claims."""
_LEND, _DECLINE = "Lend", "Decline"
_FEWEST_AMOUNTS = 10  # that differ
_LEAST_MEAN = 20.0  # below it a column holds shares, ratings or counts
_LOAN = re.compile(r"loan|credit|kredit|darlehen|cr[ée]dit|pr[êe]t|emprunt|exposure|finanzier")
_AMOUNT = re.compile(
    r"amount|amn?t|betrag|summe|höhe|hoehe|montant|somme|volume|principal|at[ _.-]default"
)
_NO_AMOUNT = re.compile(r"limit|score|rating|risk|risiko|count|anzahl|nombre|log")
_BARE = re.compile(r"(?:loan|kredit|darlehen|ead|pr[êe]t)")
_OUTCOME = re.compile(
    r"default|bad|ausfall|ausgefallen|d[ée]faut|charged|insolven|impay[ée]|non.?perform"
)
_BAD = re.compile(
    r"(?:loan )?(?:default(?:ed)?|bad|charged[ -]?off|ausfall|ausgefallen|d[ée]faut|insolvent|"
    r"written[ -]?off|abgeschrieben|douteux|mauvais|schlecht|impay[ée]s?|loss)"
)
_GOOD = re.compile(
    r"good|(?:fully )?(?:re)?paid(?: off| back)?|performing|current|ok|gut|bezahlt|zurückgezahlt|"
    r"getilgt|bon|rembours[ée]|pay[ée]|sain|non[ -]?default|kein ausfall|pas de d[ée]faut"
)
_YES = ("1", "yes", "y", "true", "ja", "j", "oui", "vrai", "wahr")
_NO = ("0", "no", "n", "false", "nein", "non", "faux", "falsch")


def find_loan_amount(columns: Iterable[ColumnSummary]) -> str | None:
    """Return the first column that holds the amounts of loans, by its name and its numbers.

    Parameters
    ----------
    columns : iterable of ColumnSummary
    """
    for column in columns:
        name = column.name.strip().casefold()
        is_named = bool(_LOAN.search(name) and _AMOUNT.search(name)) or bool(_BARE.fullmatch(name))
        is_number = column.kind in ("integer", "number") and not 0 <= column.distinct < (
            _FEWEST_AMOUNTS
        )
        low, mean = column.minimum, column.mean
        is_amount = low is not None and mean is not None and low >= 0.0 and mean >= _LEAST_MEAN
        if is_named and is_number and is_amount and not _NO_AMOUNT.search(name):
            return column.name
    return None


def lending_matrix(target: TargetSpec, amount: str | None) -> MatrixSpec | None:
    """Return what lending earns by how a loan ends; None where the outcome is none of loans.

    A loan that is repaid earns ``MARGIN`` of its amount, a default loses ``LOSS`` of it, and what
    lies between (late) brings nothing.

    Parameters
    ----------
    target : TargetSpec
        One level must be a default and one a loan that is repaid.
    amount : str or None
        The column of the amounts.
    """
    ends = {level: _end_of(level, target) for level in target.levels}
    if amount is None or not {MARGIN, LOSS} <= set(ends.values()):
        return None
    texts = {MARGIN: "margin * amount", LOSS: "-loss * amount"}
    formulas = tuple(
        CellFormula(level=level, decision=_LEND, text=texts[end])
        for level, end in ends.items()
        if end is not None
    )
    return MatrixSpec(
        template=PLAIN_TEMPLATES[MatrixKind.PROFIT],
        kind=MatrixKind.PROFIT,
        levels=target.levels,
        decisions=(_LEND, _DECLINE),
        cells=((0.0, 0.0),) * len(target.levels),
        acting=_LEND,
        do_nothing=_DECLINE,
        parameters=(("margin", MARGIN), ("loss", LOSS)),
        formulas=formulas,
        amount=amount,
    )


def _end_of(level: str, target: TargetSpec) -> float | None:
    """The share that a level earns or loses; None for what is neither good nor bad."""
    word = level.strip().casefold()
    if _BAD.fullmatch(word):
        return LOSS
    if _GOOD.fullmatch(word):
        return MARGIN
    if _OUTCOME.search(target.column.casefold()) and len(target.levels) == 2:
        return LOSS if word in _YES else MARGIN if word in _NO else None
    return None


def assumed_lending(matrix: MatrixSpec | None, target: TargetSpec | None) -> str:
    """Say what a lender's starting matrix assumes; empty once somebody has changed it.

    Parameters
    ----------
    matrix, target : MatrixSpec and TargetSpec, or None
        Of the document.
    """
    if matrix is None or target is None or matrix.amount is None:
        return ""
    if matrix != lending_matrix(target, matrix.amount):
        return ""
    ends = {level: _end_of(level, target) for level in target.levels}
    described = []
    for end, words in ((MARGIN, "earns {} of “{}”"), (LOSS, "loses {} of it"), (None, "is even")):
        levels = [f"“{target.label(level)}”" for level in target.levels if ends[level] == end]
        share = "" if end is None else format_share(end, 0)
        if levels:
            described.append(f"{' or '.join(levels)} {words.format(share, matrix.amount)}")
    return f"Assumed until you say otherwise: lending {join_words(described)}."


def assumed_amounts(matrix: MatrixSpec | None, target: TargetSpec | None) -> str:
    """Say what the program's own amounts assume; empty once somebody has changed them.

    Parameters
    ----------
    matrix, target : MatrixSpec and TargetSpec, or None
        Of the document.
    """
    if matrix is None or target is None:
        return ""
    if not target.levels or not _is_untouched(matrix, target):
        return assumed_lending(matrix, target)
    return (
        f"Nobody has said what a decision earns: it is assumed that “{matrix.acting}” brings 1 on "
        f"“{target.label(target.event)}” and costs 1 on any other outcome."
    )


_ACT, _REST = "Act", "Do nothing"
_TOP = 100.0  # the upper knot where nothing is known of the numbers


def starting_matrix(target: TargetSpec, columns: Iterable[ColumnSummary] = ()) -> MatrixSpec:
    """A matrix that claims nothing about the user's business, but of loans with their amounts.

    Classes: acting brings 1 on the event and costs 1 on any other case, so that the break-even
    chance is 50 %. A number: acting brings the number less its (rounded) mean, so that it pays on
    cases above the average. Loans that were repaid or not, beside a column of their amounts: a
    lender's matrix, whose shares are assumed and said to be.

    Parameters
    ----------
    target : TargetSpec
    columns : iterable of ColumnSummary
        What is known of the data: the outcome's own numbers, and where amounts may stand.
    """
    known = tuple(columns)
    lending = lending_matrix(target, find_loan_amount(known))
    if lending is not None:
        return lending
    column = next((entry for entry in known if entry.name == target.column), None)
    if target.levels:
        rows = target.levels
        cells = tuple((1.0 if level == target.event else -1.0, 0.0) for level in target.levels)
    else:
        low, high, mean = _span(column)
        rows = (knot_name(low), knot_name(high))
        cells = ((low - mean, 0.0), (high - mean, 0.0))
    return MatrixSpec(
        template=PLAIN_TEMPLATES[MatrixKind.PROFIT],
        kind=MatrixKind.PROFIT,
        levels=rows,
        decisions=(_ACT, _REST),
        cells=cells,
        acting=_ACT,
        do_nothing=_REST,
    )


def follow_event(matrix: MatrixSpec, before: TargetSpec, after: TargetSpec) -> MatrixSpec:
    """Return the matrix beside an outcome whose levels stand in another order.

    Rows move with their levels, so that what a person wrote of a class stays with it. The numbers
    that the program started with were written by nobody: they stay where they are, so that acting
    goes on to pay for the event.

    Parameters
    ----------
    matrix : MatrixSpec
        The matrix of ``before``.
    before, after : TargetSpec
        Outcomes of the same levels; the first level is the event.
    """
    if _is_untouched(matrix, before):
        return replace(matrix, levels=after.levels)
    places = [before.levels.index(level) for level in after.levels]
    cells = tuple(matrix.cells[place] for place in places) if matrix.cells else ()
    return replace(matrix, levels=tuple(matrix.levels[place] for place in places), cells=cells)


def _is_untouched(matrix: MatrixSpec, target: TargetSpec) -> bool:
    """Whether the numbers are those that the program starts with; decisions may have new names."""
    first = starting_matrix(target)
    is_same = matrix.template == first.template and matrix.cells == first.cells
    is_same = is_same and matrix.levels == first.levels and not matrix.formulas
    return is_same and matrix.decisions.index(matrix.acting) == first.decisions.index(first.acting)


def _span(column: ColumnSummary | None) -> tuple[float, float, float]:
    """Two round knots around a column's numbers, and its mean with one digit."""
    if column is None or column.maximum is None or column.minimum is None or column.mean is None:
        return 0.0, _TOP, 1.0
    high = _rounded_up(column.maximum) if column.maximum > 0 else 0.0
    low = -_rounded_up(-column.minimum) if column.minimum < 0 else 0.0
    if not high > low:
        return 0.0, _TOP, 1.0
    return low, high, float(f"{column.mean:.1g}")


def _rounded_up(value: float) -> float:
    """The next number with one digit: 187 becomes 200."""
    step = 10.0 ** math.floor(math.log10(value))
    return float(f"{math.ceil(value / step) * step:.1g}")
