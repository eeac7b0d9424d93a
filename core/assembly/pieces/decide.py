"""Page Decide of data that are read in pieces: from a document to totals of all rows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import cast

import numpy as np

from core.assembly.cases import Cases, model_scores, prior_warnings, unit_warnings
from core.assembly.context import AssemblyContext
from core.assembly.left_out import without_lost_models
from core.assembly.matrix import decision_problem, matrix_of
from core.assembly.pieces.compare import refuse_models_of_the_program
from core.assembly.pieces.look import outcome_of_document, pieces_of_document
from core.assembly.pieces.opened import Pieces
from core.data import LoadedTable
from core.decisions import DecisionProblem, ModelScores
from core.decisions.analysis import read_state_at
from core.decisions.passes.workspace import AnalysisState
from core.document.data.limits import not_in_pieces
from core.document.data.model import BadValues, MissingOutcomes, RowUse
from core.document.model import Document, Role
from core.document.results import CursorReading, DecisionResult, RowsNote
from core.document.views import RANKED
from core.questions.decide import AtDepth, Totals
from core.questions.needs import require_classes
from core.scale.deciding import DecidePlan, StreamedDecision, decide_source
from core.scale.depths import StreamedCurve
from core.scale.reading import (
    batch_table,
    filter_columns,
    refuse_drawn_rows,
    refuse_full_posteriors,
    refuse_unknown_outcomes,
)
from payoff.counting import counted
from payoff.errors import PayoffError

FOLD_SEED = 20261


def decide_plan(
    document: Document, table: LoadedTable, pieces: Pieces, columns: tuple[str, ...]
) -> DecidePlan:
    """What is to be decided of a source, as the document of page Decide says it.

    Parameters
    ----------
    document : Document
        With one model.
    table : LoadedTable
        Some rows.
    columns : tuple of str
        All that are read.

    Raises
    ------
    PayoffError
        For a matrix whose costs or amounts are made of all cases at once.
    """
    problem, scores = _without_cases(document, table, pieces.context)
    costs = document.matrix.costs if document.matrix is not None else ()
    return DecidePlan(
        document=document,
        problem=problem,
        scores=scores,
        columns=columns,
        costs=tuple((n, cost.column) for n, cost in enumerate(costs) if cost.column),
        seed=FOLD_SEED,
        folder=str(pieces.folder),
    )


def _without_cases(
    document: Document, table: LoadedTable, context: AssemblyContext
) -> tuple[DecisionProblem, ModelScores]:
    """The problem and the model of a document, of no case."""
    matrix = matrix_of(document, context)
    if matrix.plugin.costs is not None and not matrix.spec.costs:
        raise PayoffError(
            f"'{matrix.plugin.label}' works costs out of all cases.",
            remedy="Give costs=, or decide rows that fit into memory.",
        )
    assert document.target is not None
    (model,) = document.models
    none = np.empty(0, dtype=np.int64)
    cases = Cases(
        count=0,
        taken=none,
        note=RowsNote(use=RowUse.ALL, text="no rows", rows=0),
        outcome=none.astype(np.int32),
        target=None,
        frequency=None,
        posteriors={model.name: np.empty((len(document.target.levels), 0))},
        predictions={},
        key=("no cases", document.target),
    )
    problem = decision_problem(document, cases, matrix, table, context)
    if problem.has_amounts or matrix.shares is not None:
        raise not_in_pieces("numbers", "amounts of cases")
    return problem, model_scores(document, cases)[0]


# ---------------------------------------------------------------- page Decide


@dataclass(frozen=True, slots=True, eq=False)
class DecidedParts:
    """What page Decide shows, and of each model the state that depths are read of."""

    result: DecisionResult
    states: tuple[AnalysisState, ...]


def decide_parts(document: Document, question: Totals, context: AssemblyContext) -> DecisionResult:
    """What each model is worth under the matrix, on all rows.

    Raises
    ------
    PayoffError
        For what is made of all cases at once, with what would help.
    """
    del question
    return _decided(document, context).result


def read_parts_at_depth(
    document: Document, question: AtDepth, context: AssemblyContext
) -> CursorReading:
    """Exact values at the kept depth that is nearest: a thousandth, the rule's, the best."""
    return _read_at(_decided(document, context).states, question.depth)


def _read_at(states: tuple[AnalysisState, ...], depth: float) -> CursorReading:
    """All models at the kept depth that is nearest."""
    readings = [read_state_at(state, _nearest(state, depth)) for state in states]
    return CursorReading(
        depth=readings[0].depth,
        models=tuple(name for entry in readings for name in entry.models),
        cases=np.concatenate([entry.cases for entry in readings]),
        threshold=np.concatenate([entry.threshold for entry in readings]),
        profit=np.concatenate([entry.profit for entry in readings]),
        low=np.concatenate([entry.low for entry in readings]),
        high=np.concatenate([entry.high for entry in readings]),
        class_cases=np.concatenate([entry.class_cases for entry in readings]),
    )


