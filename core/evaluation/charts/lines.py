"""What charts of classes share: why a model is not there, and other tools' definitions."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from core.document.compare.chart_kinds import CHART_WORDS, SAS_EM, R
from core.document.results import ChartData
from payoff.types import FloatArray

_NO_PROBABILITIES = "{model}: a score without chances; turn it into chances to see it here."
_BINS = {SAS_EM: 20, R: 10}


def no_probabilities_note(model: str) -> str:
    """Why a model is not in a chart of chances."""
    return _NO_PROBABILITIES.format(model=model)


def with_convention(chart: ChartData, convention: str) -> ChartData:
    """The chart named as another tool does, with the cause of the difference."""
    words = CHART_WORDS.get((convention, chart.kind))
    if words is None:
        return chart
    name, cause = words
    return replace(chart, variant=name, definition=f"{chart.definition} {cause}")


def depths_of(kind: str, convention: str) -> FloatArray | None:
    """The depths at which a tool reads a chart of depths; None: everywhere."""
    if (convention, kind) not in CHART_WORDS or convention not in _BINS:
        return None
    number = _BINS[convention]
    return np.asarray(np.arange(1, number + 1, dtype=np.float64) / number)
