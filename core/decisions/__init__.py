"""Decisions: consequences, priors, choice, totals, depth, differences of models, advice.

The journey: a ``DecisionProblem`` (matrix, costs, priors, outcome) and ``ModelScores`` go into
``analyse``, which answers a ``DecisionResult``; a ``DecisionWorkspace`` kept between edits makes
the next analysis quick and answers ``read_cursor`` and ``resample_differences``. ``decide_cases``
gives results per case, also where the outcome is not known. Inside, all amounts are profits.
"""

from __future__ import annotations

from core.decisions.advice.linter import advise_matrix
from core.decisions.advice.reading import RuleReading, read_rule
from core.decisions.advice.thresholds import CutOff, Region, cut_off, decision_regions
from core.decisions.amounts import AmountFacts, CaseAmounts
from core.decisions.analysis import analyse, read_cursor
from core.decisions.depths.chart import profit_chart
from core.decisions.depths.depth import GRID
from core.decisions.number_targets.knots import (
    KnotTable,
    PredictedQuantiles,
    band_names,
    predicted_quantiles,
)
from core.decisions.number_targets.rule import (
    interval_problem,
    number_threshold,
    predicted_scores,
    prediction_regions,
)
from core.decisions.passes.cases import (
    CaseDecisions,
    CaseTotals,
    case_columns,
    decide_cases,
    total_cases,
)
from core.decisions.passes.decision_pass import UNDECIDED
from core.decisions.passes.workspace import DecisionWorkspace
from core.decisions.priors import adjust_posteriors, check_old_priors, prior_weights
from core.decisions.problem import (
    DecisionProblem,
    LeafCases,
    ModelScores,
    Words,
    checked_priors,
)
from core.decisions.rules.rule import Rule, rule_of
from core.decisions.uncertainty.resampling import resample_differences

__all__ = [
    "GRID",
    "UNDECIDED",
    "AmountFacts",
    "CaseAmounts",
    "CaseDecisions",
    "CaseTotals",
    "CutOff",
    "DecisionProblem",
    "DecisionWorkspace",
    "KnotTable",
    "LeafCases",
    "ModelScores",
    "PredictedQuantiles",
    "Region",
    "Rule",
    "RuleReading",
    "Words",
    "adjust_posteriors",
    "advise_matrix",
    "analyse",
    "band_names",
    "case_columns",
    "check_old_priors",
    "checked_priors",
    "cut_off",
    "decide_cases",
    "decision_regions",
    "interval_problem",
    "number_threshold",
    "predicted_quantiles",
    "predicted_scores",
    "prediction_regions",
    "prior_weights",
    "profit_chart",
    "read_cursor",
    "read_rule",
    "resample_differences",
    "rule_of",
    "total_cases",
]
