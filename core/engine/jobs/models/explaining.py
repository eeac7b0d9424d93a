"""The job behind page Explain: influence, dependence curves and maps of one trained model.

Averages run over rows that did not train the model where there are enough of them, at most 2,000:
a seeded draw. They are on the scale of the outcome: each case's prediction is worked out with the
column set to a value, then averaged (brute force), so that a chance is a mean of chances.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from core import data
from core.assembly.context import table_of
from core.assembly.models.input_columns import read_inputs
from core.assembly.models.spread import levels_of
from core.assembly.models.trained import boosted_model, training_rows
from core.assembly.models.training_plan import TrainingPlan, plan_training
from core.assembly.threads import fair_threads
from core.boosting import BoostedModel, Cases, InputColumn, Inputs
from core.boosting.explaining import SHUFFLES, shuffled_places
from core.data import LoadedTable
from core.document.model import Document, TrainedModel
from core.document.training_results import (
    DependenceCurve,
    DependenceMap,
    ExplainResult,
    Influence,
    Interaction,
)
from core.document.wording import event_noun
from core.engine.context import JobContext
from core.questions.explain import Explain
from payoff.errors import PayoffError
from payoff.types import FloatArray, IntArray
from payoff.vocabulary import TargetDomain

SAMPLE_ROWS = 2_000
CURVE_POINTS = 40
MAP_POINTS = 20
RUG_POINTS = 101
FEWEST_ROWS = 50
MOST_PARTNERS = 12
BAND = (0.1, 0.9)


@dataclass(frozen=True, kw_only=True, eq=False)
class _Subject:
    """A model and the cases that its averages run over."""

    model: BoostedModel
    trained: TrainedModel
    inputs: Inputs
    offset: FloatArray | None
    rows_text: str

    def place(self, column: str) -> int:
        names = [entry.name for entry in self.model.columns]
        if column not in names:
            raise PayoffError(
                f"The model '{self.trained.name}' has no input '{column}'.",
                why=f"It has: {', '.join(names)}.",
            )
        return names.index(column)

    def predictions(
        self, place: int, grid: FloatArray, fixed: Mapping[int, float] | None = None
    ) -> FloatArray:
        """Predictions (outputs, points, cases) with a column set to each point of a grid.

        ``fixed`` sets further columns. All points are scored in one go.
        """
        points, cases = len(grid), self.inputs.n_rows
        arrays = [np.tile(array, points) for array in self.inputs.arrays]
        arrays[place] = np.repeat(grid, cases)
        for other, value in (fixed or {}).items():
            arrays[other] = np.full(points * cases, value)
        offset = None if self.offset is None else np.tile(self.offset, points)
        inputs = Inputs(self.inputs.columns, tuple(arrays))
        found = self.model.response(inputs, self.trained.trees_used or None, offset)
        return found.reshape(-1, points, cases)


def explain_model(document: Document, question: Explain, context: JobContext) -> ExplainResult:
    """Explain a trained model.

    Raises
    ------
    PayoffError
        For a model that is not there or was not trained here, or a column that is no input.
    """
    trained = trained_entry(document, question.model)
    table = table_of(document, context)
    with fair_threads(context):
        subject = _subject(table, document, trained, context)
        influence, shuffled_rows = _influence(document, subject, question, table, context)
        curves: list[DependenceCurve] = []
        wanted = len(question.columns) + len(question.pairs)
        for column in question.columns:
            context.progress(len(curves) / wanted, f"Dependence on {column}")
            curves.append(_curve(subject, column, context))
        maps: list[DependenceMap] = []
        for pair in question.pairs:
            done = len(curves) + len(maps)
            context.progress(done / wanted, f"Dependence on {pair[0]} and {pair[1]}")
            maps.append(_map(subject, pair, context))
        interactions = _interactions(subject, influence, question.together, context)
    return ExplainResult(
        model=trained.name,
        outputs=outputs_of(document, trained, subject.model),
        influence=influence,
        curves=tuple(curves),
        maps=tuple(maps),
        rows_text=subject.rows_text,
        notes=_notes(trained),
        interactions=interactions,
        usual_output=_usual_output(subject.model),
        shuffled_rows=shuffled_rows,
    )


def _usual_output(model: BoostedModel) -> int:
    """Of several quantiles the one nearest to the median, else the first output."""
    levels = levels_of(model)
    return 0 if levels is None else int(np.argmin(np.abs(levels - 0.5)))


def trained_entry(document: Document, name: str) -> TrainedModel:
    """The trained model of a name; one that came as a column is refused."""
    if document.model(name) is None:
        raise PayoffError(f"There is no model '{name}'.")
    trained = document.trained_model(name)
    if trained is None:
        raise PayoffError(
            f"The model '{name}' cannot be explained.",
            why="It came with the data as a column of scores; how it works is not known here.",
            remedy="Choose a model that was trained in Payoff.",
        )
    return trained


def _subject(
    table: LoadedTable, document: Document, trained: TrainedModel, context: JobContext
) -> _Subject:
    context.progress(None, "Reading the inputs")
    model = boosted_model(trained, context)
    train = training_rows(table, document, trained)
    data.check_outcome(table, document)
    known = data.rows_with_use(table, document, (document.rows_used,))
    fresh = np.setdiff1d(known, train)
    others = np.setdiff1d(np.arange(table.rows), train)
    rows, words = fresh, "of the rows used that did not train it"
    if len(rows) < FEWEST_ROWS:
        rows, words = others, "that did not train it"
    if len(rows) < FEWEST_ROWS:
        rows, words = np.arange(table.rows), "of all rows (few did not train it)"
    if trained.program:  # which rows another program saw is not known
        words = "of the rows used" if rows is fresh else "of all rows"
    words = f"{min(len(rows), SAMPLE_ROWS):,} rows {words}"
    rows = _averaged_rows(rows, data.frequency(table, document), document.seed)
    offset = None
    if trained.offset is not None:
        offset = data.column_as_float(table, trained.offset, role="offset")[rows]
    return _Subject(
        model=model,
        trained=trained,
        inputs=read_inputs(table, model.columns).take(rows),
        offset=offset,
        rows_text=words,
    )


def _averaged_rows(rows: IntArray, weight: FloatArray | None, seed: int) -> IntArray:
    """The cases that averages run over: all, or a draw of many; a row as often as it weighs."""
    draw = np.random.default_rng(seed)
    if weight is None:
        if len(rows) <= SAMPLE_ROWS:
            return rows
        return np.sort(draw.choice(rows, SAMPLE_ROWS, replace=False))
    mass = weight[rows]
    if mass.sum() <= SAMPLE_ROWS and np.all(mass == np.floor(mass)):
        return np.repeat(rows, mass.astype(np.int64))
    return np.sort(draw.choice(rows, SAMPLE_ROWS, p=mass / mass.sum()))


def outputs_of(document: Document, trained: TrainedModel, model: BoostedModel) -> tuple[str, ...]:
    """What a model predicts, in words, one for each output."""
    target = document.target
    if len(model.classes) > 1 and target is not None:
        shown = model.classes if model.n_scores > 1 else model.classes[1:]
        return tuple(f"chance of {event_noun(target.label(level))}" for level in shown)
    if trained.effect_of is not None:
        return (f"effect on {trained.target}", f"baseline of {trained.target}")
    if model.distribution.predicts_time:
        return ("time to the event",)
    levels = levels_of(model)
    if levels is not None:
        return tuple(f"{trained.target}, {level:.4g} quantile" for level in levels.tolist())
    scores = {
        TargetDomain.TIME_EVENT: "log of the relative risk",
        TargetDomain.GRADES: "score within a list",
    }
    return (scores.get(model.distribution.target, trained.target),)


def _notes(trained: TrainedModel) -> tuple[str, ...]:
    notes = ["Columns that move together share their influence; a curve shows the model, no cause."]
    if trained.monotone:
        named = ", ".join(
            f"{column} {'rises' if sign > 0 else 'falls'}"
            for column, sign in trained.monotone
            if sign
        )
        notes.append(f"The training was told the direction of: {named}.")
    return tuple(notes)


# ---------------------------------------------------------------- influence


def _influence(
    document: Document,
    subject: _Subject,
    question: Explain,
    table: LoadedTable,
    context: JobContext,
) -> tuple[tuple[Influence, ...], str]:
    """Relative influence, strongest first; with what shuffling each column costs if asked.

    And which rows columns were shuffled over.
    """
    model, trained = subject.model, subject.trained
    shares = model.influence(trained.trees_used or None)
    rise, rows = np.full((len(shares), 1), np.nan), ""
    if question.shuffles:
        rise, rows = _shuffled(document, subject, question, table, context)
    order = np.argsort(-shares, kind="stable")
    found = tuple(
        Influence(
            column=model.columns[place].name,
            influence=float(shares[place]),
            shuffled=float(rise[place].mean()),
            shuffled_low=float(rise[place].min()),
            shuffled_high=float(rise[place].max()),
        )
        for place in order
    )
    return found, rows


def _shuffled(
    document: Document,
    subject: _Subject,
    question: Explain,
    table: LoadedTable,
    context: JobContext,
) -> tuple[FloatArray, str]:
    """Rise of the deviance by shuffling, (F, repeats), on rows that judge if there are."""
    context.progress(None, "Shuffling columns")
    plan = plan_training(table, document, subject.trained, context)
    seed = document.seed
    places = shuffled_places(plan.cases, seed)
    cases = _as_the_model_reads(plan, subject.model).take(places)
    trees = subject.trained.trees_used or None
    is_fresh = not len(places) or int(places[0]) >= plan.cases.train_rows
    words = "that judged its training" if is_fresh else "that trained it among them, which flatters"
    if subject.trained.program:
        words = "of the data"
    rise = subject.model.permutation(cases, SHUFFLES, seed, trees)
    return rise, f"{len(places):,} rows {words}"


def _as_the_model_reads(plan: TrainingPlan, model: BoostedModel) -> Cases:
    """The cases with the model's own numbers of levels and classes: an imported one has others."""
    outcome = plan.cases.outcome
    if plan.classes != model.classes:
        outcome = np.array([float(model.classes.index(c)) for c in plan.classes])[
            outcome.astype(np.int64)
        ]
    inputs = read_inputs(plan.table, model.columns).take(plan.rows)
    return replace(plan.cases, inputs=inputs, outcome=outcome)


