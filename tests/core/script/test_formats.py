"""Every format through ``payoff.read``, the functions and the verbs; tables written back."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

import payoff
from main import main
from tests.helpers.factories.files import frame, frame_rows, pack, write_stat, write_workbook


@pytest.fixture(params=["xlsx", "xpt", "sav", "dta", "csv.gz"])
def path(request, tmp_path):
    ending = request.param
    cases = pd.concat([frame()] * 20, ignore_index=True)
    cases["id"] = [f"{number:04d}" for number in range(len(cases))]
    if ending == "xlsx":
        return write_workbook(tmp_path / "cases.xlsx", {"S": frame_rows(cases)})
    if ending == "csv.gz":
        return pack(tmp_path / "cases.csv.gz", cases.to_csv(index=False).encode())
    return write_stat(tmp_path, ending, cases)


def test_functions_and_verbs_take_files_of_other_programs(path, capsys):
    table = payoff.read(path)
    assert table.num_rows == 120
    assert table.column("id")[7].as_py() == "0007"
    found = payoff.evaluate(path, outcome="y", scores="p_gbm", metrics=["auc"])
    assert found.value("auc", "p_gbm") == pytest.approx(1.0)
    assert main(["evaluate", str(path), "--outcome", "y", "--score", "gbm=p_gbm"]) == 0
    assert json.loads(capsys.readouterr().out)


def test_the_sheet_is_named_in_scripts(tmp_path):
    rows = frame_rows(frame())
    path = write_workbook(tmp_path / "two.xlsx", {"Spring": rows, "Autumn": rows[:4]})
    with pytest.raises(payoff.PayoffError, match=r"sheet=\.\.\."):
        payoff.read(path)
    assert payoff.read(path, sheet="Autumn").num_rows == 3
    with pytest.raises(payoff.PayoffError, match="no reading option"):
        payoff.read(path, tab="Autumn")


def test_verbs_are_told_how_to_read(tmp_path, capsys):
    rows = frame_rows(pd.concat([frame()] * 20, ignore_index=True))
    path = write_workbook(
        tmp_path / "two.xlsx", {"Older": [["a", "b"], [1, 2], [3, 4]], "Cases": rows}
    )
    verb = ["evaluate", str(path), "--outcome", "y", "--score", "gbm=p_gbm"]
    assert main(verb) == 2
    assert "sheet" in capsys.readouterr().err
    assert main([*verb, "--read", "sheet=Cases"]) == 0
    assert main([*verb, "--read", "tab=Cases"]) == 2
    assert "no reading option" in capsys.readouterr().err


def test_names_that_occur_again_are_numbered_in_scripts_and_verbs(tmp_path, capsys):
    path = tmp_path / "cases.csv"
    rows = [f"{n % 2},{0.2 + 0.5 * (n % 2)},{n / 100}" for n in range(60)]
    path.write_text("\n".join(["y,p,p", *rows]), "utf-8")
    with pytest.raises(payoff.PayoffError, match="rename_repeated=True"):
        payoff.read(path)
    assert payoff.read(path, rename_repeated=True).column_names == ["y", "p", "p_2"]
    verb = ["evaluate", str(path), "--outcome", "y", "--score", "second=p_2"]
    assert main(verb) == 2
    assert "--read rename_repeated=yes" in capsys.readouterr().err
    assert main([*verb, "--read", "rename_repeated=yes"]) == 0
    assert main([*verb, "--read", "rename_repeated=maybe"]) == 2


@pytest.mark.parametrize("ending", ["csv", "parquet", "xlsx"])
def test_a_table_is_written_and_read_back(tmp_path, ending):
    out = tmp_path / f"out.{ending}"
    cases = pd.DataFrame({"t": ["=1+1", "x", "-y"], "v": [1.5, -2.0, np.nan]})
    payoff.write_table(cases, out)
    assert payoff.read(out).to_pydict() == {"t": ["=1+1", "x", "-y"], "v": [1.5, -2.0, None]}
