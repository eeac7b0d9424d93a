"""The arguments of ``payoff.evaluate``: named, typed and given their defaults once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any

from core.script.decide.request import DecisionTerms
from core.script.metric_choices import MetricRequests
from core.script.session import REFUSE, ScoreColumns, ScriptData


@dataclass(frozen=True, slots=True, eq=False)
class EvaluateRequest:
    """The arguments of ``payoff.evaluate``, where each is explained."""

    data: ScriptData
    _: KW_ONLY
    outcome: str
    scores: ScoreColumns
    metrics: MetricRequests | None = None
    weight: str | None = None
    task: str | None = None
    intervals: bool = True
    priors: Mapping[Any, float] | None = None
    event: Any = None
    ranks: Mapping[str, str] | None = None
    rows: str | None = None
    weight_kind: str | None = None
    cluster: str | None = None
    resamples: int = 1000
    seed: int = 20261
    columns: Mapping[str, str] | None = None
    predicts: str = "risk"
    quantiles: Mapping[str, Mapping[float, str]] | None = None
    survival: Mapping[str, Mapping[float, str]] | None = None
    missing_outcomes: str = REFUSE
    class_order: Sequence[Any] | None = None
    decision: DecisionTerms | None = None
    memory: float | str | None = None
    scratch: str | None = None
    dask: Any = None
    seconds: float = 120.0
