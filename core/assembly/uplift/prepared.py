"""What everything on page Uplift is read from: cases, checks and rankings, kept between jobs."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from core import data
from core.assembly.context import AssemblyContext, table_of
from core.assembly.uplift.cases import Kept, UpliftCases, scored_cases
from core.assembly.uplift.data import (
    column_values,
    cross_fitted_treatment,
    foretold_by,
    values_at,
)
from core.data import LoadedTable, rows_identity
from core.document.data.model import BadValues
from core.document.model import Document, Role
from core.document.studies.uplift import Validity
from core.document.uplift.commands import propensity_column
from core.document.uplift.model import NuChoice
from core.uplift.experiment import Experiment, checked_clip, checked_propensity
from core.uplift.foretelling import Predictability
from core.uplift.ranked.ranking import UpliftRanking
from core.uplift.validity import check_validity
from payoff.errors import PayoffError


def without_prices(document: Document) -> Document:
    """The document as if nothing had a price: what rankings and checks depend on."""
    spec = replace(
        document.uplift,
        value=1.0,
        contact=0.0,
        redemption=0.0,
        most_cases=None,
        follows_matrix=False,
        metrics=(),
        note="",
    )
    return replace(document, uplift=spec, matrix=None)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PreparedUplift:
    """Cases, checks and rankings, which everything on page Uplift is read from."""

    cases: UpliftCases
    kept: Kept
    guard: Validity
    experiment: Experiment  # with the chances of treatment that are to be used
    rankings: dict[str, UpliftRanking]
    notes: tuple[str, ...]


def prepared_uplift(document: Document, context: AssemblyContext) -> PreparedUplift:
    """The rankings of a document over the cases that all of them score, kept between jobs.

    Raises
    ------
    PayoffError
        For a document without a treatment or an outcome, and data that are no experiment of two
        arms; each names column and row.
    """
    content = context.tables.data_hash(document.data) if document.data is not None else ""
    plain = without_prices(document)
    spec = replace(plain.uplift, nu=NuChoice.ZERO)
    key = ("prepared uplift", content, replace(plain, uplift=spec))

    def make() -> tuple[PreparedUplift, int]:
        kept, cases, lost = scored_cases(document, context)
        table = table_of(document, context)
        experiment, notes = _with_probabilities(document, table, cases, context)
        base = cases.experiment.at_effective_size()
        rankings = {name: UpliftRanking(base, score) for name, (_, score) in kept.items()}
        made = PreparedUplift(
            cases=cases,
            kept=kept,
            guard=_guarded(document, table, cases, rankings, experiment, context),
            experiment=experiment,
            rankings={name: ranking.among(experiment) for name, ranking in rankings.items()},
            notes=(*cases.warnings, *lost, *notes),
        )
        return made, 8 * len(cases.rows) * 12 * max(1, len(kept))

    found: PreparedUplift = context.cache.get_or_make(key, make)
    return found


def _guarded(
    document: Document,
    table: LoadedTable,
    cases: UpliftCases,
    rankings: dict[str, UpliftRanking],
    experiment: Experiment,
    context: AssemblyContext,
) -> Validity:
    """The checks; ``rankings`` are at the share of the treated and the effective size."""
    return check_validity(
        experiment.at_effective_size(),
        rankings,
        columns={name: column_values(table, name, cases.rows) for name in cases.columns},
        foretold=_foretold(document, table, cases, context) if cases.columns else None,
        planned_share=document.uplift.planned_share,
        drawn_by_lot=document.uplift.drawn_by_lot,
    )


def _foretold(
    document: Document, table: LoadedTable, cases: UpliftCases, context: AssemblyContext
) -> Predictability | None:
    """How far the columns foretell the treatment, kept for as long as they and the rows are."""
    key = (
        "uplift treatment",
        table.identity,
        cases.columns,
        cases.treatment,
        cases.arms.treated,
        cases.arms.control,
        rows_identity(cases.rows),
        document.column_of(Role.WEIGHT),
        cases.experiment.is_sampled,
        document.seed,
    )

    def make() -> tuple[Predictability | None, int]:
        return foretold_by(table, cases.columns, cases.rows, cases.experiment, document.seed), 0

    found: Predictability | None = context.cache.get_or_make(key, make)
    return found


def _with_probabilities(
    document: Document, table: LoadedTable, cases: UpliftCases, context: AssemblyContext
) -> tuple[Experiment, tuple[str, ...]]:
    """The experiment with the chances of treatment to be used, and what is said of them."""
    experiment = with_known_probabilities(document, table, cases)
    if document.uplift.estimates_propensity and not experiment.has_propensity:
        return _estimated(document, table, cases, context)
    return experiment, ()


def with_known_probabilities(
    document: Document, table: LoadedTable, cases: UpliftCases
) -> Experiment:
    """The experiment with the column of chances of treatment, where one is named."""
    spec = document.uplift
    column = propensity_column(document)
    if column is None:
        return cases.experiment
    probabilities = values_at(data.column_as_float(table, column, role="propensity"), cases.rows)
    clip = checked_clip(spec.column_clip)
    if clip is not None:
        inside = (probabilities >= 0) & (probabilities <= 1)
        clipped = np.clip(probabilities, clip, 1 - clip)
        probabilities = np.where(inside, clipped, probabilities)
    where = f"{table.path}, column {column}"
    return cases.experiment.with_propensity(
        checked_propensity(probabilities, len(cases.rows), where)
    )


def _estimated(
    document: Document, table: LoadedTable, cases: UpliftCases, context: AssemblyContext
) -> tuple[Experiment, tuple[str, ...]]:
    experiment, clip = cases.experiment, document.uplift.clip
    predicted = cross_fitted_treatment(
        table,
        cases.columns,
        cases.rows,
        experiment.treated,
        context,
        weight=experiment.weight if len(experiment.weight) else None,
        seed=document.seed,
    )
    if predicted is None and document.bad_values is BadValues.REFUSE_GAPS:
        raise PayoffError(
            "Chances of treatment cannot be estimated.",
            why="No usable covariate is named, or an arm has too few cases.",
            remedy="Give covariates=[...], or a column of propensities.",
        )
    if predicted is None:
        return experiment, (
            "Chances of treatment could not be estimated: there are no inputs, or too few cases "
            "of an arm. The share of the treated is used.",
        )
    clipped = int(np.sum((predicted < clip) | (predicted > 1 - clip)))
    note = "Chances of treatment are estimated from the inputs, cross-fitted; that they are "
    note += "estimates is not in the intervals."
    if clipped:
        note += f" {clipped:,} of them were kept {clip:g} from 0 and 1."
    return experiment.with_propensity(np.clip(predicted, clip, 1 - clip)), (note,)
