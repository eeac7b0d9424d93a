"""One case with inputs at other values: prediction, contributions, money, decision and a curve.

A person drags an input and asks this again and again, so what stays the same is kept: inputs,
ranges, texts of the case. Every number is worked out anew from the values tried; no cut is made.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from core.assembly.context import AssemblyContext, table_of
from core.assembly.models.explaining import levels_shown, outputs_of, trained_entry
from core.assembly.models.one_case import (
    NO_DECISION,
    CaseRule,
    ModelCase,
    case_name,
    case_of,
    decision_changes,
    kept_inputs,
    outcome_text,
    own_text,
    parts_of,
    response_at,
    rule_on_case,
    value_text,
    with_value,
)
from core.assembly.models.trained import training_rows
from core.assembly.running import fair_threads
from core.boosting import UNSEEN, InputColumn, Inputs
from core.boosting.losses import responses
from core.document.model import Document, TrainedModel
from core.document.studies.models import (
    CaseCurve,
    CaseInput,
    CasePart,
    CaseVerdict,
    CaseWhatIfResult,
    OtherVerdict,
)
from core.questions.explain import CaseWhatIf
from payoff.counting import counted
from payoff.errors import PayoffError, no_such
from payoff.types import FloatArray

MOST_SPANS = 2_000
"""Spans between thresholds that a curve draws; of more it draws evenly chosen ones."""


def try_inputs(
    document: Document, question: CaseWhatIf, context: AssemblyContext
) -> CaseWhatIfResult:
    """Explain one case with inputs at other values, and what the rule makes of it.

    Raises
    ------
    PayoffError
        For a model that was not trained here, a row that is not there, or a value that an input
        cannot take.
    """
    started = time.perf_counter()
    trained, table = trained_entry(document, question.model), table_of(document, context)
    with fair_threads(context):
        case = case_of(document, question.row, table, trained, context)
        outputs = outputs_of(document, trained, case.model)
        place = min(question.output, len(outputs) - 1)
        tried = _tried_inputs(case, question.inputs)
        both = _side_by_side(case.inputs, tried)
        scores = case.link(both)
        found = responses(case.model.distribution, case.model.parameter_values, scores)
        pays = case.model.contributions(tried, trained.trees_used or None)
        base = case.model.with_offset(pays.base[:, None], np.zeros(1))
        inputs, rows_text = _case_inputs(case, tried, context)
        before, now = (
            CaseVerdict(prediction=float(found[place, at]), score=float(scores[place, at]))
            for at in (0, 1)
        )
        result = CaseWhatIfResult(
            model=trained.name,
            row=case.row,
            rows=table.rows,
            name=case_name(document, table, case.row),
            outputs=outputs,
            output=place,
            is_probability=bool(case.model.classes),
            level=(*levels_shown(case.model), *[""] * len(outputs))[place],
            outcome=outcome_text(document, table, case.row),
            inputs=inputs,
            rows_text=rows_text,
            base=float(base[place, 0]),
            base_prediction=response_at(case, base, place),
            parts=_tried_parts(case, pays.values[place, :, 0], inputs),
            before=before,
            now=now,
            curve=_curve(case, tried, question.along, inputs, place) if question.along else None,
            others=_others(case, question, outputs[place], context),
        )
        result = _with_rule(result, case, both, found, question, context)
    return replace(result, seconds=time.perf_counter() - started)


# ---------------------------------------------------------------- values


def _tried_inputs(case: ModelCase, values: tuple[tuple[str, str], ...]) -> Inputs:
    """The case with inputs at the values that are asked for."""
    names = [column.name for column in case.model.columns]
    arrays = [np.asarray(array, dtype=np.float64) for array in case.inputs.arrays]
    for name, text in values:
        if name not in names:
            raise no_such("input", name, names, where=f"model {case.trained.name}")
        place = names.index(name)
        arrays[place] = np.array([_number_of(case.model.columns[place], text)])
    return Inputs(case.inputs.columns, tuple(arrays))


def _number_of(column: InputColumn, text: str) -> float:
    """A value as the model reads it; nothing is a missing value."""
    if not text.strip():
        return math.nan
    if column.levels:
        if text not in column.levels:
            raise no_such("level", text, column.levels, where=f"input {column.name}")
        return float(column.levels.index(text))
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise PayoffError(
            f"“{text}” is not a number.",
            where=f"input {column.name}",
            remedy="Give a number, or nothing for a missing value.",
        )
    return value


def _side_by_side(own: Inputs, tried: Inputs) -> Inputs:
    arrays = (np.concatenate(pair) for pair in zip(own.arrays, tried.arrays, strict=True))
    return Inputs(own.columns, tuple(np.asarray(array, dtype=np.float64) for array in arrays))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Ranges:
    """Over the rows that trained a model: ends of every input, and whether it holds whole numbers.

    Arrays are (F,); NaN and False for levels and for columns without a value.
    """

    low: FloatArray
    high: FloatArray
    is_whole: tuple[bool, ...]
    text: str


def _ranges(case: ModelCase, context: AssemblyContext) -> _Ranges:
    table, trained = case.table, case.trained

    def make() -> tuple[_Ranges, int]:
        rows = training_rows(table, case.document, trained)
        inputs = kept_inputs(table, case.model, context)
        text = f"over all {counted(table.rows, 'row')}"
        if len(rows):
            inputs = inputs.take(rows)
            text = f"over the {counted(len(rows), 'row')} that trained {trained.name}"
        ends = [_ends(c, v) for c, v in zip(inputs.columns, inputs.arrays, strict=True)]
        low, high = (np.array([end[at] for end in ends]) for at in (0, 1))
        return _Ranges(low=low, high=high, is_whole=tuple(end[2] for end in ends), text=text), 4096

    roles = (case.document.roles, case.document.target)
    key = ("input ranges", table.identity, trained.model_hash, trained.split, roles)
    found: _Ranges = context.cache.get_or_make(key, make)
    return found


def _ends(column: InputColumn, values: FloatArray) -> tuple[float, float, bool]:
    known = values[np.isfinite(values)]
    if column.levels or not len(known):
        return math.nan, math.nan, False
    return float(known.min()), float(known.max()), bool((known == np.round(known)).all())


def _case_inputs(
    case: ModelCase, tried: Inputs, context: AssemblyContext
) -> tuple[tuple[CaseInput, ...], str]:
    """Every input of the model with its range, the strongest first."""
    ranges, own = _ranges(case, context), _own_texts(case, context)
    shares = case.model.influence(case.trained.trees_used or None) / 100.0
    found = []
    for place in np.argsort(-shares, kind="stable").tolist():
        column = case.model.columns[place]
        before, now = (float(arrays[place][0]) for arrays in (case.inputs.arrays, tried.arrays))
        is_same = before == now or (math.isnan(before) and math.isnan(now))
        found.append(
            CaseInput(
                column=column.name,
                levels=column.levels,
                low=float(ranges.low[place]),
                high=float(ranges.high[place]),
                is_whole=ranges.is_whole[place],
                own=own[place],
                tried=own[place] if is_same else _plain_text(column, now),
                own_value=before,
                tried_value=now,
                influence=float(shares[place]),
            )
        )
    return tuple(found), ranges.text


def _plain_text(column: InputColumn, value: float) -> str:
    """A value tried, as it would be written into the data."""
    return value_text(column, value) if column.levels or math.isnan(value) else f"{value:.15g}"


def _own_texts(case: ModelCase, context: AssemblyContext) -> tuple[str, ...]:
    """The case's own values as they stand in the data."""

    def make() -> tuple[tuple[str, ...], int]:
        texts = tuple(own_text(case, column.name) for column in case.model.columns)
        return texts, 100 * len(texts)

    key = ("case texts", case.table.identity, case.model.columns, case.row)
    found: tuple[str, ...] = context.cache.get_or_make(key, make)
    return found


