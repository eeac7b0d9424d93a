"""The tables below the curve: one ranking in every definition, and Radcliffe's six criteria."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtWidgets import QWidget

from core.document.studies.uplift import NamedFigure, UpliftModelResult, UpliftResult
from core.document.wording import NBSP, format_number, format_share
from core.presentation.table import Cell, Table
from gui.pages.uplift.gain_words import gained_at
from gui.pages.uplift.words import UpliftWords, points, recognised
from gui.parts import Card, HelpText
from gui.parts.figure_table import FigureTable


def recognised_words(text: str, figures: tuple[NamedFigure, ...]) -> str:
    """What a number pasted from another tool is, in words."""
    found = recognised(text, figures)
    if found:
        return "; ".join(f"{figure.tool}, {figure.name}: {figure.formula}" for figure in found)
    return (
        "No figure that other tools print for this ranking reads so: another outcome, other rows, "
        "or ties in another order."
    )


def per_case(value: float, words: UpliftWords) -> str:
    """An area over shares of the cases: points of a hundred for 0/1, the amount for numbers."""
    return points(value) if words.is_binary else format_number(value, 3)


def variant_rows(model: UpliftModelResult, words: UpliftWords) -> Table:
    """Name, who uses it, how far above chance, valid here?"""
    rows = []
    for row in model.variants:
        measured = row.measured
        is_first = row.key == "generalised"
        if row.unit == "points":
            value = per_case(measured.minus_random, words)
            value += f"{NBSP}{'points' if words.is_binary else 'a case'}"
        else:
            value = f"{words.amount(measured.minus_random)}{NBSP}{words.units}"
        error = measured.standard_error_minus_random * (100 if row.unit == "points" else 1)
        exact = f"{row.formula}; {'area'} {measured.area:.6g}"
        if math.isfinite(error):
            exact += f"; {'standard error'} {error:.3g}"
        sign = "✓ " if row.is_valid else "⚠ "
        rows.append(
            (
                Cell(text=row.name, is_left=True, is_bold=is_first, exact=exact),
                Cell(text=row.used_by, is_left=True, role="quiet", exact=exact),
                Cell(text=value, is_bold=is_first, exact=exact),
                Cell(
                    text=sign + row.validity,
                    is_left=True,
                    role="text" if row.is_valid else "loss",
                    exact=exact,
                ),
            )
        )
    header = ("Variant", "As in", "Above chance", "Valid here?")
    return Table(columns=header, rows=tuple(rows))


class CriteriaCard(Card):
    """Radcliffe's six criteria, a column per model, the best in bold."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(
            "Six criteria",
            "best in bold",
            help_text=HelpText(
                title="Radcliffe's six criteria",
                text=(
                    "An uplift model is good where its area is above chance on rows it has not "
                    "seen, uplift falls from tenth to tenth, the curve has a high peak, much is "
                    "gained at the cut-off, training rows and these rows agree, and predictions "
                    "are spread widely."
                ),
                reference="Radcliffe and Surry 2011",
            ),
            parent=parent,
        )
        self.table = FigureTable("Six criteria", wraps=True, scrolls=True)
        self.body.addWidget(self.table, 1)
        self._result: UpliftResult | None = None
        self._words: UpliftWords | None = None
        self._depth = 0.0

    def show_result(self, result: UpliftResult, words: UpliftWords, depth: float) -> None:
        """Show the criteria of every model; one of them is read at the cursor."""
        self._result, self._words, self._depth = result, words, depth
        self.table.show_content(criteria_rows(result, words, depth))

    def set_depth(self, depth: float) -> None:
        """Read the line of the cursor at another depth."""
        if self._result is not None and self._words is not None:
            self.show_result(self._result, self._words, depth)


def criteria_rows(result: UpliftResult, words: UpliftWords, depth: float) -> Table:
    """The six rows; bold marks the best model of a row."""
    models = result.models
    at_cursor = [gained_at(m, depth) for m in models]
    lines: list[tuple[str, list[float], list[str]]] = [
        (
            "Area, points" if words.is_binary else "Area, a case",
            [m.criteria.qini for m in models],
            [per_case(m.criteria.qini, words) for m in models],
        ),
        (
            "Falls by tenths",
            [float(m.criteria.falls) for m in models],
            [f"{m.criteria.falls} {'of'} {m.criteria.steps}" for m in models],
        ),
        (
            f"Peak, {words.units}",
            [m.criteria.peak for m in models],
            [words.amount(m.criteria.peak) for m in models],
        ),
        (
            f"At {format_share(depth)}",
            at_cursor,
            [words.amount(value) for value in at_cursor],
        ),
        (
            _agreement_label(result),
            [m.criteria.agreement for m in models],
            [format_number(m.criteria.agreement, 2) for m in models],
        ),
        (
            "Spread",
            [m.criteria.spread for m in models],
            [f"{m.criteria.spread:.3g}" for m in models],
        ),
    ]
    rows = []
    for label, values, texts in lines:
        known = [value for value in values if math.isfinite(value)]
        best = max(known) if len(known) > 1 and np.ptp(known) > 0 else None
        cells = [Cell(text=label, is_left=True, exact=label)]
        for value, text in zip(values, texts, strict=True):
            cells.append(Cell(text=text, is_bold=best is not None and value == best))
        rows.append(tuple(cells))
    rows += _truth_rows(result, words)
    header = ("Criterion", *(model.model for model in models))
    return Table(columns=header, rows=tuple(rows))


def _agreement_label(result: UpliftResult) -> str:
    """Names the rows that the tenths are compared with."""
    other = next((model.other for model in result.models if model.other is not None), None)
    return "As in training" if other is None or other.use == "train" else "As held out"


def _truth_rows(result: UpliftResult, words: UpliftWords) -> list[tuple[Cell, ...]]:
    """The error against the true effects, lowest in bold, where they are known."""
    if not math.isfinite(result.true_effect):
        return []
    rows = []
    for label, values in (
        ("PEHE", [model.pehe for model in result.models]),
        ("PEHE, root", [model.pehe_root for model in result.models]),
    ):
        is_told = len(values) > 1 and np.ptp(values) > 0
        exact = (
            "Error of the predicted effect of a case against its true effect, in units of "
            "the outcome; mean true effect %s"
        )
        exact %= per_case(result.true_effect, words)
        cells = [Cell(text=label, is_left=True, exact=exact)]
        for value in values:
            is_best = is_told and value == min(values)
            cells.append(Cell(text=f"{value:.3g}", is_bold=is_best, exact=exact))
        rows.append(tuple(cells))
    return rows
