"""The export folder: its code scores as the program does, and its check finds what does not."""

import json
import sqlite3
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import pytest

from core.boosting import InputColumn, Inputs, check_export, export_model
from payoff import PayoffError
from tests.helpers.factories.boosting import cases_for, train
from tests.helpers.factories.rules import expected_rows

KINDS = {
    "gaussian": {},
    "bernoulli": {"missing": "third_child"},
    "adaboost": {"gbm_compatible": True},
    "poisson": {"missing": "third_child"},
    "multinomial": {},
}


def inputs_with_ranks(rows=400):
    """Numbers, levels with quotes and signs, and ranks; a fifth of all missing."""
    random = np.random.default_rng(3)
    columns = (
        InputColumn(name='a "big" number'),
        InputColumn(name="town", levels=("O'Hara", "=SUM(1)", "12", "Zürich")),
        InputColumn(name="grade", levels=("low", "mid", "high"), is_ordered=True),
    )
    arrays = [random.normal(size=rows), random.integers(0, 4, rows), random.integers(0, 3, rows)]
    arrays = [np.where(random.random(rows) < 0.2, np.nan, array) for array in arrays]
    return Inputs(columns, tuple(arrays))


def small_model(distribution="bernoulli", **settings):
    cases = cases_for(distribution, rows=400)
    model = train(
        distribution,
        replace(cases, inputs=inputs_with_ranks()),
        **({"min_cases_in_node": 3, "n_trees": 70} | settings),
    )
    if model.n_scores > 1:
        model = replace(model, classes=("a", "b", "c"))
    return model


def written(folder, distribution="bernoulli", **settings):
    model = small_model(distribution, **settings)
    export_model(model, inputs_with_ranks(), folder)
    return model


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("handed") / "over"
    written(place)
    return place


def scored_in_sqlite(folder, target):
    """Load the rows as the contract says, run the SQL, write what comes out."""
    contract = json.loads((folder / "contract.json").read_text("utf-8"))
    rows = expected_rows(folder)
    names = [contract["key"], *(column["name"] for column in contract["inputs"])]
    types = {column["name"]: column["type"] for column in contract["inputs"]}
    quoted = [f'"{name}"'.replace('a "big"', 'a ""big""') for name in names]
    kinds = ["INTEGER", *("REAL" if types[name] == "number" else "TEXT" for name in names[1:])]
    with sqlite3.connect(":memory:") as base:
        columns = ", ".join(f"{name} {kind}" for name, kind in zip(quoted, kinds, strict=True))
        base.execute(f"CREATE TABLE cases ({columns})")
        marks = ", ".join("?" * len(names))
        values = [[row[name] or None for name in names] for row in rows]
        base.executemany(f"INSERT INTO cases VALUES ({marks})", values)
        table = pd.read_sql((folder / "score.sql").read_text("utf-8"), base)
    base.close()
    table.sample(frac=1, random_state=1).to_csv(target, index=False)
    return table


