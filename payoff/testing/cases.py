"""Made-up cases for the conformance kit: seeded, small, with ties and uneven weights."""

from __future__ import annotations

import numpy as np

from payoff.errors import PayoffError
from payoff.sample import Sample
from payoff.types import AnyArray, FloatArray
from payoff.vocabulary import COLUMN_ROLE, TargetDomain, Task

CLASSES = 3

BAD_TARGETS: dict[TargetDomain, tuple[float, ...]] = {
    TargetDomain.REAL: (np.nan, np.inf, -np.inf),
    TargetDomain.BINARY: (np.nan, np.inf, -np.inf, 2.0, 0.5, -1.0),
    TargetDomain.CLASSES: (np.nan, np.inf, -1.0, 0.5),
    TargetDomain.COUNTS: (np.nan, np.inf, -np.inf, -1.0),
    TargetDomain.POSITIVE: (np.nan, np.inf, -np.inf, -1.0, 0.0),
    TargetDomain.TIME_EVENT: (np.nan, np.inf, -1.0, 0.0),
    TargetDomain.GRADES: (np.nan, np.inf, -1.0),
}


def target_values(domain: TargetDomain, rows: int, random: np.random.Generator) -> FloatArray:
    """Outcomes that fit a domain, with both classes (all three) among them."""
    if domain == TargetDomain.BINARY:
        values = random.permutation(np.arange(rows) % 3 == 0)
    elif domain == TargetDomain.CLASSES:
        values = random.permutation(np.arange(rows) % CLASSES)
    elif domain == TargetDomain.COUNTS:
        values = random.poisson(1.5, rows)
    elif domain == TargetDomain.POSITIVE:
        values = random.gamma(2.0, 1.5, rows) + 0.01
    elif domain == TargetDomain.TIME_EVENT:  # in half years, with ties
        values = np.ceil(2.0 * random.gamma(2.0, 1.5, rows)) / 2.0
    elif domain == TargetDomain.GRADES:
        values = random.integers(0, 5, rows)
    else:
        values = random.normal(1.0, 2.0, rows)
    return values.astype(np.float64)


def extra_columns(rows: int, random: np.random.Generator) -> dict[str, AnyArray]:
    """One column for every role that a spec may read."""
    time = random.gamma(2.0, 2.0, rows) + 0.1
    quantiles = np.sort(1.0 + random.gamma(2.0, 1.0, (3, rows)), axis=0)
    return {
        "group": np.arange(rows) // 5,
        "time": time,
        "event": random.integers(0, 2, rows),
        "entry": time * random.uniform(0.0, 0.5, rows),
        "strata": np.arange(rows) % 2,
        "treatment": np.arange(rows) % 2,
        "propensity": np.full(rows, 0.5),
        "cluster": np.arange(rows) // 3,
        "consequences": random.normal(2.0, 10.0, rows),
        "quantile 0.1": quantiles[0],
        "quantile 0.5": quantiles[1],
        "quantile 0.9": quantiles[2],
        f"{COLUMN_ROLE}amount": 5.0 + 10.0 * (np.arange(rows) % 7),
    }


def values_by_class(domain: TargetDomain, rows: int, random: np.random.Generator) -> FloatArray:
    """What three decisions bring each case in each class, (rows, classes, decisions): money.

    The first decision does nothing; the last case has nothing at stake.
    """
    classes = 2 if domain == TargetDomain.BINARY else CLASSES
    brings = random.normal(0.0, 5.0, (rows, classes, 3))
    brings += 10.0 * np.eye(classes, 3)[::-1]
    brings[:, :, 0] = 0.0
    brings[-1] = 0.0
    return brings


def scored_sample(
    task: Task,
    rows: int,
    random: np.random.Generator,
    *,
    decimals: int = 2,
    is_weighted: bool = True,
) -> Sample:
    """Return a sample whose predictions know something; scores have ties by rounding."""
    weight = random.uniform(0.5, 2.0, rows) if is_weighted else np.ones(rows)
    extras = extra_columns(rows, random)
    if task == Task.UPLIFT:
        return _experiment(rows, random, decimals, weight, extras)
    if task == Task.BINARY:
        outcome = random.permutation((np.arange(rows) % 3 != 0).astype(np.int32))
        probability = np.clip(
            0.35 - 0.2 * (outcome - 0.5) + random.normal(0, 0.15, rows), 0.05, 0.95
        )
        least = 10.0**-decimals  # rounded, but never to 0 or 1: their log odds are infinite
        probability = np.clip(np.round(probability, decimals), least, 1.0 - least)
        return Sample(
            outcome,
            prediction=np.vstack([probability, 1.0 - probability]),
            weight=weight,
            labels=("event", "no event"),
            task=task,
            roles=extras,
        )
    if task == Task.MULTICLASS:
        return _many_classes(rows, random, decimals, weight, extras)
    if task in (Task.REGRESSION, Task.RANKING, Task.SURVIVAL):
        outcome = 1.0 + random.poisson(2.0, rows)
        predicted = np.round(outcome * random.uniform(0.5, 1.6, rows) + 0.1, decimals)
        return Sample(
            outcome, prediction=predicted[np.newaxis], weight=weight, task=task, roles=extras
        )
    raise PayoffError(f"There are no made-up cases for the task '{task}'.")


