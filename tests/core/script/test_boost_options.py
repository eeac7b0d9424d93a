"""The options of ``payoff boost`` are the fields of its request, of which none is forgotten."""

from __future__ import annotations

import argparse
import json
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import main
import payoff
from core.document.model import TrainedModel
from core.questions.catalogue import Explain
from core.script.boost.document import SETTINGS, model_settings
from core.script.boost.request import BoostRequest
from core.script.command_line.arguments import verb_parser
from core.script.command_line.boosting_verbs import train_in_project
from core.script.options import flag_of, given_options, options_of
from tests.helpers.factories.scored import write_csv
from tests.helpers.factories.training import raw_columns

GIVEN: dict[str, tuple[list[str], object]] = {
    "target": (["answer"], "answer"),
    "distribution": (["bernoulli"], "bernoulli"),
    "distribution_params": (
        ["alpha=0.9", "--param", "ties=efron"],
        {"alpha": 0.9, "ties": "efron"},
    ),
    "features": (["age, income"], ["age", "income"]),
    "n_trees": (["7"], 7),
    "interaction_depth": (["3"], 3),
    "shrinkage": (["0.2"], 0.2),
    "min_cases_in_node": (["4"], 4),
    "bag_fraction": (["0.7"], 0.7),
    "train_fraction": (["0.8"], 0.8),
    "cv_folds": (["3"], 3),
    "decision": (['{"matrix": {"1": [10, 0]}}'], {"matrix": {"1": [10, 0]}}),
    "monotone": (["age=rising", "--monotone", "income=-1"], {"age": 1, "income": -1}),
    "interactions": (
        ["age,income", "--interactions", "region"],
        [["age", "income"], ["region"]],
    ),
    "levels": (["region=north,south"], {"region": ["north", "south"]}),
    "missing": (["third_child"], "third_child"),
    "max_bins": (["31"], 31),
    "max_depth": (["2"], 2),
    "column_fraction": (["0.5"], 0.5),
    "l2": (["1.5"], 1.5),
    "level_penalty": (["0.5"], 0.5),
    "bag_groups": ([], True),
    "precision": (["histogram"], "histogram"),
    "gbm_compatible": ([], True),
    "early_stopping": (["9"], 9),
    "seed": (["11"], 11),
    "threads": (["1"], 1),
    "rows": (["age > 30"], "age > 30"),
} | {
    role: ([role], role)
    for role in (
        *("weight", "offset", "group", "event", "entry", "strata", "upper"),
        *("treatment", "propensity"),
    )
}


def parsed_with(*arguments: str) -> argparse.Namespace:
    return verb_parser().parse_args(["boost", "--out", "m", *arguments])


def test_every_field_of_the_request_has_an_option_or_a_reason() -> None:
    for item in fields(BoostRequest):
        has_option = "option" in item.metadata
        reason = item.metadata.get("no_option", "")
        assert has_option != bool(reason), f"{item.name}: an option, or why there is none"
    assert set(GIVEN) == {item.name for item, _ in options_of(BoostRequest)}


@pytest.mark.parametrize("name", list(GIVEN))
def test_an_option_gives_its_field(name: str) -> None:
    (item,) = [entry for entry, _ in options_of(BoostRequest) if entry.name == name]
    words, value = GIVEN[name]
    assert given_options(parsed_with(flag_of(item), *words), BoostRequest) == {name: value}


def test_what_is_not_given_is_left_to_the_function() -> None:
    assert given_options(parsed_with(), BoostRequest) == {}
    assert given_options(parsed_with("--no-bag-groups"), BoostRequest) == {"bag_groups": False}


def test_settings_of_a_project_are_fields_of_its_model() -> None:
    known = {item.name for item in fields(TrainedModel)}
    given = {name: value for name, (_, value) in GIVEN.items() if name in SETTINGS}
    held = model_settings(given)
    assert set(held) <= known
    assert len(held) == len(given)
    assert TrainedModel(name="m", target="t", **held).interactions == (
        ("age", "income"),
        ("region",),
    )


def run(*arguments: object) -> int:
    return main.main([str(argument) for argument in arguments])


