"""The view One case of page Explain: what each input adds, and what would change the decision."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from core import data
from core.assembly.bases import basis_of
from core.assembly.cases import Cases, model_scores
from core.assembly.context import AssemblyContext, table_of
from core.assembly.decide.decided_table import cursor_cut_off
from core.assembly.matrix import Matrix, decision_problem, matrix_of
from core.assembly.models.explaining import levels_shown, outputs_of, trained_entry
from core.assembly.models.input_columns import read_inputs
from core.assembly.models.spread import one_number, spread_of
from core.assembly.models.trained import boosted_model, in_order_of_levels, require_same_outcome
from core.assembly.running import fair_threads
from core.boosting import BoostedModel, InputColumn, Inputs
from core.boosting.explaining.one_case import InputChange, smallest_changes
from core.boosting.losses import responses
from core.data import LoadedTable
from core.decisions import UNDECIDED, DecisionProblem, ModelScores
from core.decisions.depths.cut import DepthCut, decide_all
from core.decisions.passes.per_case_values import expected_values
from core.document.data.model import RowUse
from core.document.model import Document, Role, TrainedModel
from core.document.results import RowsNote
from core.document.studies.models import (
    CaseChange,
    CasePart,
    OneCaseResult,
)
from core.document.wording import format_number
from core.questions.explain import OneCase
from core.questions.needs import require_decidable
from payoff.counting import counted
from payoff.errors import PayoffError
from payoff.types import FloatArray, IntArray

SAMPLE_ROWS = 5_000
"""Cases whose values a changed input may take on: a seeded draw."""

MOST_CHANGES = 6


@dataclass(frozen=True, kw_only=True, eq=False)
class ModelCase:
    """One row of the table as its model sees it."""

    table: LoadedTable
    document: Document
    trained: TrainedModel
    model: BoostedModel
    inputs: Inputs
    row: int
    offset: float

    def link(self, inputs: Inputs) -> FloatArray:
        """Link scores (K, m) of the case with changed inputs."""
        offset = np.full(inputs.n_rows, self.offset)
        return self.model.link(inputs, self.trained.trees_used or None, offset)

    def predictions(self, inputs: Inputs) -> FloatArray:
        """Predictions (K, m) of the case with changed inputs."""
        return responses(self.model.distribution, self.model.parameter_values, self.link(inputs))


def explain_case(document: Document, question: OneCase, context: AssemblyContext) -> OneCaseResult:
    """Explain one row: what each input adds, its decision, and what would change that.

    Raises
    ------
    PayoffError
        For a model that was not trained here, or a row that is not there.
    """
    trained = trained_entry(document, question.model)
    table = table_of(document, context)
    with fair_threads(context):
        case = case_of(document, question.row, table, trained, context)
        outputs = outputs_of(document, trained, case.model)
        place = min(question.output, len(outputs) - 1)
        context.progress(None, "Working out what each input adds")
        found = case.model.contributions(case.inputs, trained.trees_used or None)
        base = case.model.with_offset(found.base[:, None], np.zeros(1))
        own = case.link(case.inputs)
        result = OneCaseResult(
            model=trained.name,
            row=case.row,
            rows=table.rows,
            name=case_name(document, table, case.row),
            outputs=outputs,
            output=place,
            base=float(base[place, 0]),
            score=float(own[place, 0]),
            base_prediction=response_at(case, base, place),
            prediction=response_at(case, own, place),
            is_probability=bool(case.model.classes),
            level=(*levels_shown(case.model), *[""] * len(outputs))[place],
            parts=parts_of(case, found.values[place, :, 0]),
            outcome=outcome_text(document, table, case.row),
        )
        return _with_decision(result, case, place, context)


def case_of(
    document: Document,
    row: int,
    table: LoadedTable,
    trained: TrainedModel,
    context: AssemblyContext,
) -> ModelCase:
    """One row of a table as a model sees it.

    Raises
    ------
    PayoffError
        For a row that is not there.
    """
    if not 0 <= row < table.rows:
        raise PayoffError(
            f"There is no row {row + 1:,}.",
            why=f"The data have {counted(table.rows, 'row')}.",
        )
    model = boosted_model(trained, context)
    return ModelCase(
        table=table,
        document=document,
        trained=trained,
        model=model,
        inputs=kept_inputs(table, model, context).take(np.array([row])),
        row=row,
        offset=_own_offset(table, trained.offset, row, context),
    )


def _own_offset(
    table: LoadedTable, column: str | None, row: int, context: AssemblyContext
) -> float:
    """A row's offset; the column is kept, for the next case is asked for at once."""
    if column is None:
        return 0.0

    def make() -> tuple[FloatArray, int]:
        values = data.column_as_float(table, column, role="offset")
        return values, values.nbytes

    found: FloatArray = context.cache.get_or_make(("offset", table.identity, column), make)
    return float(found[row])


