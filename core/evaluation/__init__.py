"""Evaluation: ranked samples, the metrics host, intervals, curves, paired comparison.

``evaluate(problem)`` answers page Compare in one call. The parts are public for scripts:
``RankedSample`` (one sort, everything read from it) and ``full_curve`` (every end of a group of
equal scores).
"""

from core.evaluation.evaluate import evaluate
from core.evaluation.problem import EvaluationProblem, MetricRequest, ModelScores

__all__ = ["EvaluationProblem", "MetricRequest", "ModelScores", "evaluate"]
