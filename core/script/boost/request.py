"""What ``payoff.boost`` is asked, as one object."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any

from core.boosting import Callbacks, EarlyStopping
from core.script.boost.money import DecisionTerms
from core.script.session import ScriptData


@dataclass(frozen=True, slots=True, eq=False)
class BoostRequest:
    """The arguments of ``payoff.boost``, where each is explained."""

    data: ScriptData
    _: KW_ONLY
    target: str
    distribution: str
    distribution_params: Mapping[str, object] | None = None
    features: Sequence[str] | None = None
    n_trees: int = 100
    interaction_depth: int = 1
    shrinkage: float = 0.1
    min_cases_in_node: int = 10
    bag_fraction: float = 0.5
    train_fraction: float = 1.0
    cv_folds: int = 0
    weight: str | None = None
    offset: str | None = None
    group: str | None = None
    event: str | None = None
    entry: str | None = None
    strata: str | None = None
    upper: str | None = None
    treatment: str | None = None
    propensity: str | None = None
    decision: DecisionTerms | None = None
    monotone: Mapping[str, int] | None = None
    interactions: Sequence[Sequence[str]] = ()
    levels: Mapping[str, Any] | None = None
    missing: str = "learned_side"
    max_bins: int = 255
    max_depth: int = 0
    column_fraction: float = 1.0
    l2: float = 0.0
    bag_groups: bool | None = None
    precision: str = "auto"
    gbm_compatible: bool = False
    early_stopping: int | EarlyStopping | None = None
    seed: int = 0
    threads: int | None = None
    callbacks: Callbacks | None = None
    rows: str | None = None

    @property
    def roles(self) -> dict[str, str]:
        """The columns that were named, by role."""
        named = {
            "target": self.target,
            "weight": self.weight,
            "offset": self.offset,
            "group": self.group,
            "event": self.event,
            "entry": self.entry,
            "strata": self.strata,
            "upper": self.upper,
            "treatment": self.treatment,
            "propensity": self.propensity,
        }
        return {role: column for role, column in named.items() if column is not None}
