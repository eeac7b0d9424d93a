"""``payoff decide --out`` writes the record that the window writes, and keeps what was planned."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import payoff
from core import data as tables
from core.document.data.model import DataRecipe, FileRef, JoinSpec, ReaderSettings
from core.document.files.project import Headline, save_project
from core.engine.context import JobContext
from core.engine.jobs.decide.rules import apply_rule
from core.engine.jobs.decide.saving import (
    data_record,
)
from core.engine.messages import ApplyArguments, SaveArguments
from core.script.command_line.arguments import verb_parser
from core.script.command_line.verbs import run_verb
from core.script.session import engine


def cases(path, rows=400, seed=3):
    draw = np.random.default_rng(seed)
    chance = draw.random(rows)
    frame = pd.DataFrame(
        {
            "customer": [f"{number:07d}" for number in range(rows)],
            "p": chance,
            "y": (draw.random(rows) < chance).astype(int),
        }
    )
    frame.to_csv(path, index=False)
    return frame


def run(capsys, *arguments):
    parsed = verb_parser().parse_args([str(part) for part in arguments])
    assert run_verb(parsed) == 0
    return json.loads(capsys.readouterr().out)


def options(source, out):
    return (
        "decide",
        source,
        "--matrix",
        '{"1": [24, 0], "0": [-6, 0]}',
        "--decisions",
        "Mail,Rest",
        "--posterior",
        "1=p",
        "--target",
        "y",
        "--out",
        out,
    )


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_the_record_says_what_decided_and_names_files_by_content(tmp_path, capsys):
    cases(tmp_path / "new.csv")
    answer = run(capsys, *options(tmp_path / "new.csv", tmp_path / "out.csv"))
    record = json.loads((tmp_path / "out.csv.record.json").read_text("utf-8"))
    assert answer["record"] == str(tmp_path / "out.csv.record.json")
    assert record["file"]["sha256"] == digest(tmp_path / "out.csv")
    assert record["data"]["path"] == str(tmp_path / "new.csv")
    assert record["data"]["files"] == [
        {"path": str(tmp_path / "new.csv"), "sha256": record["data"]["sha256"]}
    ]
    assert record["data"]["id_column"] == "customer"
    assert record["matrix"]["cells"] == [[24.0, 0.0], [-6.0, 0.0]]
    assert record["target"]["column"] == "y"
    assert record["roles"][0]["column"] == "p"
    assert record["totals"]["realised_total"] == pytest.approx(answer["total"])
    assert record["totals"]["expected_total"] == pytest.approx(answer["expected_total"])
    written = pd.read_csv(tmp_path / "out.csv", dtype={"customer": str})
    assert written.customer.iloc[11] == "0000011"
    assert record["file"]["columns"] == list(written.columns)
    assert record["counts"]["Mail"] == int((written.D_y == "Mail").sum())
    assert "hold_out" not in record


def test_cases_kept_out_keep_what_was_planned_beside_what_is_done(tmp_path, capsys):
    cases(tmp_path / "new.csv")
    run(capsys, *options(tmp_path / "new.csv", tmp_path / "plain.csv"))
    held_options = ("--hold-out", "0.25", "--hold-out-seed", "5")
    run(capsys, *options(tmp_path / "new.csv", tmp_path / "held.csv"), *held_options)
    plain, held = (pd.read_csv(tmp_path / name) for name in ("plain.csv", "held.csv"))
    out = held.HOLDOUT_y == 1
    assert out.sum() == round(0.25 * (plain.D_y == "Mail").sum())
    assert (held.D_y[out] == "Rest").all()
    assert (held.EP_y[out] == 0).all()
    assert (held.PLANNED_D_y == plain.D_y).all()
    np.testing.assert_array_equal(held.PLANNED_EP_y, plain.EP_y)
    assert (held.PLANNED_EP_y[out] > 0).all()
    record = json.loads((tmp_path / "held.csv.record.json").read_text("utf-8"))["hold_out"]
    assert record["held_out"] == out.sum()
    assert record["seed"] == 5
    assert record["expected_forgone"] == pytest.approx(held.PLANNED_EP_y[out].sum())


def test_two_hold_outs_keep_the_first_plan(tmp_path):
    frame = cases(tmp_path / "new.csv")
    decided = payoff.decide(
        frame,
        target="y",
        posteriors={"1": "p"},
        matrix={"1": [24, 0], "0": [-6, 0]},
        decisions=["Mail", "Rest"],
    )
    once, _ = decided.hold_out(0.2, seed=1)
    twice, _ = once.hold_out(0.2, seed=2)
    assert (twice.table.PLANNED_D_y == decided.table.D_y).all()
    gone = (twice.table.D_y != decided.table.D_y).to_numpy()
    np.testing.assert_array_equal(twice.table.HOLDOUT_y.to_numpy() == 1, gone)


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    folder = tmp_path_factory.mktemp("record")
    path = tables.write_sample(str(folder))
    return save_project(folder / "spring.payoff", tables.sample_document(path), Headline())


def test_the_verb_and_the_window_write_the_same_record(project, tmp_path, capsys):
    new, out = project.parent / tables.NEW_CUSTOMERS_FILE, tmp_path / "decided.csv"
    run(capsys, "decide", "--project", project, "--data", new, "--out", out)
    ours = json.loads((tmp_path / "decided.csv.record.json").read_text("utf-8"))
    document = payoff.open_project(project).document
    wanted = SaveArguments(
        document=document, model=ours["model"], path=str(tmp_path / "window.csv"), columns=("D",)
    )
    context = JobContext(engine().workbench)
    asked = ApplyArguments(
        document=document,
        path=str(new),
        reader=ReaderSettings(),
        model=ours["model"],
        save=wanted,
    )
    applied = apply_rule(asked, context)
    assert applied.saved is not None
    theirs = json.loads((tmp_path / "window.csv.record.json").read_text("utf-8"))
    assert list(ours) == list(theirs)
    for name in ("model", "matrix", "priors", "target", "cut_off", "totals", "counts", "data"):
        assert ours[name] == theirs[name], name
    assert ours["data"]["id_column"] == "customer_id"
    assert theirs["file"]["sha256"] == digest(tmp_path / "window.csv")


def test_every_joined_file_is_named_by_content(tmp_path):
    cases(tmp_path / "new.csv")
    table = tables.from_data(str(tmp_path / "new.csv"))
    other = FileRef(path="regions.csv", content_hash="ab" * 32, size_bytes=7)
    join = JoinSpec(file=other, keys=(("customer", "id"),), columns=(("region", "region"),))
    source = replace(table.data, recipe=DataRecipe(joins=(join,)), file_hash="cd" * 32)
    joined = replace(table, data=source)
    assert data_record(joined, "customer")["files"] == [
        {"path": str(tmp_path / "new.csv"), "sha256": "cd" * 32},
        {"path": "regions.csv", "sha256": "ab" * 32},
    ]
