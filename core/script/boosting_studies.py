"""The verb study: the two studies of boosting on made-up data, as tables."""

from __future__ import annotations

import argparse
import csv
import io
from dataclasses import replace
from pathlib import Path
from typing import Any

from core.boosting import BoostSettings
from core.document.atomic import write_atomically
from core.experiments.iteration_data import MADE_UP, made_up_cases
from core.experiments.iteration_studies import medians, study_choosing, study_shrinkage
from core.script.session import engine
from core.script.telling import tell
from payoff.errors import PayoffError

Json = dict[str, Any]

RATES = (0.3, 0.1, 0.03, 0.01, 0.003)


def study_verb(parsed: argparse.Namespace) -> Json:
    """Run a study and write its table."""
    if parsed.rows < 100 or parsed.trees < 2 or parsed.draws < 1:
        raise PayoffError(
            "There is too little to study.", why="It takes 100 rows, 2 trees and 1 draw at least."
        )
    unknown = [name for name in parsed.set if name not in MADE_UP]
    if unknown:
        raise PayoffError(f"There is no data set '{unknown[0]}'.", why=f"There are: {_all()}.")
    names = parsed.set or list(MADE_UP)
    study = _shrinkage if parsed.study == "shrinkage" else _choosing
    heads, rows, found = study(parsed, names)
    if parsed.out:
        _write(Path(parsed.out), heads, rows)
        tell(f"wrote {parsed.out}")
    return found


def _all() -> str:
    return ", ".join(MADE_UP)


def _settings(parsed: argparse.Namespace, shrinkage: float) -> BoostSettings:
    return BoostSettings(
        n_trees=parsed.trees, shrinkage=shrinkage, seed=parsed.seed,
        interaction_depth=3, min_cases_in_node=10, bag_fraction=0.5,
    )  # fmt: skip


def _shrinkage(
    parsed: argparse.Namespace, names: list[str]
) -> tuple[tuple[str, ...], list[tuple[Any, ...]], Json]:
    rows: list[tuple[Any, ...]] = []
    found: Json = {}
    for name in names:
        tell(name)
        spec = engine().registry.distribution(MADE_UP[name][0])
        made = made_up_cases(name, 2 * parsed.rows, parsed.seed)
        cases = replace(made, n_train=parsed.rows)
        lines = study_shrinkage(cases, spec, _settings(parsed, 0.1), RATES)
        found[name] = [
            {"shrinkage": line.shrinkage, "best": line.best, "deviance": line.least}
            for line in lines
        ]
        rows += [
            (name, line.shrinkage, tree + 1, float(value))
            for line in lines
            for tree, value in enumerate(line.deviance)
        ]
    return ("data", "shrinkage", "iteration", "deviance"), rows, found


def _choosing(
    parsed: argparse.Namespace, names: list[str]
) -> tuple[tuple[str, ...], list[tuple[Any, ...]], Json]:
    sets = {
        name: (
            made_up_cases(name, parsed.rows, parsed.seed),
            engine().registry.distribution(MADE_UP[name][0]),
        )
        for name in names
    }
    chosen = study_choosing(sets, _settings(parsed, parsed.shrinkage), parsed.draws, tell)
    rows = [(c.data, c.draw, c.method, c.trees, c.gain, c.share) for c in chosen]
    points = medians(chosen)
    names_of = ("quarter", "median", "three_quarters")
    found = {method: dict(zip(names_of, at, strict=True)) for method, at in points.items()}
    return ("data", "draw", "method", "trees", "gain", "share of the best"), rows, found


def _write(path: Path, heads: tuple[str, ...], rows: list[tuple[Any, ...]]) -> None:
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(heads)
    writer.writerows(rows)
    try:
        write_atomically(path, text.getvalue().encode("utf-8"))
    except OSError as error:
        raise PayoffError(
            "The table could not be written.", where=str(path), why=str(error)
        ) from error
