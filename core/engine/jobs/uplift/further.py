"""Jobs of page Uplift: slices of every ranking with RATE, and the size of the next test."""

from __future__ import annotations

import math

import numpy as np

from core.assembly.threads import fair_threads
from core.assembly.uplift.cases import uplift_cases
from core.assembly.uplift.prepared import prepared_uplift
from core.document.model import Document
from core.document.results import Estimate
from core.document.studies.uplift_further import (
    ModelSlices,
    NextTestResult,
    RateFigure,
    SlicesResult,
)
from core.engine.context import JobContext
from core.questions.uplift import NextTest, Slices
from core.uplift.effects import arm_spread, next_test_size, plain_effect
from core.uplift.ranking import UpliftRanking
from core.uplift.rates import Rate, rates_of
from core.uplift.segments import slices_of
from core.uplift.slice_balance import balance_of
from payoff.errors import PayoffError

MOST_SLICES = 100
_LADDER = (0.5, 0.75, 1.0, 1.5, 2.0)


def slice_rankings(document: Document, question: Slices, context: JobContext) -> SlicesResult:
    """Equal slices of every ranking, best first, with treatment balance and RATE.

    Raises
    ------
    PayoffError
        As the job "uplift", where nothing ranks the cases, and for a number of slices that cannot
        be.
    """
    count = question.count
    if not 2 <= count <= MOST_SLICES:
        raise PayoffError(f"{count} slices cannot be made.", why=f"2 to {MOST_SLICES}.")
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
            models.append(_model_slices(name, ranking, count, rates))
    return SlicesResult(
        count=count,
        draws=max(2, question.draws),
        is_binary=made.experiment.is_binary,
        models=tuple(models),
        warnings=tuple(warnings),
    )


def _model_slices(
    name: str, ranking: UpliftRanking, count: int, rates: tuple[Rate, ...]
) -> ModelSlices:
    found = slices_of(ranking, count)
    balance = balance_of(ranking, found)
    known = np.isfinite(found.uplift)
    part = np.where(known, found.treated, 0.0)
    errors = np.where(known, found.standard_error, 0.0)
    whole = float(part.sum())
    return ModelSlices(
        model=name,
        treated=found.treated,
        control=found.control,
        rate_treated=found.rate_treated,
        rate_control=found.rate_control,
        uplift=found.uplift,
        standard_error=found.standard_error,
        mean_score=found.mean_score,
        share=balance.share,
        share_low=balance.low,
        share_high=balance.high,
        weighted_average=found.weighted_average,
        weighted_error=math.sqrt(float(((part * errors) ** 2).sum())) / whole
        if whole
        else math.nan,
        rates=_rate_figures(rates),
    )


def _rate_figures(rates: tuple[Rate, ...]) -> tuple[RateFigure, ...]:
    """As grf names them, and causalml's figure where it is the same but for a factor."""
    autoc, qini = rates
    grf = "grf, rank_average_treatment_effect"
    return (
        _figure(autoc, 1.0, "AUTOC", grf, "mean over q of effect(best q) − effect(all)"),
        _figure(qini, 1.0, "QINI", grf, "mean over q of q (effect(best q) − effect(all))"),
        _figure(
            qini, 2.0, 'rate_score, "qini"', "causalml", "QINI with weights that sum to 1: × 2"
        ),
    )


def _figure(rate: Rate, scale: float, name: str, tool: str, formula: str) -> RateFigure:
    low, high = rate.interval()
    return RateFigure(
        name=name,
        tool=tool,
        formula=formula,
        value=scale * rate.value,
        standard_error=scale * rate.standard_error,
        low=scale * low,
        high=scale * high,
        p_value=rate.p_value,
    )


def plan_next_test(document: Document, question: NextTest, context: JobContext) -> NextTestResult:
    """Cases that a test needs to find an effect, at the spread of the outcome seen here.

    Raises
    ------
    PayoffError
        As the job "uplift", for no effect, and for shares that cannot be.
    """
    experiment = uplift_cases(document, context).experiment
    inside = experiment.treated > 0
    weight = experiment.weight if len(experiment.weight) else None
    seen = plain_effect(experiment.outcome, inside, ~inside, weight=weight)
    spread = arm_spread(experiment)
    effect = seen.effect / 2 if question.effect is None else question.effect
    if not 0.5 <= question.confidence < 1:
        raise PayoffError("The confidence lies between 50 % and 100 %.")

    def cases_for(size: float) -> int:
        return next_test_size(
            size,
            spread,
            treated_share=question.treated_share,
            power=question.power,
            confidence=question.confidence,
        )

    cases = cases_for(effect)
    treated = math.ceil(cases * question.treated_share)
    return NextTestResult(
        effect=effect,
        cases=cases,
        treated=treated,
        control=cases - treated,
        seen=Estimate(value=seen.effect, low=seen.low, high=seen.high, method=seen.method),
        # The size falls with the square of the effect.
        found_now=abs(effect) * math.sqrt(cases / experiment.total),
        cases_now=experiment.total,
        ladder=tuple((effect * times, cases_for(effect * times)) for times in _LADDER),
    )
