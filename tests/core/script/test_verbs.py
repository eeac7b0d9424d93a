"""The command line: JSON to stdout or a file, refusals on stderr with exit code 2."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import main
from core import data as tables
from core.document.files.project import Headline, save_project

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("verbs")
    path = tables.write_sample(str(folder))
    return save_project(folder / "spring.payoff", tables.sample_document(path), Headline())


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> Any:
    code = main.main([str(argument) for argument in arguments])
    captured = capsys.readouterr()
    assert code == 0, captured.err
    return json.loads(captured.out)


def test_deciding_new_cases_by_a_project(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    new, out = project.parent / tables.NEW_CUSTOMERS_FILE, tmp_path / "decided.csv"
    answer = run(capsys, "decide", "--project", project, "--data", new, "--out", out)
    written = pd.read_csv(out)
    assert len(written) == answer["cases"]
    assert written["EP_responded"].sum() == pytest.approx(answer["expected_total"])
    assert written["D_responded"].value_counts().to_dict() == {
        name: int(count) for name, count in answer["counts"]["all"].items()
    }
    assert "customer_id" in written.columns
    assert "total" not in answer  # no outcome: nothing realised is told


def test_deciding_by_arguments(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "scored.csv"
    source.write_text("y,p\n1,0.5\n0,0.2\n0,0.01\n", encoding="utf-8")
    matrix = tmp_path / "matrix.json"
    matrix.write_text('{"1": [15, 0], "0": [-1.5, 0]}', encoding="utf-8")
    arguments = ("decide", source, "--target", "y", "--posterior", "1=p", "--matrix", matrix)
    answer = run(capsys, *arguments, "--decisions", "Solicit,Ignore")
    assert answer["total"] == pytest.approx(13.5)
    assert answer["threshold"] == pytest.approx(1 / 11)
    assert answer["counts"]["0"] == {"Solicit": 1.0, "Ignore": 1.0}


def test_evaluating_several_scores(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = project.parent / tables.SAMPLE_FILE
    arguments = ("evaluate", data, "--outcome", "responded", "--score", "a=p_gbm2")
    answer = run(capsys, *arguments, "--score", "p_logit", "--metric", "auc", "--no-intervals")
    values = {entry["score"]: entry["value"] for entry in answer["metrics"]}
    assert values["a"] > values["p_logit"] > 0.5
    assert answer["comparisons"]


def test_running_a_project_writes_report_and_record(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = run(capsys, "run", project, "--report", tmp_path)
    page = (tmp_path / "report.html").read_text("utf-8")
    assert "<svg" in page
    assert "<script" not in page
    assert "://" not in page
    written = json.loads((tmp_path / "record.json").read_text("utf-8"))
    assert written == record
    totals = {model["model"]: model["total"]["value"] for model in record["models"]}
    chart_ends = {model["model"]: model["chart_end"] for model in record["models"]}
    assert totals == pytest.approx(chart_ends)


def test_json_goes_to_a_file_when_asked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "plugins.json"
    assert main.main(["plugins", "--json", str(out)]) == 0
    assert capsys.readouterr().out == ""
    states = {entry["state"] for entry in json.loads(out.read_text("utf-8"))["plugins"]}
    assert states == {"active"}


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("decide", "nowhere.csv", "--posterior", "1=p", "--matrix", "{}"), "nowhere.csv"),
        (("decide", "--target", "y"), "--data"),
        (("decide", "x.csv"), "--matrix"),
        (("decide", "x.csv", "--matrix", "{"), "JSON"),
        (("decide", "x.csv", "--matrix", '{"1": [true]}'), "row 1, decision 1"),
        (("decide", "x.csv", "--matrix", '{"1": [1]}', "--posterior", "p"), "="),
        (("run", "nowhere.payoff"), "nowhere.payoff"),
        (("evaluate", "nowhere.csv", "--outcome", "y", "--score", "p"), "nowhere.csv"),
    ],
)
def test_refusals_are_one_line_and_exit_code_2(
    arguments: tuple[str, ...], named: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main.main(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert named in captured.err
    assert "Traceback" not in captured.err


def test_wrong_arguments_name_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main.main(["evaluate"])
    assert ended.value.code == 2
    assert "--help" in capsys.readouterr().err


def test_the_command_line_starts_without_the_window_libraries(project: Path) -> None:
    code = (
        "import sys, main; main.main(['plugins', '--json', sys.argv[1]]);"
        "print([n for n in ('PySide6', 'pyqtgraph') if n in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(project.parent / "p.json")],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert done.stdout.strip() == "[]"
