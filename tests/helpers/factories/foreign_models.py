"""Small data with levels and missing values, for models of other programs."""

from __future__ import annotations

import numpy as np
import pandas as pd

ROWS = 300


def frame(seed: int = 0) -> pd.DataFrame:
    draw = np.random.default_rng(seed)
    table = pd.DataFrame(
        {
            "a": draw.normal(size=ROWS),
            "b": pd.Categorical(draw.choice(list("wxyz"), ROWS)),
            "c": draw.integers(0, 3, ROWS).astype(float),
            "d": draw.integers(0, 40, ROWS) * 0.1,
        }
    )
    table["b"] = table["b"].where(draw.random(ROWS) > 0.1)
    table.loc[::7, "a"] = np.nan
    return table


def outcomes(table: pd.DataFrame) -> dict[str, np.ndarray]:
    noise = np.random.default_rng(9).normal(size=len(table))
    line = (table["a"].fillna(0.0) + (table["b"] == "x") + 0.3 * table["d"] + noise).to_numpy()
    return {
        "number": line,
        "positive": np.exp(line),
        "count": np.floor(np.exp(line.clip(-2.0, 2.0))),
        "binary": (line > 0.8).astype(float),
        "classes": (line > 0.3).astype(float) + (line > 1.3),
    }


def new_cases() -> pd.DataFrame:
    """Other rows; values are missing where the training had them all."""
    table = frame(1)
    table.loc[20:60, "c"] = np.nan
    table.loc[5, "a"] = 0.0
    return table
