"""How a report was made: data, rows, priors, matrix, seed, version and day."""

from __future__ import annotations

import numpy as np

from core.document.data.model import DataRecipe
from core.document.model import Document
from core.document.results import (
    DecisionResult,
)
from core.document.wording import (
    NBSP,
    format_number,
    format_share,
)
from core.presentation.view import Table, View
from payoff.counting import counted


def making_block(document: Document, decisions: DecisionResult, version: str, made_at: str) -> View:
    """The matrix, and everything that a later reader needs to make the numbers again."""
    described = (
        knot_words(document, decisions),
        f"Data: {data_words(document)}. Rows: {decisions.rows.text}.",
        prior_words(document),
        f"Seed {document.seed}. Payoff {version}.{_day(made_at)}",
    )
    return View(
        key="making",
        title="How this was made",
        tables=(matrix_table(document, decisions),),
        notes=tuple(line for line in described if line),
    )


def matrix_table(document: Document, decisions: DecisionResult) -> Table:
    """Return the decision matrix as it was worked out: a row for each outcome.

    Of a number a row for each value that amounts are given for, not for the bands that cases are
    counted in.
    """
    shares = np.zeros_like(decisions.cells) if decisions.shares is None else decisions.shares
    matrix = document.matrix
    amount = matrix.amount if matrix is not None and matrix.amount else "the amount"
    names = decisions.knots or decisions.levels
    rows = tuple(
        (_label(document, level), *(_cell(*cell, amount) for cell in zip(row, share, strict=True)))
        for level, row, share in zip(names, decisions.cells, shares, strict=True)
    )
    return Table(
        columns=(decisions.kind, *decisions.decisions),
        rows=rows,
        right=tuple(range(1, len(decisions.decisions) + 1)),
    )


def knot_words(document: Document, decisions: DecisionResult) -> str:
    """Where a matrix of a number says its amounts; empty for one of classes."""
    if not decisions.knots or document.target is None:
        return ""
    column = document.target.column
    return f"Amounts are for these values of {column}, and lie on straight lines between them."


def _cell(value: float, share: float, amount: str) -> str:
    """A consequence in the words of the matrix: "5 % of loan", "10.00 − 45 % of loan"."""
    if share == 0.0:
        return format_number(float(value))
    part = f"{format_number(100.0 * abs(share), 2).rstrip('0').rstrip('.')}{NBSP}% of {amount}"
    if value == 0.0:
        return part if share > 0 else f"−{part}"
    return f"{format_number(float(value))} {'+' if share > 0 else '−'} {part}"


def _label(document: Document, level: str) -> str:
    return document.target.label(level) if document.target else level


def data_words(document: Document) -> str:
    """Return which data these are: file, rows, hash, and what was made of them."""
    data = document.data
    if data is None:
        return "none"
    parts = f"{_name_of(data.path)}, {counted(data.rows, 'row')}, {_hash_words(data.own_hash)}"
    return parts + _recipe_words(data.recipe)


def _hash_words(digest: str) -> str:
    """A hash in a sentence, whose full stop may follow."""
    return f"SHA-256 beginning {digest[:16]}"


def _recipe_words(recipe: DataRecipe) -> str:
    """What was made of the data file: further files by their hashes, derived columns."""
    parts = [f"{_name_of(file.path)} ({_hash_words(file.content_hash)})" for file in recipe.files]
    parts += [f"{entry.name} = {entry.text}" for entry in recipe.derived]
    return f"; with {'; '.join(parts)}" if parts else ""


def _name_of(path: str) -> str:
    return path.replace("\\", "/").rsplit("/", 1)[-1]


def prior_words(document: Document) -> str:
    """Return the shares of the classes in real life, as they were said."""
    if document.target is None or not document.target.levels:
        return ""
    if document.priors is None:
        return "Shares of the classes in real life: as in these rows."
    whole = sum(share for _level, share in document.priors)
    parts = [
        f"{_label(document, level)} {format_share(share / whole, 2) if whole > 0 else '–'}"
        for level, share in document.priors
    ]
    return f"Shares of the classes in real life: {', '.join(parts)}."


def _day(made_at: str) -> str:
    return f" Made on {made_at[:10]}." if made_at else ""
