"""Labels of statistics programs: words for codes and columns, while the codes stay the data."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pyreadstat
import pytest

import payoff
from core.data.roles.labelled import with_labels_of
from core.document.data.model import DataRef
from core.document.files.codec import from_plain, to_plain
from core.document.model import Role
from core.presentation.compare.rows import compared_groups
from core.presentation.data import code_words, column_facts
from core.presentation.labels import Labels
from core.questions.compare import Segments
from tests.helpers.factories.files import load

ROWS = 200
WRITE = {"sav": pyreadstat.write_sav, "dta": pyreadstat.write_dta}


def _write(folder, ending: str, *, names: dict[str, str], words: dict[str, dict[int, str]]):
    draw = np.random.default_rng(7)
    probability = np.round(draw.beta(1.2, 4.0, ROWS), 4)
    cases = pd.DataFrame(
        {
            "q1": np.where(draw.random(ROWS) < probability, 1, 2),
            "q2": probability,
            "q3": draw.integers(1, 4, ROWS),
        }
    )
    path = folder / f"survey.{ending}"
    WRITE[ending](cases, str(path), column_labels=names, variable_value_labels=words)
    return path


@pytest.mark.parametrize("ending", WRITE)
def test_codes_with_words_are_an_outcome_in_words(tmp_path, ending):
    path = _write(
        tmp_path,
        ending,
        names={"q1": "Loan defaulted", "q2": "Score scorecard", "q3": "Region of the branch"},
        words={"q1": {1: "Yes", 2: "No"}, "q3": {1: "North", 2: "South", 3: "East"}},
    )
    table = load(path)
    target = table.summary.target
    assert target is not None
    assert (target.column, target.levels, target.labels) == ("q1", ("1", "2"), ("Yes", "No"))
    assert target.label(target.event) == "Yes"
    assert table.kinds == {"q1": "integer", "q2": "number", "q3": "integer"}  # codes stay
    roles = {entry.column: entry for entry in table.summary.roles}
    assert (roles["q2"].role, roles["q2"].model, roles["q2"].level) == (
        Role.POSTERIOR,
        "scorecard",
        "1",
    )
    region = table.column_summary("q3")
    assert region.label == "Region of the branch"
    assert column_facts(region)[0] == ("In words", "Region of the branch")
    assert code_words(region, "2") == "South (2)"
    bare = tuple(replace(column, label="", value_labels=()) for column in table.summary.columns)
    assert with_labels_of(table.summary.columns, bare) == table.summary.columns


@pytest.mark.parametrize("ending", WRITE)
def test_words_for_some_codes_only_and_words_in_place_of_codes(tmp_path, ending):
    names = {"q1": "", "q2": "Probability of default", "q3": ""}
    path = _write(tmp_path, ending, names=names, words={"q1": {1: "Yes"}})
    target = load(path).summary.target
    assert target is not None
    assert (target.column, target.levels, target.labels) == ("q1", ("1", "2"), ())
    whole = _write(tmp_path, ending, names=names, words={"q1": {1: "Yes", 2: "No"}})
    shown = load(whole, use_labels=True)
    target = shown.summary.target
    assert target is not None
    assert (target.levels, target.labels) == (("Yes", "No"), ())
    assert shown.column_summary("q1").value_labels == ()


def test_words_of_codes_are_in_tables_and_charts_of_every_door(tmp_path):
    """The document keeps them, so that window, script and report say the same."""
    path = _write(
        tmp_path,
        "sav",
        names={"q1": "Loan defaulted", "q2": "Score scorecard", "q3": "Region"},
        words={"q1": {1: "Yes", 2: "No"}, "q3": {1: "North", 2: "South", 3: "East"}},
    )
    project = payoff.new_project(str(path))
    document = project.document
    assert dict(document.data.code_words)["q3"] == (("1", "North"), ("2", "South"), ("3", "East"))
    question = Segments(column="q3", groups=3)
    view = compared_groups(project.ask(question), Labels.of(document))
    names = {row[0].partition(" (")[0] for row in view.tables[0].rows}
    assert names == {"North", "South", "East", "all"}
    assert from_plain(DataRef, to_plain(document.data)) == document.data


def test_a_long_question_is_no_name(tmp_path):
    requested = (
        "How likely is it that you would recommend the bank and its default service to others"
    )
    path = _write(tmp_path, "sav", names={"q1": requested, "q2": "", "q3": ""}, words={})
    roles = {entry.column: entry.role for entry in load(path).summary.roles}
    assert roles["q1"] is Role.TARGET  # by its two values and the chances beside them
    assert load(path).column_summary("q1").label == requested


def test_labels_of_a_sas_transport_file_are_names_of_its_columns(tmp_path):
    """Words for codes are in a catalogue of SAS, which a transport file has none of."""
    draw = np.random.default_rng(7)
    probability = np.round(draw.beta(1.2, 4.0, ROWS), 4)
    cases = pd.DataFrame(
        {
            "Q1": np.where(draw.random(ROWS) < probability, 1.0, 2.0),
            "Q2": probability,
            "Q3": probability * 100,
        }
    )
    path = tmp_path / "survey.xpt"
    labels = ["Loan defaulted", "Score scorecard", "Income of the household"]
    pyreadstat.write_xport(cases, str(path), column_labels=labels)
    table = load(path)
    assert [column.label for column in table.summary.columns] == labels
    roles = {entry.column: entry for entry in table.summary.roles}
    assert roles["Q1"].role is Role.TARGET
    assert (roles["Q2"].role, roles["Q2"].model) == (Role.POSTERIOR, "scorecard")
    assert column_facts(table.column_summary("Q3"))[0] == ("In words", "Income of the household")


def test_a_label_says_no_more_than_the_name_that_a_program_writes(tmp_path):
    draw = np.random.default_rng(5)
    chance = np.round(draw.beta(1.2, 3.0, ROWS), 4)
    bought = (draw.random(ROWS) < chance).astype(float)
    cases = pd.DataFrame({"bought": bought, "PRE_1": chance, "RES_1": bought - chance})
    labels = ["Bought", "Predicted probability", "Observed minus predicted probability"]
    pyreadstat.write_sav(cases, str(tmp_path / "s.sav"), column_labels=labels)
    roles = {entry.column: entry.role for entry in load(tmp_path / "s.sav").summary.roles}
    assert (roles["PRE_1"], roles["RES_1"]) == (Role.POSTERIOR, Role.IGNORED)
