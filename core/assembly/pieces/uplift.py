"""Page Uplift of data that are read in pieces: from a document to rankings of counts of cases."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial

import pyarrow as pa

from core.assembly.context import AssemblyContext, table_of
from core.assembly.pieces.compare import refuse_models_of_the_program
from core.assembly.pieces.look import outcome_of_document, pieces_of_document
from core.assembly.pieces.opened import Pieces
from core.assembly.running import fair_threads
from core.assembly.uplift.cases import (
    event_settings,
    exposure_warnings,
    ranking_column,
)
from core.assembly.uplift.data import event_levels, read_arms
from core.assembly.uplift.effects import planned_test
from core.assembly.uplift.page import (
    MeasuredUplift,
    UpliftBase,
    drawn_result,
    effects_of,
    with_prices,
)
from core.assembly.uplift.prepared import without_prices
from core.assembly.uplift.rankings import slices_result
from core.assembly.weights import is_sampled
from core.data import LoadedTable, from_data
from core.data.levels import refused_gaps
from core.data.splits import note_of_rows, refuse_no_rows
from core.document.data.limits import not_in_pieces
from core.document.data.model import MissingOutcomes, RowUse
from core.document.data.results import ColumnSummary
from core.document.model import Document, Role
from core.document.results import RowsNote
from core.document.studies.data import OutcomeGaps
from core.document.studies.uplift import NextTestResult, SlicesResult, UpliftResult
from core.document.uplift.commands import own_outcome, propensity_column
from core.document.uplift.model import NuChoice
from core.kernels.task_runners import run_tasks_bounded
from core.questions.needs import experiment_columns, require_data
from core.questions.uplift import ExperimentGaps, NextTest, Slices, Uplift
from core.scale.reading import OutcomeSummary, refuse_drawn_rows, refuse_unknown_outcomes
from core.scale.sources import PlannedTask
from core.scale.uplift.cases import UpliftReading, count_gaps
from core.scale.uplift.rankings import ENDS, UpliftOfSource, uplift_of_source
from core.uplift.experiment import OTHER_ARM, SCORELESS, WEIGHTLESS, Experiment
from core.uplift.overlays import with_other_rows
from core.uplift.ranked.ranking import UpliftRanking
from core.uplift.validity import check_validity
from payoff.counting import counted_of
from payoff.errors import PayoffError

_LEFT_OUT = (
    "Not there, for they look at all cases at once: checks of the split against columns, the "
    "effect adjusted for the inputs, the cross-fitted gain, differences of areas between rankings "
    "(which of them wins at a price is told by the sum of both errors), true effects, local "
    "weights, and figures of other tools."
)


def work_out_parts(document: Document, question: Uplift, context: AssemblyContext) -> UpliftResult:
    """Everything page Uplift shows of parts; where it differs from tables in memory is said.

    Raises
    ------
    PayoffError
        For what is made of all cases at once, with what would help.
    """
    begun = time.perf_counter()
    content = context.tables.data_hash(require_data(document))
    key = ("uplift of parts", content, without_prices(document), question.draws)

    def make() -> tuple[UpliftBase, int]:
        found = _rankings_of(document, context)
        measured = _measured(document, found)

        def on_rows(use: RowUse) -> Mapping[str, UpliftRanking]:
            return _rankings_of(replace(document, rows_used=use), context).rankings

        with fair_threads(context):
            result = drawn_result(measured, document, question.draws, begun, context)
        result = with_other_rows(result, found.rankings, document.rows_used, on_rows)
        return UpliftBase(result, found.rankings), 1_000_000 * len(found.rankings)

    base: UpliftBase = context.cache.get_or_make(key, make)
    with fair_threads(context):
        return with_prices(base, document, begun, context)


def slice_parts(document: Document, question: Slices, context: AssemblyContext) -> SlicesResult:
    """Equal slices of every ranking, with treatment balance and RATE.

    Raises
    ------
    PayoffError
        As page Uplift, and for a number of slices that cannot be.
    """
    found = _rankings_of(document, context)
    with fair_threads(context):
        return slices_result(found.rankings, question, document.seed, context)


def plan_next_test_of_parts(
    document: Document, question: NextTest, context: AssemblyContext
) -> NextTestResult:
    """Cases that a test needs to find an effect, at the spread of the outcome seen here.

    Raises
    ------
    PayoffError
        As page Uplift, for no effect, and for shares that cannot be.
    """
    found = _rankings_of(document, context)
    return planned_test(found.experiment, found.reading.treated, found.reading.control, question)


def own_outcome_gaps_of_parts(
    document: Document, question: ExperimentGaps, context: AssemblyContext
) -> OutcomeGaps:
    """How many rows of both arms have no value in the experiment's own outcome, and the first."""
    del question
    rows = require_data(document).rows
    if not own_outcome(document):
        return OutcomeGaps(rows=0, total=rows, words="")
    with pieces_of_document(document, context) as pieces:
        pieces.tell(None, "Counting rows without an outcome")
        found = _gaps(_reading(document, pieces)[0], pieces)
    return OutcomeGaps(rows=found.missing, total=rows, words=found.missing_words)


