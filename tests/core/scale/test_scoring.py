"""From parts to parts: the rows of the table in memory, and nothing lost by a kill."""

from __future__ import annotations

import json
import math
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import payoff
from core.data import NEW_CUSTOMERS_FILE, sample_document, write_sample
from core.document.data.model import ReaderSettings
from core.document.files.project import Headline, save_project
from core.kernels.task_runners import InlineRunner
from core.scale import scoring
from core.scale.scoring import RECORD, score_parts
from core.scale.sources import memory_budget, open_source
from core.script.command_line.arguments import verb_parser
from core.script.command_line.verbs import run_verb
from payoff.errors import PayoffError
from tests.core.scale.parts import scored_cases, write_parts

ROWS = 5_000


@pytest.fixture
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs of at most 500 rows in place of a million."""
    monkeypatch.setattr(scoring, "PART_ROWS", 500)


@pytest.fixture(scope="module")
def model() -> payoff.Model:
    cases = scored_cases(3_000, seed=2)
    return payoff.boost(
        cases, target="outcome", features=["first", "region"], n_trees=5, distribution="bernoulli"
    )


def main(words: list[str]) -> int:
    return run_verb(verb_parser().parse_args(words))


def in_rows(found: scoring.ScoredParts) -> pd.DataFrame:
    tables = [pq.read_table(file).to_pandas() for file in found.files]
    return pd.DataFrame(pd.concat(tables, ignore_index=True))


@pytest.mark.usefixtures("small_parts")
def test_predictions_are_those_of_the_table(model: payoff.Model, tmp_path: Path) -> None:
    cases = scored_cases(ROWS)
    parts = write_parts(cases, tmp_path / "in", 3, group=300)
    found = payoff.predict_to_parts(model, parts, tmp_path / "out", kind="both", keep=["amount"])
    table = in_rows(found)
    assert len(found.files) > 3
    assert table["row"].tolist() == list(range(1, ROWS + 1))
    assert table["amount"].tolist() == cases.column("amount").to_pylist()
    response = [name for name in found.columns if name.startswith(("prediction", "P_", "response"))]
    values = table[response[0] if response else found.columns[-1]].to_numpy()
    assert np.array_equal(values, model.predict(cases, "response"))
    record = json.loads((tmp_path / "out" / RECORD).read_text("utf-8"))
    assert record["rows"] == ROWS
    assert not (tmp_path / "out" / "_journal").exists()
    name = response[0] if response else found.columns[-1]
    assert found.totals[name] == pytest.approx(values.sum(), rel=1e-13)


@pytest.mark.usefixtures("small_parts")
def test_decisions_are_those_of_the_table(tmp_path: Path) -> None:
    path = write_sample(str(tmp_path))
    saved = save_project(tmp_path / "spring.payoff", sample_document(path), Headline())
    project = payoff.open_project(saved)
    cases = pd.read_csv(tmp_path / NEW_CUSTOMERS_FILE)
    parts = write_parts(pa.Table.from_pandas(cases, preserve_index=False), tmp_path / "in", 2, 200)
    known = payoff.apply(project, cases, check=False).table
    found = payoff.apply_to_parts(project, parts, tmp_path / "out")
    table = in_rows(found)
    for name in known.columns:
        assert table[name].tolist() == known[name].tolist(), name
    decision = next(name for name in known.columns if name.startswith("D_"))
    assert found.counts[decision] == known[decision].value_counts().to_dict()


@pytest.mark.usefixtures("small_parts")
def test_a_finished_or_foreign_folder_stays(model: payoff.Model, tmp_path: Path) -> None:
    parts = write_parts(scored_cases(1_000), tmp_path / "in", 2)
    payoff.predict_to_parts(model, parts, tmp_path / "out")
    before = {file.name: file.read_bytes() for file in (tmp_path / "out").iterdir()}
    with pytest.raises(PayoffError, match="finished run"):
        payoff.predict_to_parts(model, parts, tmp_path / "out")
    assert {file.name: file.read_bytes() for file in (tmp_path / "out").iterdir()} == before
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("keep me")
    with pytest.raises(PayoffError, match="not empty"):
        payoff.predict_to_parts(model, parts, tmp_path / "mine")


@pytest.mark.usefixtures("small_parts")
def test_a_damaged_part_ends_the_run_and_a_mended_one_goes_on(
    model: payoff.Model, tmp_path: Path
) -> None:
    parts = write_parts(scored_cases(ROWS), tmp_path / "in", 5)
    hurt = parts / "part-00003.parquet"
    whole = hurt.read_bytes()
    hurt.write_bytes(whole[:200] + bytes(1_000) + whole[1_200:])
    with pytest.raises(PayoffError, match="cannot be read") as refusal:
        payoff.predict_to_parts(model, parts, tmp_path / "out")
    assert "part-00003.parquet" in refusal.value.where
    assert not (tmp_path / "out" / RECORD).exists()
    with pytest.raises(PayoffError, match="another run"):
        payoff.predict_to_parts(model, parts, tmp_path / "out", kind="link")
    hurt.write_bytes(whole)
    found = payoff.predict_to_parts(model, parts, tmp_path / "out")
    assert found.kept == 3
    whole_run = payoff.predict_to_parts(model, parts, tmp_path / "again")
    assert found.totals == whole_run.totals
    for ours, theirs in zip(found.files, whole_run.files, strict=True):
        assert Path(ours).read_bytes() == Path(theirs).read_bytes()


_KILLED = """
import sys, time
import pyarrow as pa
from pathlib import Path
from core.document.data.model import ReaderSettings
from core.document.files.project import Headline, save_project
from core.kernels.task_runners import InlineRunner
from core.scale import scoring
from core.scale.sources import memory_budget, open_source
scoring.PART_ROWS = 500
source = open_source(sys.argv[1], (), Path(sys.argv[3]), budget=memory_budget(None),
                     should_stop=lambda: False, reader=ReaderSettings())
