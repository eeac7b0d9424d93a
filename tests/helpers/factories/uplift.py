"""Experiments for tests: golden ones, and random ones of hypothesis."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from hypothesis import strategies as st

from core.uplift.experiment import Experiment, make_experiment
from core.uplift.ranked.ranking import UpliftRanking

FOLDER = Path(__file__).parents[2] / "golden" / "uplift"
CASES = tuple(sorted(entry.name for entry in FOLDER.iterdir() if entry.is_dir()))


def golden(name: str) -> tuple[pd.DataFrame, dict[str, Any]]:
    folder = FOLDER / name
    return pd.read_csv(folder / "data.csv"), json.loads((folder / "expected.json").read_text())


def golden_ranking(name: str, *, with_propensity: bool = False) -> UpliftRanking:
    data, expected = golden(name)
    made = make_experiment(
        data.y.to_numpy(float),
        data.t.to_numpy(),
        propensity=data.e.to_numpy() if with_propensity else None,
    )
    return UpliftRanking(made, data[expected["score_column"]].to_numpy(float))


def random_experiment(rows: int, seed: int, share: float = 0.4) -> tuple[Experiment, np.ndarray]:
    draw = np.random.default_rng(seed)
    x = draw.random(rows)
    treated = draw.random(rows) < share
    outcome = (draw.random(rows) < 0.3 + treated * 0.2 * (x - 0.3)).astype(float)
    return make_experiment(outcome, treated), x


@st.composite
def experiments(draw: st.DrawFn) -> tuple[Experiment, np.ndarray]:
    """A small experiment with ties, real outcomes, chances and weights, and a score."""
    rows = draw(st.integers(4, 40))
    seed = draw(st.integers(0, 10**6))
    random = np.random.default_rng(seed)
    treated = random.integers(0, 2, rows)
    treated[:2] = (0, 1)
    outcome = (
        random.normal(size=rows).round(2) if draw(st.booleans()) else random.integers(0, 2, rows)
    )
    e = random.uniform(0.2, 0.8, rows) if draw(st.booleans()) else None
    weight = random.integers(1, 4, rows).astype(float) if draw(st.booleans()) else None
    score = random.integers(0, draw(st.integers(1, 30)), rows).astype(float)
    return make_experiment(outcome.astype(float), treated, propensity=e, weight=weight), score
