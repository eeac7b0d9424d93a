"""The verb study: the two studies of boosting on made-up data, as tables."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from core.assembly.experiments import RATES
from core.document.experiments.results import MADE_UP_SETS, SHRINKAGE, IterationResult
from core.document.files.guarded import write_file
from core.document.files.spreadsheet import csv_text
from core.document.model import Document
from core.questions.experiments import BoostingIterations
from core.script.command_line.telling import tell
from core.script.session import engine

Json = dict[str, Any]
Rows = list[tuple[Any, ...]]

__all__ = ["RATES", "study_verb"]


def study_verb(parsed: argparse.Namespace) -> Json:
    """Run a study and write its table."""
    question = BoostingIterations(
        study=parsed.study,
        sets=tuple(parsed.set) or MADE_UP_SETS,
        rows=parsed.rows,
        trees=parsed.trees,
        draws=parsed.draws,
        rate=parsed.shrinkage,
        seed=parsed.seed,
    )

    def told(_fraction: float | None, _stage: str, so_far: object) -> None:
        if isinstance(so_far, IterationResult):
            tell(f"{so_far.done} of {so_far.wanted}")

    result = engine().ask(Document(), question, told)
    tell(f"{result.done} of {result.wanted}")
    heads, rows, found = _lines(result) if parsed.study == SHRINKAGE else _rules(result)
    if parsed.out:
        _write(Path(parsed.out), heads, rows)
        tell(f"wrote {parsed.out}")
    return found


def _lines(result: IterationResult) -> tuple[tuple[str, ...], Rows, Json]:
    """A row for each iteration: the mean over draws with its 95 % limits."""
    rows: Rows = []
    found: Json = {}
    for curve in result.curves:
        found.setdefault(curve.data, []).append(
            {
                "shrinkage": curve.shrinkage,
                "best": curve.best,
                "best_low": curve.best_low,
                "best_high": curve.best_high,
                "deviance": curve.least,
                "low": curve.least_low,
                "high": curve.least_high,
            }
        )
        values = zip(curve.deviance, curve.low, curve.high, strict=True)
        rows += [
            (curve.data, curve.shrinkage, tree, *map(float, at))
            for tree, at in enumerate(values, 1)
        ]
    return ("data", "shrinkage", "iteration", "deviance", "low", "high"), rows, found


def _rules(result: IterationResult) -> tuple[tuple[str, ...], Rows, Json]:
    """A row for each rule and data set: the mean over draws with its ends."""
    rows = [
        (name, rule.method, *map(float, at))
        for rule in result.rules
        for name, *at in zip(rule.data, rule.share, rule.share_low, rule.share_high, strict=True)
    ]
    found = {
        rule.method: {
            "quarter": rule.quarter,
            "median": rule.median,
            "three_quarters": rule.three_quarters,
            "low": rule.low,
            "high": rule.high,
            "trees": rule.trees,
        }
        for rule in result.rules
    }
    return ("data", "method", "share of the best", "least draw", "largest draw"), rows, found


def _write(path: Path, heads: tuple[str, ...], rows: Rows) -> None:
    content = csv_text([heads, *rows], "\r\n").encode("utf-8")
    write_file(path, content, what="The table")
