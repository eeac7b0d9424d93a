"""Everything a person can ask of a project, one frozen record per question.

``payoff.questions`` in scripts: ``project.ask(payoff.questions.Capacity(most_actions=500))``.

The records that questions take in their fields.
"""

from __future__ import annotations

from collections.abc import Mapping

from core.document.scripts.form import records_within
from core.questions.compare import (
    CompareModels,
    Definitions,
    DetectableDifference,
    ErrorBounds,
    FitCalibration,
    RowSets,
    Segments,
    Shift,
    Survival,
)
from core.questions.data import (
    ColumnByClass,
    RowsInCommon,
    RowsWithoutOutcome,
    TableRows,
    TryExpression,
    TryJoin,
)
from core.questions.decide import (
    AtDepth,
    Basis,
    BreakEven,
    Capacity,
    CasesAsPoints,
    CasesOneByOne,
    ExpectList,
    Gap,
    GoalSeek,
    HoldOutPlan,
    NextCases,
    Rankings,
    Reconcile,
    Resamples,
    RuleChange,
    Swap,
    Totals,
    WhatIf,
    WinnerMap,
    Workbook,
)
from core.questions.experiments import (
    BoostingIterations,
    CheckExperiment,
    CompareExperiments,
    ExperimentParts,
    RunExperiment,
)
from core.questions.explain import (
    CaseWhatIf,
    Distributions,
    Explain,
    FindCase,
    OneCase,
    QuantileCheck,
    TreeNumbers,
)
from core.questions.question import Question, question_fields, question_named, questions
from core.questions.uplift import (
    Arms,
    BaselineVariance,
    ExperimentGaps,
    NextTest,
    RowOrder,
    Slices,
    Uplift,
    UpliftMetrics,
)

__all__ = [
    "Arms",
    "AtDepth",
    "BaselineVariance",
    "Basis",
    "BoostingIterations",
    "BreakEven",
    "Capacity",
    "CaseWhatIf",
    "CasesAsPoints",
    "CasesOneByOne",
    "CheckExperiment",
    "ColumnByClass",
    "CompareExperiments",
    "CompareModels",
    "Definitions",
    "DetectableDifference",
    "Distributions",
    "ErrorBounds",
    "ExpectList",
    "ExperimentGaps",
    "ExperimentParts",
    "Explain",
    "FindCase",
    "FitCalibration",
    "Gap",
    "GoalSeek",
    "HoldOutPlan",
    "NextCases",
    "NextTest",
    "OneCase",
    "QuantileCheck",
    "Question",
    "Rankings",
    "Reconcile",
    "Resamples",
    "RowOrder",
    "RowSets",
    "RowsInCommon",
    "RowsWithoutOutcome",
    "RuleChange",
    "RunExperiment",
    "Segments",
    "Shift",
    "Slices",
    "Survival",
    "Swap",
    "TableRows",
    "Totals",
    "TreeNumbers",
    "TryExpression",
    "TryJoin",
    "Uplift",
    "UpliftMetrics",
    "WhatIf",
    "WinnerMap",
    "Workbook",
    "question_named",
    "questions",
]


def question_records() -> Mapping[str, type]:
    """Return name -> record, of all that a field of a question holds."""
    found: dict[str, type] = {}
    for record in questions().values():
        for _, hint, _, _ in question_fields(record):
            found |= {part.__name__: part for part in records_within(hint)}
    return dict(sorted(found.items()))
