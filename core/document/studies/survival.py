"""Survival over time: curves of groups by risk and of one case, and chances at a horizon."""

from __future__ import annotations

from dataclasses import dataclass

from core.document.model import Document
from core.document.results import RowsNote
from payoff.types import FloatArray


@dataclass(frozen=True, slots=True, kw_only=True)
class SurvivalGroup:
    """One group: shares without the event over the times, as predicted and as observed.

    ``low`` and ``high`` are 95 % limits of the observed share. ``at_horizon``: predicted, observed.
    """

    name: str
    cases: int
    predicted: FloatArray
    observed: FloatArray
    low: FloatArray
    high: FloatArray
    at_horizon: tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class SurvivalResult:
    """Curves at ``times`` (m,); ``case`` is empty without a row.

    ``brier`` and ``auc`` at the horizon judge the model's own chances on these rows. ``origin``
    says where those chances come from, ``notes`` what late entry means.
    """

    model: str
    rows: RowsNote
    times: FloatArray
    horizon: float
    groups: tuple[SurvivalGroup, ...]
    case: FloatArray
    case_chance: float  # of the event by the horizon; NaN without a row
    brier: float
    brier_constant: float  # of the same chance for everybody: the share observed
    auc: float
    origin: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class HorizonFileArguments:
    """-> HorizonFileResult. Kind "horizon_file": the data with chances at a horizon beside them."""

    document: Document
    model: str
    horizon: float
    path: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HorizonFileResult:
    """What was written: names of the three new columns, and how many rows are unknown."""

    path: str
    chance: str
    outcome: str
    weight: str
    rows: int
    unknown: int
