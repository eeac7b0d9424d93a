"""Radcliffe's six criteria, a column for each ranking."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from core.document.studies.uplift import (
    UpliftModelResult,
    UpliftResult,
)
from core.document.wording import (
    NumberText,
    format_number,
    format_share,
)
from core.presentation.table import Cell, Table
from core.presentation.uplift.curve import gained_at
from core.presentation.uplift.words import UpliftWords, per_case, unit_words
from core.presentation.view import View


def criteria(
    answer: UpliftResult, model: UpliftModelResult, words: UpliftWords, depth: float
) -> View:
    """Radcliffe's six criteria, a column per model; one of them is read at a depth."""
    return View(
        title="Six criteria",
        tables=(criteria_table(answer, words, depth),),
    )


def criteria_table(answer: UpliftResult, words: UpliftWords, depth: float) -> Table:
    """The six rows; bold marks the best model of a row."""
    models = answer.models
    found = [model.criteria for model in models]
    at_cursor = [gained_at(model, depth) for model in models]
    is_binary = words.is_binary
    lines: list[tuple[str, list[float], Sequence[str]]] = [
        (
            "Area, points" if is_binary else "Area, a case",
            [c.qini for c in found],
            [per_case(c.qini, is_binary=is_binary) for c in found],
        ),
        (
            "Falls by tenths",
            [float(c.falls) for c in found],
            [NumberText(f"{c.falls} of {c.steps}", c.falls) for c in found],
        ),
        (f"Peak, {words.units}", [c.peak for c in found], [unit_words(c.peak) for c in found]),
        (f"At {format_share(depth)}", at_cursor, [unit_words(value) for value in at_cursor]),
        (
            _agreement_label(answer),
            [c.agreement for c in found],
            [format_number(c.agreement, 2) for c in found],
        ),
        ("Spread", [c.spread for c in found], [_three_digits(c.spread) for c in found]),
    ]
    rows = [_criterion(*line) for line in lines]
    return Table(
        columns=("Criterion", *(model.model for model in models)),
        rows=(*rows, *_truth_rows(answer)),
        name="Six criteria",
    )


def _criterion(label: str, values: list[float], texts: Sequence[str]) -> tuple[Cell, ...]:
    """A row with the highest value in bold, where they differ."""
    known = [value for value in values if math.isfinite(value)]
    best = max(known) if len(known) > 1 and np.ptp(known) > 0 else None
    cells = (
        Cell(text=text, is_bold=best is not None and value == best)
        for value, text in zip(values, texts, strict=True)
    )
    return (Cell(text=label, is_left=True, exact=label), *cells)


def _three_digits(value: float) -> NumberText:
    return NumberText(f"{value:.3g}", value)


def _agreement_label(answer: UpliftResult) -> str:
    """Names the rows that the tenths are compared with."""
    other = next((model.other for model in answer.models if model.other is not None), None)
    return "As in training" if other is None or other.use == "train" else "As held out"


def _truth_rows(answer: UpliftResult) -> list[tuple[Cell, ...]]:
    """The error against the true effects, lowest in bold, where they are known."""
    if not math.isfinite(answer.true_effect):
        return []
    mean = per_case(answer.true_effect, is_binary=answer.is_binary)
    exact = (
        "Error of the predicted effect of a case against its true effect, in units of "
        f"the outcome; mean true effect {mean}"
    )
    rows = []
    for label, values in (
        ("PEHE", [model.pehe for model in answer.models]),
        ("PEHE, root", [model.pehe_root for model in answer.models]),
    ):
        least = min(values) if len(values) > 1 and np.ptp(values) > 0 else None
        cells = (
            Cell(text=_three_digits(value), is_bold=value == least, exact=exact) for value in values
        )
        rows.append((Cell(text=label, is_left=True, exact=exact), *cells))
    return rows
