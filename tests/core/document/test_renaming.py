"""Names given anew: nothing of a project, nor any entry of its report, keeps the former one."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from core.document.commands import Command, RenameModel, SetReferenceModel
from core.document.data.model import RowUse
from core.document.decisions.commands import EditCell, RenameDecision
from core.document.decisions.matrix_model import NumberKind, NumberRef, NumberSetting, Scenario
from core.document.decisions.numbers import AddScenario, RenameScenario, SetFormula
from core.document.files.codec import to_plain
from core.document.model import (
    Document,
    ModelChoice,
    ReportItem,
    TrainedModel,
)
from core.document.report.commands import PutOnReport
from core.document.report.renamed import Renaming, renamed_between
from core.document.report.renaming import ABOUT_A_MODEL, kind_renamed
from core.document.studies.decided_cases import SwapSide
from core.document.uplift.model import UpliftKind, UpliftModel, UpliftSpec
from core.presentation.making_views import after_renaming, asked_of
from core.presentation.view import View
from core.questions.compare import Survival
from core.questions.decide import Swap, WhatIf
from core.questions.explain import Explain, TreeNumbers
from core.questions.question import Question, asked_fields, questions
from tests.core.document.commands import mailing

FORMER = "Zebra"


def project() -> Document:
    """A project that names a model, a decision and a scenario wherever it can."""
    document = RenameModel(model="a", name="Zebra model").apply(mailing())
    document = RenameDecision(decision="Mail", name="Zebra letter").apply(document)
    matrix = replace(document.matrix, parameters=(("margin", 24.0),))
    formula = SetFormula(level="1", decision="Zebra letter", text="margin")
    document = formula.apply(replace(document, matrix=matrix))
    tried = NumberSetting(number=cell(), value=20.0)
    scenario = Scenario(name="Zebra year", settings=(tried,))
    document = AddScenario(scenario=scenario).apply(document)
    trained = TrainedModel(
        name="Zebra model", distribution="bernoulli", target="responded", features=("age",)
    )
    models = (replace(document.models[0], trained=trained), *document.models[1:])
    ranking = UpliftModel(name="effect", kind=UpliftKind.TREATMENT_INPUT, parts=("Zebra model",))
    return replace(
        document,
        uplift=UpliftSpec(models=(ranking,)),
        models=models,
        reference_model="Zebra model",
        choice=ModelChoice(model="Zebra model", metric="auc", rows_used=RowUse.TEST),
        report=(
            ReportItem(kind="roc"),
            ReportItem(kind="models/learning Zebra model", note="Look."),
            ReportItem(kind="explain/model Zebra model age"),
            ReportItem(kind="decide/swap"),
        ),
    )


def cell() -> NumberRef:
    return NumberRef(kind=NumberKind.CELL, level="1", decision="Zebra letter")


RENAMED = {
    "model": RenameModel(model="Zebra model", name="Okapi"),
    "decision": RenameDecision(decision="Zebra letter", name="Okapi"),
    "scenario": RenameScenario(scenario="Zebra year", name="Okapi"),
}


@pytest.mark.parametrize("field", RENAMED)
def test_no_part_of_a_project_keeps_a_former_name(field: str) -> None:
    before = project()
    former = {"model": "Zebra model", "decision": "Zebra letter", "scenario": "Zebra year"}[field]
    assert former in json.dumps(to_plain(before))
    after = RENAMED[field].apply(before)
    assert former not in json.dumps(to_plain(after))
    assert renamed_between(before, after) == Renaming(field, former, "Okapi")
    assert renamed_between(after, before) == Renaming(field, "Okapi", former)  # undone


@pytest.mark.parametrize(
    "command",
    [
        EditCell(level="0", decision="Zebra letter", value=-3.0),
        SetReferenceModel(model="b"),
        PutOnReport(kind="decide/total"),
    ],
)
def test_any_other_change_is_no_renaming(command: Command) -> None:
    before = project()
    assert renamed_between(before, command.apply(before)) is None
    other = RENAMED["model"].apply(command.apply(before))
    assert renamed_between(before, other) is None  # the name, and something else


@pytest.mark.parametrize(
    ("field", "question"),
    [
        ("model", TreeNumbers(model="Zebra model")),
        ("model", Explain(model="Zebra model", columns=("age",))),
        ("model", Survival(model="Zebra model")),
        ("model", Swap(first=SwapSide(model="Zebra model"), second=SwapSide(model="b"))),
        (
            "scenario",
            Swap(first=SwapSide(model="b", scenario="Zebra year"), second=SwapSide(model="b")),
        ),
        ("decision", WhatIf(settings=(NumberSetting(number=cell(), value=9.0),))),
    ],
)
def test_a_kept_entry_asks_of_what_is_called_otherwise_now(
    field: str, question: Question[object]
) -> None:
    kind = "explain/model Zebra model age" if isinstance(question, Explain) else "decide/swap"
    kind = question.facts.key.replace(".", "/") + kind[len(kind.partition(" ")[0]) :]
    asked = json.dumps(to_plain(question), sort_keys=True)
    view = View(key=kind, title="What Zebra model uses", asked=asked)
    before = project()
    after = RENAMED[field].apply(before)
    renaming = renamed_between(before, after)
    assert renaming is not None
    made = after_renaming(view, renaming, [entry.name for entry in before.models])
    assert made.title == view.title  # its words were made then
    assert FORMER not in made.asked
    assert FORMER not in made.key
    asks = asked_of(made.key, made)
    assert asks != question
    assert "Okapi" in repr(asks)


def test_the_longest_name_is_meant() -> None:
    models = ("gbm", "gbm 1")
    assert kind_renamed("models/learning gbm 1", "gbm", "tree", models) == "models/learning gbm 1"
    assert kind_renamed("models/learning gbm", "gbm", "tree", models) == "models/learning tree"
    assert kind_renamed("explain/model gbm 1 age", "gbm 1", "x", models) == "explain/model x age"
    assert kind_renamed("explain/one_case gbm, row 3", "gbm", "x", models) == (
        "explain/one_case x, row 3"
    )
    assert kind_renamed("compare/rows gbm, gbm 1", "gbm", "x", models) == "compare/rows gbm, gbm 1"


def test_every_question_about_a_model_is_known() -> None:
    about = {
        record.facts.key.replace(".", "/")
        for record in questions().values()
        if record.facts.view and any(name == "model" for name, *_ in asked_fields(record))
    }
    assert about == set(ABOUT_A_MODEL)
