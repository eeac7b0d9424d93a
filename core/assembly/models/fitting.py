"""Whether a distribution can be fitted to an outcome, and why not."""

from __future__ import annotations

from core import data
from core.assembly.models.effect_training import ON_PAGE_UPLIFT, reads_effect
from core.data import LoadedTable
from core.document.model import TargetSpec, TrainedModel
from payoff.class_order import are_numbers
from payoff.counting import counted
from payoff.errors import PayoffError
from payoff.specs import LossDistribution
from payoff.vocabulary import Extra, TargetDomain

TARGET_WORDS = {
    TargetDomain.REAL: "any number",
    TargetDomain.BINARY: "two classes, such as yes and no",
    TargetDomain.CLASSES: "two or more classes",
    TargetDomain.COUNTS: "a number of 0 or more",
    TargetDomain.POSITIVE: "a number above 0",
    TargetDomain.TIME_EVENT: "a time above 0, with a column that says whether the event was seen",
    TargetDomain.GRADES: "a grade of 0 or more, with a column that names the groups",
}
_CLASS_DOMAINS = (TargetDomain.BINARY, TargetDomain.CLASSES)
NEEDED = {Extra.EVENT: "event", Extra.GROUP: "group"}


def needs_of(spec: LossDistribution) -> tuple[str, ...]:
    """Further columns that must be named before a training."""
    needed = [extra for extra in spec.extras if extra not in spec.optional_extras]
    return tuple(NEEDED[extra] for extra in needed if extra in NEEDED)


def check_fit(
    spec: LossDistribution, target: TargetSpec, settings: TrainedModel, table: LoadedTable
) -> None:
    """Refuse a distribution that does not fit an outcome, or a column that it needs and lacks."""
    reason = _reason_of_outcome(spec, target, table)
    if reason:
        raise PayoffError(
            f"{spec.label} does not fit the outcome '{target.column}'.",
            why=reason,
            remedy="Choose another distribution.",
        )
    for role in _missing_roles(spec, settings):
        raise PayoffError(
            f"{spec.label} needs a column for the role '{role}'.",
            why=ON_PAGE_UPLIFT if reads_effect(spec) else "",
            remedy=f"Name it; in scripts {role}=...",
        )


def reason_against(
    spec: LossDistribution, target: TargetSpec, settings: TrainedModel, table: LoadedTable
) -> str:
    """Why a distribution cannot be fitted to a kind of target with these columns; "" if it can."""
    missing = _missing_roles(spec, settings)
    if reads_effect(spec) and missing:
        return ON_PAGE_UPLIFT
    reason = _reason_of_outcome(spec, target, table)
    if not reason and missing:
        return f"It needs a column for '{missing[0]}', and none is named."
    return reason


def _missing_roles(spec: LossDistribution, settings: TrainedModel) -> tuple[str, ...]:
    """Further columns that a training cannot do without, and that are not named."""
    if reads_effect(spec):
        return () if settings.effect_of else (Extra.TREATMENT.value,)
    return tuple(name for name in needs_of(spec) if getattr(settings, name) is None)


def _reason_of_outcome(spec: LossDistribution, target: TargetSpec, table: LoadedTable) -> str:
    if not reads_effect(spec):
        order = data.known_order(table, target) if target.levels else ()
        return reason_by_kind(spec, target, order)
    if len(target.levels) > 2:
        count = counted(len(target.levels), "class", "classes")
        return f"'{target.column}' has {count}: an effect needs two."
    return ""


def reason_by_kind(spec: LossDistribution, target: TargetSpec, order: tuple[str, ...]) -> str:
    wants = TARGET_WORDS[spec.target]
    if spec.target in _CLASS_DOMAINS:
        if not target.levels:
            return f"It fits {wants}; '{target.column}' is a number."
        if spec.has_ordered_classes and not order:
            return (
                f"It fits classes in a known order; those of '{target.column}' are no numbers. Say "
                "their order on page Data."
            )
        if spec.target == TargetDomain.BINARY and len(target.levels) != 2:
            return (
                f"It fits {wants}; '{target.column}' has "
                f"{counted(len(target.levels), 'class', 'classes')}."
            )
        return ""
    if target.levels:
        few = target.levels if len(target.levels) < 7 else (*target.levels[:5], "...")
        reason = f"It fits {wants}; '{target.column}' has the classes {', '.join(few)}."
        if spec.target == TargetDomain.TIME_EVENT:  # that something happened is no time
            reason += " Name the column of the times in step Target."
        elif are_numbers(target.levels):
            reason += " Take it as a number in step Target."
        return reason
    return ""
