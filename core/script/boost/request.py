"""What ``payoff.boost`` is asked, as one object."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, MISSING, dataclass
from typing import Any

from core.boosting import Callbacks, EarlyStopping
from core.script.boost.option_texts import (
    read_levels,
    read_parameters,
    read_signs,
    read_terms,
)
from core.script.decide.request import DecisionTerms
from core.script.options import comma_names, lists_in, no_option, option
from core.script.session import ScriptData


@dataclass(frozen=True, slots=True, eq=False)
class BoostRequest:
    """The arguments of ``payoff.boost``, where each is explained, and the options of its verb."""

    data: ScriptData = no_option("the verb's own argument, or --data, with the options of reading")
    _: KW_ONLY
    target: str = option(MISSING, "the outcome; for coxph the time", form="COLUMN")
    distribution: str = option(MISSING, "gaussian, bernoulli, poisson ...", form="NAME")
    distribution_params: Mapping[str, object] | None = option(
        None,
        "a parameter of the distribution: alpha=0.9, ties=efron",
        flag="--param",
        form="NAME=VALUE",
        is_repeated=True,
        read=read_parameters,
    )
    features: Sequence[str] | None = option(
        None,
        "default: all without another role",
        flag="--inputs",
        form="COLUMN,COLUMN",
        read=comma_names,
    )
    n_trees: int = option(100, "number of trees (100)", flag="--trees")
    interaction_depth: int = option(1, "splits per tree (1)", flag="--depth")
    shrinkage: float = option(0.1, "learning rate (0.1)")
    min_cases_in_node: int = option(10, "fewest cases in a leaf (10)", flag="--min-cases")
    bag_fraction: float = option(0.5, "share of the rows drawn for each tree (0.5)")
    train_fraction: float = option(1.0, "first share of the rows that trains")
    cv_folds: int = option(0, "cross-validate in so many folds")
    weight: str | None = option(None, "case weights", form="COLUMN")
    offset: str | None = option(None, "added to the score", form="COLUMN")
    group: str | None = option(None, "pairwise: groups", form="COLUMN")
    event: str | None = option(None, "coxph, aft: 1 = event, 0 = censored", form="COLUMN")
    entry: str | None = option(None, "coxph: when the case enters", form="COLUMN")
    strata: str | None = option(None, "coxph: strata with a hazard each", form="COLUMN")
    upper: str | None = option(
        None, "aft: the latest time at which the event may have happened", form="COLUMN"
    )
    treatment: str | None = option(None, "uplift: 1 = treated, 0 = not", form="COLUMN")
    propensity: str | None = option(
        None, "uplift: the chance of being treated; default: the share treated", form="COLUMN"
    )
    decision: DecisionTerms | None = option(
        None,
        'losses in money: {"matrix": {"1": [10, 0], "0": [-1, 0]}, "costs": ...}, or a file of it',
        form="JSON",
        read=read_terms,
    )
    monotone: Mapping[str, int] | None = option(
        None,
        "the score only rises, or falls, with the column",
        form="COLUMN=rising|falling",
        is_repeated=True,
        read=read_signs,
    )
    interactions: Sequence[Sequence[str]] = option(
        (),
        "columns that may stand on one path of a tree; repeat for each set",
        form="COLUMN,COLUMN",
        is_repeated=True,
        read=lists_in,
    )
    levels: Mapping[str, Any] | None = option(
        None,
        "levels of a column in code order; --ordered: as ranks",
        form="COLUMN=LEVEL,LEVEL",
        is_repeated=True,
        read=read_levels,
    )
    missing: str = option(
        "learned_side",
        "where cases without a value go at a split",
        choices=("learned_side", "third_child"),
    )
    max_bins: int = option(255, "different values told apart")
    max_depth: int = option(0, "deepest split")
    column_fraction: float = option(1.0, "share of the inputs drawn for each tree")
    l2: float = option(0.0, "shrinks leaf values")
    level_penalty: float = option(
        1.0, "shrinks the means of levels by their counts; 0: not at all (1)"
    )
    bag_groups: bool | None = option(
        None, "draw whole groups, or rows; default: groups where they are named"
    )
    precision: str = option(
        "auto", "splits from every value, or from bins", choices=("auto", "exact", "histogram")
    )
    gbm_compatible: bool = option(False, "R gbm's arithmetic")
    early_stopping: int | EarlyStopping | None = option(
        None, "stop after so many trees without gain"
    )
    seed: int = option(0, "draws bags and folds")
    threads: int | None = option(None, "the model does not depend on it")
    callbacks: Callbacks | None = no_option(
        "functions; the verb's own tells how far the training is", None
    )
    rows: str | None = option(
        None, "only rows for which this is true: 'age >= 30'", form="CONDITION"
    )

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
