"""No verb and no script writes over a file that went in, whatever it is called."""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pytest

import main
import payoff
from core.document.commands import OpenData
from core.document.data.model import DataRef
from core.document.files.guarded import piece_of_work
from core.document.files.project import Headline, save_project
from core.document.model import Document, Role, RoleAssignment, SplitSpec
from core.engine.local import LocalEngine
from core.engine.messages import SaveArguments
from core.experiments.experiment import Journal
from payoff.errors import PayoffError

MATRIX = '{"1": [24, 0], "0": [-1.6, 0]}'


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "x.csv"
    random = np.random.default_rng(1)
    score = random.random(200).round(3)
    rows = [f"{i},{s},{int(random.random() < s)}" for i, s in enumerate(score)]
    path.write_text("\n".join(["id,p,y", *rows]) + "\n", "utf-8")
    return path


@pytest.fixture(autouse=True)
def own_work():
    """What other tests read is no part of these."""
    with piece_of_work():
        yield


DECIDE = ("decide", "{data}", "--target", "y", "--posterior", "1=p", "--matrix")


@pytest.mark.parametrize(
    "arguments",
    [
        (*DECIDE, MATRIX, "--out", "{data}"),
        (*DECIDE, MATRIX, "--out", "{link}"),
        (*DECIDE, MATRIX, "--out", "{hard}"),
        (*DECIDE, MATRIX, "--json", "{data}"),
        (*DECIDE, "{matrix}", "--out", "{matrix}"),
        (*DECIDE, "{matrix}", "--json", "{matrix}"),
        (*DECIDE, MATRIX, "--out", "{project}"),
        ("evaluate", "{data}", "--outcome", "y", "--score", "p", "--json", "{data}"),
        ("evaluate", "{data}", "--outcome", "y", "--score", "p", "--json", "{project}"),
        ("run", "{project}", "--json", "{project}"),
        ("import-model", "{matrix}", "--out", "{matrix}"),
        ("boost", "{data}", "--target", "y", "--distribution", "bernoulli", "--out", "{data}"),
        ("export-rule", *DECIDE[1:], MATRIX, "--out", "{taken}"),
        ("experiment", "sepsis", "--data", "{data}", "--out", "{stem}"),
        ("experiment", "sepsis", "--data", "{data}", "--out", "o", "--journal", "{data}"),
        ("study", "shrinkage", "--rows", "50", "--out", "{project}"),
    ],
)
def test_what_went_in_is_as_it_was(data: Path, arguments, capsys) -> None:
    folder = data.parent
    project = save_project(folder / "p.payoff", Document(), Headline())
    matrix = folder / "m.json"
    matrix.write_text(MATRIX, "utf-8")
    taken = folder / "taken"
    taken.mkdir()
    os.link(data, taken / "decide.py")
    (taken / "contract.json").write_text("{}", "utf-8")
    (folder / "link.csv").symlink_to(data)
    os.link(data, folder / "hard.csv")
    places = {
        "data": data,
        "stem": data.with_suffix(""),
        "link": folder / "link.csv",
        "hard": folder / "hard.csv",
        "project": project,
        "matrix": matrix,
        "taken": taken,
    }
    given = [
        place.format(**places) if "{" in place[:1] and '"' not in place else place
        for place in arguments
    ]
    before = {path: path.read_bytes() for path in (data, project, matrix)}
    assert main.main(given) == 2
    described = capsys.readouterr().err
    assert "would overwrite" in described
    assert {path: path.read_bytes() for path in before} == before
    assert (folder / "link.csv").is_symlink()
    assert not [name for name in os.listdir(folder) if name.endswith(".payoff-part")]


def test_two_outputs_are_two_files(data: Path, capsys) -> None:
    out = str(data.parent / "out.csv")
    assert main.main([*[a.format(data=data) for a in DECIDE], MATRIX, "--out", out, "--json", out])
    assert "--out and --json name the same file" in capsys.readouterr().err
    assert not Path(out).exists()


def test_a_verb_writes_its_output_again(data: Path) -> None:
    out = data.parent / "out.csv"
    given = [*[a.format(data=data) for a in DECIDE], MATRIX, "--out", str(out)]
    for _again in range(2):
        assert main.main([*given, "--json", str(out.with_suffix(".json"))]) == 0
    assert payoff.read(out).num_rows == 200


def test_predictions_do_not_replace_cases_or_model(data: Path, capsys) -> None:
    model = data.with_suffix(".payoffmodel")
    payoff.boost(str(data), target="y", features=["p"], distribution="bernoulli", n_trees=2).save(
        model
    )
    before = model.read_bytes()
    for out in (data, model):
        assert main.main(["predict", str(model), str(data), "--out", str(out)]) == 2
        assert "would overwrite" in capsys.readouterr().err
    onnx = ["export-onnx", str(model), "--out", str(model)]
    assert main.main(onnx) == 2
    assert model.read_bytes() == before
    assert data.read_text("utf-8").startswith("id,p,y")


