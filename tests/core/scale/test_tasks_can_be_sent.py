"""Tasks and summaries as another process gets them: pickled, run there, pickled back."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

import payoff
from core.assembly.pieces import opened
from core.kernels.task_runners import InlineRunner, TaskFuture
from core.script.session import engine
from payoff.specs import EvaluationMetric
from payoff.vocabulary import MetricForm
from tests.core.scale.parts import digits, scored_cases, write_parts


class SendingRunner(InlineRunner):
    """Runs each task as a worker elsewhere would: from bytes, and its summary to bytes."""

    sent = 0

    def __init__(self, *_threads: int, **_given: Any) -> None:
        super().__init__()

    def __enter__(self) -> SendingRunner:
        return self

    def __exit__(self, *_reason: object) -> None:
        pass

    def submit(self, function: Callable[[Any], Any], task: Any) -> TaskFuture:
        """Run ``function(task)`` on copies."""
        SendingRunner.sent += 1
        there, given = pickle.loads(pickle.dumps((function, task)))
        return super().submit(lambda _: pickle.loads(pickle.dumps(there(given))), None)

    def as_completed(self, futures: Iterable[TaskFuture]) -> Iterator[TaskFuture]:
        """The futures, the last one first."""
        return iter(tuple(futures)[::-1])


def test_a_run_over_bytes_gives_the_same_digits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write_parts(scored_cases(270_000), tmp_path / "parts", 5)
    requested: dict[str, Any] = {
        "outcome": "outcome",
        "scores": ["first", "second"],
        "metrics": ["auc", "ks", "log_loss", "lift_at"],
        "resamples": 32,
    }
    here = payoff.evaluate(folder, **requested)
    monkeypatch.setattr(opened, "ThreadRunner", SendingRunner)
    there = payoff.evaluate(folder, **requested)
    assert SendingRunner.sent > 15
    assert digits(there) == digits(here)


def test_every_mean_over_cases_can_be_sent() -> None:
    records = engine().workbench.plugins.registry.records
    specs = [spec for record in records for spec in record.specs]
    read = [
        spec
        for spec in specs
        if isinstance(spec, EvaluationMetric)
        and spec.form in (MetricForm.ROW_MEAN, MetricForm.SMOOTH)
    ]
    assert {"mae", "rmse", "recall", "log_loss"} <= {spec.id for spec in read}
    for spec in read:
        assert pickle.loads(pickle.dumps(spec)) == spec
