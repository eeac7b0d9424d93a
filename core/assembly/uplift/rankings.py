"""Every ranking of an experiment in slices with RATE, and over orders of its tied rows."""

from __future__ import annotations

from dataclasses import replace

from core.assembly.context import AssemblyContext
from core.assembly.threads import fair_threads
from core.assembly.uplift.prepared import prepared_uplift
from core.document.model import Document
from core.document.studies.uplift import (
    ModelSlices,
    Rate,
    RateFigure,
    RowOrderModel,
    RowOrderResult,
    RowOrderRow,
    SlicesResult,
)
from core.questions.uplift import RowOrder, Slices
from core.uplift.rates import rates_of
from core.uplift.row_order import audit_row_order
from core.uplift.segments import slices_of
from core.uplift.slice_balance import balance_of
from payoff.counting import counted
from payoff.errors import PayoffError

MOST_SLICES = 100


def slice_rankings(document: Document, question: Slices, context: AssemblyContext) -> SlicesResult:
    """Equal slices of every ranking, best first, with treatment balance and RATE.

    Raises
    ------
    PayoffError
        As page Uplift, where nothing ranks the cases, and for a number of slices that cannot
        be.
    """
    count = question.count
    if not 2 <= count <= MOST_SLICES:
        raise PayoffError(f"{counted(count, 'slice')} cannot be made.", why=f"2 to {MOST_SLICES}.")
    made = prepared_uplift(document, context)
    if not made.rankings:
        raise PayoffError(
            "No model ranks these cases yet.", remedy="Train one, or name a column of scores."
        )
    warnings = []
    if made.experiment.has_propensity:
        warnings.append(
            "Means by slice compare the arms as they are: chances of treatment that differ inside "
            "a slice are not put right here. RATE puts them right."
        )
    models = []
    with fair_threads(context):
        for place, (name, ranking) in enumerate(made.rankings.items()):

            def step(part: float, place: int = place) -> None:
                context.progress((place + part) / len(made.rankings), "Resampling RATE")

            rates = rates_of(
                ranking,
                draws=max(2, question.draws),
                seed=document.seed,
                should_stop=context.should_stop,
                step=step,
            )
            slices = slices_of(ranking, count)
            models.append(
                ModelSlices(
                    model=name,
                    slices=slices,
                    balance=balance_of(ranking, slices),
                    rates=_rate_figures(rates),
                )
            )
    return SlicesResult(
        count=count,
        draws=max(2, question.draws),
        is_binary=made.experiment.is_binary,
        models=tuple(models),
        warnings=tuple(warnings),
    )


def _rate_figures(rates: tuple[Rate, ...]) -> tuple[RateFigure, ...]:
    """As grf names them, and causalml's figure where it is the same but for a factor."""
    autoc, qini = rates
    grf = "grf, rank_average_treatment_effect"
    return (
        RateFigure(
            name="AUTOC",
            tool=grf,
            formula="mean over q of effect(best q) − effect(all)",
            rate=autoc,
        ),
        RateFigure(
            name="QINI",
            tool=grf,
            formula="mean over q of q (effect(best q) − effect(all))",
            rate=qini,
        ),
        RateFigure(
            name='rate_score, "qini"',
            tool="causalml",
            formula="QINI with weights that sum to 1: × 2",
            rate=_doubled(qini),
        ),
    )


def _doubled(rate: Rate) -> Rate:
    return replace(
        rate,
        value=2.0 * rate.value,
        standard_error=2.0 * rate.standard_error,
        low=2.0 * rate.low,
        high=2.0 * rate.high,
    )


def audit_rows(document: Document, question: RowOrder, context: AssemblyContext) -> RowOrderResult:
    """How far tools that read rows one by one could move with the order of the file."""
    made = prepared_uplift(document, context)
    models, rows = [], []
    for place, (name, ranking) in enumerate(made.rankings.items()):
        context.progress(place / len(made.rankings), f"Shuffling ties of {name}")
        audit = audit_row_order(ranking, seed=document.seed)
        models.append(RowOrderModel(model=name, ties=audit.ties))
        rows += [RowOrderRow(model=name, figure=figure) for figure in audit.ranges]
    return RowOrderResult(models=tuple(models), rows=tuple(rows))
