"""One ranking in every definition of its area, and numbers that other tools print."""

from __future__ import annotations

import math

from core.document.studies.uplift import (
    NamedFigure,
    UpliftModelResult,
)
from core.document.wording import (
    MINUS,
    NBSP,
    NumberText,
)
from core.presentation.table import Cell, Table
from core.presentation.uplift.words import UpliftWords, per_case, unit_words
from core.presentation.view import View


def variants(model: UpliftModelResult, words: UpliftWords) -> View:
    """One ranking in every definition of the area, and which of them may be read here."""
    name = "One ranking in every definition"
    return View(
        title=f"{name}, {model.model}",
        tables=(variant_table(model, words),),
    )


def variant_table(model: UpliftModelResult, words: UpliftWords) -> Table:
    """Name, who uses it, how far above chance, valid here?"""
    rows = []
    for row in model.variants:
        measured = row.measured
        is_first, is_points = row.key == "generalised", row.unit == "points"
        if is_points:
            value = per_case(measured.minus_random, is_binary=words.is_binary)
            unit = "points" if words.is_binary else "a case"
        else:
            value, unit = unit_words(measured.minus_random), words.units
        error = measured.standard_error_minus_random * (100 if is_points else 1)
        exact = f"{row.formula}; area {measured.area:.6g}"
        if math.isfinite(error):
            exact += f"; standard error {error:.3g}"
        described = f"{'✓' if row.is_valid else '⚠'} {row.validity}"
        role = "text" if row.is_valid else "loss"
        rows.append(
            (
                Cell(text=row.name, is_left=True, is_bold=is_first, exact=exact),
                Cell(text=row.used_by, is_left=True, role="quiet", exact=exact),
                Cell(
                    text=NumberText(f"{value}{NBSP}{unit}", *value.numbers),
                    is_bold=is_first,
                    exact=exact,
                ),
                Cell(text=described, is_left=True, role=role, exact=exact),
            )
        )
    header = ("Variant", "As in", "Above chance", "Valid here?")
    return Table(columns=header, rows=tuple(rows), name="One ranking in every definition")


def recognised(text: str, figures: tuple[NamedFigure, ...]) -> tuple[NamedFigure, ...]:
    """The figures that a number pasted from another tool may be, to the digits it has."""
    plain = text.strip().replace(MINUS, "-").replace(NBSP, "").replace(",", ".")
    try:
        value = float(plain)
    except ValueError:
        return ()
    mantissa = plain.lower().split("e")[0].lstrip("-")
    decimals = len(mantissa.split(".")[1]) if "." in mantissa else 0
    exponent = int(plain.lower().split("e")[1]) if "e" in plain.lower() else 0
    reach = 0.5000001 * 10.0 ** (exponent - decimals)
    return tuple(
        figure
        for figure in figures
        if math.isfinite(figure.value) and abs(figure.value - value) <= reach
    )


def recognised_words(text: str, figures: tuple[NamedFigure, ...]) -> str:
    """What a number pasted from another tool is, in words."""
    found = recognised(text, figures)
    if found:
        return "; ".join(f"{figure.tool}, {figure.name}: {figure.formula}" for figure in found)
    return (
        "No figure that other tools print for this ranking reads so: another outcome, other rows, "
        "or ties in another order."
    )
