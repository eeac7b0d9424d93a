"""What ``payoff.boost`` is asked, as one object."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from enum import StrEnum
from typing import Any, TypeVar

from core.boosting import BoostSettings, Callbacks, EarlyStopping, MissingPolicy, Precision
from core.script.boost.money import DecisionTerms
from core.script.session import ScriptData
from payoff.errors import PayoffError

Word = TypeVar("Word", bound=StrEnum)


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

    def settings(self, names: Sequence[str]) -> BoostSettings:
        """The settings of a training on these input columns."""
        return BoostSettings(
            n_trees=self.n_trees,
            interaction_depth=self.interaction_depth,
            max_depth=self.max_depth,
            shrinkage=self.shrinkage,
            min_cases_in_node=self.min_cases_in_node,
            bag_fraction=self.bag_fraction,
            column_fraction=self.column_fraction,
            l2=self.l2,
            missing=_choice(MissingPolicy, "missing", self.missing),
            max_bins=self.max_bins,
            monotone=_signs(names, self.monotone or {}),
            interactions=tuple(tuple(_index(names, c) for c in s) for s in self.interactions),
            precision=_choice(Precision, "precision", self.precision),
            gbm_compatible=self.gbm_compatible,
            is_group_bagged=self.group is not None if self.bag_groups is None else self.bag_groups,
            seed=self.seed,
        )


def _choice(kind: type[Word], name: str, value: str) -> Word:
    try:
        return kind(value)
    except ValueError:
        known = ", ".join(item.value for item in kind)
        raise PayoffError(f"{name} is '{value}'.", why=f"There are: {known}.") from None


def _index(names: Sequence[str], name: str) -> int:
    if name not in names:
        raise PayoffError(
            f"'{name}' is no input column.", remedy=f"Input columns are: {', '.join(names)}."
        )
    return list(names).index(name)


def _signs(names: Sequence[str], monotone: Mapping[str, int]) -> tuple[int, ...]:
    signs = [0] * len(names)
    for name, sign in monotone.items():
        signs[_index(names, name)] = sign
    return tuple(signs) if monotone else ()
