"""What options of ``payoff boost`` say in words: parameters, directions, levels, terms."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from core.document.files.guarded import note_read
from core.script.pairs import pairs_of
from payoff.errors import PayoffError


def read_parameters(entries: Sequence[str]) -> dict[str, float | str]:
    """Return parameters of a distribution: numbers, or names of choices."""
    found: dict[str, float | str] = {}
    for name, value in pairs_of(entries, "--param"):
        try:
            found[name] = float(value)
        except ValueError:
            found[name] = value
    return found


def read_signs(entries: Sequence[str]) -> dict[str, int]:
    """Return -1, 0 or 1 by column."""
    return {name: _sign(sign) for name, sign in pairs_of(entries, "--monotone")}


def _sign(text: str) -> int:
    words = {"-1": -1, "0": 0, "1": 1, "+1": 1, "falling": -1, "rising": 1}
    if text not in words:
        raise PayoffError(
            f"--monotone {text} is no direction.", why=f"There are: {', '.join(words)}."
        )
    return words[text]


def read_levels(entries: Sequence[str]) -> dict[str, list[str]]:
    """Return lists of levels by column."""
    return {name: value.split(",") for name, value in pairs_of(entries, "--levels")}


def read_ranks(entries: Sequence[str]) -> dict[str, dict[str, list[str]]]:
    """Return lists of levels that are ranks, by column."""
    pairs = pairs_of(entries, "--ordered")
    return {name: {"ordered": value.split(",")} for name, value in pairs}


def read_terms(text: str) -> dict[str, Any]:
    """Return the terms of a decision, written as JSON or standing in a file of it."""
    described = text if text.lstrip().startswith("{") else _file_text(text)
    try:
        terms = json.loads(described)
    except ValueError as reason:
        raise PayoffError(
            "The terms of the decision are no JSON.",
            where=f"--decision {text[:60]}",
            why=str(reason),
            remedy='Write {"matrix": {"1": [10, 0], "0": [-1, 0]}}, or name a file that holds it.',
        ) from reason
    if not isinstance(terms, dict):
        raise PayoffError(
            "The terms of the decision are no object.",
            where=f"--decision {text[:60]}",
            remedy='Write {"matrix": {"1": [10, 0], "0": [-1, 0]}}.',
        )
    return terms


def _file_text(path: str) -> str:
    try:
        note_read(path)
        return Path(path).read_text("utf-8")
    except OSError as reason:
        raise PayoffError(
            "The file with the terms of the decision cannot be read.",
            where=path,
            why=reason.strerror or str(reason),
        ) from reason
