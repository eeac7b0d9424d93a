"""A rule handed over: SQL in SQLite, a bare Python and the SAS text decide as the program does."""

import json
import math
import sqlite3
import subprocess
import sys

import duckdb
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import payoff
from core.boosting import check_export
from core.decisions.rules.code_forms import (
    POSTGRES,
    SQLITE,
    RuleInputs,
    decided_by_rule,
    rule_parts,
    rule_to_python,
    rule_to_sas,
    rule_to_sql,
)
from core.decisions.rules.export import _result_formulas, write_rule_folder
from core.document.decisions.matrix_model import MatrixKind
from core.document.model import OldPriorKind
from payoff import PayoffError
from tests.core.decisions.sas_reader import run_step
from tests.helpers.factories.rules import (
    RULES,
    TRAINED,
    TWO,
    WHOLE,
    columns_for,
    expected_rows,
    rule,
    written,
)


def decided_in_sqlite(folder, target, parts):
    names = [parts.key, *parts.columns]
    quoted = ['"' + name.replace('"', '""') + '"' for name in names]
    with sqlite3.connect(":memory:") as base:
        base.execute(f"CREATE TABLE cases ({', '.join(f'{name} REAL' for name in quoted)})")
        values = [[row[name] or None for name in names] for row in expected_rows(folder)]
        base.executemany(f"INSERT INTO cases VALUES ({', '.join('?' * len(names))})", values)
        table = pd.read_sql((folder / "decide_sqlite.sql").read_text("utf-8"), base)
    base.close()
    table.sample(frac=1, random_state=1).to_csv(target, index=False)


