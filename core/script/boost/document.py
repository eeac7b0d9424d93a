"""The document that a person would have made of what ``payoff.boost`` is asked, and its plan.

Losses in money for scripts: the terms of a decision, as a document says them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from core import boosting
from core.assembly.models.input_columns import refuse_missing, role_values
from core.assembly.models.loss_terms import reads_effect, reads_money
from core.assembly.models.training_plan import TrainingPlan, plan_training
from core.boosting import BoostedModel, EarlyStopping
from core.data import (
    LoadedTable,
    column_as_float,
    count_levels,
    encode_levels,
    known_order,
    place_of,
    printed,
)
from core.document.commands import AddTrainedModel
from core.document.data.events import guess_event
from core.document.data.model import BadValues, MissingOutcomes, RowUse
from core.document.data.row_defaults import default_rows
from core.document.model import (
    Document,
    LevelOrder,
    Role,
    RoleAssignment,
    SplitSpec,
    TargetSpec,
    TrainedModel,
)
from core.engine.context import JobContext
from core.script.boost.request import BoostRequest
from core.script.decide.document import decide_document
from core.script.decide.request import (
    GIVE_TERMS,
    DecideRequest,
    DecisionTerms,
    Matrix,
    check_terms,
)
from core.script.session import chosen_rows, engine, loaded_table
from payoff.class_order import own_order
from payoff.errors import PayoffError
from payoff.specs import LossDistribution
from payoff.vocabulary import TargetDomain


def money_document(
    table: LoadedTable,
    target: str,
    terms: DecisionTerms | None,
    classes: Sequence[str],
    context: JobContext,
) -> Document:
    """The document of a decision's terms: its outcome, matrix, costs and priors.

    Parameters
    ----------
    classes : sequence of str
        Levels of the outcome; rows of the matrix for other levels are left out.

    Raises
    ------
    PayoffError
        If there are no terms, or they do not fit the data.
    """
    if terms is None:
        raise PayoffError("A loss in money needs the terms of the decision.", remedy=GIVE_TERMS)
    check_terms(terms)
    kept = terms.copy()
    if not isinstance(terms["matrix"], str):
        _check_rows(table, target, terms["matrix"])
        kept = _of_classes(terms, terms["matrix"], classes)
    requested = DecideRequest(data=table, target=target, **kept)
    document = decide_document(table, requested, context, tuple(classes))
    return replace(document, bad_values=BadValues.REFUSE)


def _check_rows(table: LoadedTable, target: str, rows: Matrix) -> None:
    """Refuse a matrix without a row for a level of the outcome."""
    levels = {printed(level) for level in rows}
    found = encode_levels(table, target)[1]
    missing = [level for level in found if level not in levels]
    if missing:
        raise PayoffError(
            f"The matrix has no row for '{missing[0]}'.",
            remedy="Give one row per level of the outcome.",
        )


def _of_classes(terms: DecisionTerms, rows: Matrix, classes: Sequence[str]) -> DecisionTerms:
    """Terms without what they say of levels that are no class of the outcome."""
    kept = terms.copy()
    kept["matrix"] = {level: row for level, row in rows.items() if printed(level) in classes}
    if "priors" in terms:
        kept["priors"] = {k: v for k, v in terms["priors"].items() if printed(k) in classes}
    return kept


NAME = "Model"
"""What the model is called in the document."""

_CLASS_DOMAINS = (TargetDomain.BINARY, TargetDomain.CLASSES)
_SAME = (
    *("distribution", "n_trees", "interaction_depth", "max_depth", "shrinkage"),
    *("min_cases_in_node", "bag_fraction", "column_fraction", "l2", "cv_folds"),
    *("level_penalty", "missing"),
    *("max_bins", "precision", "gbm_compatible", "bag_groups", "seed", "weight", "offset"),
    *("group", "event", "entry", "strata", "upper", "propensity"),
)


def _patience(early: int | EarlyStopping | None) -> int:
    """Trees without improvement; a figure of a script's own stays outside the document."""
    if early is None or isinstance(early, int):
        return early or 0
    return early.patience if early.figure is None else 0


_CHANGED: dict[str, tuple[str, Callable[[Any], object]]] = {
    "features": ("features", tuple),
    "distribution_params": ("distribution_params", lambda given: tuple((given or {}).items())),
    "monotone": ("monotone", lambda given: tuple((given or {}).items())),
    "interactions": ("interactions", lambda given: tuple(map(tuple, given))),
    "early_stopping": ("patience", _patience),
}
SETTINGS = (*_SAME, *_CHANGED)
"""Fields of a request that a project keeps with its model; all others say data, rows and outcome,
or are functions."""
_ROLES = {
    "target": Role.TARGET,
    "group": Role.GROUP,
    "event": Role.EVENT,
    "entry": Role.ENTRY,
    "treatment": Role.TREATMENT,
    "propensity": Role.PROPENSITY,
}


