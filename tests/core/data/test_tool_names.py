"""Names that statistics programs write: a row per program and kind of name."""

from __future__ import annotations

import numpy as np
import pytest

from core import data
from core.data.roles.tool_names import Meaning, tool_name
from core.document.model import Role

ROWS = 200
YES_NO = ("yes", "no")
ONE_NOUGHT = ("1", "0")
SAS, SKLEARN, MODELER = "SAS Enterprise Miner", "scikit-learn", "SPSS Modeler"


@pytest.mark.parametrize(
    ("name", "levels", "tool", "meaning", "model", "level"),
    [
        ("P_BAD1", ONE_NOUGHT, SAS, Meaning.CHANCE, "", "1"),
        ("EM_EVENTPROBABILITY", ONE_NOUGHT, SAS, Meaning.CHANCE, "", None),
        ("EM_PROBABILITY", ONE_NOUGHT, SAS, Meaning.PROBABILITY_OF_CLASS, "", None),
        ("EM_CLASSIFICATION", ONE_NOUGHT, SAS, Meaning.CLASS, "", None),
        ("I_BAD", ONE_NOUGHT, SAS, Meaning.CLASS, "", None),
        ("F_BAD", ONE_NOUGHT, SAS, Meaning.ACTUAL, "", None),
        ("Q_BAD1", ONE_NOUGHT, SAS, Meaning.UNCORRECTED, "", "1"),
        ("R_BAD1", ONE_NOUGHT, SAS, Meaning.RESIDUAL, "", None),
        ("EP_BAD", ONE_NOUGHT, SAS, Meaning.DECISION, "", None),
        ("_WARN_", ONE_NOUGHT, SAS, Meaning.MARK, "", None),
        ("P_BAD", (), SAS, Meaning.PREDICTION, "", None),
        ("proba_1", ONE_NOUGHT, SKLEARN, Meaning.CHANCE, "", "1"),
        ("predict_proba_rf_1", ONE_NOUGHT, SKLEARN, Meaning.CHANCE, "rf", "1"),
        ("y_proba", ONE_NOUGHT, SKLEARN, Meaning.CHANCE, "", None),
        ("prob_class_1", ONE_NOUGHT, SKLEARN, Meaning.CHANCE, "", "1"),
        ("y_pred", ONE_NOUGHT, SKLEARN, Meaning.CLASS, "", None),
        ("yes", YES_NO, "caret", Meaning.CHANCE, "", "yes"),
        ("pred", YES_NO, "caret", Meaning.CLASS, "", None),
        ("rowIndex", YES_NO, "caret", Meaning.ROW, "", None),
        (".pred_yes", YES_NO, "tidymodels", Meaning.CHANCE, "", "yes"),
        (".pred_class", YES_NO, "tidymodels", Meaning.CLASS, "", None),
        (".pred", (), "tidymodels", Meaning.PREDICTION, "", None),
        (".config", YES_NO, "tidymodels", Meaning.MARK, "", None),
        ("p1", ONE_NOUGHT, "H2O", Meaning.CHANCE, "", "1"),
        ("pyes", YES_NO, "H2O", Meaning.CHANCE, "", "yes"),
        ("cal_p1", ONE_NOUGHT, "H2O", Meaning.CHANCE, "cal", "1"),
        ("predict", ONE_NOUGHT, "H2O", Meaning.CLASS, "", None),
        ("predict", (), "H2O", Meaning.PREDICTION, "", None),
        ("P (BAD=1)", ONE_NOUGHT, "KNIME", Meaning.CHANCE, "", "1"),
        ("P (BAD=1) (forest)", ONE_NOUGHT, "KNIME", Meaning.CHANCE, "forest", "1"),
        ("Prediction (BAD)", ONE_NOUGHT, "KNIME", Meaning.CLASS, "", None),
        (
            "Prediction (BAD) (Confidence)",
            ONE_NOUGHT,
            "KNIME",
            Meaning.PROBABILITY_OF_CLASS,
            "",
            None,
        ),
        ("$LP-1", ONE_NOUGHT, MODELER, Meaning.CHANCE, "logistic", "1"),
        ("$LP-BAD", ONE_NOUGHT, MODELER, Meaning.PROBABILITY_OF_CLASS, "logistic", None),
        ("$C-BAD", ONE_NOUGHT, MODELER, Meaning.CLASS, "C5.0", None),
        ("$CC-BAD", ONE_NOUGHT, MODELER, Meaning.PROBABILITY_OF_CLASS, "", None),
        ("PRE_1", ONE_NOUGHT, "SPSS Statistics", Meaning.CHANCE, "", None),
        ("PGR_1", ONE_NOUGHT, "SPSS Statistics", Meaning.CLASS, "", None),
        ("ZRE_1", ONE_NOUGHT, "SPSS Statistics", Meaning.RESIDUAL, "", None),
    ],
)
def test_a_name_of_a_program(name, levels, tool, meaning, model, level):
    found = tool_name(name, levels, "BAD")
    assert found is not None
    if meaning is not Meaning.RESIDUAL:
        assert found.level == level
    assert (found.tool, found.meaning, found.model) == (tool, meaning, model)


