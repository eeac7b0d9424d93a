"""The rule of a script, a project and the verb, handed over and proved by verify-export."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import main
import payoff
from core import data as tables
from core.document.files.project import Headline, save_project


def cases(rows: int = 500) -> pd.DataFrame:
    random = np.random.default_rng(8)
    probability = random.beta(2, 6, rows)
    return pd.DataFrame(
        {
            "y": (random.random(rows) < probability).astype(int),
            "p": probability,
            "letter": random.uniform(0.5, 3.0, rows),
        }
    )


RULE = {
    "target": "y",
    "posteriors": {1: "p"},
    "matrix": {1: [15.0, 0.0], 0: [0.0, 0.0]},
    "kind": "revenue",
    "decisions": ["Solicit", "Ignore"],
    "costs": ["letter", 0.0],
    "priors": {1: 0.05, 0: 0.95},
    "old_priors": {1: 0.25, 0: 0.75},
}


def decided_elsewhere(folder: Path, source: Path, target: Path) -> None:
    command = [sys.executable, "-I", "-S", str(folder / "decide.py"), str(source), str(target)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr


def test_the_code_decides_every_case_as_the_script(tmp_path: Path) -> None:
    data = cases()
    made = payoff.export_rule(tmp_path / "over", data, **RULE)
    assert made.inputs == ("p", "letter")
    assert "decide_sqlite.sql" in made.files
    data.to_csv(tmp_path / "cases.csv", index=False)
    decided_elsewhere(tmp_path / "over", tmp_path / "cases.csv", tmp_path / "out.csv")
    theirs = pd.read_csv(tmp_path / "out.csv")
    ours = payoff.decide(tmp_path / "cases.csv", **RULE).table
    assert theirs["D_y"].tolist() == ours["D_y"].tolist()
    np.testing.assert_allclose(theirs["EP_y"], ours["EP_y"], rtol=0, atol=1e-12)


def test_the_rule_of_a_project(tmp_path: Path) -> None:
    """The bundled sample: a worded template, priors, and old priors of each model."""
    path = tables.write_sample(str(tmp_path / "sample"))
    document = tables.sample_document(path)
    project = save_project(tmp_path / "mailing.payoff", document, Headline())
    made = payoff.export_rule(tmp_path / "over", path, project=project)
    assert made.notes == ()
    decided_elsewhere(tmp_path / "over", Path(path), tmp_path / "out.csv")
    theirs = pd.read_csv(tmp_path / "out.csv")
    ours = payoff.apply(project, path).table
    assert document.target is not None
    name = document.target.column
    assert theirs[f"D_{name}"].tolist() == ours[f"D_{name}"].tolist()
    np.testing.assert_allclose(theirs[f"EP_{name}"], ours[f"EP_{name}"], rtol=0, atol=1e-12)
    with pytest.raises(payoff.PayoffError, match="does not go with a project"):
        payoff.export_rule(tmp_path / "over", path, project=project, matrix={})


def test_the_verbs_write_and_check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cases().to_csv(tmp_path / "cases.csv", index=False)
    folder = tmp_path / "over"
    rule = ["--target", "y", "--posterior", "1=p", "--matrix", '{"1": [15, 0], "0": [-1.5, 0]}']
    data = str(tmp_path / "cases.csv")
    named = ["--decisions", "Solicit,Ignore", "--out", str(folder)]
    assert main.main(["export-rule", data, *rule, *named]) == 0
    assert json.loads(capsys.readouterr().out)["inputs"] == ["p"]
    decided_elsewhere(folder, folder / "expected.csv", tmp_path / "out.csv")
    check = ["verify-export", str(tmp_path / "out.csv"), "--folder", str(folder)]
    assert main.main([*check, "--tolerance", "1e-12"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["agrees"] is True
    assert answer["columns"] == ["D_y", "EP_y", "_WARN_"]
    table = pd.read_csv(tmp_path / "out.csv", keep_default_na=False)
    table.loc[3, "D_y"] = "Phone"
    table.to_csv(tmp_path / "out.csv", index=False)
    assert main.main(check) == 3
    (found,) = json.loads(capsys.readouterr().out)["differences"]
    assert found["found"] == "Phone"
    assert main.main(["export-rule", data, "--out", str(folder), "--posterior", "1=p"]) == 2


def test_a_matrix_file_brings_its_costs_along(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cases().to_csv(tmp_path / "cases.csv", index=False)
    matrix = payoff.write_matrix(
        tmp_path / "m.json",
        {1: [15.0, 0.0], 0: [0.0, 0.0]},
        kind="revenue",
        decisions=["Solicit", "Ignore"],
        costs=["letter", 0.0],
    )
    rule = ["--target", "y", "--posterior", "1=p", "--matrix", str(matrix)]
    out = ["--out", str(tmp_path / "over")]
    assert main.main(["export-rule", str(tmp_path / "cases.csv"), *rule, *out]) == 0
    assert json.loads(capsys.readouterr().out)["inputs"] == ["p", "letter"]