@pytest.fixture(scope="module")
def raw(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("raw")
    return Path(write_csv(folder / "raw.csv", raw_columns(rows=400)))


LESS = ("--inputs", "age,income,region", "--trees", 5, "--depth", 3)
MORE = ("--interactions", "age,income", "--interactions", "region", "--precision", "histogram")


def test_the_verb_hands_every_option_on(raw: Path, tmp_path: Path) -> None:
    out = tmp_path / "m.payoffmodel"
    data = ("boost", raw, "--target", "answer", "--distribution", "bernoulli", *LESS, *MORE)
    assert run(*data, "--rows", "age > 30", "--out", out, "--json", tmp_path / "a.json") == 0
    requested: dict[str, Any] = {
        "target": "answer",
        "distribution": "bernoulli",
        "features": ["age", "income", "region"],
        "n_trees": 5,
        "interaction_depth": 3,
        "interactions": [["age", "income"], ["region"]],
        "precision": "histogram",
        "rows": "age > 30",
    }
    trained = payoff.boost(raw, **requested)
    np.testing.assert_array_equal(payoff.load_model(out).predict(raw), trained.predict(raw))
    free = payoff.boost(raw, **requested | {"interactions": ()})
    assert (free.predict(raw) != trained.predict(raw)).any()


def test_terms_of_a_decision_are_read_or_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "terms.json"
    terms = {"matrix": {"yes": [15, 0], "no": [-2, 0]}}
    path.write_text(json.dumps(terms), "utf-8")
    assert given_options(parsed_with("--decision", str(path)), BoostRequest)["decision"] == terms
    for wrong in ("{matrix", "nowhere.json"):
        named = ("boost", "raw.csv", "--target", "y", "--distribution", "expected_profit")
        assert run(*named, "--decision", wrong, "--out", tmp_path / "m") == 2
        assert wrong in capsys.readouterr().err


def project_of(raw: Path) -> Any:
    project = payoff.new_project(raw, guess=False)
    project.set_target(column="answer", kind="binary", levels=["yes", "no"])
    project.set_split(shares=[0.6, 0.4, 0.0], in_order=True)
    for name in ("age", "income", "region"):
        project.set_role(column=name, role="input")
    return project


def test_a_model_of_a_project_keeps_its_document(raw: Path) -> None:
    project = project_of(raw)
    changes = {"distribution": "bernoulli", "n_trees": 5, "interaction_depth": 3, "patience": 0}
    model = train_in_project(project, None, changes)
    entry = model.document.trained_model("trees")
    assert entry is not None
    assert (entry.trees, entry.interaction_depth) == (model.n_trees, 3)
    question = Explain(model="trees")
    found = model.ask(question)
    project.train(
        name="trees",
        target="answer",
        features=["age", "income", "region"],
        distribution="bernoulli",
        n_trees=5,
        interaction_depth=3,
        patience=0,
    )
    requested = project.ask(question)
    assert repr(found.influence) == repr(requested.influence)
    assert model.source.rows == 400


@pytest.mark.parametrize("flag", ["--target", "--levels", "--rows", "--threads", "--ordered"])
def test_what_is_the_projects_own_is_refused_beside_it(
    flag: str, raw: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    value = {"--threads": "1", "--levels": "a=b", "--ordered": "a=b"}.get(flag, "age")
    arguments = ("boost", "--project", "p.payoff", flag, value, "--out", tmp_path / "m")
    assert run(*arguments) == 2
    assert f"{flag} does not go with --project" in capsys.readouterr().err


def test_a_project_takes_settings_by_the_same_options(raw: Path, tmp_path: Path) -> None:
    path = project_of(raw).save(tmp_path / "p.payoff")
    out = tmp_path / "m.payoffmodel"
    words = ("--distribution", "bernoulli", *LESS, *MORE, "--no-bag-groups")
    assert run("boost", "--project", path, *words, "--out", out, "--json", tmp_path / "a") == 0
    document = train_in_project(
        payoff.open_project(path),
        None,
        {
            "distribution": "bernoulli",
            "n_trees": 5,
            "interaction_depth": 3,
            "interactions": (("age", "income"), ("region",)),
            "precision": "histogram",
            "bag_groups": False,
        },
    )
    table = pd.read_csv(raw)
    np.testing.assert_array_equal(payoff.load_model(out).predict(table), document.predict(table))
