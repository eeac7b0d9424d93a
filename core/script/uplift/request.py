"""What ``payoff.uplift`` is asked, as one object."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any

from core.document.uplift.model import NuChoice
from core.script.session import REFUSE, ScriptData
from payoff.errors import PayoffError, no_such

POINTWISE = "pointwise"
NU_CHOICES = {"optimal": NuChoice.OVERALL, "area": NuChoice.AREA, POINTWISE: NuChoice.ZERO}
"""Words for a baseline; one of its own at every depth is drawn, and nothing else is read off it."""


@dataclass(frozen=True, slots=True, eq=False)
class UpliftRequest:
    """The arguments of ``payoff.uplift``, where each is explained."""

    data: ScriptData
    _: KW_ONLY
    outcome: str
    treatment: str
    scores: str | Sequence[str] | Mapping[str, str]
    propensity: str | None = None
    weight: str | None = None
    nu: float | str = 0.0
    true_effect: str | None = None
    covariates: Sequence[str] | None = None
    treated: Any = None
    control: Any = None
    event: Any = None
    clip: float | None = None
    planned_share: float | None = None
    drawn_by_lot: bool | None = None
    seed: int = 20261
    missing_outcomes: str = REFUSE
    memory: float | str | None = None
    scratch: str | None = None
    dask: Any = None

    @property
    def score_columns(self) -> dict[str, str]:
        """The column of each score, by the name it goes by."""
        if isinstance(self.scores, str):
            return {self.scores: self.scores}
        if isinstance(self.scores, Mapping):
            named = {str(name): str(column) for name, column in self.scores.items()}
        else:
            named = {str(column): str(column) for column in self.scores}
        if not named:
            raise PayoffError("No score column is named.", remedy="Give scores='column'.")
        return named

    @property
    def baseline(self) -> NuChoice | float:
        """The baseline of the curve; refuses what is neither a finite number nor a known word."""
        if isinstance(self.nu, str):
            if self.nu not in NU_CHOICES:
                raise no_such("baseline", self.nu, NU_CHOICES, listed="A number, or")
            return NU_CHOICES[self.nu]
        if not math.isfinite(self.nu):
            raise PayoffError("The baseline nu must be a finite number.")
        return float(self.nu) if self.nu else NuChoice.ZERO