# ---------------------------------------------------------------- reading


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Found:
    """Rankings of counts, and what was read for them."""

    reading: UpliftReading
    event: str
    source: UpliftOfSource
    note: RowsNote
    rankings: dict[str, UpliftRanking]
    said: tuple[str, ...]

    @property
    def experiment(self) -> Experiment:
        """The arms and their outcomes; every ranking has the same."""
        return next(iter(self.rankings.values())).experiment


def _rankings_of(document: Document, context: AssemblyContext) -> _Found:
    """The rankings of the rows that count, read once."""
    content = context.tables.data_hash(require_data(document))
    plain = without_prices(document)
    spec = replace(plain.uplift, nu=NuChoice.ZERO)
    key = ("rankings of parts", content, replace(plain, uplift=spec))

    def make() -> tuple[_Found, int]:
        found = _read(document, context)
        return found, 40_000_000 * len(found.rankings)

    kept: _Found = context.cache.get_or_make(key, make)
    return kept


def _read(document: Document, context: AssemblyContext) -> _Found:
    refuse_drawn_rows(document)
    refuse_models_of_the_program(document)
    _refuse_by_case(document)
    asked = f"uplift {document.rows_used} {without_prices(document)!r}"
    with pieces_of_document(document, context, asked) as pieces:
        reading, event, lost = _reading(document, pieces)
        _refuse_unsaid(document, reading, pieces)
        found = uplift_of_source(
            pieces.source,
            reading,
            pieces.folder,
            pieces.budget,
            pieces.runner,
            progress=partial(_tell, pieces),
            should_stop=context.should_stop,
        )
        said = (
            *context.tables.changed_data(require_data(document)),
            *exposure_warnings(reading.treatment),
            *lost,
            *found.narrow_intervals(reading.weight),
            pieces.budget.note(found.pieces),
            *pieces.source.notes,
            *pieces.notes,
            *_coarse(found),
            _LEFT_OUT,
        )
    note = _note(document, reading, found)
    if not found.rows:
        refuse_no_rows(document, note, require_data(document).path)
    rankings = {name: entry.ranking(found.widening) for name, entry in found.rankings.items()}
    return _Found(
        reading=reading, event=event, source=found, note=note, rankings=rankings, said=said
    )


def _note(document: Document, reading: UpliftReading, found: UpliftOfSource) -> RowsNote:
    """The words of a table in memory: the rows that are used, and which of them are no cases."""
    dropped = dict(found.dropped)

    def taken(*reasons: str) -> tuple[tuple[str, int], ...]:
        return tuple((reason, dropped.pop(reason)) for reason in reasons if reason in dropped)

    others = taken(OTHER_ARM, f"'{reading.outcome}' not known", WEIGHTLESS)
    scoreless = taken(SCORELESS)
    count = found.rows + sum(rows for _, rows in (*others, *scoreless))
    used = note_of_rows(document, document.rows_used, count, found.seen, tuple(dropped.items()), ())
    return used.leaving_out(others).leaving_out(scoreless)


def _tell(pieces: Pieces, fraction: float, stage: str, _partial: None) -> None:
    """Say how far the read is, which is the first part of the whole."""
    pieces.tell(0.4 * fraction, stage)


def _coarse(found: UpliftOfSource) -> tuple[str, ...]:
    """Of which rankings curves are read at some of the scores."""
    return tuple(
        f"Curves, errors and depths of {name} are read at "
        f"{counted_of(len(entry.thresholds), entry.groups, 'score')}; areas are exact."
        for name, entry in found.rankings.items()
        if entry.groups > ENDS
    )


def _refuse_by_case(document: Document) -> None:
    """Refuse chances of treatment."""
    spec = document.uplift
    chance = propensity_column(document)
    if chance is not None or spec.estimates_propensity:
        words = f"chances of treatment in '{chance}'" if chance is not None else ""
        raise not_in_pieces("chances on the page", words)


