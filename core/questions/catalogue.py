"""Everything a person can ask of a project, one frozen record per question.

``payoff.questions`` in scripts: ``project.ask(payoff.questions.Capacity(most_actions=500))``.
"""

from core.questions.compare import Definitions, ErrorBounds, FitChances, Segments, Shift, Survival
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
from core.questions.explain import OneCase, QuantileCheck
from core.questions.question import Question, question_named, questions
from core.questions.uplift import Arms, NextTest, RowOrder, Slices, UpliftMetrics

__all__ = [
    "Arms",
    "Basis",
    "BreakEven",
    "Capacity",
    "CasesAsPoints",
    "CasesOneByOne",
    "Definitions",
    "ErrorBounds",
    "ExpectList",
    "FitChances",
    "FurtherCases",
    "Gap",
    "HoldOutPlan",
    "NextTest",
    "OneCase",
    "QuantileCheck",
    "Question",
    "Rankings",
    "RowOrder",
    "Segments",
    "Shift",
    "Slices",
    "Survival",
    "Swap",
    "UpliftMetrics",
    "WhatIf",
    "WinnerMap",
    "question_named",
    "questions",
]
