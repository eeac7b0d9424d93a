"""How often the uplift guard warns, of fair experiments and of those that are none.

    python -m tests.studies.guard --repeats 300 --rows 1500

prints one line per setting: how often the verdict is no "ok", and how often each check is.
"""

from __future__ import annotations

import argparse
from collections import Counter
from typing import NamedTuple

import numpy as np
import pandas as pd

import payoff

COLUMNS = ("age", "visits", "region", "member")


class Setting(NamedTuple):
    """How the treatment was drawn."""

    words: str
    slope: float = 0.0  # of the log odds of being treated, in the first column
    lost: float = 0.0  # share of the treated that left no row
    drift: float = 0.0  # of the share treated, along the score


FAIR = Setting("fair")
UNFAIR = (
    Setting("older cases treated", slope=0.35),
    Setting("one in five treated lost", lost=0.2),
    Setting("share drifts along the score", drift=0.3),
)


def drawn(setting: Setting, rows: int, seed: int, share: float = 0.5) -> pd.DataFrame:
    """One experiment of a plan of so many treated."""
    draw = np.random.default_rng(seed)
    age, visits = draw.normal(size=rows), draw.poisson(3, rows).astype(float)
    score = 0.4 * age + draw.normal(size=rows)
    place = np.argsort(np.argsort(score)) / rows - 0.5
    odds = np.log(share / (1.0 - share)) + setting.slope * age
    probability = (
        1.0 / (1.0 + np.exp(-odds)) + 2.0 * min(share, 1.0 - share) * setting.drift * place
    )
    treated = draw.random(rows) < probability
    outcome = draw.random(rows) < 0.2 + 0.05 * treated * (score > 0)
    frame = pd.DataFrame(
        {
            "age": age,
            "visits": visits,
            "region": draw.choice(["north", "south", "west"], rows),
            "member": draw.choice(["yes", "no"], rows),
            "score": score,
            "other": score + draw.normal(size=rows),
            "treated": treated.astype(int),
            "bought": outcome.astype(int),
        }
    )
    is_lost = treated & (draw.random(rows) < setting.lost)
    return frame[~is_lost].reset_index(drop=True)


def warnings(
    setting: Setting, *, repeats: int, rows: int, seed: int = 1, share: float = 0.5
) -> Counter[str]:
    """How many verdicts warn ("any"), and how many of each check."""
    found: Counter[str] = Counter()
    for repeat in range(repeats):
        guard = payoff.uplift(
            drawn(setting, rows, 10_000 * seed + repeat, share),
            outcome="bought",
            treatment="treated",
            scores=["score", "other"],
            covariates=list(COLUMNS),
            planned_share=share,
        ).guard
        found["any"] += guard.state != "ok"
        for check in guard.checks:
            found[check.key] += check.state != "ok"
            found[f"{check.key} alone"] += check.p_value < 0.05
    return found


def main() -> None:
    """Print the rates of all settings."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=300)
    parser.add_argument("--rows", type=int, default=1500)
    parser.add_argument("--share", type=float, default=0.5, help="of the treated, as planned")
    requested = parser.parse_args()
    for setting in (FAIR, *UNFAIR):
        found = warnings(
            setting, repeats=requested.repeats, rows=requested.rows, share=requested.share
        )
        rates = ", ".join(
            f"{name} {count / requested.repeats:.3f}" for name, count in found.items()
        )
        print(f"{setting.words}: {rates}", flush=True)


if __name__ == "__main__":
    main()
