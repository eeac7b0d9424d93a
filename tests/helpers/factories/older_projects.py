"""Projects of every older schema, written by the program of their time.

Schema 1 to 3 knew no report, 4 kept charts of page Compare and notes, 5 kept what other pages
showed, named by its position on the page, 6 by its question. In 7 a model has chances by bands.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np

PROJECTS = Path(__file__).parents[2] / "golden" / "projects"
OLDER = range(1, 8)
KEPT = {
    4: ("roc", "metrics"),
    5: ("roc", "metrics", "decide/total", "decide/capacity", "decide/swap"),
    6: ("roc", "metrics", "decide/total", "decide/capacity", "decide/swap"),
    7: ("roc", "metrics", "decide/total", "decide/capacity", "decide/swap"),
}


def copy_of(schema: int, folder: Path) -> Path:
    """A copy of the project of a schema, with data beside it."""
    draws = np.random.default_rng(7)
    probabilities = draws.uniform(0.02, 0.6, size=(400, 2)).round(4)
    bought = np.where(draws.uniform(size=400) < probabilities[:, 0], "yes", "no")
    rows = [f"{b},{p},{q}" for b, (p, q) in zip(bought, probabilities, strict=True)]
    (folder / "old.csv").write_text("\n".join(["bought,p_gbm,p_logit", *rows]) + "\n", "utf-8")
    name = f"schema_{schema}.payoff"
    return Path(shutil.copy(PROJECTS / name, folder / name))
