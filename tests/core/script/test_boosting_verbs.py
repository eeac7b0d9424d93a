"""payoff boost, predict, export, verify-export: from a file to scores elsewhere."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import lightgbm
import numpy as np
import pandas as pd
import pytest

import main
import payoff
from core.document.commands import AddTrainedModel
from core.document.files.project import Headline, save_project
from core.engine.local import LocalEngine
from core.engine.messages import TrainArguments
from tests.core.script import boost_cases
from tests.helpers.factories.scored import write_csv
from tests.helpers.factories.training import load, raw_columns, raw_document, settings

INPUTS = "age,income,region,noise"
TRAIN = (
    "--target",
    "answer",
    "--distribution",
    "bernoulli",
    "--inputs",
    INPUTS,
    "--trees",
    25,
    "--depth",
    3,
)


@pytest.fixture(scope="module")
def raw(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("raw")
    return Path(write_csv(folder / "raw.csv", raw_columns(rows=600)))


@pytest.fixture(scope="module")
def model(raw: Path) -> Path:
    path = raw.parent / "answer.payoffmodel"
    assert (
        main.main(
            [
                str(a)
                for a in ("boost", raw, *TRAIN, "--out", path, "--json", raw.parent / "boost.json")
            ]
        )
        == 0
    )
    return path


def run(capsys: pytest.CaptureFixture[str], *arguments: object, code: int = 0) -> tuple[Any, str]:
    found = main.main([str(argument) for argument in arguments])
    captured = capsys.readouterr()
    assert found == code, captured.err
    return json.loads(captured.out), captured.err


def test_training_tells_how_far_it_is_and_what_came_out(
    raw: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "m"
    more = ("--train-fraction", 0.7, "--cv-folds", 3, "--choose", "test", "--weight", "weight")
    answer, reported = run(capsys, "boost", "--data", raw, *TRAIN, *more, "--out", out)
    assert answer["file"] == str(out) + ".payoffmodel"
    assert (answer["training_rows"], answer["judging_rows"]) == (420, 180)
    assert answer["classes"] == ["no", "yes"]
    assert sum(answer["relative_influence"].values()) == pytest.approx(100.0)
    assert answer["roles"] == {"target": "answer", "weight": "weight"}
    assert "tree 25 of 25, training deviance" in reported
    assert "judging deviance" in reported
    trained = payoff.load_model(answer["file"])
    assert trained.n_trees == answer["trees"] == int(np.argmin(trained.valid_deviance)) + 1


def test_the_verb_trains_what_the_function_trains(model: Path, raw: Path) -> None:
    trained = payoff.boost(
        raw,
        target="answer",
        distribution="bernoulli",
        features=INPUTS.split(","),
        n_trees=25,
        interaction_depth=3,
    )
    np.testing.assert_array_equal(payoff.load_model(model).predict(raw), trained.predict(raw))


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_scoring_a_file(
    model: Path, raw: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], suffix: str
) -> None:
    new = raw_columns(rows=80, seed=9)
    new["region"][3] = "moon"
    source = write_csv(tmp_path / "new.csv", {n: new[n] for n in ("case_id", *INPUTS.split(","))})
    out = tmp_path / f"scored.{suffix}"
    more = ("--kind", "both", "--keep", "case_id", "--trees", 20)
    answer, reported = run(capsys, "predict", model, source, "--out", out, *more)
    written = pd.read_csv(out) if suffix == "csv" else pd.read_parquet(out)
    assert list(written.columns) == ["row", "case_id", "score", "prediction"]
    assert list(written.row) == list(range(1, 81))
    probability = payoff.load_model(model).predict(source, kind="response", n_trees=20)
    np.testing.assert_allclose(written.prediction, probability, rtol=1e-15)
    assert answer["means"]["prediction"] == pytest.approx(probability.mean())
    assert answer["unknown_levels"] == {"region": {"moon": 1}}
    assert "moon" in reported


def test_several_classes_and_an_offset(
    raw: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, out = tmp_path / "m.payoffmodel", tmp_path / "s.csv"
    common = ("--inputs", INPUTS, "--trees", 5, "--out", path)
    run(capsys, "boost", raw, "--target", "class", "--distribution", "multinomial", *common)
    run(capsys, "predict", path, raw, "--out", out)
    written = pd.read_csv(out)
    assert list(written.columns) == [
        "row",
        "prediction_high",
        "prediction_low",
        "prediction_middle",
    ]
    np.testing.assert_allclose(written.iloc[:, 1:].sum(axis=1), 1.0)
    count = ("--target", "count", "--distribution", "poisson", "--offset", "amount")
    run(capsys, "boost", raw, *count, *common)
    _, reported = run(capsys, "predict", path, raw, "--out", out, "--kind", "link")
    assert "--add-offset" in reported
    plain = pd.read_csv(out).score
    run(capsys, "predict", path, raw, "--out", out, "--kind", "link", "--add-offset")
    np.testing.assert_allclose(pd.read_csv(out).score - plain, pd.read_csv(raw).amount, rtol=1e-9)


def test_a_project_trains_its_model_anew(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    engine = LocalEngine()
    document = raw_document(load(engine, write_csv(tmp_path / "raw.csv", raw_columns(rows=600))))
    result = engine.run("train", TrainArguments(document=document, settings=settings(n_trees=30)))
    document = AddTrainedModel(model=result.model).apply(document)
    project = save_project(tmp_path / "p", document, Headline(), engine.workbench.model_store)
    out = tmp_path / "again.payoffmodel"
    answer, reported = run(capsys, "boost", "--project", project, "--model", "trees", "--out", out)
    assert answer["training_rows"] == 300
    assert answer["judging_rows"] == 150
    assert answer["trees"] == result.model.trees_used
    assert "Growing" in reported or "Reading" in reported
    shelved = payoff.load_model(engine.workbench.model_store.path(result.model.model_hash))
    np.testing.assert_array_equal(
        payoff.load_model(out).predict(tmp_path / "raw.csv"),
        shelved.predict(tmp_path / "raw.csv", n_trees=result.model.trees_used),
    )
    more = ("--trees", 5, "--distribution", "adaboost", "--inputs", "age,region")
    answer, _ = run(capsys, "boost", "--project", project, *more, "--out", out)
    assert answer["distribution"] == "adaboost"
    assert list(answer["relative_influence"]) == ["age", "region"]
    more = ("--trees", 5, "--max-depth", 1, "--column-fraction", 0.5, "--gbm-compatible")
    run(capsys, "boost", "--project", project, *more, "--out", out)
    grown = payoff.load_model(out).boosted.settings
    assert (grown.max_depth, grown.column_fraction, grown.gbm_compatible) == (1, 0.5, True)


def test_a_project_names_the_columns_of_survival(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table, requested = boost_cases.make_table(), boost_cases.COX
    model = payoff.boost(table, **requested, entry="entry", strata="clinic", n_trees=4)
    data = tmp_path / "times.csv"
    table.to_csv(data, index=False)
    project = payoff.new_project(data, guess=False)
    project.set_target(column="time", kind="interval")
    project.set_split(shares=[1.0, 0.0, 0.0], in_order=True)
    path = project.save(tmp_path / "times.payoff")
    columns = ("--event", "event", "--entry", "entry", "--strata", "clinic")
    inputs = ("--inputs", ",".join(requested["features"]), "--distribution", "coxph", "--seed", 0)
    same = ("--trees", 4, "--depth", 1, "--shrinkage", 0.1)
    out = tmp_path / "m.payoffmodel"
    run(capsys, "boost", "--project", path, *columns, *inputs, *same, "--out", out)
    again = payoff.load_model(out)
    assert again.roles == model.roles
    np.testing.assert_array_equal(again.predict(table), model.predict(table))
    hazard = again.baseline_hazard(data=table)
    assert set(hazard.stratum) == {"north", "south"}


def test_a_hand_over_and_its_check(
    model: Path, raw: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "over"
    answer, _ = run(capsys, "export", model, raw, "--out", folder)
    assert "score.sql" in answer["files"]
    table = pd.read_csv(folder / "expected.csv")[["row", "score"]]
    good, bad = tmp_path / "good.csv", tmp_path / "bad.csv"
    table.to_csv(good, index=False)
    table.assign(score=table.score.where(table.row != 9, 0.5)).to_csv(bad, index=False)
    answer, reported = run(capsys, "verify-export", good, "--folder", folder)
    assert answer["agrees"]
    assert "All 200 rows agree in score" in reported
    assert "prediction" in reported  # said not to be compared
    answer, reported = run(capsys, "verify-export", bad, "--folder", folder, code=3)
    assert answer["differing_rows"] == 1
    assert answer["differences"][0]["row"] == 9
    assert "bad.csv, line 10, data row 9, column score, value '0.5'" in reported
    wide = ("--tolerance", 100, "--column", "prediction=score")
    run(capsys, "verify-export", bad, "--folder", folder, *wide)


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("boost", "--out", "m"), "--data"),
        (("boost", "RAW", "--out", "m"), "--target"),
        (("boost", "RAW", "--target", "answer", "--out", "m"), "--distribution"),
        (("boost", "nowhere.csv", *TRAIN, "--out", "m"), "nowhere.csv"),
        (("boost", "RAW", *TRAIN, "--out", "no/such/folder/m"), "no/such/folder"),
        (("boost", "RAW", *TRAIN, "--out", "m", "--monotone", "age=up"), "--monotone up"),
        (("boost", "RAW", *TRAIN, "--out", "m", "--param", "alpha"), "="),
        (("boost", "RAW", *TRAIN, "--out", "m", "--param", "alpha=1"), "alpha"),
        (("boost", "RAW", *TRAIN, "--out", "m", "--choose", "cv"), "Train with --cv-folds 5."),
        (("boost", "RAW", *TRAIN, "--project", "p", "--out", "m"), "--data does not go"),
        (("boost", "--project", "nowhere.payoff", "--out", "m"), "nowhere.payoff"),
        (("predict", "nowhere.payoffmodel", "RAW", "--out", "s.csv"), "nowhere.payoffmodel"),
        (("predict", "RAW", "RAW", "--out", "s.csv"), "no model"),
        (("predict", "MODEL", "RAW", "--out", "RAW"), "overwrite the data"),
        (("predict", "MODEL", "RAW", "--out", "s.csv", "--keep", "nothing"), "nothing"),
        (("predict", "MODEL", "RAW", "--out", "s.csv", "--trees", "99"), "99 trees"),
        (("predict", "MODEL", "RAW", "--out", "s.csv", "--add-offset"), "without an offset"),
        (("predict", "MODEL", "MODEL", "--out", "s.csv"), "answer.payoffmodel"),
        (("export", "MODEL", "RAW", "--out", "FOLDER"), "other files"),
        (("verify-export", "RAW"), "no export"),
    ],
)
def test_refusals_are_one_line_and_exit_code_2(
    arguments: tuple[object, ...],
    named: str,
    raw: Path,
    model: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    places = {"RAW": raw, "MODEL": model, "FOLDER": raw.parent}
    code = main.main([str(places.get(str(entry), entry)) for entry in arguments])
    captured = capsys.readouterr()
    assert code == 2, captured.err
    assert captured.out == ""
    assert named in captured.err
    assert "Traceback" not in captured.err
    assert not list(tmp_path.iterdir())  # nothing half done is left


def columns(**changes: Any) -> dict[str, Any]:
    found = raw_columns(rows=200)
    found["time"] = np.abs(found["amount"]) + 0.1
    found["seen"] = np.ones(200, dtype=int)
    return found | changes


def at(values: Any, row: int, value: object) -> list[Any]:
    changed = list(values)
    changed[row - 1] = value
    return changed


BASE = columns()
COX = ("--target", "time", "--distribution", "coxph", "--event", "seen")
COUNT = ("--target", "count", "--distribution", "poisson")
YES = ("--target", "answer", "--distribution", "bernoulli")


@pytest.mark.parametrize(
    ("changes", "options", "named"),
    [
        ({"answer": ["yes"] * 200}, YES, ("always 'yes'", "column answer", "2 classes")),
        ({"count": at(BASE["count"], 120, -1)}, COUNT, ("-1", "line 121", "column count")),
        ({"time": at(BASE["time"], 40, -2.0)}, COX, ("-2", "line 41", "column time")),
        ({"time": at(BASE["time"], 7, 0.0)}, COX, ("line 8", "column time", "end at 0")),
        ({"seen": [0] * 200}, COX, ("All cases are censored", "column seen")),
        ({"seen": [1, 2] * 100}, COX, ("mark is 2", "line 3", "column seen", "take 1")),
        ({"seen": at(BASE["seen"], 5, None)}, COX, ("missing", "line 6", "column seen")),
        (
            {"entry": at([0.0] * 200, 9, 1e6)},
            (*COX, "--entry", "entry"),
            ("enters at 1e+06", "line 10", "column entry"),
        ),
        (
            {"weight": at(BASE["weight"], 8, -3)},
            (*YES, "--weight", "weight"),
            ("-3", "line 9", "column weight"),
        ),
        ({"answer": at(BASE["answer"], 3, None)}, YES, ("missing", "line 4", "column answer")),
        (
            {"age": [1.0] * 200, "noise": [None] * 200},
            (*YES, "--inputs", "age,noise"),
            ("age, noise",),
        ),
        ({}, (*YES, "--min-cases", "60"), ("200 training rows", "bag_fraction 0.5")),
        ({}, (*COUNT, "--inputs", "count,age"), ("'count' cannot be an input",)),
    ],
)
def test_bad_input_is_named_with_column_and_row(
    changes: dict[str, Any],
    options: tuple[str, ...],
    named: tuple[str, ...],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    source = write_csv(tmp_path / "raw.csv", columns(**changes))
    shown = () if "--inputs" in options else ("--inputs", "age,income,region")
    out = tmp_path / "m.payoffmodel"
    code = main.main(
        [str(a) for a in ("boost", source, *options, *shown, "--out", out, "--trees", 3)]
    )
    captured = capsys.readouterr()
    assert code == 2, captured.err
    for word in named:
        assert word in captured.err
    assert not out.exists()


def test_useless_inputs_beside_others_are_warned_of(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    changed = columns(noise=[None] * 200, income=[5.0] * 200, count=np.arange(200) / 2)
    source = write_csv(tmp_path / "raw.csv", changed)
    answer, reported = run(
        capsys, "boost", source, *COUNT, "--inputs", INPUTS, "--trees", 3, "--out", tmp_path / "m"
    )
    assert answer["warnings"] == [
        "The input 'income' is the same in every training row.",
        "The input 'noise' is missing in every training row.",
        "100 counts are no whole numbers, the first in row 2: 0.5.",
    ]
    assert all(warning in reported for warning in answer["warnings"])


def test_a_model_of_another_program_comes_in_and_leaves_as_onnx(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    draw = np.random.default_rng(2)
    table = pd.DataFrame({"a": draw.normal(size=200), "b": draw.normal(size=200)})
    data = lightgbm.Dataset(table, table["a"] > 0)
    theirs = lightgbm.train({"objective": "binary", "verbose": -1, "num_threads": 1}, data, 5)
    theirs.save_model(tmp_path / "light.txt")
    out = tmp_path / "light.payoffmodel"
    words = ("--classes", "no,yes", "--column", "a=age", "--out", out)
    answer, _ = run(capsys, "import-model", tmp_path / "light.txt", *words)
    assert (answer["distribution"], answer["trees"]) == ("bernoulli", 5)
    assert (answer["classes"], answer["inputs"]) == (["no", "yes"], ["age", "b"])
    ours = payoff.load_model(out).predict(table.rename(columns={"a": "age"}), kind="response")
    np.testing.assert_allclose(ours, theirs.predict(table))
    answer, _ = run(capsys, "export-onnx", out, "--out", tmp_path / "light.onnx")
    assert Path(answer["file"]).stat().st_size > 500
    (tmp_path / "light.txt").write_text("tree\n")
    assert main.main(["import-model", str(tmp_path / "light.txt"), "--out", str(out)]) == 2
    assert "light.txt" in capsys.readouterr().err
