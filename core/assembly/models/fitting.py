"""Whether a distribution can be fitted to an outcome, and why not."""

from __future__ import annotations

from core import data
from core.assembly.models.effect_training import ON_PAGE_UPLIFT, reads_effect
from core.data import LoadedTable
from core.document.model import TargetSpec, TrainedModel
from payoff.class_order import are_numbers
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


def reason_against(
    spec: LossDistribution, target: TargetSpec, settings: TrainedModel, table: LoadedTable
) -> str:
    """Why a distribution cannot be fitted to a kind of target with these columns; "" if it can."""
    if reads_effect(spec):
        many = len(target.levels) > 2
        reason = f"'{target.column}' has {len(target.levels)} classes: an effect needs two."
        return reason if many else "" if settings.effect_of else ON_PAGE_UPLIFT
    order = data.known_order(table, target) if target.levels else ()
    reason = reason_by_kind(spec, target, order)
    if reason:
        return reason
    for name in needs_of(spec):
        if getattr(settings, name) is None:
            return f"It needs a column for '{name}', and none is named."
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
            return f"It fits {wants}; '{target.column}' has {len(target.levels)} classes."
        return ""
    if target.levels:
        few = target.levels if len(target.levels) < 7 else (*target.levels[:5], "...")
        reason = f"It fits {wants}; '{target.column}' has the classes {', '.join(few)}."
        if are_numbers(target.levels):
            reason += " Take it as a number in step Target."
        return reason
    return ""