def decided_in_python(folder, target, parts):
    """A bare interpreter: isolated, without site-packages."""
    command = [sys.executable, "-I", "-S", str(folder / "decide.py")]
    done = subprocess.run(
        [*command, str(folder / "expected.csv"), str(target)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def decided_in_sas(folder, target, parts):
    """The text of the DATA step, statement by statement."""
    source = (folder / "decide.sas").read_text("utf-8")
    rows = [
        {name: float(row[name]) if row[name] else math.nan for name in (parts.key, *parts.columns)}
        for row in expected_rows(folder)
    ]
    made = run_step(source, rows)
    assert set(made[0]) == {parts.key, *parts.columns, *parts.outputs}  # work is dropped
    table = pd.DataFrame(made)[[parts.key, *parts.outputs]]
    decision, _expected, warning = parts.outputs
    for name in (decision, warning):
        table[name] = table[name].str.strip()
    table.to_csv(target, index=False)


def decided_in_excel(folder, target, parts):
    """What the workbook shows of its cases before anything is changed."""
    table = payoff.read(folder / "decide.xlsx", sheet="Cases").to_pandas()
    last = len(parts.decisions)
    steps = payoff.read(folder / "decide.xlsx", sheet="Steps").to_pandas()
    decision, expected, _warning = parts.outputs
    is_decided = steps["mark"].isna()
    names = steps[f"choice {last}"].map(dict(enumerate(parts.decisions, start=1)))
    assert table[decision].where(is_decided).equals(names.where(is_decided))
    sign = -1.0 if parts.is_loss else 1.0
    best = (sign * steps[f"best {last}"]).where(is_decided).to_numpy()
    np.testing.assert_allclose(table[expected].to_numpy(float), best, rtol=1e-12, atol=1e-12)
    table[[parts.key, *parts.outputs]].to_csv(target, index=False)


@pytest.mark.every_nth(3)
@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize(
    "decide", [decided_in_sqlite, decided_in_python, decided_in_sas, decided_in_excel]
)
def test_every_language_decides_as_the_program(tmp_path, name, decide):
    parts = written(tmp_path / "over", name)
    decide(tmp_path / "over", tmp_path / "out.csv", parts)
    found = check_export(tmp_path / "out.csv", tmp_path / "over", tolerance=1e-12)
    assert found.agrees, found.sentences
    assert found.columns == parts.outputs
    assert found.largest_difference <= 1e-12


def test_duckdb_decides_as_the_program(tmp_path):
    for name in RULES:
        folder = tmp_path / name
        parts = written(folder, name)
        base = duckdb.connect()
        frame = pd.read_csv(folder / "expected.csv")[[parts.key, *parts.columns]]
        base.register("cases", frame)
        source = (folder / "decide_duckdb_postgresql.sql").read_text("utf-8")
        base.execute(source).df().to_csv(tmp_path / "out.csv", index=False)
        assert check_export(tmp_path / "out.csv", folder, tolerance=1e-12).agrees


def test_the_second_dialect_is_the_first_but_for_types_and_numbers():
    """Where neither database is at hand: the same steps, every number a double on purpose."""
    for made, inputs in RULES.values():
        parts = rule_parts(made, inputs)
        text = rule_to_sql(parts, POSTGRES)
        plain = text.replace("FLOAT8", "REAL").replace(POSTGRES.label, "")
        for number in set(_cast_numbers(plain)):
            plain = plain.replace(f"CAST('{number}' AS REAL)", number)
        assert plain == rule_to_sql(parts, SQLITE).replace(SQLITE.label, "")


def _cast_numbers(text):
    import re

    return re.findall(r"CAST\('([^']+)' AS REAL\)", text)


@pytest.mark.parametrize("name", RULES)
def test_expected_results_are_the_program_s(tmp_path, name):
    parts = written(tmp_path, name)
    rows = expected_rows(tmp_path)
    assert len(rows) == 200
    columns = {
        column: np.array([float(row[column]) if row[column] else math.nan for row in rows])
        for column in parts.columns
    }
    problem, cases = decided_by_rule(parts, columns)
    names = np.array([*problem.decisions, ""])
    decision, expected, warning = parts.outputs
    codes = np.minimum(cases.decision, len(problem.decisions))
    assert [row[decision] for row in rows] == names[codes].tolist()
    assert [row[warning] for row in rows] == cases.warnings.tolist()
    wanted = problem.sense * cases.expected
    found = [float(row[expected]) if row[expected] else math.nan for row in rows]
    np.testing.assert_array_equal(found, wanted)


def test_ties_and_what_cannot_be_decided_are_among_the_rows(tmp_path):
    parts = written(tmp_path, "costs")
    notes = {row["example"] for row in expected_rows(tmp_path)}
    assert "“Solicit” and “Ignore” are worth the same" in notes
    assert {"p is missing", "p is above 1", "p is negative"} <= notes
    assert {"certainly 1", "certainly 0"} <= notes
    assert "the cost of Solicit is missing" in notes
    marks = {row["_WARN_"] for row in expected_rows(tmp_path)}
    assert marks == {"", "P", "C"}
    by_note = {row["example"]: row for row in expected_rows(tmp_path)}
    tie = by_note["“Solicit” and “Ignore” are worth the same"]
    assert tie["D_y"] == "Solicit"  # the first of the matrix
    assert parts.decisions[0] == "Solicit"


def test_an_exact_tie_goes_to_the_first_decision_in_both_orders(tmp_path):
    """At p* the values differ by rounding only: without the tolerance one order would flip."""
    for turn in (1, -1):
        made = rule(
            decisions=("Solicit", "Ignore")[::turn],
            cells=tuple(row[::turn] for row in ((15.0, 0.0), (-1.5, 0.0))),
            **TRAINED,
        )
        folder = tmp_path / str(turn)
        write_rule_folder(made, TWO, columns_for(TWO), folder)
        ties = [row for row in expected_rows(folder) if "same" in row["example"]]
        near = [row for row in ties if "almost" not in row["example"]]
        assert near
        assert {row["D_y"] for row in near} == {made.decisions[0]}
        far = {row["D_y"] for row in ties if "almost" in row["example"]}
        assert far == {"Solicit", "Ignore"}


def test_a_wrong_decision_is_found_and_named(tmp_path):
    parts = written(tmp_path / "over", "corrected")
    out = tmp_path / "out.csv"
    decided_in_python(tmp_path / "over", out, parts)
    table = pd.read_csv(out, keep_default_na=False)
    row = int(np.flatnonzero(table["D_y"] == "Solicit")[0])
    table.loc[row, "D_y"] = "Ignore"
    table.to_csv(out, index=False)
    found = check_export(out, tmp_path / "over")
    assert not found.agrees
    assert found.differing_rows == 1
    (difference,) = found.differences
    assert (difference.expected, difference.found) == ("Solicit", "Ignore")
    assert "column D_y" in difference.where
    assert "Solicit" in found.sentences[1]


def test_the_folder_says_what_it_needs(tmp_path):
    parts = written(tmp_path, "costs")
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "README.txt",
        "contract.json",
        "decide.py",
        "decide.sas",
        "decide.xlsx",
        "decide_duckdb_postgresql.sql",
        "decide_sqlite.sql",
        "expected.csv",
    ]
    contract = json.loads((tmp_path / "contract.json").read_text("utf-8"))
    assert contract["what"] == "decision rule"
    assert [entry["name"] for entry in contract["inputs"]] == ["p", "letter", "rest"]
    assert contract["inputs"][1]["meaning"] == "the cost of 'Solicit' for the case"
    assert contract["inputs"][0]["seen_from"] > 0.0
    assert contract["ties"]["tolerance"] == 15.0 * 2.0**-41
    assert contract["correction"]["1"] == pytest.approx(0.05 / 0.24775018)
    assert [entry["type"] for entry in contract["outputs"]] == ["text", "number", "text"]
    text = (tmp_path / "README.txt").read_text("utf-8")
    assert "corrected to the priors here" in text
    assert "payoff verify-export" in text
    assert parts.costs == ((0, "letter"), (1, "rest"))


def test_a_second_writing_replaces_the_first_and_other_files_are_kept(tmp_path):
    written(tmp_path / "over", "promotion")
    written(tmp_path / "over", "loss")
    contract = json.loads((tmp_path / "over" / "contract.json").read_text("utf-8"))
    assert contract["outputs"][1]["name"] == "EL_y"
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "letter.txt").write_text("dear")
    with pytest.raises(PayoffError, match="holds other files"):
        written(tmp_path / "other", "promotion")


