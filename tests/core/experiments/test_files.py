"""Saved experiments: what is written is what is read; damaged files are refused."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.document.experiments.files import (
    SUFFIX,
    differing_parts,
    load_experiment,
    runs_csv,
    save_experiment,
)
from core.document.experiments.spec import ExperimentSpec
from payoff.errors import PayoffError
from tests.helpers.factories.systems import run_experiment


def read(_path):
    raise AssertionError("made-up rows need no file")


@pytest.fixture(scope="module")
def result():
    return run_experiment(
        ExperimentSpec(protocol="stock_timing", synthetic_rows=25, systems=2, learners=("linear",)),
        read,
    )


def test_round_trip(result, tmp_path):
    record, table = save_experiment(result, str(tmp_path / "mine"))
    assert record.endswith("mine" + SUFFIX)
    found = load_experiment(record)
    assert found.spec == result.spec
    assert np.array_equal(found.runs.error, result.runs.error)
    assert np.isnan(found.runs.bound).all()
    assert found.groups[0].mean == result.groups[0].mean
    rows = list(csv.DictReader(Path(table).read_text("utf-8").splitlines()))
    assert len(rows) == result.runs.count
    assert float(rows[0]["error"]) == result.runs.error[0]
    assert rows[0]["bound"] == ""
    assert runs_csv(found) == runs_csv(result)


def test_damaged_files_are_refused(result, tmp_path):
    path = tmp_path / f"x{SUFFIX}"
    for text in ("", "{", "[]", '{"format": "other"}'):
        path.write_text(text, "utf-8")
        with pytest.raises(PayoffError, match="no saved experiment"):
            load_experiment(str(path))
    record, _ = save_experiment(result, str(path))
    plain = json.loads(path.read_text("utf-8"))
    for change in (
        lambda runs: runs["error"]["values"].pop(),
        lambda runs: runs["sampler"]["values"].__setitem__(0, 7),
        lambda runs: runs.__setitem__("error", 3),
        lambda runs: runs["error"]["values"].__setitem__(0, "much"),
    ):
        broken = json.loads(json.dumps(plain))
        change(broken["result"]["runs"])
        path.write_text(json.dumps(broken), "utf-8")
        with pytest.raises(PayoffError):
            load_experiment(record)
    with pytest.raises(PayoffError, match="could not be read"):
        load_experiment(str(tmp_path / "none"))


def test_differing_parts(result):
    assert differing_parts(result, result) == ()
    other = replace(result, spec=replace(result.spec, seed=4, system="trading"))
    assert differing_parts(result, other) == ("evaluation system", "seed")
