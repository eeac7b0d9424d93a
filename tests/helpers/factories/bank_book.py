"""A bank's workbook, made by a seed: cover, title, chances of two models, totals."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import xlsxwriter

LEVELS = ("good", "late", "default")
HEAD = ("loan id", "status", "loan amount")


def write_bank_book(path: Path, rows: int = 4_000, seed: int = 24) -> Path:
    """Write the workbook: 6-digit numbers of one model, `6,96 %` texts of the other.

    Parameters
    ----------
    path : Path
    rows, seed : int
    """
    draw = np.random.default_rng(seed)
    risk = draw.normal(0.0, 1.1, rows)
    amount = np.round(np.exp(draw.normal(8.9, 0.6, rows)), -2).astype(int)
    outcome = (draw.random(rows)[:, None] > _chances(risk).cumsum(axis=1)).sum(axis=1).clip(0, 2)
    first = _chances(risk + draw.normal(0.0, 0.3, rows))
    second = _chances(risk + draw.normal(0.0, 0.9, rows))
    with xlsxwriter.Workbook(str(path)) as book:
        cover = book.add_worksheet("Cover")
        cover.write(1, 1, "Bank of Somewhere")
        cover.write(4, 1, "Confidential")
        sheet = book.add_worksheet("Loans")
        sheet.write_row(0, 0, ["Scored loan applications, spring", "", "", ""])
        names = [f"{model} {level}" for model in ("scorecard", "agency") for level in LEVELS]
        sheet.write_row(2, 0, [*HEAD, *names])
        for row in range(rows):
            shown = [f"{100 * share:.2f} %".replace(".", ",") for share in second[row]]
            plain = [round(float(share), 6) for share in first[row]]
            head = [f"L{row:05d}", LEVELS[outcome[row]], int(amount[row])]
            sheet.write_row(3 + row, 0, [*head, *plain, *shown])
        sheet.write_row(3 + rows, 0, ["Total", "", int(amount.sum())])
    return path


def _chances(risk: np.ndarray) -> np.ndarray:
    """Chances of good, late and default, (n, 3)."""
    odds = np.column_stack(
        [np.ones_like(risk), np.exp(-1.9 + 0.7 * risk), np.exp(-2.6 + 1.1 * risk)]
    )
    return odds / odds.sum(axis=1, keepdims=True)