def test_refusals(tmp_path):
    with pytest.raises(PayoffError, match="do not fit the rule"):
        write_rule_folder(rule(), WHOLE, columns_for(WHOLE), tmp_path / "a")
    clash = RuleInputs(target="y", posteriors=(("1", "EP_y"), ("0", None)))
    with pytest.raises(PayoffError, match="EP_y"):
        write_rule_folder(rule(), clash, columns_for(clash), tmp_path / "b")
    with pytest.raises(PayoffError, match="no cases"):
        write_rule_folder(rule(), TWO, {"p": np.empty(0)}, tmp_path / "c")


def test_a_key_that_an_input_has_is_not_used(tmp_path):
    inputs = RuleInputs(target="y", posteriors=(("1", "row"), ("0", None)))
    write_rule_folder(rule(), inputs, columns_for(inputs), tmp_path)
    assert expected_rows(tmp_path)[0]["row_"] == "1"


@st.composite
def whole_rules(draw):
    """Small whole numbers and chances in sixteenths: ties are exact and many."""
    levels = draw(st.integers(2, 4))
    decisions = draw(st.integers(1, 5))
    cell = st.integers(-4, 4).map(float)
    cells = tuple(tuple(draw(cell) for _ in range(decisions)) for _ in range(levels))
    names = tuple(f"d{place}" for place in range(decisions))
    costs = tuple((name, f"k{place}") for place, name in enumerate(names) if draw(st.booleans()))
    share = st.tuples(*[st.sampled_from([0.25, 0.5, 1.0, 2.0])] * levels)
    priors = draw(st.none() | share)
    made = rule(
        levels=tuple(f"l{place}" for place in range(levels)),
        decisions=names,
        kind=draw(st.sampled_from(list(MatrixKind))),
        cells=cells,
        acting=names[0],
        do_nothing=None,
        cost_amounts=tuple(draw(cell) for _ in names),
        cost_columns=costs,
        priors=priors,
        old_kind=OldPriorKind.CORRECTED if priors is None else OldPriorKind.TRAINED_AT,
        old_priors=None if priors is None else draw(share),
    )
    inputs = RuleInputs(
        target="y",
        posteriors=tuple(
            (level, f"p{place}" if place or draw(st.booleans()) else None)
            for place, level in enumerate(made.levels)
        ),
    )
    return made, inputs