@dataclass(frozen=True, kw_only=True, eq=False)
class Training:
    """A training that a script asks for, as a document says it.

    Attributes
    ----------
    document : Document
        Without the model.
    settings : TrainedModel
        As the plan settled them.
    class_shares : tuple of (level, share)
        Weighted, of the rows that train.
    source : LoadedTable
        The whole table, for as long as questions may be asked of it.
    """

    document: Document
    settings: TrainedModel
    class_shares: tuple[tuple[str, float], ...]
    source: LoadedTable = field(repr=False)

    def with_model(self, model: BoostedModel) -> Document:
        """The document with the model that came of it, whose file is put on the engine's shelf."""
        here = engine()
        plugin = here.registry.plugin_of(model.distribution)
        are_chosen_by = bool(self.settings.patience) or model.choice in ("early stopping", "test")
        trained = replace(
            self.settings,
            n_trees=max(self.settings.n_trees, model.n_trees),
            model_hash=here.workbench.model_store.put(boosting.model_bytes(model, plugin)),
            plugin=plugin,
            trees=model.n_trees,
            trees_used=model.n_trees,
            choice=model.choice,
            stopped_rows=self.settings.stopped_rows if are_chosen_by else 0,
            class_shares=self.class_shares,
        )
        return AddTrainedModel(model=trained).apply(self.document)


@dataclass(frozen=True, kw_only=True, eq=False)
class Planned:
    """What ``payoff.boost`` was asked, ready for the first tree."""

    plan: TrainingPlan
    training: Training
    warnings: tuple[str, ...]


def plan_boost(request: BoostRequest) -> Planned:
    """Make the document of a request, and read and check everything before the first tree.

    Raises
    ------
    PayoffError
        For data that cannot be trained on, naming column and row.
    """
    source = loaded_table(request.data)
    table = chosen_rows(source, request.rows)
    context = JobContext(engine().workbench)
    document, settings, warnings = boost_document(table, request, context)
    if table is source:
        plan = plan_training(table, document, settings, context)
        settings = plan.settings
    else:  # rows that do not count are not looked at
        whole = replace(document, split=replace(document.split, where=""))
        plan = plan_training(table, whole, settings, context)
        settings = replace(
            plan.settings,
            levels=_levels_found(plan),
            data_hash=source.rows_hash,
            split=document.settled_split,
        )
        document = replace(document, data=source.data)
    training = Training(
        document=document, settings=settings, class_shares=plan.class_shares, source=source
    )
    return Planned(plan=plan, training=training, warnings=(*plan.warnings, *warnings))


def boost_document(
    table: LoadedTable, request: BoostRequest, context: JobContext
) -> tuple[Document, TrainedModel, tuple[str, ...]]:
    """The document of a request, the settings of its model, and what is to be said of them."""
    share = request.train_fraction
    if not 0.0 < share <= 1.0 or int(share * table.rows) < 1:
        raise PayoffError(
            "There are no training rows.", where=table.path, remedy="Raise train_fraction."
        )
    spec = context.registry.distribution(request.distribution)
    target, classes, warnings = _target(table, request, spec)
    document = Document(name="", data=table.data, target=target)
    if reads_money(spec):
        document = money_document(table, request.target, request.decision, target.levels, context)
        assert document.target is not None  # every document of a decision has one
        target = document.target
    features = request.features
    if features is None:
        features = [name for name in table.columns if name not in request.roles.values()]
    reported = _reported(request.levels or {}, features)
    if classes and not spec.has_ordered_classes and classes != _usual_order(target, spec):
        reported = (*reported, LevelOrder(column=target.column, levels=classes))
    requested = {name: getattr(request, name) for name in SETTINGS} | {"features": features}
    settings = TrainedModel(
        name=NAME,
        target=request.target,
        levels=reported,
        effect_of=_effect(table, request.treatment) if reads_effect(spec) else None,
        stop_rows=(RowUse.VALIDATION,) if share < 1.0 else (),
        **model_settings(requested),
    )
    shares = (share, 1.0 - share, 0.0)
    document = replace(
        document,
        split=SplitSpec(in_order=True, shares=shares, where=request.rows or ""),
        missing_outcomes=MissingOutcomes.ASK,
    ).with_roles(_roles(table, request, features))
    return replace(document, rows_used=default_rows(document)), settings, warnings


