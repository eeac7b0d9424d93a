"""What raises the chance of a default is no gain: one rule for colours, from the matrix."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.document.decisions.matrix_model import MatrixKind
from core.document.decisions.wanted import wanted_rows
from core.document.studies.models import CasePart
from core.document.training_results import DependenceCurve
from core.presentation.labels import Labels
from core.presentation.models.explain import case_what_if, explained_model, one_case
from core.questions.explain import CaseWhatIf
from tests.helpers.answers import models
from tests.helpers.answers.synthetic import make_decisions


@pytest.mark.parametrize(
    ("cells", "wanted"),
    [
        (((8.0, 0.0), (-2.0, 0.0)), (True, False)),  # a response to a letter
        (((-1500.0, 0.0), (300.0, 0.0)), (False, True)),  # a default
        (((0.0, -100.0), (-5.0, 0.0)), (False, True)),  # a fraud: both best decisions bring nothing
        (((-20.0, -100.0), (-10.0, 0.0)), (False, True)),  # a customer who leaves
        (((1.0, 0.0), (1.0, 0.0)), (None, None)),
        (((5.0, 0.0), (3.0, 0.0), (-9.0, 0.0)), (True, True, False)),
        ((), ()),
    ],
)
def test_the_rule(cells, wanted):
    assert wanted_rows(cells) == wanted


def lending(document):
    matrix = replace(
        document.matrix,
        cells=((-1500.0, 0.0), (300.0, 0.0)),
        template="payoff.profit",
        levels=document.target.levels,
    )
    return replace(document, matrix=matrix)


def roles_of(view, name="How the prediction comes about"):
    chart = next(chart for chart in view.charts if chart.title == name)
    return [(step.end > step.start, step.role) for step in chart.steps if not step.is_total]


@pytest.mark.parametrize("is_default", [True, False])
def test_steps_of_a_case_follow_the_matrix(is_default):
    document = models.document_with_inputs()
    document = lending(document) if is_default else document
    labels = Labels.of(document)
    answer = replace(models.one_case(3), level=document.target.levels[0])
    expected = {True: "loss", False: "gain"} if is_default else {True: "gain", False: "loss"}
    found = roles_of(one_case(answer, labels))
    assert {up for up, _ in found} == {True, False}
    assert all(role == expected[up] for up, role in found)
    parts = (
        CasePart(column="age", value="3", amount=0.4),
        CasePart(column="region", value="n", amount=-0.2),
    )
    tried = models.case_what_if(CaseWhatIf(model="gbm 1", row=3), parts=parts, level=answer.level)
    assert all(role == expected[up] for up, role in roles_of(case_what_if(tried, labels)))
    other = replace(answer, level=document.target.levels[1])  # the chance of the other class
    assert all(role != expected[up] for up, role in roles_of(one_case(other, labels)))


def test_a_loss_matrix_and_no_matrix():
    document = models.document_with_inputs()
    event = document.target.levels[0]
    assert Labels.of(document).rise_role(event, 0.1) == "gain"
    losses = replace(
        document.matrix,
        kind=MatrixKind.LOSS,
        cells=((0.0, 100.0), (5.0, 0.0)),
        levels=document.target.levels,
    )
    assert Labels.of(replace(document, matrix=losses)).rise_role(event, 0.1) == "loss"
    bare = Labels.of(replace(document, matrix=None))
    assert {bare.rise_role(event, rise) for rise in (-1.0, 0.0, 1.0)} == {"accent"}
    decisions = replace(make_decisions(), cells=np.array([[-9.0, 0.0], [3.0, 0.0]]))
    assert Labels.of(document, decisions).rise_role(decisions.levels[0], 0.1) == "loss"


def test_importance_curves_and_lists_have_no_colour_of_gain():
    """They show the model's own colour: how much, and not whether it is good."""
    document = lending(models.document_with_inputs())
    labels = Labels.of(document)
    curve = DependenceCurve(
        column="age",
        x=np.array([1.0, 2.0]),
        levels=(),
        y=np.array([[0.1, 0.4]]),
        low=np.array([[0.1, 0.4]]),
        high=np.array([[0.1, 0.4]]),
        rug=np.empty(0),
        at_missing=np.array([np.nan]),
        missing_share=0.0,
    )
    answer = replace(models.explained("gbm 1"), curves=(curve,), maps=())
    tried = models.case_what_if(CaseWhatIf(model="gbm 1", row=3, along="age"))
    for view in (
        explained_model(replace(answer, curves=()), labels),
        explained_model(answer, labels),
        case_what_if(tried, labels),
    ):
        cells = [cell for table in view.tables for row in table.cells() for cell in row]
        assert {cell.role for cell in cells} <= {"text", "quiet"}
        for chart in view.charts:
            assert all(line.series == labels.series_of("gbm 1") for line in chart.series)
