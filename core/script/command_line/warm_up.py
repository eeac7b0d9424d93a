"""``payoff --warm-up``: compile every kernel now, so that no later start does.

An installer's build runs it to make the kernels that a program brings along. It does what a start
of the program prepares in the background, trains small models with every loss that ships and judges
them, and runs the self test.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa

from core.assembly.models.loss_terms import reads_effect, reads_money
from core.diagnostics import describe_exception
from core.document.data.model import HELD_ROWS
from core.engine.jobs.precompiling.all_kernels import kernel_steps
from core.engine.jobs.precompiling.first_totals import first_steps
from core.kernels import cache_hits
from core.questions.compare import CompareModels
from core.questions.explain import TreeNumbers
from core.script.boost.boosting import boost
from core.script.command_line.answering import tell
from core.script.command_line.self_test import run_self_test
from core.script.decide.deciding import decide
from core.script.evaluate.evaluation import evaluate
from core.script.session import engine
from core.script.uplift.judging import uplift
from payoff.counting import counted
from payoff.specs import LossDistribution
from payoff.vocabulary import Extra, TargetDomain

ROWS = 1_200
"""More than ``core.boosting`` calls few."""
PLACES = 300
"""More levels than a byte has values: columns are cut into wider numbers, as by many trees."""
_INPUTS = ("first", "second", "level")
_TARGETS = {
    TargetDomain.REAL: "number",
    TargetDomain.POSITIVE: "amount",
    TargetDomain.TIME_EVENT: "amount",
    TargetDomain.COUNTS: "count",
    TargetDomain.BINARY: "answer",
    TargetDomain.CLASSES: "class",
    TargetDomain.GRADES: "class",
}
_COLUMNS = {Extra.EVENT: "answer", Extra.TREATMENT: "answer", Extra.GROUP: "list"}
_COSTS = {"1": [8.0, 0.0], "0": [-2.0, 0.0]}
_COSTS_OF_CLASSES = {"0": [8.0, 0.0], "1": [-2.0, 0.0], "2": [-3.0, 1.0]}


def _made_up_cases() -> dict[str, Any]:
    """More numbers than a histogram has bins, some without a value, levels, and every outcome."""
    rows, draws = np.arange(ROWS), np.random.default_rng(20261)
    first, second, level = draws.random(ROWS), draws.random(ROWS), draws.integers(0, 6, ROWS)
    number = first - second + 0.1 * level + draws.normal(size=ROWS)
    return {
        "first": first,
        "second": np.where(rows % 11 == 0, np.nan, np.round(second, 1)),
        "level": [f"level {place}" for place in level],
        "place": [f"place {place}" for place in rows % PLACES],
        "number": number,
        "amount": np.exp(0.4 * number),
        "count": draws.poisson(np.exp(0.4 * number)),
        "answer": (number > 0.2).astype(np.int64),
        "class": np.digitize(number, (-0.5, 0.8)),
        "list": [f"list {place // 10}" for place in rows],
    }


def _train_and_judge(loss: LossDistribution) -> None:
    """Train a few trees, and ask what pages Models and Compare ask; an effect is not judged."""
    given: dict[str, Any] = {
        extra.value: _COLUMNS[extra] for extra in loss.extras if extra in _COLUMNS
    }
    if reads_money(loss):
        is_two = loss.target is TargetDomain.BINARY
        given["decision"] = {"matrix": _COSTS if is_two else _COSTS_OF_CLASSES}
    model = boost(
        _made_up_cases(),
        target=_TARGETS[loss.target],
        distribution=loss.id,
        features=list(_INPUTS),
        n_trees=8,
        train_fraction=0.7,
        **given,
    )
    if reads_effect(loss):
        return
    model.ask(TreeNumbers(model=model.document.models[-1].name))
    for resamples in (0, 20):
        model.ask(CompareModels(resamples=resamples))


def _train_otherwise(**settings: Any) -> None:
    """Train and judge trees whose levels, or rows without a value, other kernels are for."""
    model = boost(
        _made_up_cases(),
        target="answer",
        distribution="bernoulli",
        features=[*_INPUTS, "place"],
        n_trees=8,
        train_fraction=0.7,
        **settings,
    )
    model.ask(TreeNumbers(model=model.document.models[-1].name))
    model.ask(CompareModels(resamples=20))


def _judge_in_pieces() -> None:
    """What reads rows in pieces: more than are held as one table, in batches."""
    rows, draws = HELD_ROWS + 1, np.random.default_rng(20261)
    score, other, cost = draws.random((3, rows))
    event = draws.random(rows) < score
    arm = draws.integers(0, 2, rows)
    columns = {
        "event": np.where(event, "yes", "no"),
        "first": np.where(score < 0.1, np.round(score, 2), score),
        "second": (score + other) / 2,
        "amount": np.round(event * (1 + cost), 2),
        "arm": arm,
        "weight": 0.5 + cost,
    }
    table = pa.table(columns)
    evaluate(table.to_batches, outcome="event", scores=["first", "second"], resamples=20)
    evaluate(table.to_batches, outcome="amount", scores="second", resamples=20)
    rule: dict[str, Any] = {
        "matrix": {"yes": [8.0, 0.0], "no": [-2.0, 0.0]},
        "posteriors": {"yes": "first"},
    }
    decide(table.to_batches, target="event", **rule)
    decide(table.to_batches, target="event", weight="weight", costs=["weight", 0.0], **rule)
    for outcome in ("event", "amount"):
        for weight in (None, "weight"):
            uplift(
                table.to_batches,
                outcome=outcome,
                event="yes" if outcome == "event" else None,
                treatment="arm",
                treated=1,
                control=0,
                scores="second",
                weight=weight,
            )


def warming_steps() -> Iterator[Callable[[], object]]:
    """Everything that is run for the kernels it needs, but for the self test."""
    runner = engine(safe_mode=True)
    yield from first_steps()
    yield from kernel_steps(lambda: runner.registry)
    for loss in runner.registry.distributions():
        yield partial(_train_and_judge, loss)
    for settings in ({"precision": "exact"}, {"precision": "histogram"}, {"gbm_compatible": True}):
        yield partial(_train_otherwise, **settings)
    yield _judge_in_pieces


def run_warm_up() -> int:
    """Run every step, and the self test, whose own kernels count too; 0 if none failed."""
    started = time.perf_counter()
    failed = 0
    for step in warming_steps():
        try:
            step()
        except Exception as error:
            failed += 1
            tell(str(describe_exception(error)))
    counts = cache_hits()
    seconds = time.perf_counter() - started
    tell(f"{counted(counts.compiled, 'kernel')} compiled, {counts.hits} ready, in {seconds:.0f} s")
    return run_self_test() or int(failed > 0)