@pytest.mark.parametrize("name", ["age", "price", "page", "P_OTHER1", "income", "pyes", "1"])
def test_other_names_are_of_no_program(name):
    assert tool_name(name, ONE_NOUGHT, "BAD") is None


def frame(levels: tuple[str, str], target: str, **extra: object) -> data.LoadedTable:
    draw = np.random.default_rng(2)
    outcome = np.array(levels)[draw.integers(0, 2, ROWS)]
    return data.from_data({target: outcome.tolist(), "age": draw.integers(18, 80, ROWS), **extra})


def calibration() -> tuple[np.ndarray, np.ndarray]:
    probability = np.random.default_rng(3).uniform(0.01, 0.99, ROWS).round(6)
    return probability, 1 - probability


@pytest.mark.parametrize(
    ("levels", "target", "columns", "ignored"),
    [
        (ONE_NOUGHT, "BAD", ("P_BAD1", "P_BAD0"), "I_BAD"),
        (ONE_NOUGHT, "y_true", ("proba_1", "proba_0"), "y_pred"),
        (YES_NO, "obs", ("yes", "no"), "pred"),
        (YES_NO, "outcome", (".pred_yes", ".pred_no"), ".pred_class"),
        (ONE_NOUGHT, "BAD", ("p1", "p0"), "predict"),
        (ONE_NOUGHT, "BAD", ("P (BAD=1)", "P (BAD=0)"), "Prediction (BAD)"),
        (ONE_NOUGHT, "BAD", ("$LP-1", "$LP-0"), "$L-BAD"),
    ],
)
def test_a_file_of_each_program_is_ready_to_judge(levels, target, columns, ignored):
    event, other = calibration()
    guess = np.where(event > 0.5, levels[0], levels[1]).tolist()
    table = frame(levels, target, **{columns[0]: event, columns[1]: other, ignored: guess})
    summary = table.summary
    assert summary.target is not None
    assert summary.target.column == target
    found = {entry.column: entry for entry in summary.roles}
    for column, level in zip(columns, levels, strict=True):
        assert (found[column].role, found[column].level) == (Role.POSTERIOR, level)
        assert found[column].is_guess
    assert found[columns[0]].model == found[columns[1]].model
    assert found[ignored].role is Role.IGNORED
    assert "the predicted class" in found[ignored].reason
    assert found["age"].role is Role.INPUT


def test_a_predicted_class_that_holds_fractions_is_a_chance():
    event, _ = calibration()
    table = frame(ONE_NOUGHT, "y_true", y_pred=event)
    found = {entry.column: entry for entry in table.summary.roles}
    assert found["y_pred"].role is Role.POSTERIOR


def test_spss_statistics_saves_the_chance_of_the_event():
    event, _ = calibration()
    table = frame(ONE_NOUGHT, "BAD", PRE_1=event, PGR_1=(event > 0.5).astype(int))
    found = {entry.column: entry for entry in table.summary.roles}
    assert (found["PRE_1"].role, found["PRE_1"].level) == (Role.POSTERIOR, "1")
    assert found["PGR_1"].role is Role.IGNORED