def _tried_parts(
    case: ModelCase, amounts: FloatArray, inputs: tuple[CaseInput, ...]
) -> tuple[CasePart, ...]:
    tried: Mapping[str, str] = {entry.column: entry.tried for entry in inputs if entry.is_moved}
    return tuple(
        replace(part, value=tried[part.column]) if part.column in tried else part
        for part in parts_of(case, amounts)
    )


# ---------------------------------------------------------------- the curve


def _curve(
    case: ModelCase, tried: Inputs, along: str, inputs: tuple[CaseInput, ...], output: int
) -> CaseCurve:
    """The prediction over one input, exact between the thresholds of the trees."""
    names = [column.name for column in case.model.columns]
    if along not in names:
        raise no_such("input", along, names, where=f"model {case.trained.name}")
    place = names.index(along)
    column = case.model.columns[place]
    facts = next(entry for entry in inputs if entry.column == along)
    if column.levels:
        at = x = np.arange(len(column.levels), dtype=np.float64)
    else:
        at, x = _spans(facts, case.model.predictor.borders.numbers[place])
    found = case.predictions(with_value(tried, place, np.append(at, np.nan)))[output]
    y = found[:-1] if column.levels else np.repeat(found[:-1], 2)
    return CaseCurve(column=along, levels=column.levels, x=x, y=y, at_missing=float(found[-1]))


