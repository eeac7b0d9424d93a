"""Plugins by others: a kernel of theirs beside the same kernel built in, and what a start costs.

The metric of the plugin is the built-in mean absolute miss under another name, and as a decorated
function of one case, evaluated in turn with it on a million rows. The start is measured with no
plugin and with 50 installed: what the engine of the program does (it reads their manifests) and
what the engine for plugins does (it imports them; their checks are remembered), whole processes in
turn.

Run: python -m tests.benchmarks.bench_plugins
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import payoff
from core.document.results import RowsNote
from core.evaluation import EvaluationProblem, JudgedScores, MetricRequest, assess
from core.extensions import Registry
from tests.benchmarks.harness import print_aim, print_machine
from tests.helpers.factories.plugins import manifest

ROWS = 1_000_000
RUNS = 25
PLUGINS = 50
STARTS = 3
ROOT = Path(__file__).resolve().parents[2]
CODE = """
import payoff


@payoff.kernel(shape="elementwise")
def rows(outcome, prediction, parameters, contribution, factor, start, stop):
    for i in range(start, stop):
        contribution[0, i] = abs(outcome[i] - prediction[0, i])
        factor[0, i] = 1.0


@payoff.hookimpl
def payoff_register_metrics():
    return [
        payoff.EvaluationMetric(
            id="{name}", label="{name}", help="Mean absolute miss.", formula="mean of |y - f|",
            reference="none",
            direction=payoff.Direction.LOWER,
            inputs=(payoff.Input.OUTCOME, payoff.Input.PREDICTIONS),
            tasks=(payoff.Task.REGRESSION,), form=payoff.MetricForm.ROW_MEAN,
            value_range=(0.0, float("inf")), perfect_value=0.0, rows=rows,
        )
    ]
