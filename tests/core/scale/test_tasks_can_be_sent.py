"""Tasks and summaries as another process gets them: pickled, run there, pickled back."""

from __future__ import annotations

import pickle
import random
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import payoff
from core.assembly.pieces import opened
from core.kernels.task_runners import InlineRunner, TaskFuture
from core.script.session import engine
from payoff.specs import EvaluationMetric
from payoff.vocabulary import MetricForm
from tests.core.scale.parts import digits, scored_cases, uplift_digits, write_parts


class SendingRunner(InlineRunner):
    """Runs each task as a worker elsewhere would: from bytes, and its summary to bytes.

    Eight are out at a time, and end in any order.
    """

    width = in_process = 7
    sent = 0
    ended_early = 0

    def __init__(self, *_threads: int, **_given: Any) -> None:
        super().__init__()
        self._random = random.Random(4)

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
        """The futures in any order."""
        left = list(futures)
        first = left[0]
        self._random.shuffle(left)
        SendingRunner.ended_early += left[0] is not first
        return iter(left)


@pytest.fixture
def sending(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], None]]:
    """Called, it has what follows run by the runner; at the end it looks whether that was so."""
    SendingRunner.sent = SendingRunner.ended_early = 0
    yield lambda: monkeypatch.setattr(opened, "ThreadRunner", SendingRunner)
    assert SendingRunner.sent > 15
    assert SendingRunner.ended_early > 5


def test_an_evaluation_over_bytes_gives_the_same_digits(
    tmp_path: Path, sending: Callable[[], None]
) -> None:
    folder = write_parts(scored_cases(270_000), tmp_path / "parts", 12)
    requested: dict[str, Any] = {
        "outcome": "outcome",
        "scores": ["first", "second"],
        "metrics": ["auc", "ks", "log_loss", "lift_at", "recall"],
        "resamples": 32,
    }
    here = payoff.evaluate(folder, **requested)
    sending()
    assert digits(payoff.evaluate(folder, **requested)) == digits(here)


@pytest.mark.every_nth(2)
@pytest.mark.parametrize("outcome", ["outcome", "amount"])
def test_uplift_over_bytes_gives_the_same_digits(
    outcome: str, tmp_path: Path, sending: Callable[[], None]
) -> None:
    cases = scored_cases(270_000)
    cases = cases.append_column("arm", pa.array([row % 2 for row in range(270_000)]))
    folder = write_parts(cases, tmp_path / "parts", 12)
    requested: dict[str, Any] = {
        "outcome": outcome,
        "event": "yes" if outcome == "outcome" else None,
        "treatment": "arm",
        "treated": 1,
        "control": 0,
        "scores": {"fine": "first", "coarse": "second"},
        "weight": "guess",
    }

    def all_digits() -> str:
        found = payoff.uplift(folder, **requested)
        return uplift_digits(found) + repr(found.area("generalised", "fine", draws=32))

    here = all_digits()
    sending()
    assert all_digits() == here


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
