"""A project as a script: run on the same data, it makes the same project and the same numbers."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from dataclasses import dataclass, fields, is_dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import main
import payoff
from core.document.commands import AddTrainedModel, Command, SetExperimentSpec, SetRole, SetRoles
from core.document.experiments.spec import ExperimentSpec
from core.document.files.project import read_project
from core.document.model import Document, Role, RoleAssignment
from core.document.scripts.form import text_of
from core.document.scripts.script import commands_of, script_of
from core.questions.experiments import RunExperiment
from core.script.projects import Project
from payoff.errors import PayoffError
from payoff.records import (
    CalibrationSpec,
    CostSpec,
    DataRecipe,
    DerivedColumn,
    FileRef,
    JoinSpec,
    MetricChoice,
    NumberRef,
    NumberSetting,
    RowsSpec,
)
from tests.helpers.factories.questions import timeless
from tests.helpers.factories.scored import write_csv
from tests.helpers.factories.training import INPUTS, raw_columns

QUOTES = 'it\'s "5"\\n'
"""A column's name with all that a text in a script must be written with care for."""


def differences(first: Any, second: Any, where: str = "") -> list[str]:
    """Where two answers differ, clocks aside."""
    if where.endswith("seconds"):
        return []
    if is_dataclass(first) and type(first) is type(second):
        pairs = [
            (f".{f.name}", getattr(first, f.name), getattr(second, f.name)) for f in fields(first)
        ]
    elif isinstance(first, np.ndarray):
        is_same = np.array_equal(first, second, equal_nan=first.dtype.kind == "f")
        return [] if is_same else [where]
    elif isinstance(first, tuple | list) and len(first) == len(second):
        pairs = [(f"[{i}]", *both) for i, both in enumerate(zip(first, second, strict=True))]
    elif isinstance(first, float) and math.isnan(first):
        return [] if math.isnan(second) else [where]
    else:
        return [] if first == second else [f"{where}: {first!r}, {second!r}"]
    return [line for name, one, other in pairs for line in differences(one, other, where + name)]


def said(document: Document) -> str:
    """All that a person said in a document."""
    return text_of(document).text


def made_by(text: str) -> Project:
    """The project that a script makes; what it would print is left out."""
    lines = [line for line in text.splitlines() if not line.startswith("print(")]
    names: dict[str, Any] = {}
    exec("\n".join(lines), names)
    project: Project = names["project"]
    return project


# ---------------------------------------------------------------- documents


def lost_in(document: Document) -> tuple[str, ...]:
    """Prices that follow a matrix which left with its outcome are the one thing not said."""
    if document.matrix is not None or not document.uplift.follows_matrix:
        return ()
    lines = ("There is no decision matrix to take prices from.", "uplift")
    return tuple(f"not said by this script: {line!r}" for line in lines)


def without_following(document: Document) -> Document:
    """The document where prices follow no matrix that is not there."""
    if document.matrix is not None:
        return document
    return replace(document, uplift=replace(document.uplift, follows_matrix=False))