def model_settings(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return fields of a request as the fields of ``TrainedModel`` that hold them."""
    found = {name: value for name, value in given.items() if name in _SAME}
    for name, (held_as, form) in _CHANGED.items():
        if name in given:
            found[held_as] = form(given[name])
    return found


def _roles(
    table: LoadedTable, request: BoostRequest, features: Sequence[str]
) -> tuple[RoleAssignment, ...]:
    """What the columns that were named are for.

    A weight that is 0 somewhere is one of the training alone: rows of weight 0 are cases here.
    """
    found = {
        column: _ROLES[role] for role, column in request.roles.items() if role in _ROLES
    } | dict.fromkeys(features, Role.INPUT)
    weight = request.weight
    if weight is not None and bool((column_as_float(table, weight, role="weight") != 0.0).all()):
        found.setdefault(weight, Role.WEIGHT)
    return tuple(RoleAssignment(column=column, role=role) for column, role in found.items())


def _reported(levels: Mapping[str, Any], names: Sequence[str]) -> tuple[LevelOrder, ...]:
    """The levels that are told of columns: a list in code order, or {"ordered": list}."""
    return tuple(
        LevelOrder(
            column=name,
            levels=tuple(map(printed, _listed(levels[name]))),
            is_ordered=isinstance(levels[name], Mapping),
        )
        for name in names
        if name in levels
    )


def _listed(described: Any) -> Any:
    return described["ordered"] if isinstance(described, Mapping) else described


def _levels_found(plan: TrainingPlan) -> tuple[LevelOrder, ...]:
    """The levels that a plan told and found: other rows of the data may have others."""
    columns = plan.cases.inputs.columns
    found = [
        LevelOrder(column=column.name, levels=column.levels, is_ordered=column.is_ordered)
        for column in columns
        if column.levels
    ]
    names = {column.name for column in columns}
    return (*found, *(entry for entry in plan.settings.levels if entry.column not in names))


def _effect(table: LoadedTable, column: str | None) -> tuple[str, str, str] | None:
    """The column of the treatment, and how the table writes 1 and 0 in it."""
    if column is None:
        return None
    values = role_values(table, "treatment", column)
    strange = (values != 0.0) & (values != 1.0)
    if strange.any():
        row = int(np.argmax(strange))
        raise PayoffError(
            f"The treatment {values[row]:g} is neither 0 nor 1.",
            where=place_of(table, row, column),
            why="1 stands for treated, 0 for not.",
        )
    codes, levels = encode_levels(table, column)
    arms = {float(values[np.argmax(codes == code)]): level for code, level in enumerate(levels)}
    return column, arms.get(1.0, "1"), arms.get(0.0, "0")


# ---------------------------------------------------------------- outcome


def _target(
    table: LoadedTable, request: BoostRequest, spec: LossDistribution
) -> tuple[TargetSpec, tuple[str, ...], tuple[str, ...]]:
    """The outcome, its levels in the order of the model's classes, and what is to be said.

    Raises
    ------
    PayoffError
        For a missing outcome, or a level that is not among those listed.
    """
    name = request.target
    if spec.target not in _CLASS_DOMAINS:
        refuse_missing(table, name, np.isnan(column_as_float(table, name, role="target")))
        return TargetSpec(column=name, kind="interval"), (), ()
    codes, found = encode_levels(table, name)
    refuse_missing(table, name, codes < 0)
    counts = count_levels(codes, found)
    wanted = (request.levels or {}).get(name)
    warnings: tuple[str, ...] = ()
    if wanted is not None:
        classes = tuple(map(printed, _listed(wanted)))
    else:
        classes, warnings = _class_order(table, name, counts, spec)
    unknown = [level for level in found if level not in classes]
    if unknown:
        raise PayoffError(
            f"The target '{name}' has the level '{unknown[0]}', which is not listed.",
            where=place_of(table, int(np.argmax(codes == found.index(unknown[0]))), name),
        )
    event = guess_event(counts)[0]
    if spec.target == TargetDomain.BINARY and len(classes) == 2:
        event = classes[1]
    levels = (event, *(level for level in classes if level != event))
    target = TargetSpec(
        column=name,
        kind="binary" if len(levels) == 2 else "multiclass",
        levels=levels,
        order=classes if spec.has_ordered_classes else (),
    )
    return target, classes, warnings


def _class_order(
    table: LoadedTable, name: str, counts: dict[str, int], spec: LossDistribution
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Levels in their own order, of two the event last; a word where only texts say the order."""
    found = tuple(counts)
    known = known_order(table, TargetSpec(column=name, kind="multiclass", levels=found))
    ordered = list(known or own_order(found))
    if spec.target == TargetDomain.BINARY:
        if len(ordered) == 2 and ordered != ["0", "1"]:
            event = guess_event(counts)[0]
            ordered = [level for level in ordered if level != event] + [event]
        if len(ordered) == 1:
            ordered = ["0", "1"] if ordered[0] in ("0", "1") else [*ordered, ""]
    if known or not spec.has_ordered_classes:
        return tuple(ordered), ()
    order = ", ".join(ordered)
    return tuple(ordered), (
        f"The classes of '{name}' were taken in the order {order}, that of their texts: "
        f"say another with levels={{'{name}': [...]}}.",
    )


def _usual_order(target: TargetSpec, spec: LossDistribution) -> tuple[str, ...]:
    """The class order of a model where none is told: of two the event last."""
    return target.levels[::-1] if spec.target == TargetDomain.BINARY else target.levels