def kept_inputs(table: LoadedTable, model: BoostedModel, context: AssemblyContext) -> Inputs:
    """All inputs of a table, kept: the next case is asked for at once."""

    def make() -> tuple[Inputs, int]:
        read = read_inputs(table, model.columns)
        return read, sum(array.nbytes for array in read.arrays)

    key = ("inputs", table.identity, model.columns)
    inputs: Inputs = context.cache.get_or_make(key, make)
    return inputs


def case_name(document: Document, table: LoadedTable, row: int) -> str:
    column = document.column_of(Role.ID)
    if column is None or column not in table.kinds:
        return f"Row {row + 1:,}"
    return str(data.texts_at(table, column, np.array([row]))[0])


def outcome_text(document: Document, table: LoadedTable, row: int) -> str:
    target = document.target
    if target is None or target.column not in table.kinds:
        return ""
    text = str(data.texts_at(table, target.column, np.array([row]))[0])
    return target.label(text) if text in target.levels else text


def response_at(case: ModelCase, link: FloatArray, place: int) -> float:
    found = responses(case.model.distribution, case.model.parameter_values, link)
    return float(found[place, 0])


def parts_of(case: ModelCase, amounts: FloatArray) -> tuple[CasePart, ...]:
    names = [column.name for column in case.model.columns]
    parts = [
        CasePart(column=name, value=own_text(case, name), amount=float(amount))
        for name, amount in zip(names, amounts, strict=True)
    ]
    if case.trained.offset is not None:
        name = case.trained.offset
        parts.append(CasePart(column=name, value=own_text(case, name), amount=case.offset))
    return tuple(sorted(parts, key=lambda part: -abs(part.amount)))


def own_text(case: ModelCase, column: str) -> str:
    return str(data.texts_at(case.table, column, np.array([case.row]))[0])


# ---------------------------------------------------------------- the decision


@dataclass(frozen=True, kw_only=True, eq=False)
class CaseRule:
    """The rule on one case, whatever its inputs are: amounts and costs that are inputs follow."""

    case: ModelCase
    matrix: Matrix
    cut: DepthCut | None
    context: AssemblyContext

    def codes(self, inputs: Inputs, found: FloatArray | None = None) -> IntArray:
        """The decision (m,) at each of some inputs; -1 = none. ``found`` are their predictions."""
        decided = decide_all(*self._problem(inputs, found), self.cut)
        codes = decided.decision.astype(np.int64)
        return np.where(codes == UNDECIDED, -1, codes)

    def money(self, inputs: Inputs, found: FloatArray | None = None) -> FloatArray:
        """Expected profit (decisions, m) of every decision, costs taken off."""
        return expected_values(*self._problem(inputs, found))

    def _problem(
        self, inputs: Inputs, found: FloatArray | None
    ) -> tuple[DecisionProblem, ModelScores]:
        case, document, name = self.case, self.case.document, self.case.trained.name
        found = case.predictions(inputs) if found is None else found
        size, is_class = inputs.n_rows, bool(document.target and document.target.levels)
        basis = basis_of(document, name)
        spread = spread_of(case.model, found)
        decides_by_spread = spread is not None and (basis is None or basis.is_used)
        numbers = [
            (column.name, np.ascontiguousarray(values, dtype=np.float64))
            for column, values in zip(inputs.columns, inputs.arrays, strict=True)
            if not column.levels
        ]
        cases = Cases(
            count=size,
            taken=np.full(size, case.row),
            note=RowsNote(use=RowUse.ALL, text="one case", rows=size),
            outcome=np.full(size, -1, dtype=np.int32) if is_class else None,
            target=None if is_class else np.full(size, np.nan),
            frequency=None,
            posteriors={name: in_order_of_levels(found, document, case.model)} if is_class else {},
            predictions={} if is_class else {name: _one_number(case.model, found)},
            spreads={name: spread} if spread is not None and decides_by_spread else {},
            key=("one case", case.table.identity, case.row, size),
            columns=dict(numbers),
        )
        problem = decision_problem(document, cases, self.matrix, case.table, self.context)
        return problem, model_scores(document, cases)[0]


