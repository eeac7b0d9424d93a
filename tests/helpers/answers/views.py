"""Shared by tests of views."""

from __future__ import annotations

import numpy as np

from core.document.decisions.matrix_model import NumberKind, NumberRef
from core.document.experiments.spec import ExperimentSpec
from core.document.results import RowsNote
from core.document.studies.decided_cases import SwapSide
from core.document.studies.moving_numbers import TriedNumber, WinnerMapResult
from core.presentation.charts.chart import AxisSpec, Chart, ShadesSpec
from core.presentation.decide.swap import swaps
from core.presentation.decide.views import capacity, winners
from core.presentation.labels import Labels, ModelStyle
from core.presentation.making_views import show
from core.presentation.models.explain import one_case
from core.presentation.view import View
from core.questions.decide import Capacity, Swap
from core.questions.experiments import BoostingIterations, RunExperiment
from core.questions.uplift import BaselineVariance
from tests.helpers.answers import decide as study_answers
from tests.helpers.answers import experiments as experiment_answers
from tests.helpers.answers.models import one_case as case_answer
from tests.helpers.answers.uplift import variance_study

SWAP = Swap(first=SwapSide(model="gbm 2"), second=SwapSide(model="logit"))

RUNS = experiment_answers.make_runs(ExperimentSpec(systems=4, splits=5))

LABELS = Labels(
    models=(ModelStyle(name="gbm 2", series=0), ModelStyle(name="logit", series=1)),
    chosen="gbm 2",
    event="responders",
    case="customer",
    cases="customers",
    acting="Mail",
)


def winner_answer(**changes) -> WinnerMapResult:
    """Two models and two constant rules over four by three settings."""
    price = NumberRef(kind=NumberKind.CELL, level="1", decision="Mail")
    prior = NumberRef(kind=NumberKind.PRIOR, level="1")
    share = "share of responders"
    known = {
        "rows": RowsNote(use="all", text="all rows, 3,000 rows", rows=3000),
        "x": TriedNumber(
            number=price, name="mail, responds", unit="money", now=24.0, low=0.0, high=30.0
        ),
        "y": TriedNumber(number=prior, name=share, unit="share", now=0.05, low=0.0, high=0.4),
        "x_values": np.linspace(0.0, 30.0, 4),
        "y_values": np.linspace(0.0, 0.4, 3),
        "names": ("gbm 2", "logit", "Mail", "Do nothing"),
        "models": 2,
        "winner": np.array([[3, 3, 0, 0], [3, 0, 0, 2], [3, 1, 2, 2]]),
        "second": np.array([[0, 0, 1, 1], [0, 1, 1, 0], [1, 0, 0, 0]]),
        "profit": np.arange(12.0).reshape(3, 4) * 100.0,
        "margin": np.arange(12.0).reshape(3, 4),
        "now_winner": 0,
        "now_profit": 1234.0,
        "is_exact": True,
        "cases": 3000,
        "error": 0.0,
        "checked": 0,
        "missed": 0,
        "seconds": 0.1,
    }
    return WinnerMapResult(**(known | changes))


def shades() -> Chart:
    axis = {"low": 0.0, "high": 2.0}
    return Chart(
        kind="pair",
        title="Two inputs at once",
        subtitle="",
        x_axis=AxisSpec(label="age", quantity="number", **axis),
        y_axis=AxisSpec(label="region", quantity="number", words=("north", "south"), **axis),
        shades=ShadesSpec(
            values=np.array([[0.1, 0.2], [0.3, 0.4]]),
            x=np.array([20.0, 40.0]),
            y=np.array([0.0, 1.0]),
            series=0,
            quantity="percent",
        ),
    )


VIEWS = {
    "lines": lambda: capacity(study_answers.capacity(Capacity(most_actions=2100.0)), LABELS),
    "regions": lambda: winners(winner_answer(), LABELS),
    "steps": lambda: one_case(case_answer(3), LABELS),
    "tiles": lambda: swaps(study_answers.swap(SWAP), LABELS),
    "shades": lambda: View(title="Two inputs", charts=(shades(),)),
    "bars": lambda: show(RunExperiment(), RUNS, LABELS, "losses sigmoid"),
    "names": lambda: show(BoostingIterations(), experiment_answers.rules(), LABELS),
    "line over shades": lambda: show(BaselineVariance(), variance_study(), LABELS),
}
