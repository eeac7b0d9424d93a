"""What everything on page Uplift is read from: cases, checks and rankings, kept between jobs."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace

import numpy as np

from core import data
from core.assembly.context import AssemblyContext
from core.assembly.uplift.cases import Kept, UpliftCases, scored_cases
from core.assembly.uplift.data import (
    column_values,
    cross_fitted_treatment,
    foretold_by,
)
from core.document.model import Document, Role
from core.document.uplift.model import NuChoice
from core.uplift.experiment import Experiment, checked_propensity
from core.uplift.foretelling import Predictability
from core.uplift.guard import Validity, check_validity
from core.uplift.ranking import UpliftRanking


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
        As ``work_out_uplift``.
    """
    content = context.tables.data_hash(document.data) if document.data is not None else ""
    plain = without_prices(document)
    spec = replace(plain.uplift, nu=NuChoice.ZERO)
    key = ("prepared uplift", content, replace(plain, uplift=spec))

    def make() -> tuple[PreparedUplift, int]:
        kept, cases, lost = scored_cases(document, context)
        guard, experiment, notes = _guarded(document, cases, kept, context)
        made = PreparedUplift(
            cases=cases,
            kept=kept,
            guard=guard,
            experiment=experiment,
            rankings={name: UpliftRanking(experiment, s) for name, (_, s) in kept.items()},
            notes=(*cases.warnings, *lost, *notes),
        )
        return made, 8 * len(cases.rows) * 12 * max(1, len(kept))

    found: PreparedUplift = context.cache.get_or_make(key, make)
    return found


def _guarded(
    document: Document, cases: UpliftCases, kept: Kept, context: AssemblyContext
) -> tuple[Validity, Experiment, tuple[str, ...]]:
    """The checks, and the experiment with the chances of treatment that are to be used."""
    spec = document.uplift
    key = (
        "uplift treatment",
        cases.table.identity,
        cases.columns,
        cases.treatment,
        cases.arms.treated,
        cases.arms.control,
        hashlib.sha256(np.ascontiguousarray(cases.rows).data).digest(),
        document.column_of(Role.WEIGHT),
        cases.experiment.is_sampled,
        document.seed,
    )

    def make() -> tuple[Predictability | None, int]:
        made = cases.experiment
        return foretold_by(cases.table, cases.columns, cases.rows, made, document.seed), 0

    found: Predictability | None = context.cache.get_or_make(key, make)
    experiment = with_known_chances(document, cases)
    notes: tuple[str, ...] = ()
    if spec.estimates_propensity and not experiment.has_propensity:
        experiment, notes = _estimated(cases, spec.clip, document, context)
    base = cases.experiment.at_effective_size()
    rankings = {name: UpliftRanking(base, s) for name, (_, s) in kept.items()}
    guard = check_validity(
        experiment.at_effective_size(),
        rankings,
        columns={name: column_values(cases.table, name, cases.rows) for name in cases.columns},
        foretold=found,
        planned_share=spec.planned_share,
        drawn_by_lot=spec.drawn_by_lot,
    )
    return guard, experiment, notes


def with_known_chances(document: Document, cases: UpliftCases) -> Experiment:
    """The experiment with the column of chances of treatment, where one is named."""
    column = document.uplift.propensity or document.column_of(Role.PROPENSITY)
    if column is None:
        return cases.experiment
    chances = data.column_as_float(cases.table, column, role="propensity")[cases.rows]
    where = f"{cases.table.path}, column {column}"
    return cases.experiment.with_propensity(checked_propensity(chances, len(cases.rows), where))


def _estimated(
    cases: UpliftCases,
    clip: float,
    document: Document,
    context: AssemblyContext,
) -> tuple[Experiment, tuple[str, ...]]:
    experiment = cases.experiment
    predicted = cross_fitted_treatment(
        cases.table,
        cases.columns,
        cases.rows,
        experiment.treated,
        context,
        weight=experiment.weight if len(experiment.weight) else None,
        seed=document.seed,
    )
    if predicted is None:
        return cases.experiment, (
            "Chances of treatment could not be estimated: there are no inputs, or too few cases "
            "of an arm. The share of the treated is used.",
        )
    clipped = int(np.sum((predicted < clip) | (predicted > 1 - clip)))
    note = "Chances of treatment are estimated from the inputs, cross-fitted; that they are "
    note += "estimates is not in the intervals."
    if clipped:
        note += f" {clipped:,} of them were kept {clip:g} from 0 and 1."
    experiment = cases.experiment.with_propensity(np.clip(predicted, clip, 1 - clip))
    return experiment, (note,)
