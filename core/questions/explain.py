"""The questions of pages Models and Explain."""

from __future__ import annotations

from core.document.studies.one_case import OneCaseResult
from core.document.studies.quantiles import QuantilesResult
from core.document.views import MODELS, RANKED
from core.questions.lanes import Lane
from core.questions.needs import DATA, MODEL
from core.questions.question import Question, given, question


@question(
    "explain.one_case",
    title="One case",
    reads=RANKED,
    needs=(DATA, MODEL),
    work="core.engine.jobs.models.one_case:explain_case",
    lane=Lane.QUICK,
)
class OneCase(Question[OneCaseResult]):
    """What every input adds to the score of one case, and the smallest changes that matter.

    ``row`` is counted from 0 over the table.
    """

    model: str = given("Model")
    row: int = given("Case")
    output: int = given("Class", default=0, help="of several classes which one, from 0")


@question(
    "models.quantiles",
    title="Predicted quantiles",
    reads=MODELS,
    needs=(DATA, MODEL),
    work="core.engine.jobs.models.quantiles:judge_quantiles",
    lane=Lane.BACKGROUND,
)
class QuantileCheck(Question[QuantilesResult]):
    """How often outcomes lie within the quantiles that a trained model predicts."""

    model: str = given("Model")