def _reading(document: Document, pieces: Pieces) -> tuple[UpliftReading, str, tuple[str, ...]]:
    """How rows become cases, the event, and warnings of rankings that are left out."""
    table, spec = table_of(document, pieces.context), document.uplift
    treatment, outcome = experiment_columns(document)
    pieces.source.require((treatment, outcome))
    levels = pa.table({treatment: list(_counts(table, treatment))})
    arms = read_arms(
        from_data(levels, name=table.path), treatment, spec.treated, spec.control, asks=False
    )
    event, spellings = event_settings(document, outcome)
    events: tuple[str, ...] = ()
    if event or table.kinds[outcome] not in ("integer", "number", "boolean"):
        event, events = event_levels(outcome, _counts(table, outcome), event, spellings)
    columns, lost = _ranking_columns(document)
    reading = UpliftReading(
        scores=tuple((name, column) for name, (column, _) in columns.items()),
        treatment=treatment,
        treated=arms.treated,
        control=arms.control,
        outcome=outcome,
        events=events,
        lowest_first=tuple(name for name, (_, is_reversed) in columns.items() if is_reversed),
        document=replace(document, missing_outcomes=MissingOutcomes.LEAVE_OUT),
        weight=document.column_of(Role.WEIGHT),
        is_sampled=is_sampled(document),
        has_amounts=not events and not _is_zero_or_one(table, outcome),
    )
    pieces.source.require(reading.columns)
    return reading, event, lost


def _counts(table: LoadedTable, column: str) -> dict[str, int]:
    """Levels of a column in all rows, as they were counted when the parts were opened.

    Raises
    ------
    PayoffError
        Where there are too many to be kept.
    """
    known: ColumnSummary = table.overview.column(column)
    if known.distinct != len(known.levels):
        raise PayoffError(
            f"'{column}' has too many values to be an arm or an outcome of levels.",
            where=table.path,
            remedy="Choose a column of few values; an outcome may also be 0 and 1.",
        )
    return dict(known.levels)


def _is_zero_or_one(table: LoadedTable, column: str) -> bool:
    """Whether a column has no other values, as they were counted when the parts were opened."""
    known: ColumnSummary = table.overview.column(column)
    return known.minimum in (0.0, None) and known.maximum in (1.0, None) and known.distinct <= 2


def _ranking_columns(
    document: Document,
) -> tuple[dict[str, tuple[str, bool]], tuple[str, ...]]:
    """Column and direction of every model that ranks, and warnings of those that do not.

    Raises
    ------
    PayoffError
        Where no model ranks.
    """
    found: dict[str, tuple[str, bool]] = {}
    lost = []
    for model in document.models:
        try:
            column, _, is_reversed = ranking_column(document, model.name)
        except PayoffError as refusal:
            lost.append(f"'{model.name}' is left out: {refusal}")
            continue
        found[model.name] = column, is_reversed
    if not found:
        raise PayoffError(
            "No model ranks these cases yet.",
            why="Data that are read in pieces are ranked by columns of scores.",
            remedy="Name a column of scores on page Data.",
        )
    return found, tuple(lost)


def _refuse_unsaid(document: Document, reading: UpliftReading, pieces: Pieces) -> None:
    """Refuse rows without an outcome of which nobody has said that they may be left out."""
    if document.target is not None and document.missing_outcomes is MissingOutcomes.ASK:
        refuse_unknown_outcomes(outcome_of_document(document, pieces, pieces.context), document)
    if own_outcome(document) and document.uplift.missing_outcomes is MissingOutcomes.ASK:
        gaps = _gaps(reading, pieces)
        if gaps.missing:
            where = f"column {reading.outcome}; {gaps.missing_words}"
            raise refused_gaps(gaps.missing, gaps.rows, reading.outcome, where, "Uplift")


def _gaps(reading: UpliftReading, pieces: Pieces) -> OutcomeSummary:
    """Rows of both arms that should have the experiment's outcome and have none."""
    found = OutcomeSummary()
    tasks = (
        PlannedTask(rows=task, plan=reading)
        for task in pieces.source.tasks(pieces.budget.batch_rows(pieces.runner.in_process, 1))
    )
    stop = pieces.context.should_stop
    for summary in run_tasks_bounded(pieces.runner, count_gaps, tasks, should_stop=stop):
        found.merge(summary)
    return found


def _measured(document: Document, found: _Found) -> MeasuredUplift:
    """The effect without a model, and the checks that counts allow."""
    reading, experiment, spec = found.reading, found.experiment, document.uplift
    effective = {
        name: ranking.among(ranking.experiment.at_effective_size())
        for name, ranking in found.rankings.items()
    }
    guard = check_validity(
        experiment.at_effective_size(),
        effective,
        planned_share=spec.planned_share,
        drawn_by_lot=spec.drawn_by_lot,
    )
    return MeasuredUplift(
        note=found.note,
        treatment=reading.treatment,
        treated=reading.treated,
        control=reading.control,
        outcome=reading.outcome,
        event=found.event,
        experiment=experiment,
        guard=guard,
        effects=effects_of(experiment, reading.treated, reading.control),
        rankings=found.rankings,
        warnings=found.said,
    )


__all__ = [
    "own_outcome_gaps_of_parts",
    "plan_next_test_of_parts",
    "slice_parts",
    "work_out_parts",
]