def _one_number(model: BoostedModel, found: FloatArray) -> FloatArray:
    return np.ascontiguousarray(one_number(model, found))


def rule_on_case(case: ModelCase, context: AssemblyContext) -> CaseRule:
    """The rule that decides a case.

    Raises
    ------
    PayoffError
        Where the project has none for this model, or it does not decide by the score alone.
    """
    document, name = case.document, case.trained.name
    if document.matrix is None:
        raise PayoffError("No decisions are set up on page Decide.")
    if document.is_rank_only(name):
        raise PayoffError("This model only ranks; it has no decisions of its own.")
    basis = basis_of(document, name)
    if basis is not None and basis.is_used and not basis.has_own_quantiles:
        over = "quantiles in other columns" if basis.quantiles else "averages"
        raise PayoffError(f"It is decided by {over}, not by this score alone.")
    require_decidable(document)
    require_same_outcome(document, case.trained, case.model)
    return CaseRule(
        case=case,
        matrix=matrix_of(document, context),
        cut=cursor_cut_off(document, name, context),
        context=context,
    )


NO_DECISION = "The rule makes no decision on this case."


def _with_decision(
    result: OneCaseResult, case: ModelCase, place: int, context: AssemblyContext
) -> OneCaseResult:
    """The decision on the case with what would change it, or why there is none."""
    context.progress(None, "Looking for what would change the decision")
    try:
        rule = rule_on_case(case, context)
        code = int(rule.codes(case.inputs)[0])
    except PayoffError as refusal:  # it takes the decision away, not what each input adds
        return replace(result, no_decision=str(refusal))
    if code < 0:
        return replace(result, no_decision=NO_DECISION)
    changes, tried = decision_changes(rule, case.inputs, place, context)
    return replace(
        result, decision=rule.matrix.spec.decisions[code], tried_rows=tried, changes=changes
    )


def decision_changes(
    rule: CaseRule, inputs: Inputs, place: int, context: AssemblyContext
) -> tuple[tuple[CaseChange, ...], int]:
    """The smallest changes of one input each that bring another decision, and the rows tried."""
    case, decisions = rule.case, rule.matrix.spec.decisions
    everyone = kept_inputs(case.table, case.model, context)
    draw = np.random.default_rng(case.document.seed)
    if everyone.n_rows > SAMPLE_ROWS:
        everyone = everyone.take(draw.choice(everyone.n_rows, SAMPLE_ROWS, replace=False))
    changes = smallest_changes(case.model.predictor, inputs, everyone, rule.codes)[:MOST_CHANGES]
    found = tuple(
        CaseChange(
            column=case.model.columns[change.column].name,
            old=_text_at(case, inputs, change.column),
            new=value_text(case.model.columns[change.column], change.value),
            decision=decisions[change.answer],
            passed=change.passed,
            prediction=float(_prediction_after(case, inputs, change)[place]),
        )
        for change in changes
    )
    return found, everyone.n_rows


def _text_at(case: ModelCase, inputs: Inputs, place: int) -> str:
    """A value of the inputs in words; the case's own as it stands in the data."""
    value, own = float(inputs.arrays[place][0]), float(case.inputs.arrays[place][0])
    if value == own or (np.isnan(value) and np.isnan(own)):
        return own_text(case, case.model.columns[place].name)
    return value_text(case.model.columns[place], value)


def value_text(column: InputColumn, value: float) -> str:
    """A value of an input in words; empty where it is missing."""
    if np.isnan(value):
        return ""
    if column.levels:
        return column.levels[int(value)]
    return format_number(value, 0) if value == round(value) else f"{value:.6g}"


def _prediction_after(case: ModelCase, inputs: Inputs, change: InputChange) -> FloatArray:
    return case.predictions(with_value(inputs, change.column, np.array([change.value])))[:, 0]


def with_value(inputs: Inputs, place: int, values: FloatArray) -> Inputs:
    """One case as often as there are values, with one input at each of them."""
    arrays = [np.repeat(np.asarray(a, dtype=np.float64), len(values)) for a in inputs.arrays]
    arrays[place] = values
    return Inputs(inputs.columns, tuple(arrays))
