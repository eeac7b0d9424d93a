"""Everything a person can ask of a project, one frozen record per question.

``payoff.questions`` in scripts: ``project.ask(payoff.questions.Capacity(most_actions=500))``.
"""

from core.questions.compare import Shift
from core.questions.decide import (
    Basis,
    BreakEven,
    Capacity,
    CasesAsPoints,
    CasesOneByOne,
    ExpectList,
    FurtherCases,
    Gap,
    HoldOutPlan,
    Rankings,
    Swap,
    WhatIf,
    WinnerMap,
)
from core.questions.question import Question, question_named, questions

__all__ = [
    "Basis",
    "BreakEven",
    "Capacity",
    "CasesAsPoints",
    "CasesOneByOne",
    "ExpectList",
    "FurtherCases",
    "Gap",
    "HoldOutPlan",
    "Question",
    "Rankings",
    "Shift",
    "Swap",
    "WhatIf",
    "WinnerMap",
    "question_named",
    "questions",
]
