"""What treating brings without a ranking: each arm against control, and the size of a next test."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from core import data
from core.assembly.context import AssemblyContext, table_of
from core.assembly.uplift.cases import UpliftCases, uplift_cases
from core.assembly.uplift.data import covariate_matrix, read_outcome
from core.data import LoadedTable, encode_levels
from core.document.model import Document, Role
from core.document.studies.uplift import ArmRow, ArmsResult, Effect, NextTestResult
from core.document.uplift.model import looks_after_treatment
from core.inference.intervals import holm_p_values
from core.questions.uplift import Arms, NextTest
from core.uplift.effects import (
    adjusted_effect,
    arm_spread,
    effects_by_segment,
    next_test_size,
    plain_effect,
)
from core.uplift.experiment import Experiment
from payoff.errors import PayoffError
from payoff.types import BoolArray, FloatArray, IntArray

MOST_OUTCOMES = 6
MOST_ADJUSTED_ROWS = 2_000_000
_LADDER = (0.5, 0.75, 1.0, 1.5, 2.0)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Table:
    """Rows of all arms with a known treatment."""

    table: LoadedTable
    cases: UpliftCases
    rows: IntArray
    codes: IntArray  # level of the treatment of each row
    levels: tuple[str, ...]
    weight: FloatArray | None


def compare_arms(document: Document, question: Arms, context: AssemblyContext) -> ArmsResult:
    """Every arm against the control arm, plain and adjusted; by segment where one is named.

    Raises
    ------
    PayoffError
        As page Uplift.
    """
    cases = uplift_cases(document, context)
    made = _all_arms(document, table_of(document, context), cases)
    outcomes = outcomes_of(document, made.table, cases)
    rows: list[ArmRow] = []
    for place, outcome in enumerate(outcomes):
        context.progress(place / len(outcomes), f"Comparing arms on {outcome}")
        rows += _rows_of_outcome(made, outcome, cases)
    rows = _with_adjusted_p(rows)
    parted, p_value = _by_segment(made, question.segment)
    return ArmsResult(
        control=cases.arms.control,
        rows=(*rows, *_with_adjusted_p(parted)),
        segment=question.segment,
        segment_p_value=p_value,
        warnings=cases.warnings,
    )


def _all_arms(document: Document, table: LoadedTable, cases: UpliftCases) -> _Table:
    codes, levels = encode_levels(table, cases.treatment)
    rows, _ = data.usable_rows(table, document)
    rows = rows[codes[rows] >= 0]
    weight = data.frequency(table, document)
    return _Table(
        table=table,
        cases=cases,
        rows=rows,
        codes=codes[rows].astype(np.int64),
        levels=levels,
        weight=None if weight is None else weight[rows],
    )


def outcomes_of(document: Document, table: LoadedTable, cases: UpliftCases) -> tuple[str, ...]:
    """The chosen outcome, then other numbers that were measured after the treatment."""
    scores = {entry.column for entry in document.roles if entry.role is not Role.INPUT}
    scores -= {entry.column for entry in document.roles if entry.role is Role.IGNORED}
    additional = [
        name
        for name in table.columns
        if name not in (cases.outcome, cases.treatment)
        and name not in scores
        and looks_after_treatment(name)
        and table.kinds[name] in ("integer", "number", "boolean")
    ]
    return (cases.outcome, *additional)[:MOST_OUTCOMES]


def _rows_of_outcome(made: _Table, outcome: str, cases: UpliftCases) -> list[ArmRow]:
    values = _outcome_of(made, outcome)
    known = np.isfinite(values)
    control = made.levels.index(cases.arms.control)
    rows = []
    for code, arm in enumerate(made.levels):
        if code == control:
            continue
        inside, against = known & (made.codes == code), known & (made.codes == control)
        try:
            effect = plain_effect(
                values, inside, against, weight=made.weight, arm=arm, control=cases.arms.control
            )
        except PayoffError:
            continue  # an arm of fewer than two cases says nothing
        rows.append(
            ArmRow(
                outcome=outcome,
                segment="",
                effect=effect,
                adjusted=_adjusted(made, values, inside, against, arm),
                p_value=effect.p_value,
                is_binary=_is_binary(values[known]),
            )
        )
    return rows


def _outcome_of(made: _Table, outcome: str) -> FloatArray:
    event = made.cases.event if outcome == made.cases.outcome else ""
    return np.asarray(read_outcome(made.table, outcome, event)[0][made.rows])


def _is_binary(values: FloatArray) -> bool:
    return bool(((values == 0) | (values == 1)).all())


def _adjusted(
    made: _Table, values: FloatArray, inside: BoolArray, against: BoolArray, arm: str
) -> Effect | None:
    columns = made.cases.columns
    if not columns or len(values) > MOST_ADJUSTED_ROWS:
        return None
    both = np.flatnonzero(inside | against)
    matrix = covariate_matrix(made.table, columns, made.rows[both])
    weight = None if made.weight is None else made.weight[both]
    try:
        return adjusted_effect(
            values[both],
            inside[both],
            against[both],
            matrix,
            weight=weight,
            arm=arm,
            control=made.cases.arms.control,
        )
    except PayoffError:
        return None


def _with_adjusted_p(rows: list[ArmRow]) -> list[ArmRow]:
    if not rows:
        return rows
    adjusted = holm_p_values(np.array([row.p_value for row in rows]))
    return [replace(row, p_value=float(p)) for row, p in zip(rows, adjusted, strict=True)]


def _by_segment(made: _Table, segment: str) -> tuple[list[ArmRow], float]:
    """The chosen arm by the levels of a column."""
    if not segment:
        return [], math.nan
    cases = made.cases
    values = _outcome_of(made, cases.outcome)
    codes, levels = encode_levels(made.table, segment)
    known = np.isfinite(values) & (codes[made.rows] >= 0)
    arm, control = (made.levels.index(name) for name in (cases.arms.treated, cases.arms.control))
    names = np.array([*levels, ""])[codes[made.rows]]
    found = effects_by_segment(
        values,
        known & (made.codes == arm),
        known & (made.codes == control),
        names,
        column=segment,
        weight=made.weight,
    )
    is_binary = _is_binary(values[known])
    rows = [
        ArmRow(
            outcome=cases.outcome,
            segment=level,
            effect=replace(effect, arm=cases.arms.treated, control=cases.arms.control),
            adjusted=None,
            p_value=effect.p_value,
            is_binary=is_binary,
        )
        for level, effect in zip(found.levels, found.effects, strict=True)
    ]
    return rows, found.p_value


def plan_next_test(
    document: Document, question: NextTest, context: AssemblyContext
) -> NextTestResult:
    """Cases that a test needs to find an effect, at the spread of the outcome seen here.

    Raises
    ------
    PayoffError
        As page Uplift, for no effect, and for shares that cannot be.
    """
    cases = uplift_cases(document, context)
    return planned_test(cases.experiment, cases.arms.treated, cases.arms.control, question)


def planned_test(
    experiment: Experiment, arm: str, control: str, question: NextTest
) -> NextTestResult:
    """The next test after an experiment; refuses as ``plan_next_test``."""
    inside = experiment.treated > 0
    weight = experiment.weight if len(experiment.weight) else None
    seen = plain_effect(
        experiment.outcome, inside, ~inside, weight=weight, arm=arm, control=control
    )
    spread = arm_spread(experiment)
    effect = seen.effect / 2 if question.effect is None else question.effect
    if not 0.5 <= question.confidence < 1:
        raise PayoffError("The confidence lies between 50 % and 100 %.")

    def cases_for(size: float) -> int:
        return next_test_size(
            size,
            spread,
            treated_share=question.treated_share,
            power=question.power,
            confidence=question.confidence,
        )

    needed = cases_for(effect)
    treated = math.ceil(needed * question.treated_share)
    return NextTestResult(
        effect=effect,
        cases=needed,
        treated=treated,
        control=needed - treated,
        seen=seen,
        # The size falls with the square of the effect.
        found_now=abs(effect) * math.sqrt(needed / experiment.total),
        cases_now=experiment.total,
        is_binary=experiment.is_binary,
        ladder=tuple((effect * times, cases_for(effect * times)) for times in _LADDER),
    )
