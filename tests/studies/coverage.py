"""How often outcomes fall inside intervals between quantiles of one model (``multi_quantile``).

    python -m tests.studies.coverage [WORD]

With a word only data whose name has it. Intervals run between the quantiles at 0.1 and 0.9 (80 %),
0.2 and 0.8 (60 %), for rows that no model has seen: five folds of real files, 20,000 fresh cases
for made-up ones, three training sets each. Beside it one interval for all: the quantiles of the
training outcomes.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

import numpy as np
import pandas as pd

import payoff
from tests.helpers.shared_data import SHARED

FOLDS, REPEATS = 5, 3
LEVELS = np.arange(1, 10) / 10
Split = tuple[pd.DataFrame, pd.DataFrame]


def made_up(kind: str) -> Iterator[Split]:
    """Outcomes whose spread depends on the inputs, bell-shaped or skewed."""
    for seed in range(REPEATS):
        random = np.random.default_rng(seed)
        x = random.normal(size=(24_000, 5))
        spread = np.exp(0.6 * x[:, 1])
        noise = random.normal(size=24_000)
        if kind == "skewed":
            noise = random.gamma(1.5, 1.0, 24_000)
        frame = pd.DataFrame(x, columns=list("abcde")).assign(y=2.0 * x[:, 0] + spread * noise)
        yield frame[:4000], frame[4000:]


def real(frame: pd.DataFrame, target: str) -> Iterator[Split]:
    """Five folds of a file."""
    frame = frame.dropna(subset=[target]).rename(columns={target: "y"}).reset_index(drop=True)
    fold = np.random.default_rng(1).permutation(np.arange(len(frame)) % FOLDS)
    for k in range(FOLDS):
        yield frame[fold != k], frame[fold == k]


def sources() -> Iterator[tuple[str, Iterator[Split]]]:
    """Every data set by name."""
    yield "made up: bell-shaped, uneven spread", made_up("bell")
    yield "made up: skewed, uneven spread", made_up("skewed")
    if not SHARED.is_dir():
        return
    homes = pd.read_csv(SHARED / "hmeq" / "hmeq.csv").drop(columns=["BAD"])
    yield "HMEQ: value of the home", real(homes, "VALUE")
    gifts = pd.read_csv(SHARED / "pva97nk" / "pva97nk.csv", dtype={"ID": str, "DemCluster": str})
    gifts = gifts.drop(columns=["TARGET_B", "ID", "DemCluster"])
    yield "PVA97NK: gift of those who gave", real(gifts, "TARGET_D")
    trial = pd.read_csv(SHARED / "ihdp" / "ihdp_npci_1.csv", header=None).drop(columns=[2, 3, 4])
    trial.columns = [f"v{name}" for name in trial.columns]
    yield "IHDP: outcome", real(trial, "v1")


def inside(y: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Whether each outcome lies between two quantiles, ends included."""
    found: np.ndarray = (y >= low) & (y <= high)
    return found


def judged(splits: Iterator[Split]) -> list[str]:
    """Coverage with its standard error, and the mean width beside that of one interval for all."""
    hits: dict[int, list[np.ndarray]] = {80: [], 60: []}
    widths: dict[int, list[float]] = {80: [], 60: []}
    for train, fresh in splits:
        model = payoff.boost(
            train,
            target="y",
            distribution="multi_quantile",
            n_trees=150,
            interaction_depth=3,
            shrinkage=0.05,
            min_cases_in_node=30,
            seed=1,
            distribution_params={"lowest": 0.1},
        )
        found = np.asarray(model.predict(fresh, kind="response"))
        assert (np.diff(found, axis=1) >= 0).all()
        same = np.quantile(train.y, LEVELS)
        for nominal, low, high in ((80, 0, 8), (60, 1, 7)):
            hits[nominal].append(inside(fresh.y.to_numpy(), found[:, low], found[:, high]))
            width = (found[:, high] - found[:, low]).mean() / (same[high] - same[low])
            widths[nominal].append(float(width))
    cells = []
    for nominal in (80, 60):
        share = np.concatenate(hits[nominal])
        half = 1.96 * np.sqrt(share.mean() * (1 - share.mean()) / len(share))
        cells.append(f"{share.mean():.1%} ± {half:.1%}")
        cells.append(f"{np.mean(widths[nominal]):.2f}")
    return cells


def main() -> None:
    """Print the table of docs/distributions/multi_quantile.md."""
    word = " ".join(sys.argv[1:])
    print("| data | 80 % interval | width | 60 % interval | width |\n|---|---|---|---|---|")
    for name, splits in sources():
        if word in name:
            print(f"| {name} | {' | '.join(judged(splits))} |", flush=True)


if __name__ == "__main__":
    main()
