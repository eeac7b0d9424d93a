"""Evaluation: ranked samples, the metrics host, intervals, curves, paired comparison.

``evaluate(problem)`` answers page Compare in one call; ``Evaluation(problem)`` keeps what is asked
later: ``compare(a, b, metric)`` and ``curve(name, model)`` with every end of a group of equal
scores. ``RankedSample`` is one sort from which every curve is read.
"""

from core.evaluation.charts.usual import CURVE_NAMES, FullCurve
from core.evaluation.evaluate import EvaluationRequest, assess
from core.evaluation.problem import EvaluationProblem, JudgedScores, MetricRequest
from core.evaluation.ranked.ranking import DEPTH_GRID, GRID_POINTS, RankedSample, RankingSummary

__all__ = [
    "CURVE_NAMES",
    "DEPTH_GRID",
    "GRID_POINTS",
    "EvaluationProblem",
    "EvaluationRequest",
    "FullCurve",
    "JudgedScores",
    "MetricRequest",
    "RankedSample",
    "RankingSummary",
    "assess",
]
