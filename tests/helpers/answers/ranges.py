"""A project with a model of several quantiles, and what the engine would say of its ranges."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from core.document.model import Document, ModelSpec, TargetSpec
from core.document.results import RowsNote
from core.document.studies.compare import PredictedRange, QuantilesResult
from core.document.training_results import DistributionsResult
from payoff.intervals import wilson_interval
from payoff.parameters import Parameter
from payoff.vocabulary import ParameterKind
from tests.helpers.answers.models import TRAINED, document_with_inputs, offered

LEVELS = np.linspace(0.05, 0.95, 9)
BELOW = LEVELS + np.array([0.008, 0.004, -0.012, 0.0, 0.01, 0.004, -0.006, -0.004, -0.012])


def document_of_quantiles() -> Document:
    """The mailing with a number as its outcome and a finished model of nine quantiles."""
    document = document_with_inputs(has_trained=False)
    trained = replace(TRAINED, distribution="multi_quantile", target="basket", class_shares=())
    return replace(
        document,
        target=TargetSpec(column="basket", kind="interval"),
        models=(ModelSpec(name="gbm 1", series=0, trained=trained),),
        reference_model="gbm 1",
        matrix=None,
        priors=None,
    )


def offered_quantiles() -> DistributionsResult:
    """The distribution of several quantiles, and one of a single number."""
    known = offered()
    quantiles = replace(
        known.distributions[0],
        id="multi_quantile",
        label="Several quantiles",
        domain="real",
        is_usual=False,
        predicts_quantiles=True,
        watches=(("deviance", "loss"),),
        parameters=(
            Parameter(
                name="quantiles",
                words="number of quantiles",
                default=9,
                minimum=1,
                maximum=99,
                kind=ParameterKind.INTEGER,
            ),
            Parameter(
                name="lowest",
                words="lowest level",
                default=0.05,
                minimum=0.0,
                maximum=0.5,
            ),
        ),
    )
    mean = replace(quantiles, id="gaussian", label="Gaussian", predicts_quantiles=False)
    mean = replace(mean, is_usual=True, parameters=())
    return replace(known, target="basket", distributions=(mean, quantiles))


def ranges_of(model: str = "gbm 1") -> QuantilesResult:
    """Quantiles of a skewed amount, and 400 outcomes."""
    draw = np.random.default_rng(8)
    share = (np.arange(100) + 0.5) / 100
    middle = 12.0 + 30.0 * share**2
    place = (np.arange(400) + 0.5) / 400
    outcome = (12.0 + 30.0 * place**2) * np.exp(draw.normal(0.0, 0.45, 400))
    spread = np.sqrt(2.0) * 0.45 * np.array([-1.16, -0.70, -0.42, -0.2, 0, 0.2, 0.42, 0.70, 1.16])
    cases = np.full(9, 20_000.0)
    low, high = wilson_interval(BELOW, cases)
    return QuantilesResult(
        model=model,
        target="basket",
        rows=RowsNote(use="validation", text="validation rows, 20,000 of 90,000", rows=20_000),
        levels=LEVELS,
        below=BELOW,
        below_low=low,
        below_high=high,
        ranges=tuple(_range(k) for k in range(4)),
        share=share,
        fan=middle * np.exp(spread)[:, None],
        outcome_share=place,
        outcome=outcome,
        is_fresh=True,
    )


def _range(k: int) -> PredictedRange:
    wanted, held = LEVELS[8 - k] - LEVELS[k], BELOW[8 - k] - BELOW[k]
    return PredictedRange(
        low_level=float(LEVELS[k]),
        high_level=float(LEVELS[8 - k]),
        wanted=float(wanted),
        held=float(held),
        held_low=float(held) - 0.005,
        held_high=float(held) + 0.005,
        width=30.0 - 6 * k,
    )