@pytest.fixture(scope="module")
def scored(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Scores, points, an experiment and costs, under names that are hard to write."""
    random = np.random.default_rng(3)
    rows = 300
    happened = random.random(rows) < 0.4
    columns = {
        "id": range(rows),
        "bought": ["yes" if event else "no" for event in happened],
        "p_a": np.round(np.clip(0.3 * happened + random.random(rows) * 0.6, 0, 1), 3),
        "p_b": np.round(random.random(rows), 3),
        "points": random.integers(0, 900, rows),
        "amount": np.round(random.gamma(2.0, 30.0, rows), 2),
        "letter cost": np.round(0.4 + random.random(rows), 2),
        "offer": [("mail", "none")[row % 2] for row in range(rows)],
        "weight": random.integers(1, 4, rows),
    }
    path = Path(write_csv(tmp_path_factory.mktemp("it's") / 'say "scored".csv', columns))
    path.write_text(path.read_text("utf-8").replace("points", '"it\'s ""5""\\n"', 1), "utf-8")
    return str(path)


Step = Command | tuple[str, dict[str, Any]]


def column_steps() -> list[Step]:
    """Names, and what the columns are."""
    return [
        ("describe", {"currency": "'$'", "case_word": ['custo"mer', "customers\n"]}),
        ("describe", {"name": "'''; import os", "seed": 7}),
        SetRole(
            assignment=RoleAssignment(column="p_a", role=Role.POSTERIOR, model="A'", level="yes")
        ),
        SetRole(
            assignment=RoleAssignment(column="p_b", role=Role.POSTERIOR, model="b", level="yes")
        ),
        SetRole(
            assignment=RoleAssignment(
                column=QUOTES, role=Role.SCORE, model="pt\n", is_reversed=True
            )
        ),
        SetRoles(role=Role.WEIGHT, columns=("weight",)),
        ("set_weight_kind", {"column": "weight", "kind": "sampling"}),
        ("set_target", {"column": "bought", "kind": "binary", "levels": ["yes", "no"]}),
        ("set_target", {"column": "bought", "kind": "binary", "levels": ["no", "yes"]}),
    ]


def row_steps() -> list[Step]:
    """Which rows are for what."""
    return [
        ("set_split", {"shares": [0.5, 0.2, 0.3], "seed": 5}),
        ("set_row_filter", {"where": f'[{QUOTES}] > 10 and offer <> "it\'s"'}),
        ("set_rows_used", {"rows_used": "test"}),
        ("set_rows_used", {"rows_used": "all"}),
        ("set_missing_outcomes", {"missing_outcomes": "leave_out"}),
        ("set_shared_ids", {"shared_ids": "leave_out"}),
    ]


def model_steps() -> list[Step]:
    """What is said of models."""
    return [
        ("rename_model", {"model": "A'", "name": '"""'}),
        ("set_reference_model", {"model": "b"}),
        ("choose_model", {"model": "pt\n", "metric": "auc"}),
        ("set_old_priors", {"model": "b", "kind": "trained_at", "shares": {"yes": 0.1, "no": 0.9}}),
    ]


def matrix_steps() -> list[Step]:
    """What decisions earn and cost."""
    return [
        (
            "set_matrix",
            {
                "template": "payoff.profit",
                "kind": "profit",
                "levels": ["yes", "no"],
                "decisions": ["Mail", "No\\'"],
                "cells": [[9.5, 0], [-1, 0]],
                "acting": "Mail",
                "do_nothing": "No\\'",
            },
        ),
        ("add_decision", {"decision": "Call\n"}),
        ("edit_cell", {"level": "yes", "decision": "Mail", "value": 0.1 + 0.2}),
        ("add_parameter", {"name": "margin", "value": 1e-17}),
        ("set_formula", {"level": "yes", "decision": "Mail", "text": "=margin * 3"}),
        ("set_matrix_kind", {"kind": "loss"}),
        ("set_amount", {"column": "amount"}),
        (
            "set_costs",
            {"costs": [CostSpec(column="letter cost"), CostSpec(), CostSpec(amount=0.1)]},
        ),
    ]


def sensitivity_steps() -> list[Step]:
    """Priors, scenarios, and what follows a name that changes."""
    number = NumberRef(kind="cell", level="yes", decision="Mail")
    return [
        ("set_priors", {"priors": {"yes": 0.05, "no": 0.95}}),
        ("set_prior_range", {"low": 0.9, "high": 0.97}),
        ("add_scenario", {"name": "h'i", "settings": [NumberSetting(number=number, value=3.0)]}),
        ("rename_decision", {"decision": "Mail", "name": "Le't"}),
        ("set_basis", {"model": "b", "basis": {"leaf": "offer"}}),
        ("remove_model", {"model": "b"}),
    ]


def page_steps() -> list[Step]:
    """What pages Decide and Compare show."""
    return [
        ("set_chart_mode", {"mode": "firm"}),
        ("move_cursor", {"depth": 1 / 3}),
        ("set_metrics", {"metrics": [MetricChoice(metric="lift_at", parameters={"depth": 0.1})]}),
        ("set_charts", {"charts": ["gains", "roc"]}),
        ("set_convention", {"convention": "sas_em"}),
    ]