def sixteenths(parts, seed, rows=60):
    """Columns of chances k / 16 that add up to 1, and of costs 0 to 3."""
    random = np.random.default_rng(seed)
    counts = random.multinomial(16, np.ones(parts.levels) / parts.levels, rows).T
    made = {}
    for place, (_level, column) in enumerate(parts.inputs.posteriors):
        if column is not None:
            made[column] = counts[place] / 16.0
    return made | {column: random.integers(0, 4, rows) * 1.0 for _place, column in parts.costs}


@pytest.mark.parametrize("name", RULES)
def test_the_formula_of_what_is_expected_has_the_sign_of_what_is_written(tmp_path, name):
    """LibreOffice works it out in the long run; here the numbers beside it are those written."""
    parts = written(tmp_path, name)
    best = f"best {len(parts.decisions)}"
    steps = payoff.read(tmp_path / "decide.xlsx", sheet="Steps").to_pandas()
    shown = payoff.read(tmp_path / "decide.xlsx", sheet="Cases").to_pandas()[parts.outputs[1]]
    sign = -1.0 if "-Steps!" in _result_formulas(parts)[1] else 1.0
    known = shown.notna().to_numpy()
    assert known.any()
    np.testing.assert_allclose(shown[known], sign * steps[best][known], rtol=1e-12, atol=1e-12)


@settings(max_examples=60, deadline=None)
@given(whole_rules(), st.integers(0, 1000))
def test_ties_of_any_rule_are_broken_alike_in_every_language(chosen, seed):
    parts = rule_parts(*chosen)
    columns = sixteenths(parts, seed)
    problem, cases = decided_by_rule(parts, columns)
    names = np.array([*problem.decisions, None], dtype=object)
    wanted = names[np.minimum(cases.decision, len(problem.decisions))].tolist()
    amounts = (problem.sense * cases.expected).tolist()
    rows = [
        {name: float(columns[name][row]) for name in parts.columns} for row in range(len(wanted))
    ]
    module: dict = {"__name__": "decide"}
    exec(rule_to_python(parts), module)
    found = [module["decide"](case) for case in rows]
    assert [decision for decision, _amount, _mark in found] == wanted
    assert [amount for _decision, amount, _mark in found] == amounts
    steps = run_step(rule_to_sas(parts), rows)
    decision, expected, _warning = parts.outputs
    assert [row[decision] for row in steps] == wanted
    assert [row[expected] for row in steps] == amounts
    with sqlite3.connect(":memory:") as base:
        quoted = ", ".join(f'"{name}" REAL' for name in (parts.key, *parts.columns))
        base.execute(f"CREATE TABLE cases ({quoted})")
        marks = ", ".join("?" * (len(parts.columns) + 1))
        values = [(row, *case.values()) for row, case in enumerate(rows)]
        base.executemany(f"INSERT INTO cases VALUES ({marks})", values)
        answers = sorted(base.execute(rule_to_sql(parts, SQLITE)).fetchall())
    base.close()
    assert [answer[1] for answer in answers] == wanted
    assert [answer[2] for answer in answers] == amounts
