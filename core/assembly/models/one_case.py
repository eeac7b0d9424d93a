"""The view One case of page Explain: what each input adds, and what would change the decision."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from core import data
from core.assembly.bases import basis_of
from core.assembly.cases import Cases, all_cases, model_scores
from core.assembly.context import AssemblyContext, table_of
from core.assembly.decide.decided_table import (
    cursor_cut_off,
)
from core.assembly.matrix import decision_problem, matrix_of
from core.assembly.models.explaining import outputs_of, trained_entry
from core.assembly.models.input_columns import read_inputs
from core.assembly.models.spread import one_number, spread_of
from core.assembly.models.trained import boosted_model, in_order_of_levels
from core.assembly.running import fair_threads
from core.boosting import BoostedModel, Inputs
from core.boosting.losses import responses
from core.boosting.one_case import Answer, smallest_changes
from core.data import LoadedTable
from core.decisions import UNDECIDED
from core.decisions.depths.cut import (
    decide_all,
)
from core.document.model import Document, Role, TrainedModel
from core.document.studies.models import (
    CaseChange,
    CasePart,
    OneCaseResult,
)
from core.document.wording import format_number
from core.questions.explain import OneCase
from payoff.counting import counted
from payoff.errors import PayoffError
from payoff.types import FloatArray, IntArray

SAMPLE_ROWS = 5_000
"""Cases whose values a changed input may take on: a seeded draw."""

MOST_CHANGES = 6


@dataclass(frozen=True, kw_only=True, eq=False)
class _Case:
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
        case = _case(document, question, table, trained, context)
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
            name=_name(document, table, case.row),
            outputs=outputs,
            output=place,
            base=float(base[place, 0]),
            score=float(own[place, 0]),
            base_prediction=_response(case, base, place),
            prediction=_response(case, own, place),
            is_chance=bool(case.model.classes),
            parts=_parts(case, found.values[place, :, 0]),
            outcome=_outcome(document, table, case.row),
        )
        return _with_decision(result, case, place, context)


def _case(
    document: Document,
    question: OneCase,
    table: LoadedTable,
    trained: TrainedModel,
    context: AssemblyContext,
) -> _Case:
    if not 0 <= question.row < table.rows:
        raise PayoffError(
            f"There is no row {question.row + 1:,}.",
            why=f"The data have {counted(table.rows, 'row')}.",
        )
    model = boosted_model(trained, context)
    offset = 0.0
    if trained.offset is not None:
        offset = float(data.column_as_float(table, trained.offset, role="offset")[question.row])
    return _Case(
        table=table,
        document=document,
        trained=trained,
        model=model,
        inputs=_inputs(table, model, context).take(np.array([question.row])),
        row=question.row,
        offset=offset,
    )


def _inputs(table: LoadedTable, model: BoostedModel, context: AssemblyContext) -> Inputs:
    """All inputs of a table, kept: the next case is asked for at once."""

    def make() -> tuple[Inputs, int]:
        read = read_inputs(table, model.columns)
        return read, sum(array.nbytes for array in read.arrays)

    key = ("inputs", table.identity, model.columns)
    inputs: Inputs = context.cache.get_or_make(key, make)
    return inputs


def _name(document: Document, table: LoadedTable, row: int) -> str:
    column = document.column_of(Role.ID)
    if column is None or column not in table.kinds:
        return f"Row {row + 1:,}"
    return str(data.texts_at(table, column, np.array([row]))[0])


def _outcome(document: Document, table: LoadedTable, row: int) -> str:
    target = document.target
    if target is None or target.column not in table.kinds:
        return ""
    text = str(data.texts_at(table, target.column, np.array([row]))[0])
    return target.label(text) if text in target.levels else text


def _response(case: _Case, link: FloatArray, place: int) -> float:
    found = responses(case.model.distribution, case.model.parameter_values, link)
    return float(found[place, 0])


def _parts(case: _Case, amounts: FloatArray) -> tuple[CasePart, ...]:
    names = [column.name for column in case.model.columns]
    parts = [
        CasePart(column=name, value=_shown(case, name), amount=float(amount))
        for name, amount in zip(names, amounts, strict=True)
    ]
    if case.trained.offset is not None:
        name = case.trained.offset
        parts.append(CasePart(column=name, value=_shown(case, name), amount=case.offset))
    return tuple(sorted(parts, key=lambda part: -abs(part.amount)))


def _shown(case: _Case, column: str) -> str:
    return str(data.texts_at(case.table, column, np.array([case.row]))[0])


# ---------------------------------------------------------------- the decision


def _with_decision(
    result: OneCaseResult, case: _Case, place: int, context: AssemblyContext
) -> OneCaseResult:
    """The decision on the case with what would change it, or why there is none."""
    document, name = case.document, case.trained.name
    if document.matrix is None:
        return replace(result, no_decision="No decisions are set up on page Decide.")
    if document.is_rank_only(name):
        return replace(result, no_decision="This model only ranks; it has no decisions of its own.")
    basis = basis_of(document, name)
    if basis is not None and basis.is_used and not basis.has_own_quantiles:
        over = "quantiles in other columns" if basis.quantiles else "averages"
        return replace(result, no_decision=f"It is decided by {over}, not by this score alone.")
    context.progress(None, "Looking for what would change the decision")
    decisions = document.matrix.decisions
    try:
        answer = _answer(case, context)
        code = int(answer(case.inputs)[0])
    except PayoffError as refusal:  # it takes the decision away, not what each input adds
        return replace(result, no_decision=str(refusal))
    if code < 0:
        return replace(result, no_decision="The rule makes no decision on this case.")
    everyone = _inputs(case.table, case.model, context)
    draw = np.random.default_rng(document.seed)
    if everyone.n_rows > SAMPLE_ROWS:
        everyone = everyone.take(draw.choice(everyone.n_rows, SAMPLE_ROWS, replace=False))
    changes = smallest_changes(case.model.predictor, case.inputs, everyone, answer)
    return replace(
        result,
        decision=decisions[code],
        tried_rows=everyone.n_rows,
        changes=tuple(
            CaseChange(
                column=case.model.columns[change.column].name,
                old=_shown(case, case.model.columns[change.column].name),
                new=_value_words(case, change.column, change.value),
                decision=decisions[change.answer],
                passed=change.passed,
                prediction=float(_prediction_after(case, change.column, change.value)[place]),
            )
            for change in changes[:MOST_CHANGES]
        ),
    )


def _value_words(case: _Case, column: int, value: float) -> str:
    levels = case.model.columns[column].levels
    if levels:
        return levels[int(value)]
    return format_number(value, 0) if value == round(value) else f"{value:.6g}"


def _prediction_after(case: _Case, column: int, value: float) -> FloatArray:
    arrays = list(case.inputs.arrays)
    arrays[column] = np.array([value])
    return case.predictions(Inputs(case.inputs.columns, tuple(arrays)))[:, 0]


def _answer(case: _Case, context: AssemblyContext) -> Answer:
    """The decision on the case with changed inputs: by its rule, or at the cursor's cut-off."""
    document, name = case.document, case.trained.name
    whole = all_cases(case.table, document, name, context)
    matrix = matrix_of(document, context)
    cut = cursor_cut_off(document, name, context)
    is_class = bool(document.target is not None and document.target.levels)
    basis = basis_of(document, name)
    decides_by_spread = basis is None or basis.is_used

    def answer(inputs: Inputs) -> IntArray:
        found = case.predictions(inputs)
        size = inputs.n_rows
        posteriors, numbers, spreads = {}, {}, {}
        spread = spread_of(case.model, found)
        if is_class:
            posteriors = {name: in_order_of_levels(found, document, case.model)}
        else:
            numbers = {name: np.ascontiguousarray(one_number(case.model, found))}
        if spread is not None and decides_by_spread:
            spreads = {name: spread}
        cases = Cases(
            count=size,
            taken=np.full(size, case.row),
            note=whole.note,
            outcome=np.full(size, -1, dtype=np.int32) if is_class else None,
            target=None if is_class else np.full(size, np.nan),
            frequency=None,
            posteriors=posteriors,
            predictions=numbers,
            spreads=spreads,
            key=("one case", whole.key, case.row, size),
        )
        problem = decision_problem(document, cases, matrix, case.table, context)
        decided = decide_all(problem, model_scores(document, cases)[0], cut)
        codes = decided.decision.astype(np.int64)
        return np.where(codes == UNDECIDED, -1, codes)

    return answer