def uplift_steps() -> list[Step]:
    """A treatment and what it brings."""
    return [
        SetRoles(role=Role.IGNORED, columns=("amount", "p_b")),
        ("set_treatment", {"treatment": "offer", "treated": "mail", "control": "none"}),
        ("set_uplift_outcome", {"outcome": "amount"}),
        ("set_missing_uplift_outcomes", {"missing_outcomes": "leave_out"}),
        ("set_propensity", {"column": "p_a", "clip": 0.05}),
        ("set_true_effect", {"column": "amount", "control": "p_b"}),
        ("set_drawn_by_lot", {"drawn_by_lot": True, "planned_share": 0.5}),
        ("set_uplift_price", {"name": "value", "amount": 12.5}),
        ("follow_matrix", {"follows_matrix": True}),
        ("set_most_cases", {"most_cases": 40}),
        ("set_nu", {"nu": "area"}),
        ("set_uplift_metrics", {"metrics": ["plain_uplift"]}),
    ]


def report_steps() -> list[Step]:
    """An experiment, another outcome, and the report."""
    return [
        ("set_experiment", {"protocol": "sepsis", "mean": [0.5], "covariance": [[1, 0], [0, 1]]}),
        ("set_target", {"column": "amount", "kind": "interval"}),
        ("put_on_report", {"kind": "metrics", "note": 'a\n"""\nb'}),
        ("put_on_report", {"kind": "gains"}),
        ("write_on_report", {"kind": "gains", "caption": "'); #", "note": "\\"}),
        ("move_on_report", {"kind": "gains", "place": 0}),
    ]


def steps() -> list[Step]:
    """What a person may do to it, in any order; what cannot be done then is refused."""
    return [
        *column_steps(),
        *row_steps(),
        *model_steps(),
        *matrix_steps(),
        *sensitivity_steps(),
        *page_steps(),
        *uplift_steps(),
        *report_steps(),
    ]


@pytest.mark.parametrize("guess", [True, False])
@given(orders=st.lists(st.integers(0, len(steps()) - 1), max_size=30))
@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_the_script_of_whatever_was_done_makes_the_same_document(
    scored: str, guess: bool, orders: list[int]
) -> None:
    project, known = payoff.new_project(scored, guess=guess), steps()
    for order in orders:
        step = known[order % len(known)]
        try:
            if isinstance(step, tuple):
                getattr(project, step[0])(**step[1])
            else:
                project.apply(step)
        except PayoffError:
            continue
    script = project.script()
    assert script.notes == lost_in(project.document)
    again = made_by(script.text)
    assert said(without_following(again.document)) == said(without_following(project.document))
    assert (
        again.script().text
        == "\n".join(
            line for line in script.text.splitlines(keepends=False) if not line.startswith("# Note")
        )
        + "\n"
    )
    printed = [command.to_script() for command in commands_of(project.document).commands]
    assert len(printed) == len(set(printed))


def test_all_steps_in_their_order_are_taken(scored: str) -> None:
    """The steps above are no empty words: in their order nearly all of them change something."""
    project, refused = payoff.new_project(scored), []
    for step in steps():
        try:
            getattr(project, step[0])(**step[1]) if isinstance(step, tuple) else project.apply(step)
        except PayoffError as refusal:
            refused.append(str(refusal))
    assert refused == []
    script = project.script()
    assert lost_in(project.document) == script.notes
    again = made_by(script.text).document
    assert said(without_following(again)) == said(without_following(project.document))


# ---------------------------------------------------------------- numbers


def files(folder: Path) -> tuple[str, DataRecipe]:
    """Raw data in two files, and columns beside them."""
    first, second = raw_columns(rows=900), raw_columns(rows=400, seed=9)
    for columns in (first, second):
        rows = len(columns["answer"])
        del columns["use"]
        columns["offer"] = [("mail", "none")[row % 2] for row in range(rows)]
        columns["case_id"] = [f"{rows}-{row}" for row in range(rows)]
    ids = [*first["case_id"], *second["case_id"]]
    beside = {"key": ids, "cost": [0.5 + (row % 5) / 10 for row in range(len(ids))]}
    paths = [
        write_csv(folder / name, columns)
        for name, columns in (("a.csv", first), ("b.csv", second), ("beside.csv", beside))
    ]
    recipe = DataRecipe(
        own_use="train",
        rows=(RowsSpec(file=FileRef(path=paths[1]), use="test"),),
        joins=(
            JoinSpec(
                file=FileRef(path=paths[2]), keys={"case_id": "key"}, columns={"cost": "cost"}
            ),
        ),
        derived=(DerivedColumn(name="per year", text="income / age"),),
    )
    return paths[0], recipe


