"""Page Explain: influence, dependence curves and maps of one trained model.

Averages run over rows that did not train the model where there are enough of them, at most 2,000:
a seeded draw. They are on the scale of the outcome: each case's prediction is worked out with the
column set to a value, then averaged (brute force), so that a chance is a mean of chances.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from core import data
from core.assembly.context import AssemblyContext, table_of
from core.assembly.models.input_columns import read_inputs
from core.assembly.models.spread import levels_of
from core.assembly.models.trained import boosted_model, training_rows
from core.assembly.models.training_plan import TrainingPlan, plan_training
from core.assembly.running import fair_threads
from core.boosting import BoostedModel, TrainingCases
from core.boosting.explaining.influence import SHUFFLES, shuffled_places
from core.boosting.explaining.one_case import ModelOnCases, dependence_curve, dependence_map
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
from core.questions.explain import Explain
from payoff.counting import counted
from payoff.errors import PayoffError
from payoff.types import FloatArray, IntArray
from payoff.vocabulary import TargetDomain

SAMPLE_ROWS = 2_000
FEWEST_ROWS = 50
MOST_PARTNERS = 12


def explain_model(document: Document, question: Explain, context: AssemblyContext) -> ExplainResult:
    """Explain a trained model.

    Raises
    ------
    PayoffError
        For a model that is not there or was not trained here, or a column that is no input.
    """
    trained = trained_entry(document, question.model)
    table = table_of(document, context)
    with fair_threads(context):
        subject, rows_text = _subject(table, document, trained, context)
        influence, shuffled_rows = _influence(document, trained, subject, question, table, context)
        curves: list[DependenceCurve] = []
        wanted = len(question.columns) + len(question.pairs)
        for column in question.columns:
            context.progress(len(curves) / wanted, f"Dependence on {column}")
            curves.append(dependence_curve(subject, column))
        maps: list[DependenceMap] = []
        for pair in question.pairs:
            done = len(curves) + len(maps)
            context.progress(done / wanted, f"Dependence on {pair[0]} and {pair[1]}")
            maps.append(dependence_map(subject, pair, context.check))
        interactions = _interactions(subject, influence, question.together, context)
    outputs = outputs_of(document, trained, subject.model)
    usual = _usual_output(subject.model)
    return ExplainResult(
        model=trained.name,
        outputs=outputs,
        influence=influence,
        curves=tuple(curves),
        maps=tuple(maps),
        rows_text=rows_text,
        notes=_notes(trained),
        interactions=interactions,
        usual_output=usual if question.output is None else min(question.output, len(outputs) - 1),
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
    table: LoadedTable, document: Document, trained: TrainedModel, context: AssemblyContext
) -> tuple[ModelOnCases, str]:
    """A model with the cases that its averages run over, and which rows they are."""
    context.progress(None, "Reading the inputs")
    model = boosted_model(trained, context)
    train = training_rows(table, document, trained)
    data.check_outcome(table, document)
    known = data.rows_with_use(table, document, (document.rows_used,))
    fresh = np.setdiff1d(known, train)
    found = data.rows_inside(table, document)
    every = np.arange(table.rows) if found is None else np.flatnonzero(found[0])
    others = np.setdiff1d(every, train)
    rows, words = fresh, "of the rows used that did not train it"
    if len(rows) < FEWEST_ROWS:
        rows, words = others, "that did not train it"
    if len(rows) < FEWEST_ROWS:
        how_many = "nearly all" if len(others) else "all"
        rows, words = every, f"of all rows ({how_many} of them trained it)"
    if trained.program:  # which rows another program saw is not known
        words = "of the rows used" if rows is fresh else "of all rows"
    words = f"{counted(min(len(rows), SAMPLE_ROWS), 'row')} {words}"
    words += f", where {document.split.where}" if document.split.where else ""
    rows = _averaged_rows(rows, data.frequency(table, document), document.seed)
    offset = None
    if trained.offset is not None:
        offset = data.column_as_float(table, trained.offset, role="offset")[rows]
    subject = ModelOnCases(
        name=trained.name,
        model=model,
        inputs=read_inputs(table, model.columns).take(rows),
        offset=offset,
        trees=trained.trees_used or None,
    )
    return subject, words


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
    target, shown = document.target, levels_shown(model)
    if shown and target is not None:
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


def levels_shown(model: BoostedModel) -> tuple[str, ...]:
    """The classes whose chances a model predicts, one for each output; none of a number."""
    return model.classes if model.n_scores > 1 else model.classes[1:]


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
    trained: TrainedModel,
    subject: ModelOnCases,
    question: Explain,
    table: LoadedTable,
    context: AssemblyContext,
) -> tuple[tuple[Influence, ...], str]:
    """Relative influence, strongest first; with what shuffling each column costs if asked.

    And which rows columns were shuffled over.
    """
    model = subject.model
    shares = model.influence(subject.trees)
    rise, rows = np.full((len(shares), 1), np.nan), ""
    if question.shuffles:
        rise, rows = _shuffled(document, trained, subject, table, context)
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
    trained: TrainedModel,
    subject: ModelOnCases,
    table: LoadedTable,
    context: AssemblyContext,
) -> tuple[FloatArray, str]:
    """Rise of the deviance by shuffling, (F, repeats), on rows that judge if there are."""
    context.progress(None, "Shuffling columns")
    plan = plan_training(table, document, trained, context)
    seed = document.seed
    places = shuffled_places(plan.cases, seed)
    cases = _as_the_model_reads(plan, subject.model).take(places)
    is_fresh = not len(places) or int(places[0]) >= plan.cases.train_rows
    words = "that judged its training" if is_fresh else "that trained it among them, which flatters"
    if trained.program:
        words = "of the data"
    rise = subject.model.permutation(cases, SHUFFLES, seed, subject.trees)
    return rise, f"{counted(len(places), 'row')} {words}"


def _as_the_model_reads(plan: TrainingPlan, model: BoostedModel) -> TrainingCases:
    """The cases with the model's own numbers of levels and classes: an imported one has others."""
    outcome = plan.cases.outcome
    if plan.classes != model.classes:
        outcome = np.array([float(model.classes.index(c)) for c in plan.classes])[
            outcome.astype(np.int64)
        ]
    inputs = read_inputs(plan.table, model.columns).take(plan.rows)
    return replace(plan.cases, inputs=inputs, outcome=outcome)


def _interactions(
    subject: ModelOnCases,
    influence: tuple[Influence, ...],
    columns: tuple[str, ...],
    context: AssemblyContext,
) -> tuple[Interaction, ...]:
    """Friedman's H of columns with each of the strongest other inputs that the model uses."""
    found = []
    for name in columns:
        subject.place(name)  # refuses a column that is no input
        others = [e.column for e in influence if e.column != name and e.influence > 0]
        others = others[:MOST_PARTNERS]
        for done, other in enumerate(others):
            context.progress(done / len(others), f"Do {name} and {other} act together?")
            found.append(Interaction(columns=(name, other), strength=subject.strength(name, other)))
    return tuple(found)
