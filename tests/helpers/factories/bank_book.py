"""A bank's workbook, made by a seed: cover, title, chances of two models, totals."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import xlsxwriter

from payoff.types import FloatArray, IntArray

LEVELS = ("paid", "late", "default")
HEAD = ("loan id", "status", "loan amount")


@dataclass(frozen=True)
class BankCases:
    """The loans of the book: outcomes by number, amounts, chances of two models as written."""

    outcome: IntArray  # (n,) into LEVELS
    amount: FloatArray  # (n,)
    scorecard: FloatArray  # (n, 3), 6 digits
    agency: FloatArray  # (n, 3), 4 digits

    def lend(self, margin: float = 0.05, loss: float = 0.45) -> tuple[int, float]:
        """How many loans the scorecard's rule lends, and what these bring."""
        share = self.scorecard / self.scorecard.sum(axis=1, keepdims=True)
        value = np.array([margin, 0.0, -loss])
        is_lent = share @ value > 0.0
        return int(is_lent.sum()), float((self.amount * value[self.outcome])[is_lent].sum())


def make_bank_cases(rows: int = 4_000, seed: int = 24) -> BankCases:
    """Draw the loans."""
    draw = np.random.default_rng(seed)
    risk = draw.normal(0.0, 1.1, rows)
    amount = np.round(np.exp(draw.normal(8.9, 0.6, rows)), 2)
    outcome = (
        (draw.random(rows)[:, None] > _probabilities(risk).cumsum(axis=1)).sum(axis=1).clip(0, 2)
    )
    first = _probabilities(risk + draw.normal(0.0, 0.3, rows))
    second = _probabilities(risk + draw.normal(0.0, 0.9, rows))
    return BankCases(outcome, amount, np.round(first, 6), np.round(second, 4))


def write_bank_book(path: Path, rows: int = 4_000, seed: int = 24) -> BankCases:
    """Write the workbook: amounts as `€ 1,234.50`, 6-digit numbers of one model, `6,96 %` texts.

    Parameters
    ----------
    path : Path
    rows, seed : int
    """
    made = make_bank_cases(rows, seed)
    with xlsxwriter.Workbook(str(path)) as book:
        cover = book.add_worksheet("Cover")
        cover.write(1, 1, "Bank of Somewhere")
        cover.write(4, 1, "Confidential")
        sheet = book.add_worksheet("Loans")
        sheet.write_row(0, 0, ["Scored loan applications, spring", "", "", ""])
        names = [f"{model} {level}" for model in ("scorecard", "agency") for level in LEVELS]
        sheet.write_row(2, 0, [*HEAD, *names])
        for row in range(rows):
            shown = [f"{100 * share:.2f} %".replace(".", ",") for share in made.agency[row]]
            plain = [float(share) for share in made.scorecard[row]]
            money = f"€ {made.amount[row]:,.2f}"
            sheet.write_row(
                3 + row, 0, [f"L{row:05d}", LEVELS[made.outcome[row]], money, *plain, *shown]
            )
        sheet.write_row(3 + rows, 0, ["Total", "", f"€ {made.amount.sum():,.2f}"])
    return made


def _probabilities(risk: np.ndarray) -> np.ndarray:
    """Chances of paid, late and default, (n, 3)."""
    odds = np.column_stack(
        [np.ones_like(risk), np.exp(-1.9 + 0.7 * risk), np.exp(-2.6 + 1.1 * risk)]
    )
    return odds / odds.sum(axis=1, keepdims=True)
