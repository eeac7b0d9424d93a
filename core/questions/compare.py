"""The questions of page Compare."""

from __future__ import annotations

from core.document.studies.shift import ShiftResult, ShiftSide
from core.document.views import MODELS
from core.questions.needs import DATA, OUTCOME
from core.questions.question import Question, given, question


@question(
    "compare.shift",
    title="Shift of scores and inputs",
    reads=MODELS,
    needs=(DATA, OUTCOME),
    work="core.engine.jobs.compare.shifting:compare_populations",
)
class Shift(Question[ShiftResult]):
    """Whether two sets of rows are alike: scores and inputs, by the population stability index."""

    then: ShiftSide = given("Then", help="rows of the project by their use, or another file")
    now: ShiftSide = given("Now", help="rows of the project by their use, or another file")