"""
START = """
import sys, time
from pathlib import Path
import core.engine.jobs
from core.extensions import Registry
begun, used = time.perf_counter(), time.process_time()
Registry.discover(
    [Path(sys.argv[1])], cache_folder=Path(sys.argv[2]), has_packages=False,
    runs_third_party=sys.argv[3] == "runs",
)
print(time.perf_counter() - begun, time.process_time() - used)
"""


def write_plugins(folder: Path, count: int) -> None:
    """Folders of plugins, each with one metric."""
    folder.mkdir()
    for number in range(count):
        place = folder / f"p{number}"
        place.mkdir()
        (place / "plugin.toml").write_text(manifest(f"org.example.p{number}"), "utf-8")
        (place / "own.py").write_text(CODE.replace("{name}", f"miss_{number}"), "utf-8")


def kernels(folder: Path) -> None:
    """The same metric, built in, as a plugin and as the figure of one case, in turn."""

    @payoff.metric("Own miss", direction="lower", task="regression")
    def own_miss(y, p):
        """Return how far a prediction is off."""
        return abs(y - p)

    registry = Registry.discover([folder], has_packages=False)
    draw = np.random.default_rng(1)
    outcome = draw.normal(size=ROWS)
    forecast = outcome + draw.normal(size=ROWS)

    def once(name: str) -> tuple[float, float]:
        """Seconds on the clock, and of the processor in all threads."""
        problem = EvaluationProblem(
            kind="regression",
            models=(JudgedScores(name="forecast", prediction=forecast),),
            metrics=(MetricRequest(spec=specs[name]),),
            rows=RowsNote(use="all", text="all rows", rows=ROWS),
            target=outcome,
            resamples=200,
        )
        begun, used = time.perf_counter(), time.process_time()
        assess(problem, with_charts=False)
        return time.perf_counter() - begun, time.process_time() - used

    specs = {
        "built in": registry.metric("mae"),
        "as a plugin": registry.metric("miss_0"),
        "decorated": own_miss,
    }
    names = tuple(specs)
    for name in names:
        once(name)
    taken: dict[str, list[tuple[float, float]]] = {name: [] for name in names}
    for run in range(RUNS):
        for name in names if run % 2 else names[::-1]:
            taken[name].append(once(name))
    print(f"mean absolute miss of {ROWS:,} rows with 200 resamples, medians of {RUNS} in turn")
    own = np.array(taken["built in"])  # (RUNS, clock and processor)
    for name, most in (("as a plugin", 1.05), ("decorated", 2.0)):
        for place, unit in enumerate(("clock", "processor")):
            first, second = own[:, place], np.array(taken[name])[:, place]
            ratio = float(np.median(second / first))  # neighbours in time: what else ran is alike
            print(
                f"by the {unit}: built in {1000 * np.median(first):.1f} ms, "
                f"{name} {1000 * np.median(second):.1f} ms, "
                f"ratio of pairs {ratio:.3f}, of the quickest {second.min() / first.min():.3f}"
            )
            what = f"a row metric {name}, by the {unit}"
            print_aim(
                what, f"at most {most} x a built-in one's time", f"{ratio:.3f} x", ratio <= most
            )


def rankings() -> None:
    """The area under the ROC curve, built in and as a decorated function, in turn."""

    @payoff.metric("Own AUC", area_slope=1.0)
    def own_auc(events, others):
        """Return the area under the ROC curve."""
        area, event, other = 0.0, 0.0, 0.0
        for g in range(events.shape[0]):
            area += (others[g] - other) * (event + events[g])
            event, other = events[g], others[g]
        return 0.5 * area / (event * other)

    draw = np.random.default_rng(2)
    probability = draw.beta(1.0, 3.0, ROWS)
    outcome = (draw.random(ROWS) >= probability).astype(np.int32)
    specs = (Registry.discover(has_packages=False).metric("auc"), own_auc)

    def once(spec: payoff.EvaluationMetric) -> float:
        """Seconds of the processor in all threads."""
        problem = EvaluationProblem(
            kind="binary",
            models=(
                JudgedScores(name="m", posteriors=np.vstack([probability, 1.0 - probability])),
            ),
            metrics=(MetricRequest(spec=spec),),
            rows=RowsNote(use="all", text="all rows", rows=ROWS),
            levels=("1", "0"),
            outcome=outcome,
            resamples=200,
        )
        begun = time.process_time()
        assess(problem, with_charts=False)
        return time.process_time() - begun

    for spec in specs:
        once(spec)
    taken = np.array([[once(spec) for spec in specs] for _ in range(RUNS // 5)])
    own, theirs = np.median(taken, axis=0)
    ratio = float(np.median(taken[:, 1] / taken[:, 0]))
    print(
        f"area under the ROC curve of {ROWS:,} rows with 200 resamples, by the processor: "
        f"built in {own:.2f} s, decorated {theirs:.2f} s, ratio of pairs {ratio:.2f}"
    )
    what = "a decorated ranked metric, by the processor"
    print_aim(what, "at most 2 x a built-in one's time", f"{ratio:.2f} x", ratio <= 2.0)


def start(folder: Path, cache: Path, role: str) -> tuple[float, float]:
    """Seconds of finding all plugins in a process of its own: on the clock, of the processor."""
    environment = dict(os.environ, PYTHONPATH=str(ROOT))
    command = [sys.executable, "-c", START, str(folder), str(cache), role]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    clock, processor = (float(word) for word in done.stdout.split())
    return clock, processor


def starts(home: Path) -> None:
    """What finding 50 plugins adds to finding none, in each of the two engines."""
    write_plugins(home / "none", 0)
    for role, words in (("reads", "main engine, manifests read"), ("runs", "engine for plugins")):
        places = [(home / name, home / f"cache-{name}-{role}") for name in ("none", "fifty")]
        for folder, cache in places:
            start(folder, cache, role)  # checks are made and remembered
        taken = np.array([[start(*place, role) for place in places] for _ in range(STARTS)])
        for unit, (none, fifty) in zip(
            ("clock", "processor"), np.median(taken, axis=0).T, strict=True
        ):
            each = 1000 * (fifty - none) / PLUGINS
            print(
                f"{words}, by the {unit}: {1000 * none:.0f} ms with none, "
                f"{1000 * fifty:.0f} ms with {PLUGINS}"
            )
            what = f"a plugin more, {words}, by the {unit}"
            print_aim(what, "under 5 ms", f"{each:.2f} ms", each < 5.0)


if __name__ == "__main__":
    print_machine()
    with tempfile.TemporaryDirectory() as temporary:
        write_plugins(Path(temporary) / "one", 1)
        write_plugins(Path(temporary) / "fifty", PLUGINS)
        rankings()
        kernels(Path(temporary) / "one")
        starts(Path(temporary))
