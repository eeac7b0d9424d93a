"""Scenarios and ranges of a prior in the document: commands, undo, the project file."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.document.decisions import commands as decision_commands
from core.document.decisions.matrix_model import (
    CostSpec,
    MatrixKind,
    MatrixSpec,
    NumberKind,
    NumberRef,
    NumberSetting,
    Scenario,
)
from core.document.decisions.numbers import (
    AddScenario,
    RemoveScenario,
    RenameScenario,
    SetPriorRange,
    UseNumbers,
    with_settings,
)
from core.document.files.project import Headline, pack_project, unpack_project
from core.document.history import History
from core.document.model import Document
from payoff.errors import PayoffError

CELL = NumberRef(kind=NumberKind.CELL, level="1", decision="Mail")
COST = NumberRef(kind=NumberKind.COST, decision="Mail")
PRIOR = NumberRef(kind=NumberKind.PRIOR, level="1")
LETTER = NumberRef(kind=NumberKind.PARAMETER, name="letter")


def project() -> Document:
    matrix = MatrixSpec(
        template="payoff.profit",
        kind=MatrixKind.PROFIT,
        levels=("1", "0"),
        decisions=("Mail", "Do nothing"),
        cells=((24.0, 0.0), (-1.6, 0.0)),
        acting="Mail",
        parameters=(("letter", 1.6),),
    )
    return Document(matrix=matrix, priors=(("1", 0.05), ("0", 0.95)))


def dearer(value: float = 20.0, name: str = "Dearer") -> Scenario:
    return Scenario(name=name, settings=(NumberSetting(number=CELL, value=value),))


def test_numbers_are_tried_at_other_values() -> None:
    settings = (
        NumberSetting(number=PRIOR, value=0.1),
        NumberSetting(number=CELL, value=20.0),
        NumberSetting(number=COST, value=0.5),
        NumberSetting(number=LETTER, value=2.0),
    )
    changed = with_settings(project(), settings, lambda _d: ())
    assert changed.matrix is not None
    assert changed.matrix.cells[0] == (20.0, 0.0)
    assert changed.matrix.costs == (CostSpec(amount=0.5), CostSpec())
    assert changed.matrix.parameters == (("letter", 2.0),)
    assert changed.priors == (("1", 0.1), ("0", pytest.approx(0.9)))


def test_using_numbers_is_one_step() -> None:
    history = History(project())
    both = (NumberSetting(number=CELL, value=20.0), NumberSetting(number=PRIOR, value=0.1))
    history.execute(UseNumbers(settings=both))
    assert history.document.priors == (("1", 0.1), ("0", pytest.approx(0.9)))
    history.undo()
    assert history.document == project()


@pytest.mark.parametrize(
    ("number", "value", "what"),
    [
        (NumberRef(kind=NumberKind.PARAMETER, name="stamp"), 1.0, "stamp"),
        (NumberRef(kind=NumberKind.CELL, level="2", decision="Mail"), 1.0, "class"),
        (NumberRef(kind=NumberKind.COST, decision="Call"), 1.0, "decision"),
        (PRIOR, 1.5, "share"),
    ],
)
def test_numbers_that_are_not_there_are_refused(number: NumberRef, value: float, what: str) -> None:
    with pytest.raises(PayoffError, match=what):
        with_settings(project(), (NumberSetting(number=number, value=value),), lambda _d: ())


def test_a_cost_by_case_and_a_prior_that_is_not_set_are_refused() -> None:
    document = project()
    assert document.matrix is not None
    by_case = replace(document.matrix, costs=(CostSpec(column="postage"), CostSpec()))
    setting = NumberSetting(number=COST, value=1.0)
    with pytest.raises(PayoffError, match="postage"):
        with_settings(replace(document, matrix=by_case), (setting,), lambda _d: ())
    setting = NumberSetting(number=PRIOR, value=0.1)
    with pytest.raises(PayoffError, match="No priors"):
        with_settings(replace(document, priors=None), (setting,), lambda _d: ())


def test_scenarios_are_added_renamed_replaced_and_removed() -> None:
    history = History(project())
    history.execute(AddScenario(scenario=dearer()))
    history.execute(AddScenario(scenario=dearer(21.0)))
    assert history.document.scenarios == (dearer(21.0),)
    history.execute(AddScenario(scenario=dearer(name="Other")))
    history.execute(RenameScenario(scenario="Dearer", name="Much dearer"))
    assert [entry.name for entry in history.document.scenarios] == ["Much dearer", "Other"]
    with pytest.raises(PayoffError, match="taken"):
        RenameScenario(scenario="Other", name="Much dearer").apply(history.document)
    history.execute(RemoveScenario(scenario="Other"))
    history.undo()
    assert len(history.document.scenarios) == 2
    with pytest.raises(PayoffError, match="no scenario"):
        RemoveScenario(scenario="Nothing").apply(history.document)
    with pytest.raises(PayoffError, match="no name"):
        AddScenario(scenario=dearer(name=" ")).apply(project())
    with pytest.raises(PayoffError, match="No number differs"):
        AddScenario(scenario=Scenario(name="Same", settings=())).apply(project())


def test_scenarios_follow_a_decision_that_gets_another_name() -> None:
    document = AddScenario(scenario=dearer()).apply(project())
    document = decision_commands.RenameDecision(decision="Mail", name="Write").apply(document)
    assert document.scenarios[0].settings[0].number.decision == "Write"


def test_scenarios_and_the_range_of_a_prior_are_in_the_project_file() -> None:
    document = AddScenario(scenario=dearer()).apply(project())
    document = SetPriorRange(low=0.04, high=0.06).apply(document)
    assert unpack_project(pack_project(document, Headline())).document == document


def test_a_range_holds_the_prior_or_goes() -> None:
    document = SetPriorRange(low=0.04, high=0.06).apply(project())
    assert document.prior_range == (0.04, 0.06)
    near = decision_commands.SetPriors(priors=(("1", 0.055), ("0", 0.945))).apply(document)
    assert near.prior_range == (0.04, 0.06)
    far = decision_commands.SetPriors(priors=(("1", 0.2), ("0", 0.8))).apply(document)
    assert far.prior_range is None
    assert decision_commands.SetPriors(priors=None).apply(document).prior_range is None
    assert SetPriorRange().apply(document).prior_range is None
    for low, high in ((0.06, 0.08), (0.0, 0.06), (0.04, 1.0)):
        with pytest.raises(PayoffError, match="range"):
            SetPriorRange(low=low, high=high).apply(project())
    with pytest.raises(PayoffError, match="No priors"):
        SetPriorRange(low=0.04, high=0.06).apply(replace(project(), priors=None))