@pytest.fixture(scope="module")
def rich(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Joined and derived columns, filters, changed money, models, chances, an experiment."""
    folder = tmp_path_factory.mktemp("rich")
    path, recipe = files(folder)
    project = payoff.new_project(path, recipe=recipe)
    project.set_role("answer", role="target")
    project.set_target("answer", kind="binary", levels=["yes", "no"])
    project.set_roles("ignored", columns=["class", "amount", "count", "weight"])
    project.set_row_filter("age < 75")
    project.set_matrix(
        "payoff.profit",
        kind="profit",
        levels=["yes", "no"],
        decisions=["Act", "Wait"],
        cells=[[8, 0], [-2, 0]],
        acting="Act",
        do_nothing="Wait",
        costs=[CostSpec(column="cost"), CostSpec()],
    )
    usual = {
        "distribution": "bernoulli",
        "target": "answer",
        "features": [*INPUTS, "per year"],
        "n_trees": 15,
        "stop_rows": [],
        "patience": 0,
    }
    project.train("plain", **usual)
    project.train("money", **{**usual, "distribution": "expected_profit"})
    project.edit_cell("yes", decision="Act", value=3)
    project.set_priors({"yes": 0.2, "no": 0.8})
    project.set_row_filter("age < 70")
    for name, arm in (("mail", "mail"), ("none", "none")):
        project.train(name, **usual, only=["offer", arm])
    project.add_uplift_model("two", kind="two_models", parts=["mail", "none"])
    project.set_treatment("offer", treated="mail", control="none")
    project.set_uplift_price("value", amount=10)
    project.set_calibration("plain", calibration=CalibrationSpec(method="logistic", rows="test"))
    project.set_rows_used("test")
    return project.save(folder / "rich.payoff")


def test_the_script_gives_the_numbers_to_the_last_digit(
    rich: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main.main(["script", str(rich)]) == 0
    text = capsys.readouterr().out
    kept, again = payoff.open_project(rich), made_by(text)
    assert said(again.document) == said(kept.document)
    trained = {e.name: e.trained and e.trained.model_hash for e in kept.document.models}
    assert trained == {e.name: e.trained and e.trained.model_hash for e in again.document.models}
    assert differences(kept.evaluate(50), again.evaluate(50)) == []
    assert differences(kept.decide(), again.decide()) == []
    assert differences(kept.uplift(), again.uplift()) == []
    assert text.count("project.set_matrix(") == 2  # that the loss learned from, and the present one


def test_another_process_prints_the_same_tables(rich: Path, tmp_path: Path) -> None:
    out = tmp_path / "rich.py"
    assert main.main(["script", str(rich), "--out", str(out), "--safe-mode"]) == 0
    done = subprocess.run(
        [sys.executable, str(out)], capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stderr
    kept = payoff.open_project(rich)
    for table in (kept.metrics(), kept.totals(), kept.uplift_areas()):
        assert table.to_string() in done.stdout


def test_a_model_that_cannot_be_trained_again_is_taken_from_the_file(rich: Path) -> None:
    document = read_project(rich).document
    assert document.data is not None
    old = tuple(
        replace(entry, trained=entry.trained and replace(entry.trained, data_hash="before"))
        if entry.name == "plain"
        else entry
        for entry in document.models
    )
    document = replace(document, models=old)
    with pytest.raises(PayoffError, match="'plain' cannot be trained again"):
        script_of(document)
    text = script_of(document, project=str(rich)).text
    assert f"project.take_model({str(rich)!r}, model='plain')" in text
    assert text.count("project.train(") == 3
    again = made_by(text)
    chosen = again.document.trained_model("plain")
    kept = read_project(rich).document.trained_model("plain")
    assert chosen is not None
    assert kept is not None
    assert chosen.model_hash == kept.model_hash


def test_chances_fitted_to_other_data_stay_as_they_are(rich: Path) -> None:
    document = read_project(rich).document
    other = tuple(
        replace(
            entry, calibration=entry.calibration and replace(entry.calibration, data_hash="before")
        )
        for entry in document.models
    )
    text = script_of(replace(document, models=other)).text
    assert "maps=[CalibrationMap(slope=" in text
    (again,) = (e.calibration for e in made_by(text).document.models if e.calibration is not None)
    (kept,) = (e.calibration for e in document.models if e.calibration is not None)
    assert again.maps == kept.maps


def test_a_training_that_was_stopped_by_hand_is_as_long_again(rich: Path) -> None:
    document = read_project(rich).document
    trained = document.trained_model("plain")
    assert trained is not None
    stopped = AddTrainedModel(model=replace(trained, n_trees=500)).apply(document)
    script = script_of(stopped)
    assert script.notes == (
        "the model 'plain' was stopped by hand after 15 trees. So many are trained again.",
    )
    assert f"# Note: {script.notes[0]}" in script.text
    assert "n_trees=500" not in script.text


@dataclass(frozen=True, slots=True, kw_only=True)
class BreakEven:
    """A question, as any record can be one."""

    number: Any = None
    most: float | None = None


def test_a_question_stands_at_the_end_with_the_records_that_it_needs(rich: Path) -> None:
    document = read_project(rich).document
    text = script_of(document, BreakEven(number=NumberRef(kind="prior"), most=2.0)).text
    last = (
        "print(project.ask(payoff.questions.BreakEven(number=NumberRef(kind='prior'), most=2.0)))"
    )
    assert text.splitlines()[-1] == last
    assert "    NumberRef,\n" in text or "NumberRef" in text.split("import ")[2].split("\n")[0]
    assert "project.totals" not in text
    only = script_of(document, page="uplift").text
    assert [line for line in only.splitlines() if line.startswith("print(")] == [
        "print(project.uplift_areas().to_string())"
    ]


# ---------------------------------------------------------------- refusals, files


def test_files_that_are_not_there_are_refused_in_words(
    rich: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = payoff.open_project(rich).script().text
    for name in ("a.csv", "b.csv", "beside.csv"):
        gone = text.replace(name, f"not-{name}")
        with pytest.raises(PayoffError, match=f"not-{name}"):
            made_by(gone)
    alone = tmp_path / "alone.payoff"
    document = read_project(rich).document
    assert document.data is not None
    lost = replace(document, data=replace(document.data, path=str(tmp_path / "gone.csv")))
    project = payoff.open_project(rich)
    project.history.reset(lost)
    project.save(alone)
    assert main.main(["script", str(alone)]) == 0
    said_ = capsys.readouterr()
    assert "data file is not there" in said_.err
    assert "gone.csv" in said_.out


def test_a_script_is_not_written_over_what_it_comes_from(
    rich: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = read_project(rich).document.data
    assert data is not None
    for path in (rich, Path(data.path), Path(data.recipe.files[0].path)):
        before = path.read_bytes()
        assert main.main(["script", str(rich), "--out", str(path)]) == 2
        assert path.read_bytes() == before
    assert main.main(["script", str(rich.with_name("none.payoff"))]) == 2
    assert "could not be opened" in capsys.readouterr().err


def test_a_project_without_data_has_a_script_that_answers_alike(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spec = ExperimentSpec(protocol="sepsis", synthetic_rows=100, systems=1, splits=2)
    project = payoff.new_project(name="made up", guess=False)
    project.apply(SetExperimentSpec(experiment=spec))
    path = project.save(tmp_path / "made.payoff")
    assert main.main(["script", str(path)]) == 0
    described = capsys.readouterr()
    assert described.err == ""
    space: dict[str, Any] = {}
    exec(described.out, space)
    assert space["project"].document == project.document
    question = RunExperiment()
    answers = [timeless(entry.ask(question)) for entry in (project, space["project"])]
    assert answers[0] == answers[1]
    with pytest.raises(PayoffError, match="and no file"):
        payoff.new_project(sheet="Spring")


def test_data_that_no_file_holds_have_no_script() -> None:
    data = payoff.evaluate({"y": [1, 0, 1, 0], "p": [0.9, 0.2, 0.6, 0.4]}, outcome="y", scores="p")
    with pytest.raises(PayoffError, match="no file holds them"):
        script_of(data.document)


def test_a_new_project_has_to_be_given_a_file(scored: str, tmp_path: Path) -> None:
    project = payoff.new_project(scored, name="new")
    with pytest.raises(PayoffError, match="has no file yet"):
        project.save()
    path = project.save(tmp_path / "new.payoff")
    assert payoff.open_project(path).document == project.document


def test_the_verb_writes_a_file_and_says_so(
    rich: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "say.py"
    assert main.main(["script", str(rich), "--out", str(out)]) == 0
    assert json.loads(capsys.readouterr().out) == {"file": str(out), "notes": []}
    assert out.read_text("utf-8") == payoff.open_project(rich).script().text