def test_scripts_do_not_write_over_what_they_read(data: Path) -> None:
    decided = payoff.decide(str(data), target="y", posteriors={"1": "p"}, matrix=json.loads(MATRIX))
    out = data.parent / "out.csv"
    payoff.write_table(decided.table, out)
    assert payoff.read(out).num_rows == 200
    payoff.write_table(decided.table, out)  # a cell that is run again
    with pytest.raises(PayoffError, match="overwrite the data"):
        payoff.write_table(decided.table, data)
    with pytest.raises(PayoffError, match="overwrite the data"):
        payoff.write_table(str(data), str(data))
    with pytest.raises(PayoffError, match="overwrite the data"):
        payoff.write_matrix(data, json.loads(MATRIX))
    assert data.read_text("utf-8").startswith("id,p,y")


def test_files_beside_the_decisions_are_looked_at_before_any_is_written(data: Path) -> None:
    """The record, and the cases kept out: one of them may be the data."""
    for taken in ("out.holdout.csv", "out.csv.record.json"):
        source = data.with_name(taken)
        source.write_bytes(data.read_bytes())
        reader = {"format": "delimited"}
        summary = payoff.read(source, **reader)
        document = _document(source, summary.num_rows)
        arguments = SaveArguments(
            document=document,
            model="m",
            path=str(data.with_name("out.csv")),
            columns=("D",),
            decisions=("Act",),
            hold_out=0.2,
        )
        with pytest.raises(PayoffError, match="overwrite the data") as refusal:
            LocalEngine().run("save_decisions", arguments)
        assert refusal.value.where == str(source)
        assert source.read_bytes() == data.read_bytes()
        assert not data.with_name("out.csv").exists()
        source.unlink()


def _document(path: Path, rows: int) -> Document:
    from core.document.data.model import ReaderSettings, RowUse
    from core.document.decisions.matrix_model import MatrixKind, MatrixSpec
    from core.document.model import TargetSpec

    data = DataRef(
        path=str(path),
        content_hash=f"of {path.name}",
        rows=rows,
        columns=("id", "p", "y"),
        size_bytes=path.stat().st_size,
        reader=ReaderSettings(format="delimited"),
    )
    matrix = MatrixSpec(
        template="payoff.profit",
        kind=MatrixKind.PROFIT,
        levels=("1", "0"),
        decisions=("Act", "Rest"),
        cells=((24.0, 0.0), (-1.6, 0.0)),
        acting="Act",
        do_nothing="Rest",
    )
    roles = (
        RoleAssignment(column="id", role=Role.INPUT),
        RoleAssignment(column="p", role=Role.POSTERIOR, model="m", level="1"),
        RoleAssignment(column="y", role=Role.TARGET),
    )
    target = TargetSpec(column="y", kind="binary", levels=("1", "0"))
    split = SplitSpec(shares=(0.0, 1.0, 0.0))
    opened = OpenData(data=data, roles=roles, target=target, split=split, matrix=matrix)
    return opened.apply(Document(rows_used=RowUse.ALL))


def test_code_that_was_handed_over_does_not_write_over_its_cases(data: Path) -> None:
    import subprocess
    import sys

    folder = data.parent / "rule"
    payoff.boost(str(data), target="y", features=["p"], distribution="bernoulli", n_trees=2).export(
        folder
    )
    before = data.read_bytes()
    done = subprocess.run(
        [sys.executable, str(folder / "score.py"), str(data), str(data)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    assert "would overwrite the cases" in done.stderr
    assert data.read_bytes() == before


# ---------------------------------------------------------------- the journal


def test_a_journal_is_not_begun_over_another_file(tmp_path: Path) -> None:
    for content in (b"a,b", b"a,b\n1,2\n", b"{}"):
        path = tmp_path / "notes"
        path.write_bytes(content)
        with pytest.raises(PayoffError, match="damaged, or is another file"):
            Journal(path, "name")
        assert path.read_bytes() == content


def test_a_journal_is_synced_and_a_torn_line_costs_that_line(tmp_path: Path, monkeypatch) -> None:
    path = tmp_path / "runs"
    head = b'{"experiment": "name", "format": 1}\n'
    for cut in (1, 20, len(head) - 1):
        path.write_bytes(head[:cut])  # the beginning was cut short
        Journal(path, "name")
        assert path.read_bytes() == head
    path.write_bytes(head + b'{"sampler": "gau')
    synced: list[int] = []
    sync = os.fsync
    monkeypatch.setattr(os, "fsync", lambda handle: (synced.append(handle), sync(handle))[1])
    journal = Journal(path, "name")
    assert path.read_bytes() == head
    assert synced
    journal._write(b"whole\n")
    assert len(synced) == 2

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(PayoffError, match="No space left"):
        journal._write(b"half")
    assert path.read_bytes() == head + b"whole\n"
