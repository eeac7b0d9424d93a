"""Shared by tests of weights and clusters."""

from core.evaluation import assess


def estimates(problem):
    return {cell.metric: cell.estimate for cell in assess(problem).cells}
