"""Jobs of the tabs of page Uplift: each arm against control, row order, the variance study."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from core import data
from core.assembly.uplift.cases import UpliftCases, uplift_cases
from core.assembly.uplift.data import covariate_matrix, read_outcome
from core.assembly.uplift.prepared import prepared_uplift
from core.data import LoadedTable, encode_levels
from core.document.model import Document, Role
from core.document.results import Estimate
from core.document.studies.uplift_tabs import (
    ArmRow,
    ArmsResult,
    RowOrderModel,
    RowOrderResult,
    RowOrderRow,
    VarianceArguments,
    VarianceResult,
)
from core.document.uplift.model import looks_after_treatment
from core.engine.context import JobContext
from core.inference.multiple import holm_p_values
from core.questions.uplift import Arms, RowOrder
from core.uplift.effects import Effect, adjusted_effect, effects_by_segment, plain_effect
from core.uplift.row_order import audit_row_order
from core.uplift.variance_study import MODELS, VarianceDesign, run_variance_study
from payoff.errors import PayoffError
from payoff.types import BoolArray, FloatArray, IntArray

MOST_OUTCOMES = 6
MOST_ADJUSTED_ROWS = 2_000_000


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Table:
    """Rows of all arms with a known treatment."""

    cases: UpliftCases
    rows: IntArray
    codes: IntArray  # level of the treatment of each row
    levels: tuple[str, ...]
    weight: FloatArray | None

    @property
    def table(self) -> LoadedTable:
        return self.cases.table


def compare_arms(document: Document, question: Arms, context: JobContext) -> ArmsResult:
    """Every arm against the control arm, plain and adjusted; by segment where one is named.

    Raises
    ------
    PayoffError
        As the job "uplift".
    """
    cases = uplift_cases(document, context)
    made = _all_arms(document, cases)
    outcomes = outcomes_of(document, cases)
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


def _all_arms(document: Document, cases: UpliftCases) -> _Table:
    codes, levels = encode_levels(cases.table, cases.treatment)
    rows, _ = data.usable_rows(cases.table, document)
    rows = rows[codes[rows] >= 0]
    weight = data.frequency(cases.table, document)
    return _Table(
        cases=cases,
        rows=rows,
        codes=codes[rows].astype(np.int64),
        levels=levels,
        weight=None if weight is None else weight[rows],
    )


def outcomes_of(document: Document, cases: UpliftCases) -> tuple[str, ...]:
    """The chosen outcome, then other numbers that were measured after the treatment."""
    scores = {entry.column for entry in document.roles if entry.role is not Role.INPUT}
    scores -= {entry.column for entry in document.roles if entry.role is Role.IGNORED}
    further = [
        name
        for name in cases.table.columns
        if name not in (cases.outcome, cases.treatment)
        and name not in scores
        and looks_after_treatment(name)
        and cases.table.kinds[name] in ("integer", "number", "boolean")
    ]
    return (cases.outcome, *further)[:MOST_OUTCOMES]


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
            effect = plain_effect(values, inside, against, weight=made.weight, arm=arm)
        except PayoffError:
            continue  # an arm of fewer than two cases says nothing
        adjusted = _adjusted(made, values, inside, against, arm)
        rows.append(_row(effect, outcome, "", adjusted, is_binary=_is_binary(values[known])))
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
            values[both], inside[both], against[both], matrix, weight=weight, arm=arm
        )
    except PayoffError:
        return None


def _row(
    effect: Effect, outcome: str, segment: str, adjusted: Effect | None, *, is_binary: bool
) -> ArmRow:
    return ArmRow(
        arm=effect.arm,
        outcome=outcome,
        segment=segment,
        cases=round(effect.cases),
        mean=effect.mean,
        control_mean=effect.control_mean,
        effect=_estimate(effect),
        adjusted=None if adjusted is None else _estimate(adjusted),
        p_value=effect.p_value,
        is_binary=is_binary,
    )


def _estimate(effect: Effect) -> Estimate:
    return Estimate(value=effect.effect, low=effect.low, high=effect.high, method=effect.method)


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
        _row(
            replace(effect, arm=cases.arms.treated), cases.outcome, level, None, is_binary=is_binary
        )
        for level, effect in zip(found.levels, found.effects, strict=True)
    ]
    return rows, found.p_value


def audit_rows(document: Document, question: RowOrder, context: JobContext) -> RowOrderResult:
    """How far tools that read rows one by one could move with the order of the file."""
    made = prepared_uplift(document, context)
    models, rows = [], []
    for place, (name, ranking) in enumerate(made.rankings.items()):
        context.progress(place / len(made.rankings), f"Shuffling ties of {name}")
        audit = audit_row_order(ranking, seed=document.seed)
        models.append(
            RowOrderModel(
                model=name,
                tied=audit.tied,
                cases=audit.rows,
                groups=audit.groups,
                shuffles=audit.shuffles,
            )
        )
        rows += [
            RowOrderRow(
                model=name,
                tool=entry.tool,
                name=entry.name,
                exact=entry.exact,
                as_filed=entry.as_filed,
                low=entry.low,
                high=entry.high,
                worst=entry.worst,
                best=entry.best,
            )
            for entry in audit.ranges
        ]
    return RowOrderResult(models=tuple(models), rows=tuple(rows))


def study_variance(question: VarianceArguments, context: JobContext) -> VarianceResult:
    """Draw made-up experiments and see how noisy the area is by its baseline."""
    design = VarianceDesign(
        rows=question.rows,
        repeats=question.repeats,
        treated_share=question.treated_share,
        knows_chance=question.knows_chance,
        seed=question.seed,
    )

    def step(part: float) -> None:
        context.progress(part, "Drawing experiments")

    study = run_variance_study(design, step=step)
    middle = len(study.base_rates) // 2
    return VarianceResult(
        models=MODELS,
        base_rates=study.base_rates,
        nus=study.nus,
        variance=study.variance,
        mean=study.mean,
        best_nu=study.best_nu,
        base_rate=float(study.base_rates[middle]),
        areas=np.ascontiguousarray(study.areas[:, middle]),
    )
