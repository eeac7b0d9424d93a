"""What was called otherwise in version 0.1 is still there, and warns with the name of today."""

from __future__ import annotations

import pandas as pd
import pytest

import main
import payoff
from core.document.studies.compare import CalibrationOption
from core.document.studies.uplift import OtherRows, UpliftModelResult
from core.script.boost.model import Model
from core.script.command_line.arguments import FORMER_VERBS, VERBS
from core.script.evaluate.calibration import CalibratedScores
from core.script.evaluate.evaluation import Difference
from core.script.projects import Project
from payoff import records


@pytest.mark.parametrize(("former", "name"), payoff._FORMER_NAMES.items())
def test_a_former_function_is_that_of_today(former, name):
    with pytest.warns(DeprecationWarning, match=rf"payoff\.{former} is called payoff\.{name} now"):
        found = getattr(payoff, former)
    assert found is getattr(payoff, name)
    assert former not in dir(payoff)
    assert former not in payoff.SCRIPT_FUNCTIONS


@pytest.mark.parametrize(("former", "name"), records.FORMER_NAMES.items())
def test_a_former_record_is_that_of_today(former, name):
    with pytest.warns(DeprecationWarning, match=f"{former} is called {name} now"):
        found = getattr(records, former)
    assert found is getattr(records, name)


@pytest.mark.parametrize(
    ("owner", "former", "name"),
    [
        (Project, "fit_chances", "calibrate"),
        (Project, "set_chances", "set_calibration"),
        (Model, "hand_over", "export"),
        (CalibratedScores, "chance", "probability"),
        (Difference, "chance", "probability"),
        (CalibrationOption, "said", "predicted"),
        (CalibrationOption, "seen", "observed"),
        (OtherRows, "above_chance", "minus_random"),
        (UpliftModelResult, "above_chance", "minus_random"),
    ],
)
def test_a_former_attribute_leads_to_that_of_today(owner, former, name):
    assert name in vars(owner) or name in owner.__annotations__
    instance = object.__new__(owner)
    if name in owner.__annotations__:
        object.__setattr__(instance, name, 0.25)
    with pytest.warns(DeprecationWarning, match=f"'{former}' of {owner.__name__} is called"):
        found = getattr(instance, former)
    assert found == getattr(instance, name)


def test_a_former_verb_says_what_it_is_called(tmp_path, capsys):
    assert set(FORMER_VERBS.values()) <= set(VERBS)
    assert not set(FORMER_VERBS) & set(VERBS)
    pd.DataFrame({"y": [1, 0], "p": [0.9, 0.2]}).to_csv(tmp_path / "a.csv", index=False)
    code = main.main(["check-handover", str(tmp_path / "a.csv"), "--folder", str(tmp_path)])
    assert code == 2
    assert "payoff check-handover is called payoff verify-export now." in capsys.readouterr().err