def _experiment(
    rows: int,
    random: np.random.Generator,
    decimals: int,
    weight: FloatArray,
    extras: dict[str, AnyArray],
) -> Sample:
    """Cases of two arms whose outcome is 0 or 1; the role "effect" is what treating changes."""
    effect = random.permutation(np.arange(rows) % 4 - 1).clip(-1, 1).astype(np.float64)
    treated = random.permutation(np.arange(rows) % 2).astype(np.float64)
    outcome = random.integers(0, 2, rows).astype(np.float64)
    outcome[effect > 0] = treated[effect > 0]
    outcome[effect < 0] = 1.0 - treated[effect < 0]
    score = np.round(effect + random.normal(0, 0.8, rows), decimals)
    probability = 0.4 + 0.1 * (np.arange(rows) % 3)
    additional = {"treatment": treated, "propensity": probability, "effect": effect}
    return Sample(
        outcome,
        prediction=score[np.newaxis],
        weight=weight,
        task=Task.UPLIFT,
        roles={**extras, **additional},
    )


def _many_classes(
    rows: int,
    random: np.random.Generator,
    decimals: int,
    weight: FloatArray,
    extras: dict[str, AnyArray],
) -> Sample:
    outcome = random.permutation((np.arange(rows) % CLASSES).astype(np.int32))
    hint = np.arange(CLASSES)[:, np.newaxis] == outcome
    raw = np.round(random.uniform(0.1, 1.0, (CLASSES, rows)) + 0.5 * hint, decimals)
    return Sample(
        outcome,
        prediction=raw / raw.sum(axis=0),
        weight=weight,
        labels=("first", "second", "third"),
        task=Task.MULTICLASS,
        roles=extras,
    )


def taken(sample: Sample, rows: AnyArray, *, weight: FloatArray | None = None) -> Sample:
    """Return the sample of the given row numbers (repeated or shuffled)."""
    return Sample(
        sample.outcome[rows],
        sample.score[rows],
        prediction=sample.posteriors[:, rows],
        weight=sample.weight[rows] if weight is None else weight,
        labels=sample.labels,
        task=sample.task,
        roles={name: column[rows] for name, column in sample.roles.items()},
    )


def predicted(sample: Sample, prediction: FloatArray) -> Sample:
    """Return the same cases with other predictions (K, n), ranked by the first row."""
    return Sample(
        sample.outcome,
        prediction=prediction,
        weight=sample.weight,
        labels=sample.labels,
        task=sample.task,
        roles=dict(sample.roles),
    )


def perfect_prediction(sample: Sample) -> FloatArray:
    """Predictions that know the outcome (of an experiment the effect), (K, n)."""
    if sample.task == Task.UPLIFT:
        return sample.roles["effect"].astype(np.float64)[np.newaxis]
    if not sample.labels:
        return sample.outcome.astype(np.float64)[np.newaxis]
    levels = np.arange(len(sample.labels))[:, np.newaxis]
    answer: FloatArray = (levels == sample.outcome).astype(np.float64)
    return answer


def constant_predictions(sample: Sample) -> list[FloatArray]:
    """Predictions that know nothing: the class shares, or mean and median of a number."""
    ones = np.ones(len(sample))
    if sample.task == Task.UPLIFT:
        return [ones[np.newaxis]]
    if sample.labels:
        shares = sample.class_weight / sample.total_weight
        return [shares[:, np.newaxis] * ones]
    order = np.argsort(sample.outcome)
    running = np.cumsum(sample.weight[order])
    middle = sample.outcome[order][np.searchsorted(running, running[-1] / 2)]
    mean = np.average(sample.outcome, weights=sample.weight)
    return [np.full((1, len(sample)), float(value)) for value in (mean, middle)]
