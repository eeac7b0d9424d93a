"""Loans with their amounts: the matrix a lender starts from, and what it assumes, in words."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from core.document.decisions.matrix_cells import PLAIN_TEMPLATES
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
    r"amount|amt|betrag|summe|höhe|hoehe|montant|somme|volume|principal|at[ _.-]default"
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
