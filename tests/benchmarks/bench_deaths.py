"""Deaths of the engine for plugins, one after the other: how soon it answers again.

A plugin's metric ends the process; the next table of metrics, with a good plugin's among them, is
timed from the news of the death to the answer. The first rows follow each other at once, so that
the spare process has no time to get ready; before the others it has.

Run: python -m tests.benchmarks.bench_deaths
"""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import numpy as np

from core.document.model import Document, MetricChoice
from core.engine.client import EngineClient
from core.engine.messages import Ask, JobState, PluginsArguments
from core.engine.options import EngineOptions
from core.questions.compare import CompareModels
from tests.benchmarks.harness import print_aim, print_machine
from tests.core.engine.process.plugin_engines import interval_document
from tests.helpers.factories.misbehaving_plugins import write
from tests.helpers.factories.plugins import metric_code, write_file_plugin

AT_ONCE, APART = 6, 4
PAUSE = 8.0  # s before each of the later deaths
AIM = 5.0


def table(client: EngineClient, document: Document, metric: str) -> JobState:
    """Ask for a table with a plugin's metric in it; how that ended."""
    chosen = (MetricChoice(metric="mae"), MetricChoice(metric=metric))
    requested = Ask.of(replace(document, metrics=chosen), CompareModels(resamples=20))
    return client.wait(client.submit("compare.models", requested), 120).state


def processor_seconds(client: EngineClient) -> float:
    """What the engine for plugins has used of the processor since it was started; Linux only."""
    path = Path(f"/proc/{client.engine_pids['plugins']}/stat")
    if not path.exists():
        return float("nan")
    fields = path.read_text("ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / float(os.sysconf("SC_CLK_TCK"))


def die(client: EngineClient, document: Document, metric: str) -> tuple[float, float]:
    """End the engine; seconds until it answers again, and of the processor it took for that."""
    assert table(client, document, metric) is JobState.LOST
    begun = time.perf_counter()
    assert table(client, document, "good_miss") is JobState.DONE
    return time.perf_counter() - begun, processor_seconds(client)


def report(words: str, taken: list[tuple[float, float]]) -> None:
    """One line, with every time."""
    clock, processor = zip(*taken, strict=True)
    print(
        f"{words}: back after {', '.join(f'{one:.1f}' for one in clock)} s, "
        f"processor time of the new engine till then {statistics.median(processor):.1f} s (median)"
    )
    what = f"a new engine after one that died, {words}"
    slowest = max(clock)
    print_aim(what, f"under {AIM:g} s", f"{slowest:.1f} s at most", slowest <= AIM)


def main(home: Path) -> None:
    folder = home / "plugins"
    folder.mkdir()
    write_file_plugin(folder / "good.py", metric_code("good_miss"), "org.example.good")
    names = [f"ends_{number}" for number in range(AT_ONCE + APART)]
    for name in names:
        write(folder, "ends", name)
    draw = np.random.default_rng(5)
    amount = draw.normal(size=800)
    rows = np.column_stack([amount, amount + draw.normal(size=800)])
    path = home / "amounts.csv"
    np.savetxt(path, rows, "%.4f", ",", header="amount,forecast", comments="")
    options = EngineOptions(
        plugin_folder=str(folder),
        quarantine_path=str(home / "quarantine.json"),
        store_folder=str(home / "store"),
        log_folder=str(home),
    )
    with EngineClient(lambda event: None, options=options) as client:
        client.wait(client.submit("plugins", PluginsArguments()), 300)
        document = interval_document(client, str(path))
        assert table(client, document, "good_miss") is JobState.DONE
        report("at once", [die(client, document, name) for name in names[:AT_ONCE]])
        taken = []
        for name in names[AT_ONCE:]:
            time.sleep(PAUSE)
            taken.append(die(client, document, name))
        report(f"{PAUSE:g} s apart", taken)


if __name__ == "__main__":
    print_machine()
    with tempfile.TemporaryDirectory() as temporary:
        main(Path(temporary))
