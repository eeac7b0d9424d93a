"""Answers of page Experiments, made up."""

from __future__ import annotations

import numpy as np

from core.document.experiments.results import (
    CHOOSING,
    MADE_UP_SETS,
    SHRINKAGE,
    DataFacts,
    ExperimentResult,
    IterationResult,
    RuleOutcome,
    RunTable,
    ShrinkageCurve,
)
from core.document.experiments.spec import ExperimentSpec
from core.experiments.experiment import summarise_runs

FACTS = DataFacts(
    source="x",
    rows=600,
    conditions=50,
    parameters=51,
    prevalence=0.911,
    warnings=("Values of 0 that may be gaps.",),
    notes=("z is centred.",),
)


def make_runs(spec: ExperimentSpec, share: float = 1.0, shift: float = 0.0) -> ExperimentResult:
    """Runs as an engine would send them; the first ``share`` of them."""
    settled = spec.settled()
    places = [
        (sampler, system, split, learner)
        for sampler in range(len(settled.samplers))
        for system in range(settled.systems)
        for split in range(settled.splits)
        for learner in range(len(settled.learners))
    ]
    done = places[: round(share * len(places))]
    columns = np.array(done or np.empty((0, 4)), dtype=np.int64).T
    n = len(done)
    error = 0.01 + shift + 0.001 * np.sin(np.arange(n))
    runs = RunTable(
        samplers=settled.samplers,
        learners=settled.learners,
        sampler=columns[0],
        system=columns[1],
        split=columns[2],
        learner=columns[3],
        n_train=np.full(n, 480),
        n_test=np.full(n, 120),
        error=error,
        variance=np.full(n, 0.001),
        bound=error + 0.01,
        chance=np.full(n, 0.08),
        effect_error=2 * error,
        effect_variance=np.full(n, 0.002),
        effect_bound=3 * error + 0.04,
        clipped=np.zeros(n, np.int64),
        worse_than_start=np.zeros(n, np.int64),
    )
    return ExperimentResult(
        spec=spec,
        data=FACTS,
        runs=runs,
        groups=summarise_runs(runs),
        done=n,
        wanted=len(places),
        seconds_left=75.0 if share < 1 else 0.0,
        seconds=9.0,
        conditions=("All losses lie in 0 to 1. (checked)",),
    )


TREES = np.arange(1.0, 201.0)


def curve(data="Friedman 1", shrinkage=0.1, draws=3):
    deviance = 2.0 + 6.0 * np.exp(-TREES * shrinkage) + 0.3 * shrinkage * TREES / 50
    half = 0.1 + 0.3 * np.exp(-TREES * shrinkage)
    return ShrinkageCurve(
        data=data,
        shrinkage=shrinkage,
        draws=draws,
        deviance=deviance,
        low=deviance - half,
        high=deviance + half,
        best=float(np.argmin(deviance) + 1),
        best_low=20,
        best_high=200,
        least=float(deviance.min()),
        least_low=float(deviance.min()) - 0.1,
        least_high=float(deviance.min()) + 0.1,
    )


def lines(done=2):
    rates = (0.3, 0.1, 0.03, 0.01, 0.003)
    curves = tuple(curve(data, rate) for data in ("Friedman 1", "counts") for rate in rates)
    return IterationResult(study=SHRINKAGE, done=done, wanted=6, curves=curves)


def rule(method, median):
    share = np.clip(median + np.linspace(-0.1, 0.05, 8), 0.0, 1.0)
    return RuleOutcome(
        method=method,
        data=MADE_UP_SETS,
        share=share,
        share_low=share - 0.02,
        share_high=np.minimum(1.0, share + 0.02),
        quarter=median - 0.04,
        median=median,
        three_quarters=median + 0.02,
        low=median - 0.06,
        high=min(1.0, median + 0.03),
        trees=208.4,
    )


def rules(done=6):
    found = (
        rule("test, 33 %", 0.97),
        rule("test, 20 %", 0.975),
        rule("out of bag", 0.93),
        rule("5 folds", 0.99),
    )
    return IterationResult(study=CHOOSING, done=done, wanted=6, rules=found)