def _nearest(state: AnalysisState, depth: float) -> float:
    known = cast(StreamedCurve, state.models[0].curve).known.depth
    return float(known[int(np.argmin(np.abs(known - depth)))])


def _decided(document: Document, context: AssemblyContext) -> DecidedParts:
    """The decisions of a document, worked out once."""

    def make() -> tuple[DecidedParts, int]:
        found = _decide(document, context)
        return found, 20_000_000 * len(found.states)

    key = ("decided parts", RANKED.key(document))
    if context.cache.get(key) is None:  # nor is it waited for in a short lane
        context.begin_long_read()
    decided: DecidedParts = context.cache.get_or_make(key, make)
    return decided


def _decide(document: Document, context: AssemblyContext) -> DecidedParts:
    document, lost = without_lost_models(document, context)
    target = require_classes(document)
    refuse_drawn_rows(document)
    refuse_models_of_the_program(document)
    refuse_full_posteriors(document)
    sayers = document.without_rankers()
    rankers = [entry.name for entry in document.models if entry not in sayers.models]
    if not sayers.models:
        raise not_in_pieces("rankers")
    with pieces_of_document(sayers, context, f"totals {RANKED.key(sayers)!r}") as pieces:
        outcome = outcome_of_document(sayers, pieces, context)
        refuse_unknown_outcomes(outcome, sayers)
        settled = replace(
            sayers, missing_outcomes=MissingOutcomes.LEAVE_OUT, bad_values=BadValues.MARK
        )
        found = [_decide_by(settled, place, pieces, context) for place in range(len(sayers.models))]
    unknown = {k: n for k, n in outcome.counts.items() if k not in target.levels}
    said = (
        *lost,
        *(f"{name} is left out: it says no chances." for name in rankers),
        *prior_warnings(sayers),
        *unit_warnings(sayers),
        pieces.budget.note(found[0].pieces),
        *pieces.source.notes,
        *pieces.notes,
        *(
            f"'{k}' is none of the outcome's levels: {counted(n, 'row')}."
            for k, n in sorted(unknown.items())
        ),
    )
    return _joined(sayers, found, said)


def _decide_by(
    document: Document, place: int, pieces: Pieces, context: AssemblyContext
) -> StreamedDecision:
    """The decisions by one of the models."""
    models = document.models
    only = replace(document, models=(models[place],), reference_model=models[place].name)

    def tell(fraction: float, stage: str, _partial: None) -> None:
        words = f"{models[place].name}: {stage}" if len(models) > 1 else stage
        pieces.tell((place + fraction) / len(models), words)

    folder = pieces.folder / str(place)
    folder.mkdir(exist_ok=True)
    pieces = replace(pieces, folder=folder)
    columns = pieces.source.require(_columns(only, models[place].name))
    head = batch_table(pieces.head(columns), pieces.source.parts[0], 0)
    found = decide_source(
        pieces.source,
        decide_plan(only, head, pieces, columns),
        pieces.budget,
        pieces.runner,
        progress=tell,
        should_stop=context.should_stop,
    )
    if found.result is None:
        raise PayoffError(
            "There is no profit by depth of these cases.",
            why=found.no_result,
            remedy="payoff.decide gives totals and intervals of them; or open a sample.",
        )
    return found


def _columns(document: Document, model: str) -> list[str]:
    """All columns that deciding by a model reads."""
    assert document.target is not None
    names = [document.target.column, *document.score_columns(model), *filter_columns(document)]
    weight = document.column_of(Role.WEIGHT)
    costs = document.matrix.costs if document.matrix is not None else ()
    names += [weight] if weight is not None else []
    return names + [cost.column for cost in costs if cost.column]


def _joined(
    document: Document, found: list[StreamedDecision], said: tuple[str, ...]
) -> DecidedParts:
    """One result of all models; the reference says rule and advice."""
    names = [entry.name for entry in document.models]
    chosen = document.reference_model
    reference = found[names.index(chosen) if chosen in names else 0]
    results = [entry.result for entry in found if entry.result is not None]
    assert reference.result is not None
    paired = "Differences of totals between models are not there: they pair all cases."
    note = RowsNote(
        use=document.rows_used.value,
        text=f"rows that count, {int(reference.result.class_counts.sum()):,}",
        rows=int(reference.result.class_counts.sum()),
        dropped=reference.dropped,
    )
    states = tuple(entry.state for entry in found if entry.state is not None)
    result = replace(
        reference.result,
        at_rest=_read_at(states, reference.result.models[0].resting_depth),
        rows=note,
        models=tuple(model for entry in results for model in entry.models),
        warnings=(*said, *((paired,) if len(found) > 1 else ()), *reference.result.warnings),
        seconds=sum(entry.seconds for entry in results),
    )
    return DecidedParts(result, states)


__all__ = ["decide_parts", "decide_plan", "read_parts_at_depth"]
