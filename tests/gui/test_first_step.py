"""Without a model of the outcome: what pages say, and that nothing is asked only to be refused."""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import SimpleNamespace

import pytest

from core.document.model import (
    Document,
    ModelSpec,
    Role,
    RoleAssignment,
    TargetSpec,
    TrainedModel,
)
from core.presentation.labels import Labels
from core.questions.compare import CompareModels, DetectableDifference
from core.questions.decide import Totals
from core.questions.decide_fields import swap_fields, usual_ways
from core.questions.explain import Explain
from gui.pages.decide.first_step import first_step
from gui.pages.first_step import step_to_model
from gui.pages.models.words import target_words
from tests.helpers.harness import make_document


def trained(name: str, effect_of: tuple[str, str, str] | None = None) -> ModelSpec:
    settings = TrainedModel(
        name=name,
        distribution="uplift" if effect_of else "bernoulli",
        target="respond",
        features=("age",),
        effect_of=effect_of,
    )
    return ModelSpec(name=name, series=0, trained=settings)


EFFECT = trained("effect", ("arm", "mailed", "none"))


@dataclass
class Running:
    name: str


@dataclass
class StandIn:
    running: tuple[Running, ...] = ()


def project(*models: ModelSpec) -> Document:
    return replace(make_document(), models=models, reference_model=None)


@pytest.mark.parametrize(
    ("models", "running", "words", "page"),
    [
        ((), (), "There is no model yet.", "models"),
        ((), (Running("gbm 1"),), "gbm 1 is still learning.", "models"),
        ((), (Running("gbm 1"), Running("gbm 2")), "gbm 1 and gbm 2 are still", "models"),
        ((EFFECT,), (), "effect of a treatment", "uplift"),
        ((EFFECT,), (Running("gbm 1"),), "gbm 1 is still learning.", "models"),
    ],
)
def test_the_way_to_a_model_is_shown(models, running, words, page):
    step = step_to_model(project(*models), StandIn(running))
    assert step is not None
    assert words in step.sentence
    assert step.page == page


def test_with_a_model_of_the_outcome_there_is_no_first_step():
    document = project(EFFECT, trained("gbm 1"))
    assert step_to_model(document, StandIn((Running("gbm 2"),))) is None


def test_a_risk_over_time_is_led_to_the_chance_of_its_event_by_one_time():
    roles = (
        RoleAssignment(column="months", role=Role.TARGET, reason=""),
        RoleAssignment(column="died", role=Role.EVENT, reason=""),
    )
    target = TargetSpec(column="months", kind="interval", levels=())
    document = replace(project(trained("cox")), target=target, roles=roles)
    assert target_words(document) == "months, a time"
    step = first_step(document, StandIn())
    assert "Survival over time" in step.sentence
    assert step.page == "compare"


def test_a_model_of_an_effect_alone_answers_no_question_about_the_outcome():
    """Asked all the same, each would refuse in red right after a training that went well."""
    document = project(EFFECT)
    for question in (CompareModels, Totals, DetectableDifference):
        refusal = question.why_not(document)
        assert refusal is not None
        assert "the effect of a treatment, not the outcome" in str(refusal)
    assert Explain.why_not(document) is None
    assert (
        DetectableDifference.why_not(project(EFFECT, trained("gbm 1"))) is not None
    )  # one is not two


def test_a_column_named_as_an_effect_is_no_score_of_the_outcome_beside_a_treatment():
    """Named so by a file or a person: "uplift" ranks by what treating changes."""
    roles = (
        RoleAssignment(column="respond", role=Role.TARGET, reason=""),
        RoleAssignment(column="uplift_gbm", role=Role.SCORE, model="uplift gbm", reason=""),
        RoleAssignment(column="response_gbm", role=Role.SCORE, model="response gbm", reason=""),
    )
    arms = RoleAssignment(column="arm", role=Role.TREATMENT, reason="")
    without = project().with_roles(roles)
    assert [entry.name for entry in without.outcome_models] == ["uplift gbm", "response gbm"]
    document = project().with_roles((*roles, arms))
    assert document.reference_model == "uplift gbm"
    assert [entry.name for entry in document.outcome_models] == ["response gbm"]
    assert document.outcome_reference == "response gbm"
    labels = Labels.of(document)
    assert labels.chosen == "response gbm"
    assert [model.name for model in labels.models] == ["response gbm"]  # rows of the metric table
    assert labels.series_of("uplift gbm") == document.models[0].series
    totals = SimpleNamespace(models=(SimpleNamespace(model="response gbm"),))
    ways = usual_ways(document, totals)
    assert [way.model for way in ways] == ["response gbm", "response gbm"]
    offered = [option.value for option in swap_fields(ways, document)[0].options]
    assert offered == ["response gbm"]
    alone = project().with_roles((roles[0], roles[1], arms))
    assert "the effect of a treatment" in str(CompareModels.why_not(alone))
    assert alone.outcome_reference == ""
