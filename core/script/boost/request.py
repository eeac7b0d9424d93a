"""What ``payoff.boost`` is asked, as one object.

What options of ``payoff boost`` say in words: parameters, directions, levels, terms.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, MISSING, dataclass
from pathlib import Path
from typing import Any

from core.boosting import Callbacks, EarlyStopping
from core.document.files.guarded import note_read
from core.script.decide.request import DecisionTerms
from core.script.options import comma_names, lists_in, no_option, option, pairs_of
from core.script.session import ScriptData
from payoff.errors import PayoffError


def read_parameters(entries: Sequence[str]) -> dict[str, float | str]:
    """Return parameters of a distribution: numbers, or names of choices."""
    found: dict[str, float | str] = {}
    for name, value in pairs_of(entries, "--param"):
        try:
            found[name] = float(value)
        except ValueError:
            found[name] = value
    return found


def read_signs(entries: Sequence[str]) -> dict[str, int]:
    """Return -1, 0 or 1 by column."""
    return {name: _sign(sign) for name, sign in pairs_of(entries, "--monotone")}


def _sign(text: str) -> int:
    words = {"-1": -1, "0": 0, "1": 1, "+1": 1, "falling": -1, "rising": 1}
    if text not in words:
        raise PayoffError(
            f"--monotone {text} is no direction.", why=f"There are: {', '.join(words)}."
        )
    return words[text]


def read_levels(entries: Sequence[str]) -> dict[str, list[str]]:
    """Return lists of levels by column."""
    return {name: value.split(",") for name, value in pairs_of(entries, "--levels")}


def read_ranks(entries: Sequence[str]) -> dict[str, dict[str, list[str]]]:
    """Return lists of levels that are ranks, by column."""
    pairs = pairs_of(entries, "--ordered")
    return {name: {"ordered": value.split(",")} for name, value in pairs}


def read_terms(text: str) -> dict[str, Any]:
    """Return the terms of a decision, written as JSON or standing in a file of it."""
    said = text if text.lstrip().startswith("{") else _file_text(text)
    try:
        terms = json.loads(said)
    except ValueError as reason:
        raise PayoffError(
            "The terms of the decision are no JSON.",
            where=f"--decision {text[:60]}",
            why=str(reason),
            remedy='Write {"matrix": {"1": [10, 0], "0": [-1, 0]}}, or name a file that holds it.',
        ) from reason
    if not isinstance(terms, dict):
        raise PayoffError(
            "The terms of the decision are no object.",
            where=f"--decision {text[:60]}",
            remedy='Write {"matrix": {"1": [10, 0], "0": [-1, 0]}}.',
        )
    return terms


def _file_text(path: str) -> str:
    try:
        note_read(path)
        return Path(path).read_text("utf-8")
    except OSError as reason:
        raise PayoffError(
            "The file with the terms of the decision cannot be read.",
            where=path,
            why=reason.strerror or str(reason),
        ) from reason


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
