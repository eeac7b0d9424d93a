"""A project with a trained model, without a window: run, decide new raw rows, save again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import main
import payoff
from core.document.commands import AddTrainedModel
from core.document.files.project import Headline, read_project, save_project
from core.engine.local import LocalEngine
from core.engine.messages import TrainArguments
from tests.helpers.factories.scored import write_csv
from tests.helpers.factories.training import load, raw_columns, raw_document, settings


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project file made by an engine that is then gone."""
    folder = tmp_path_factory.mktemp("trained")
    engine = LocalEngine()
    document = raw_document(load(engine, write_csv(folder / "raw.csv", raw_columns())))
    result = engine.run("train", TrainArguments(document=document, settings=settings(n_trees=30)))
    document = AddTrainedModel(model=result.model).apply(document)
    return save_project(folder / "spring", document, Headline(), engine.workbench.model_store)


def new_rows(folder: Path) -> str:
    columns = raw_columns(rows=150, seed=8)
    return write_csv(
        folder / "new.csv",
        {name: columns[name] for name in ("case_id", "age", "income", "region", "noise")},
    )


def test_payoff_run_judges_the_trained_model(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = main.main(["run", str(project)])
    captured = capsys.readouterr()
    assert code == 0, captured.err
    assert '"trees"' in captured.out
    assert json.loads(captured.out)


def test_new_raw_rows_are_decided(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    new, out = new_rows(tmp_path), tmp_path / "decided.csv"
    arguments = ["decide", "--project", str(project), "--data", new, "--out", str(out)]
    code = main.main(arguments)
    captured = capsys.readouterr()
    assert code == 0, captured.err
    assert json.loads(captured.out)["cases"] == 150
    assert len(out.read_text("utf-8").splitlines()) == 151


def test_a_script_applies_and_saves_again(project: Path, tmp_path: Path) -> None:
    opened = payoff.open_project(project)
    decided = payoff.apply(opened, new_rows(tmp_path))
    missing = [income is None for income in raw_columns(rows=150, seed=8)["income"]]
    assert decided.table["_WARN_"].tolist() == ["M" if lacks else "" for lacks in missing]
    assert len(decided.table) == 150
    copy = opened.save(tmp_path / "copy.payoff")
    assert read_project(copy).models.keys() == read_project(project).models.keys()
    assert opened.decide().models[0].model == "trees"
