"""Another program's model in a document: it scores and is explained; ours leave as ONNX."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import lightgbm
import numpy as np
import onnxruntime
import pandas as pd
import pytest

from core.document.commands import AddTrainedModel
from core.document.data.model import RowUse
from core.document.model import Document
from core.document.studies.models import ExportOnnxArguments, ImportModelArguments
from core.engine.jobs.models.model_files import UNKNOWN_ROWS
from core.engine.local import LocalEngine
from core.questions.compare import CompareModels
from core.questions.explain import Explain
from payoff.errors import PayoffError
from tests.helpers.factories.scored import write_csv
from tests.helpers.factories.training import INPUTS, load, raw_columns, raw_document


@pytest.fixture(scope="module")
def table() -> pd.DataFrame:
    found = pd.DataFrame(raw_columns(rows=600))
    found["income"] = found["income"].astype(float)
    found["region"] = found["region"].astype("category")
    return found


@pytest.fixture(scope="module")
def raw(engine: LocalEngine, tmp_path_factory: pytest.TempPathFactory) -> Any:
    path = tmp_path_factory.mktemp("raw") / "raw.csv"
    return load(engine, write_csv(path, raw_columns(rows=600)))


def write_model(table: pd.DataFrame, path: Path, **more: Any) -> Any:
    given = {"objective": "binary", "verbose": -1, "num_leaves": 6, "num_threads": 1, **more}
    y = (table["answer"] == "yes").astype(float)
    if given["objective"] == "multiclass":
        y = table["class"].map({"high": 0.0, "low": 1.0, "middle": 2.0})
    columns = table[list(more.pop("columns", INPUTS))]
    given.pop("columns", None)
    booster = lightgbm.train(given, lightgbm.Dataset(columns, y), 12)
    booster.save_model(path)
    return booster


def imported(engine: LocalEngine, document: Document, path: Path) -> tuple[Document, Any]:
    arguments = ImportModelArguments(document=document, path=str(path), name="light")
    found = engine.run("import_model", arguments)
    return AddTrainedModel(model=found.model).apply(document), found


def test_it_scores_is_judged_and_explained(
    engine: LocalEngine, raw: Any, table: pd.DataFrame, tmp_path: Path
) -> None:
    booster = write_model(table, tmp_path / "light.txt")
    document, found = imported(engine, raw_document(raw), tmp_path / "light.txt")
    assert (found.program, found.model.program) == ("LightGBM", "LightGBM")
    assert found.notes == ("The model's 1 is taken for 'yes'.", UNKNOWN_ROWS)
    assert found.model.features == INPUTS
    document = replace(document, rows_used=RowUse.TEST)
    result = engine.ask(document, CompareModels(resamples=50))
    area = next(cell for cell in result.cells if cell.metric.endswith("auc"))
    test = table[table["use"] == "test"]
    probability = booster.predict(test[list(INPUTS)])
    happened = (test["answer"] == "yes").to_numpy()
    pairs = probability[happened][:, None] - probability[~happened]
    wanted = (pairs > 0).mean() + 0.5 * (pairs == 0).mean()
    assert area.estimate.value == pytest.approx(wanted, abs=1e-12)
    reported = engine.ask(document, Explain(model="light", columns=("region",), shuffles=True))
    assert {entry.column for entry in reported.influence} == set(INPUTS)
    assert reported.curves[0].levels == ("north", "south", "west")
    rise = {entry.column: entry.shuffled for entry in reported.influence}
    assert rise["age"] > 0.01  # on its own numbers of levels and classes, else it is noise


def test_classes_of_several_and_columns_of_other_names(
    engine: LocalEngine, raw: Any, table: pd.DataFrame, tmp_path: Path
) -> None:
    write_model(table, tmp_path / "three.txt", objective="multiclass", num_class=3)
    document, found = imported(engine, raw_document(raw, "class"), tmp_path / "three.txt")
    assert "high, low, middle" in found.notes[0]
    result = engine.ask(document, CompareModels(resamples=50))
    shown = {cell.metric: cell.estimate.value for cell in result.cells}
    accuracy = next(value for name, value in shown.items() if name.endswith("accuracy"))
    assert accuracy > 0.5  # of three classes taken for each other it would be below a third
    other = table.rename(columns={"age": "Age"})
    write_model(other, tmp_path / "names.txt", columns=("Age", "income", "region"))
    with pytest.raises(PayoffError, match="no column 'Age'"):
        imported(engine, raw_document(raw), tmp_path / "names.txt")


def test_what_does_not_fit_is_refused(
    engine: LocalEngine, raw: Any, table: pd.DataFrame, tmp_path: Path
) -> None:
    path = tmp_path / "light.txt"
    write_model(table, path)
    for document, words in (
        (raw_document(raw, "amount"), "'amount' is a number"),
        (replace(raw_document(raw), target=None), "No column is named"),
        (raw_document(raw, "class"), "2 classes apart"),
    ):
        with pytest.raises(PayoffError, match=words):
            imported(engine, document, path)
    path.write_text("not a model")
    with pytest.raises(PayoffError, match="no model of LightGBM or XGBoost"):
        imported(engine, raw_document(raw), path)


def test_a_model_leaves_as_onnx(
    engine: LocalEngine, raw: Any, table: pd.DataFrame, tmp_path: Path
) -> None:
    booster = write_model(table, tmp_path / "light.txt")
    document, _ = imported(engine, raw_document(raw), tmp_path / "light.txt")
    out = tmp_path / "light.onnx"
    arguments = ExportOnnxArguments(document=document, model="light", path=str(out))
    assert engine.run("export_onnx", arguments).trees == 12
    session = onnxruntime.InferenceSession(out, providers=["CPUExecutionProvider"])
    fed = {name: table[[name]].to_numpy(float) for name in INPUTS if name != "region"}
    fed["region"] = table[["region"]].astype(object).to_numpy()
    (probability,) = session.run(["prediction"], fed)
    wanted = booster.predict(table[list(INPUTS)])
    np.testing.assert_allclose(probability[:, 0], wanted, rtol=1e-12)
