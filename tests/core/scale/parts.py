"""Made-up scored cases, written in any number of parts; for tests."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq

import payoff
from core.scale.uplift.rankings import VARIANTS


def scored_cases(rows: int, seed: int = 1) -> pa.Table:
    """Two scores with ties and an atom, an outcome, a number with its predictions."""
    random = np.random.default_rng(seed)
    z = random.standard_normal(rows)

    def score(noise: float) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        found = 1 / (1 + np.exp(-(1.2 * z - 2.2 + noise * random.standard_normal(rows))))
        found = np.where(random.random(rows) < 0.1, np.round(found, 3), found)
        return np.where(random.random(rows) < 0.2, 0.125, found)

    event = random.random(rows) < 1 / (1 + np.exp(-(1.2 * z - 2.2)))
    amount = np.round(np.exp(2 + 0.5 * z + random.standard_normal(rows)), 2)
    return pa.table(
        {
            "outcome": np.where(event, "yes", "no"),
            "first": score(0.7),
            "second": score(1.2),
            "region": np.where(random.random(rows) < 0.5, "N", "S"),
            "amount": amount,
            "guess": np.round(np.exp(2.5 + 0.5 * z), 2),
        }
    )


def coarse_cases(rows: int) -> pa.Table:
    """Outcome and one score of a hundred values: few ranges of keys, so few tasks."""
    cases = scored_cases(rows).select(["outcome", "first"])
    rounded = np.round(cases["first"].to_numpy(), 2)
    return cases.set_column(1, "first", pa.array(rounded))


def write_parts(table: pa.Table, folder: Path, parts: int, group: int = 20_000) -> Path:
    """Write a table as parts of Parquet, in order."""
    folder.mkdir(parents=True)
    edges = [table.num_rows * place // parts for place in range(parts + 1)]
    for place in range(parts):
        piece = table.slice(edges[place], edges[place + 1] - edges[place])
        pq.write_table(piece, folder / f"part-{place:05d}.parquet", row_group_size=group)
    return folder


def write_text_parts(table: pa.Table, folder: Path, parts: int) -> Path:
    """Write a table as parts of comma-separated text, in order."""
    folder.mkdir(parents=True)
    edges = [table.num_rows * place // parts for place in range(parts + 1)]
    for place in range(parts):
        piece = table.slice(edges[place], edges[place + 1] - edges[place])
        pa_csv.write_csv(piece, folder / f"part-{place:05d}.csv")
    return folder


def digits(found: payoff.Evaluation) -> str:
    """Every figure of an evaluation, to the last digit."""
    figures = found.figures
    curves = [found.curve(name, "first").to_numpy().tobytes() for name in ("roc", "gains", "lift")]
    return repr((figures.cells, figures.comparisons, figures.selections, figures.no_model, curves))


def uplift_digits(found: payoff.UpliftEvaluation) -> str:
    """Every figure, to the last digit."""
    areas = [found.area(variant, s) for variant in VARIANTS for s in ("fine", "coarse")]
    curves = [found.curve("generalised", s).to_numpy().tobytes() for s in ("fine", "coarse")]
    return repr((areas, curves, found.nu))