def _spans(facts: CaseInput, cuts: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Where each span of equal predictions begins, and both ends of each."""
    known = [facts.low, facts.high, facts.own_value, facts.tried_value]
    known = [value for value in known if math.isfinite(value)] or [0.0, 1.0]
    low, high = min(known), max(known)
    if high <= low:
        low, high = low - 0.5, high + 0.5
    inside = cuts[(cuts > low) & (cuts < high)]
    if len(inside) > MOST_SPANS:
        inside = inside[np.linspace(0, len(inside) - 1, MOST_SPANS).round().astype(np.int64)]
    begins = np.concatenate([[low], inside])
    ends = np.concatenate([inside, [high]])
    return begins, np.stack([begins, ends], axis=1).ravel()


# ---------------------------------------------------------------- the rule


def _with_rule(
    result: CaseWhatIfResult,
    case: ModelCase,
    both: Inputs,
    found: FloatArray,
    question: CaseWhatIf,
    context: AssemblyContext,
) -> CaseWhatIfResult:
    """What is decided before and now, what each decision brings, and what would bring another."""
    try:
        rule = rule_on_case(case, context)
        before, now = _decided(rule, both, found, (result.before, result.now))
    except PayoffError as refusal:
        return replace(result, no_decision=str(refusal))
    decisions = rule.matrix.spec.decisions
    result = replace(result, decisions=decisions, before=before, now=now)
    if not now.decision:
        return replace(result, no_decision=NO_DECISION)
    if not question.seeks_flips:
        return result
    tried = Inputs(both.columns, tuple(array[1:] for array in both.arrays))
    flips, rows = decision_changes(rule, tried, result.output, context)
    return replace(result, flips=flips, is_searched=True, tried_rows=rows)


def _decided(
    rule: CaseRule, both: Inputs, found: FloatArray, verdicts: tuple[CaseVerdict, CaseVerdict]
) -> tuple[CaseVerdict, CaseVerdict]:
    codes, money = rule.codes(both, found), rule.money(both, found)
    names = rule.matrix.spec.decisions
    before, now = (
        replace(
            verdict,
            decision=names[int(codes[at])] if codes[at] >= 0 else "",
            money=tuple(float(amount) for amount in money[:, at]),
        )
        for at, verdict in enumerate(verdicts)
    )
    return before, now


def _others(
    case: ModelCase, question: CaseWhatIf, what: str, context: AssemblyContext
) -> tuple[OtherVerdict, ...]:
    """What the other models that predict the same say of the case, as it is and as it is tried."""
    found = []
    for entry in case.document.models:
        trained = entry.trained
        if trained is None or trained.name == case.trained.name:
            continue
        try:
            found += _other(case, trained, question.inputs, what, context)
        except PayoffError:  # it is lost, or of another outcome: the pages of models say so
            continue
    return tuple(found)


def _other(
    case: ModelCase,
    trained: TrainedModel,
    values: tuple[tuple[str, str], ...],
    what: str,
    context: AssemblyContext,
) -> list[OtherVerdict]:
    other = case_of(case.document, case.row, case.table, trained, context)
    outputs = outputs_of(case.document, trained, other.model)
    if what not in outputs:
        return []
    names = {column.name: column for column in other.model.columns}
    known = tuple(
        (name, text) for name, text in values if name in names and _is_read(names[name], text)
    )
    tried = _tried_inputs(other, known)
    for name, text in values:
        if name in names and not _is_read(names[name], text):
            tried = with_value(tried, list(names).index(name), np.array([UNSEEN]))
    both = _side_by_side(other.inputs, tried)
    scores = other.link(both)
    found = responses(other.model.distribution, other.model.parameter_values, scores)
    at = outputs.index(what)
    before, now = (
        CaseVerdict(prediction=float(found[at, place]), score=float(scores[at, place]))
        for place in (0, 1)
    )
    try:
        before, now = _decided(rule_on_case(other, context), both, found, (before, now))
    except PayoffError as refusal:
        return [OtherVerdict(model=trained.name, before=before, now=now, no_decision=str(refusal))]
    return [OtherVerdict(model=trained.name, before=before, now=now)]


def _is_read(column: InputColumn, text: str) -> bool:
    """Whether a model knows the level; a number it always knows."""
    return not column.levels or not text.strip() or text in column.levels