def make(table):
    time.sleep(float(sys.argv[4]))
    return pa.table({"twice": pa.compute.multiply(table.column("amount"), 2.0)})
import pyarrow.compute
scoring.score_parts(source, ("amount",), (), make, sys.argv[2], run={"test": 1},
                    runner=InlineRunner(),
                    progress=lambda *_: None, should_stop=lambda: False)
"""


def test_a_kill_at_any_moment_loses_nothing(tmp_path: Path) -> None:
    parts = write_parts(scored_cases(ROWS), tmp_path / "in", 2, group=250)
    (tmp_path / "scratch").mkdir()

    def run(out: str, pause: float) -> subprocess.Popen[bytes]:
        words = [str(parts), str(tmp_path / out), str(tmp_path / "scratch"), str(pause)]
        return subprocess.Popen([sys.executable, "-c", _KILLED, *words], env=os.environ)

    assert run("whole", 0.0).wait(120) == 0
    for files in (1, 4):
        process = run("killed", 0.05)
        deadline = time.monotonic() + 120
        while len(list((tmp_path / "killed").glob("_journal/0*.json"))) < files:
            assert process.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
        process.wait(60)
        assert not (tmp_path / "killed" / RECORD).exists()
    assert run("killed", 0.0).wait(120) == 0
    for name in sorted(file.name for file in (tmp_path / "whole").iterdir()):
        ours, theirs = (tmp_path / side / name for side in ("killed", "whole"))
        assert ours.read_bytes() == theirs.read_bytes(), name


@pytest.mark.usefixtures("small_parts")
def test_totals_are_exact_and_do_not_follow_the_parts(tmp_path: Path) -> None:
    cases = scored_cases(ROWS)
    found: list[Any] = []
    for parts in (1, 7):
        folder = write_parts(cases, tmp_path / f"in{parts}", parts, group=100)
        source = open_source(
            folder,
            (),
            tmp_path,
            budget=memory_budget(None),
            should_stop=lambda: False,
            reader=ReaderSettings(),
        )
        made = score_parts(
            source,
            ("amount", "region"),
            (),
            lambda table: table,
            tmp_path / f"out{parts}",
            run={},
            runner=InlineRunner(),
            progress=lambda *_: None,
            should_stop=lambda: False,
        )
        found.append((made.totals, made.counts))
    assert found[0] == found[1]
    assert found[0][0]["amount"] == math.fsum(cases.column("amount").to_pylist())


@pytest.mark.usefixtures("small_parts")
def test_the_verbs_take_folders(
    model: payoff.Model, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    parts = write_parts(scored_cases(1_200), tmp_path / "in", 2)
    model.save(tmp_path / "m.payoffmodel")
    words = ["predict", str(tmp_path / "m.payoffmodel"), str(parts), "--out"]
    assert main([*words, str(tmp_path / "out")]) == 0
    assert json.loads(capsys.readouterr().out)["rows"] == 1_200
    assert main([*words, str(tmp_path / "out")]) != 0
    assert "finished run" in capsys.readouterr().err
    judged = ["evaluate", str(parts), "--outcome", "outcome", "--score", "first"]
    assert main([*judged, "--no-intervals", "--memory", "1 GB"]) == 0
    assert json.loads(capsys.readouterr().out)["rows"].endswith("1,200 of 1,200")
    assert main(["decide", str(parts), "--target", "outcome", "--posterior", "first"]) != 0
    assert "No decision matrix" in capsys.readouterr().err
    assert main(["decide", str(parts), "--out", str(tmp_path / "no")]) != 0
    assert "decided by a project's rule" in capsys.readouterr().err