# ---------------------------------------------------------------- dependence


def _grid(column: InputColumn, values: FloatArray, points: int) -> FloatArray:
    """Points of an axis: every level, or evenly spaced between the 1 % and 99 % quantiles."""
    if column.is_nominal:
        return np.arange(len(column.levels), dtype=np.float64)
    known = values[~np.isnan(values)]
    if len(known) == 0:
        raise PayoffError(
            f"There is no dependence on '{column.name}'.", why="It has no value in these rows."
        )
    distinct = np.unique(known)
    if len(distinct) <= points:
        return np.asarray(distinct, dtype=np.float64)
    low, high = np.quantile(known, (0.01, 0.99))
    return np.linspace(low, high, points) if high > low else distinct[[0, -1]].astype(np.float64)


def _rug(column: InputColumn, values: FloatArray) -> FloatArray:
    known = values[~np.isnan(values)]
    if column.is_nominal or len(known) == 0:
        return np.empty(0)
    return np.quantile(known, np.linspace(0.0, 1.0, RUG_POINTS))


def _curve(subject: _Subject, name: str, context: JobContext) -> DependenceCurve:
    place = subject.place(name)
    column = subject.model.columns[place]
    values = np.asarray(subject.inputs.arrays[place], dtype=np.float64)
    grid = _grid(column, values, CURVE_POINTS)
    context.check()
    found = subject.predictions(place, grid)
    low, high = np.quantile(found, BAND, axis=2)
    missing = np.isnan(values)
    at_missing = np.full(len(found), np.nan)
    if missing.any():
        at_missing = subject.predictions(place, np.array([np.nan])).mean(axis=(1, 2))
    return DependenceCurve(
        column=name,
        x=grid,
        levels=column.levels if column.is_nominal else (),
        y=found.mean(axis=2),
        low=low,
        high=high,
        rug=_rug(column, values),
        at_missing=at_missing,
        missing_share=float(missing.mean()),
    )