def scored_in_python(folder, target):
    """A bare interpreter: isolated, without site-packages."""
    command = [sys.executable, "-I", "-S", str(folder / "score.py")]
    done = subprocess.run(
        [*command, str(folder / "expected.csv"), str(target)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("distribution", KINDS)
@pytest.mark.parametrize("score", [scored_in_sqlite, scored_in_python])
def test_code_agrees_to_twelve_digits(tmp_path, distribution, score):
    model = written(tmp_path / "over", distribution, **KINDS[distribution])
    score(tmp_path / "over", tmp_path / "out.csv")
    found = check_export(tmp_path / "out.csv", tmp_path / "over", tolerance=1e-12)
    assert found.sentences[0].startswith("All 200 rows agree")
    assert found.agrees
    assert found.not_compared == ()
    assert len(found.columns) == 2 * model.n_scores


def test_duckdb_agrees(folder, tmp_path):
    base = duckdb.connect()
    names = {"row": "INTEGER", 'a "big" number': "DOUBLE", "town": "VARCHAR", "grade": "VARCHAR"}
    columns = ", ".join(
        f"'{name}': '{kind}'"
        for name, kind in (
            names | {"score": "DOUBLE", "prediction": "DOUBLE", "example": "VARCHAR"}
        ).items()
    )
    base.execute(
        f"CREATE TABLE cases AS SELECT * FROM read_csv('{folder / 'expected.csv'}', "
        f"columns={{{columns}}})"
    )
    base.execute(folder.joinpath("score.sql").read_text("utf-8")).df().to_csv(
        tmp_path / "out.csv", index=False
    )
    assert check_export(tmp_path / "out.csv", folder, tolerance=1e-12).agrees


def test_the_folder_says_what_it_needs(folder):
    assert sorted(path.name for path in folder.iterdir()) == [
        "README.txt",
        "contract.json",
        "expected.csv",
        "score.py",
        "score.sql",
    ]
    contract = json.loads((folder / "contract.json").read_text("utf-8"))
    number, town, grade = contract["inputs"]
    assert number["type"] == "number"
    assert number["is_used"]  # what is not need not be filled in
    assert number["seen_from"] < 0 < number["seen_to"]
    assert town["levels"] == ["O'Hara", "=SUM(1)", "12", "Zürich"]
    assert grade["type"] == "ordered level"
    assert contract["missing"]["policy"] == "learned_side"
    assert [item["name"] for item in contract["outputs"]] == ["score", "prediction"]
    text = (folder / "README.txt").read_text("utf-8")
    assert "payoff verify-export" in text
    assert "town" in text  # one of its levels looks like a formula
    notes = {row["example"] for row in expected_rows(folder)}
    assert "town has an unknown level" in notes
    assert "grade is missing" in notes
    assert 'a "big" number is exactly at a threshold' in notes


def test_expected_results_are_the_program_s(tmp_path):
    model = written(tmp_path, "poisson")
    rows = expected_rows(tmp_path)
    assert len(rows) == 200
    columns = model.columns
    codes = [
        [
            np.nan
            if not row[c.name]
            else float(row[c.name])
            if not c.levels
            else float(c.levels.index(row[c.name]))
            if row[c.name] in c.levels
            else -1.0
            for row in rows
        ]
        for c in columns
    ]
    inputs = Inputs(columns, tuple(np.array(values) for values in codes))
    np.testing.assert_array_equal(
        model.response(inputs)[0], [float(row["prediction"]) for row in rows]
    )


@pytest.mark.parametrize("rows", [1, 7, 120, 3000])
def test_there_are_always_two_hundred_rows(tmp_path, rows):
    random = np.random.default_rng(1)
    x = Inputs((InputColumn(name="x"),), (random.normal(size=rows),))
    cases = cases_for("gaussian", rows=400)
    model = train(cases=replace(cases, inputs=Inputs(x.columns, (random.normal(size=400),))))
    export_model(model, x, tmp_path)
    assert len(expected_rows(tmp_path)) == 200


@pytest.mark.parametrize("deepest", [0, 1, 6])
def test_deep_trees_are_flat_in_sql(tmp_path, monkeypatch, deepest):
    monkeypatch.setattr("core.boosting.export.code_forms.DEEPEST_IN_SQL", deepest)
    written(tmp_path / "over", missing="third_child", interaction_depth=40, n_trees=5)
    scored_in_sqlite(tmp_path / "over", tmp_path / "out.csv")
    assert check_export(tmp_path / "out.csv", tmp_path / "over", tolerance=1e-12).agrees


def test_a_long_and_deep_model_is_still_sql(tmp_path):
    """Every split cuts one case off, so that trees are chains of 30 splits and more."""
    cases = replace(cases_for("gaussian", rows=400), outcome=np.exp(np.arange(400) / 4.0))
    for order in (1, -1):
        inputs = Inputs((InputColumn(name="x"),), (np.arange(400.0)[::order],))
        model = train(
            cases=replace(cases, inputs=inputs),
            n_trees=120,
            interaction_depth=60,
            min_cases_in_node=1,
        )
        export_model(model, inputs, tmp_path / "over")
        contract = json.loads((tmp_path / "over" / "contract.json").read_text("utf-8"))
        assert contract["model"]["trees"] == 120
        rows = expected_rows(tmp_path / "over")
        with sqlite3.connect(":memory:") as base:
            base.execute('CREATE TABLE cases ("row" INTEGER, x REAL)')
            base.executemany(
                "INSERT INTO cases VALUES (?, ?)", [(r["row"], r["x"] or None) for r in rows]
            )
            found = base.execute((tmp_path / "over" / "score.sql").read_text("utf-8")).fetchall()
        base.close()
        wanted = np.array([float(row["score"]) for row in rows])
        # Steps of size 1e43 cancel to scores of 1e35 here: sums in another order show it.
        np.testing.assert_allclose([row[1] for row in found], wanted, rtol=1e-11)


def test_a_response_without_a_formula_is_left_out(tmp_path):
    def cube(score, parameters, out, start, stop):
        out[:, start:stop] = score[:, start:stop] ** 3

    model = small_model("gaussian")
    strange = replace(model, distribution=replace(model.distribution, response=cube))
    export_model(strange, inputs_with_ranks(), tmp_path / "over")
    for score in (scored_in_sqlite, scored_in_python):
        score(tmp_path / "over", tmp_path / "out.csv")
        found = check_export(tmp_path / "out.csv", tmp_path / "over", tolerance=1e-12)
        assert found.agrees
        assert found.columns == ("score",)


def test_deep_trees_are_parted_into_functions(tmp_path, monkeypatch):
    monkeypatch.setattr("core.boosting.export.code_forms.DEEPEST_IN_PYTHON", 2)
    written(tmp_path / "over", missing="third_child", interaction_depth=12, n_trees=5)
    scored_in_python(tmp_path / "over", tmp_path / "out.csv")
    source = (tmp_path / "over" / "score.py").read_text("utf-8")
    assert "def _tree_0_" in source
    assert max(len(line) - len(line.lstrip()) for line in source.splitlines()) <= 16
    assert check_export(tmp_path / "out.csv", tmp_path / "over", tolerance=1e-12).agrees


# ---------------------------------------------------------------- what the check finds


def output(folder, tmp_path, change):
    """The expected results as another system's output, changed."""
    table = pd.read_csv(folder / "expected.csv")[["row", "score", "prediction", "example"]]
    table = change(table)
    table.to_csv(tmp_path / "out.csv", index=False)
    return tmp_path / "out.csv"


def test_a_system_that_sees_missing_values_as_zero(folder, tmp_path):
    def change(table):
        table.loc[table.example == "town is missing", "score"] += 0.25
        table.loc[3, "score"] -= 1.5
        return table.drop(columns=["prediction", "example"])

    found = check_export(output(folder, tmp_path, change), folder)
    assert not found.agrees
    assert found.columns == ("score",)
    assert found.not_compared == ("prediction",)
    assert found.largest_difference == pytest.approx(1.5)
    first, worst = found.differences[0], found.worst
    assert first.row == worst.row == 4
    assert worst.difference == pytest.approx(-1.5)
    for word in ("out.csv", "line 5", "data row 4", "column score", "value"):
        assert word in first.where
    assert list(found.examples) == ["town is missing", "a case of the data"]
    assert found.differing_rows == 1 + found.examples["town is missing"]
    text = "\n".join(found.sentences)
    assert "Worst" in text
    assert "town is missing" in text


def test_missing_results_and_missing_rows_differ(folder, tmp_path):
    def change(table):
        table.loc[10, "prediction"] = np.nan
        return table.drop(index=[0, 1])

    found = check_export(output(folder, tmp_path, change), folder)
    assert found.absent_rows == (1, 2)
    assert found.differing_rows == 1
    assert found.largest_difference == np.inf
    assert found.differences[0].row == 11


def test_tolerance_and_other_names(folder, tmp_path):
    def change(table):
        table["p"] = table.prediction + 1e-6
        return table[["p"]]

    path = output(folder, tmp_path, change)
    wide = check_export(path, folder, columns={"prediction": "p"}, tolerance=1e-5)
    assert wide.agrees
    assert wide.matched_by == "order"
    assert not check_export(path, folder, columns={"prediction": "p"}).agrees


def rename(table):
    return table.rename(columns={"score": "s", "prediction": "p"})


@pytest.mark.parametrize(
    ("change", "match"),
    [
        (lambda table: table.drop(columns="row").head(50), "50 rows.*row"),
        (rename, "none of the results"),
        (lambda table: table.assign(row=table.row + 1), "not expected.*line 201.*column row"),
        (lambda table: table.assign(row=table.row.where(table.row != 2, 1)), "twice.*line 3"),
        (
            lambda table: table.assign(score=table.score.astype(str).where(table.row != 9, "x9")),
            "line 10.*column score.*x9",
        ),
    ],
)
def test_what_cannot_be_compared_is_refused(folder, tmp_path, change, match):
    with pytest.raises(PayoffError, match=match):
        check_export(output(folder, tmp_path, change), folder)


def test_a_changed_hand_over_is_refused(tmp_path):
    written(tmp_path)
    path = tmp_path / "expected.csv"
    path.write_text(path.read_text("utf-8").replace("0.", "0,", 1), encoding="utf-8")
    with pytest.raises(PayoffError, match="not those that were written"):
        check_export(path, tmp_path)
    with pytest.raises(PayoffError, match="no export here"):
        check_export(path, tmp_path / "nowhere")


def test_other_files_are_never_mixed_in(tmp_path):
    Path(tmp_path / "letter.txt").write_text("keep", encoding="utf-8")
    with pytest.raises(PayoffError, match="other files"):
        written(tmp_path)
    written(tmp_path / "new")
    written(tmp_path / "new", "poisson")  # an earlier export is replaced
    assert '"poisson"' in (tmp_path / "new" / "contract.json").read_text("utf-8")


def test_an_input_named_as_the_key_or_a_result(tmp_path):
    columns = tuple(
        replace(c, name=n)
        for c, n in zip(inputs_with_ranks().columns, ("row", "example", "x"), strict=True)
    )
    model = replace(small_model(), columns=columns)
    export_model(model, Inputs(columns, inputs_with_ranks().arrays), tmp_path)
    contract = json.loads((tmp_path / "contract.json").read_text("utf-8"))
    assert contract["key"] == "row_"
    assert contract["expected"]["note"] == "example_"
    columns = (replace(columns[0], name="score"), *columns[1:])
    with pytest.raises(PayoffError, match="input called 'score'"):
        export_model(
            replace(model, columns=columns), Inputs(columns, inputs_with_ranks().arrays), tmp_path
        )
