"""Boosting beside R's gbm: seconds of one training, gbm_compatible off and on.

    python -m tests.benchmarks.bench_gbm

50,000 x 20, bernoulli, 100 trees of 7 splits, half of the rows drawn per tree. R trains on the same
rows and takes its own time, without reading the file. Aims: 20 times as fast, 5 times with
``gbm_compatible``. Without R and its package gbm only our own figures are printed.
"""

from __future__ import annotations

import shutil
import statistics
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from core.boosting import BoostSettings, TrainingCases, fit, inputs_of_matrix
from plugins.distributions.bernoulli import Bernoulli
from tests.benchmarks.harness import print_aim, print_machine

ROWS, COLUMNS, TREES, SPLITS = 50_000, 20, 100, 7
REPEATS = 5
AIMS = {False: 20.0, True: 5.0}
SCRIPT = """
library(gbm)
data <- read.csv("%s")
for (k in 1:%d) {
  set.seed(k)
  taken <- system.time(gbm(y ~ ., data = data, distribution = "bernoulli", n.trees = %d,
    interaction.depth = %d, shrinkage = 0.1, bag.fraction = 0.5, n.minobsinnode = 10,
    train.fraction = 1, keep.data = FALSE, verbose = FALSE))
  cat("seconds", taken[["elapsed"]], "\\n")
}
"""


def made_up() -> tuple[Any, Any]:
    """Float64 columns and a yes-or-no outcome."""
    random = np.random.default_rng(5)
    matrix = random.normal(size=(ROWS, COLUMNS)).round(6)
    score = matrix[:, 0] + matrix[:, 1] * matrix[:, 2] + np.sin(2 * matrix[:, 3])
    return matrix, (random.random(ROWS) < 1 / (1 + np.exp(-score))).astype(float)


def our_seconds(matrix: Any, outcome: Any, is_gbm: bool) -> list[float]:
    """Seconds of our trainings; the first, which may compile, is left out."""
    settings = BoostSettings(
        n_trees=TREES,
        interaction_depth=SPLITS,
        bag_fraction=0.5,
        min_cases_in_node=10,
        gbm_compatible=is_gbm,
    )
    taken = []
    for _ in range(REPEATS + 1):
        began = time.perf_counter()
        fit(
            TrainingCases(inputs=inputs_of_matrix(matrix), outcome=outcome), Bernoulli, {}, settings
        )
        taken.append(time.perf_counter() - began)
    return taken[1:]


def gbm_seconds(matrix: Any, outcome: Any) -> list[float]:
    """Seconds of R's trainings; empty where R or gbm is missing."""
    program = shutil.which("Rscript")
    if program is None:
        return []
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data.csv"
        names = ",".join([*(f"x{place}" for place in range(COLUMNS)), "y"])
        np.savetxt(data, np.column_stack([matrix, outcome]), "%.6g", ",", header=names, comments="")
        script = Path(folder) / "train.R"
        script.write_text(SCRIPT % (data, REPEATS, TREES, SPLITS))
        done = subprocess.run([program, str(script)], capture_output=True, text=True, check=False)
    lines = [line for line in done.stdout.splitlines() if line.startswith("seconds")]
    return [float(line.split()[1]) for line in lines]


def main() -> None:
    """Print medians and ratios."""
    print_machine()
    matrix, outcome = made_up()
    print(f"\n{ROWS:,} x {COLUMNS}, {TREES} trees of {SPLITS} splits; medians of {REPEATS}")
    theirs = gbm_seconds(matrix, outcome)
    if theirs:
        print(f"  R gbm                        median {statistics.median(theirs):7.3f} s")
    for is_gbm, aim in AIMS.items():
        ours = statistics.median(our_seconds(matrix, outcome, is_gbm))
        print(f"  payoff, gbm_compatible {is_gbm!s:<5} median {ours:7.3f} s")
        if theirs:
            ratio = statistics.median(theirs) / ours
            what = f"trees on {ROWS:,} x {COLUMNS}, gbm's arithmetic {'on' if is_gbm else 'off'}"
            print_aim(what, f"{aim:g} x R gbm", f"{ratio:.1f} x", ratio >= aim)


if __name__ == "__main__":
    main()
