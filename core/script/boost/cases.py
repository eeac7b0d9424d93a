"""The cases of ``payoff.boost``: columns of a table by role, outcome, classes in order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from core.assembly.models.input_columns import (
    input_column,
    read_inputs,
    refuse_missing,
    role_values,
    whole_codes,
)
from core.assembly.models.refusals import refuse_one_class
from core.boosting import Cases
from core.data import (
    LoadedTable,
    column_as_float,
    encode_levels,
    known_order,
    place_of,
    printed,
)
from core.data.roles.guessing import guess_event
from core.document.model import TargetSpec
from core.script.boost.money import DecisionTerms, consequences_of
from core.uplift.arm_chances import treated_share
from payoff.class_order import own_order
from payoff.errors import PayoffError
from payoff.specs import LossDistribution
from payoff.types import FloatArray
from payoff.vocabulary import Extra, TargetDomain

_CLASS_DOMAINS = (TargetDomain.BINARY, TargetDomain.CLASSES)
_PLAIN_ROLES = ("event", "entry", "strata", "upper", "treatment", "propensity")


def feature_names(
    table: LoadedTable, features: Sequence[str] | None, roles: Mapping[str, str]
) -> list[str]:
    """The input columns: those named, or every column without a role."""
    if features is None:
        return [name for name in table.columns if name not in roles.values()]
    for name in features:
        if name in roles.values():
            role = next(role for role, column in roles.items() if column == name)
            raise PayoffError(
                f"The column '{name}' cannot be an input.",
                why=f"It is the {role} of this training.",
                remedy="Leave it out of features.",
            )
    return list(features)


def cases_of(
    table: LoadedTable,
    spec: LossDistribution,
    names: Sequence[str],
    roles: Mapping[str, str],
    levels: Mapping[str, Any],
    train_fraction: float,
    decision: DecisionTerms | None = None,
) -> tuple[Cases, tuple[str, ...]]:
    """The cases of a fit and the levels of the outcome in class order."""
    columns = tuple(input_column(table, name, levels.get(name)) for name in names)
    target = roles["target"]
    outcome, classes = _outcome(table, target, spec, levels.get(target))
    rows = int(train_fraction * table.rows) if 0.0 < train_fraction <= 1.0 else 0
    if rows:
        refuse_one_class(table, target, outcome[:rows], classes)
    numbers = {
        role: column_as_float(table, roles[role], role=role)
        for role in ("weight", "offset")
        if role in roles
    }
    weight = numbers.get("weight")
    extras = _extras(table, spec, roles, rows, weight)
    if Extra.CONSEQUENCES in spec.extras:
        extras["consequences"] = consequences_of(
            table, target, decision, classes, outcome[:rows], weight
        )
    cases = Cases(
        inputs=read_inputs(table, columns),
        outcome=outcome,
        weight=weight,
        offset=numbers.get("offset"),
        group=whole_codes(table, roles["group"]) if "group" in roles else None,
        extras=extras,
        n_train=rows,
        n_classes=max(1, len(classes)),
    )
    return cases, classes


def _extras(
    table: LoadedTable,
    spec: LossDistribution,
    roles: Mapping[str, str],
    rows: int,
    weight: FloatArray | None,
) -> dict[str, FloatArray]:
    """Further columns by role; a chance of treatment that is not named is that of an experiment."""
    extras = {role: role_values(table, role, roles[role]) for role in _PLAIN_ROLES if role in roles}
    if Extra.PROPENSITY in spec.extras and "treatment" in extras and "propensity" not in extras:
        extras["propensity"] = treated_share(extras["treatment"], rows, weight)
    return extras


def _outcome(
    table: LoadedTable, name: str, spec: LossDistribution, wanted: Any
) -> tuple[FloatArray, tuple[str, ...]]:
    """The outcome as numbers, and its levels in class order for classes."""
    if spec.target not in _CLASS_DOMAINS:
        values = column_as_float(table, name, role="target")
        refuse_missing(table, name, np.isnan(values))
        return values, ()
    codes, found = encode_levels(table, name)
    refuse_missing(table, name, codes < 0)
    classes = (
        tuple(map(printed, wanted))
        if wanted is not None
        else _class_order(table, name, found, codes, spec)
    )
    unknown = [level for level in found if level not in classes]
    if unknown:
        raise PayoffError(
            f"The target '{name}' has the level '{unknown[0]}', which is not listed.",
            where=place_of(table, int(np.argmax(codes == found.index(unknown[0]))), name),
        )
    if spec.target == TargetDomain.BINARY and len(classes) > 2:
        raise PayoffError(
            f"The target '{name}' has {len(classes)} levels.",
            why=f"{spec.label} tells two apart.",
            remedy="Take distribution='multinomial', or a target of two levels.",
        )
    lookup = np.array([float(classes.index(level)) for level in found])
    return lookup[codes], classes


def _class_order(
    table: LoadedTable, name: str, found: tuple[str, ...], codes: Any, spec: LossDistribution
) -> tuple[str, ...]:
    """Levels in their own order; of two the event stands last."""
    target = TargetSpec(column=name, kind="multiclass", levels=found)
    ordered = list(known_order(table, target) or own_order(found))
    if spec.target == TargetDomain.BINARY and len(ordered) == 2 and ordered != ["0", "1"]:
        counts = {level: int((codes == place).sum()) for place, level in enumerate(found)}
        chosen = guess_event(counts)[0]
        ordered = [level for level in ordered if level != chosen] + [chosen]
    if spec.target == TargetDomain.BINARY and len(ordered) == 1:
        ordered = ["0", "1"] if ordered[0] in ("0", "1") else [*ordered, ""]
    return tuple(ordered)


def order_warnings(
    table: LoadedTable, spec: LossDistribution, target: str, wanted: Any, classes: tuple[str, ...]
) -> tuple[str, ...]:
    """What is to be said where only the texts of the classes say in which order they stand."""
    if not spec.has_ordered_classes or wanted is not None:
        return ()
    if known_order(table, TargetSpec(column=target, kind="multiclass", levels=classes)):
        return ()
    order = ", ".join(classes)
    return (
        f"The classes of '{target}' were taken in the order {order}, that of their texts: "
        f"say another with levels={{'{target}': [...]}}.",
    )
