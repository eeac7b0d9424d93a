"""The sample's whole journey in one process: ``python -m tests.core.engine.journey``.

Load, rows, decide, cursor, evaluate, resample, save; prints one line of JSON: processor and wall
seconds after each step, and how many kernels came from the cache or were compiled.
"""

import json
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from core.document.files.project import read_project
from core.engine.local import LocalEngine
from core.engine.messages import Ask, LoadArguments, SaveArguments
from core.engine.options import EngineOptions
from core.kernels import cache_hits
from core.questions.compare import CompareModels
from core.questions.data import TableRows
from core.questions.decide import AtDepth, Resamples, Totals

SAMPLES = Path(__file__).resolve().parents[3] / "resources" / "samples"


def run(folder: Path) -> dict[str, object]:
    """All steps; what a page shows first is a step of its own."""
    begun, before = time.perf_counter(), cache_hits()
    steps: dict[str, tuple[float, float]] = {}

    def mark(name):
        steps.setdefault(name, (time.process_time(), time.perf_counter() - begun))

    def note(fraction, stage, partial):
        if partial is not None:
            mark("first metric table")

    document = read_project(SAMPLES / "direct-mail.payoff").document
    file = SAMPLES / Path(document.data.path).name
    engine = LocalEngine(EngineOptions(safe_mode=True))
    engine.run("load", LoadArguments(path=str(file), reader=document.data.reader))
    document = replace(document, data=replace(document.data, path=str(file)))
    engine.ask(document, TableRows(start=0, count=50))
    mark("rows")
    engine.ask(document, Totals())
    mark("first totals")
    engine.ask(document, AtDepth(depth=0.3))
    mark("cursor")
    engine.run("compare.models", Ask.of(document, CompareModels()), note)
    mark("metric table with intervals")
    engine.ask(document, Resamples(depth=0.3))
    mark("resamples")
    save = SaveArguments(
        document=document, model=document.models[0].name, path=str(folder / "rule.csv")
    )
    engine.run("save_decisions", save)
    engine.run("save_decisions", replace(save, path=str(folder / "cursor.csv"), use_cursor=True))
    mark("saved")
    counts = cache_hits()
    return {
        "steps": steps,
        "hits": counts.hits - before.hits,
        "compiled": counts.compiled - before.compiled,
    }


def main():
    with tempfile.TemporaryDirectory() as folder:
        print(json.dumps(run(Path(folder))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
