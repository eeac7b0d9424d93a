"""Everything a person can ask of a project, one frozen record per question.

``payoff.questions`` in scripts: ``project.ask(payoff.questions.Capacity(most_actions=500))``.
"""

from core.questions.compare import (
    CompareModels,
    Definitions,
    DetectableDifference,
    ErrorBounds,
    FitChances,
    Segments,
    Shift,
    Survival,
)
from core.questions.decide import (
    AtDepth,
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
    Resamples,
    Swap,
    Totals,
    WhatIf,
    WinnerMap,
)
from core.questions.explain import Explain, OneCase, QuantileCheck
from core.questions.question import Question, question_named, questions
from core.questions.uplift import Arms, NextTest, RowOrder, Slices, Uplift, UpliftMetrics

__all__ = [
    "Arms",
    "AtDepth",
    "Basis",
    "BreakEven",
    "Capacity",
    "CasesAsPoints",
    "CasesOneByOne",
    "CompareModels",
    "Definitions",
    "DetectableDifference",
    "ErrorBounds",
    "ExpectList",
    "Explain",
    "FitChances",
    "FurtherCases",
    "Gap",
    "HoldOutPlan",
    "NextTest",
    "OneCase",
    "QuantileCheck",
    "Question",
    "Rankings",
    "Resamples",
    "RowOrder",
    "Segments",
    "Shift",
    "Slices",
    "Survival",
    "Swap",
    "Totals",
    "Uplift",
    "UpliftMetrics",
    "WhatIf",
    "WinnerMap",
    "question_named",
    "questions",
]