def _map(subject: _Subject, pair: tuple[str, str], context: JobContext) -> DependenceMap:
    places = [subject.place(name) for name in pair]
    if places[0] == places[1]:
        raise PayoffError("A map needs two different columns.", where=pair[0])
    columns = [subject.model.columns[place] for place in places]
    arrays = [np.asarray(subject.inputs.arrays[place], dtype=np.float64) for place in places]
    x, y = (
        _grid(column, values, MAP_POINTS) for column, values in zip(columns, arrays, strict=True)
    )
    values = np.empty((subject.model.n_scores, len(y), len(x)))
    for row, second in enumerate(y):
        context.check()
        found = subject.predictions(places[0], x, {places[1]: float(second)})
        values[:, row] = found.mean(axis=2)
    interaction = subject.model.interaction(
        places, subject.inputs, None, subject.trained.trees_used or None
    )
    return DependenceMap(
        columns=pair,
        x=x,
        y=y,
        x_levels=columns[0].levels if columns[0].is_nominal else (),
        y_levels=columns[1].levels if columns[1].is_nominal else (),
        values=values,
        interaction=interaction,
        rug_x=_rug(columns[0], arrays[0]),
        rug_y=_rug(columns[1], arrays[1]),
    )


def _interactions(
    subject: _Subject,
    influence: tuple[Influence, ...],
    columns: tuple[str, ...],
    context: JobContext,
) -> tuple[Interaction, ...]:
    """Friedman's H of columns with each of the strongest other inputs that the model uses."""
    found = []
    for name in columns:
        place = subject.place(name)
        others = [e.column for e in influence if e.column != name and e.influence > 0]
        for done, other in enumerate(others[:MOST_PARTNERS]):
            context.progress(done / len(others), f"Do {name} and {other} act together?")
            strength = subject.model.interaction(
                [place, subject.place(other)],
                subject.inputs,
                None,
                subject.trained.trees_used or None,
            )
            found.append(Interaction(columns=(name, other), strength=strength))
    return tuple(found)
