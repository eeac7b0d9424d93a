"""What ends work: refusals in words, and one exception for Stop."""

from __future__ import annotations

import ast

import pytest

from core.data.cancellation import never_stop
from core.evaluation.binding import BoundMetric
from core.evaluation.call_guard import CallGuard
from core.evaluation.columns import Measured
from core.evaluation.problem import call_unmarked
from payoff.errors import PayoffError, StoppedError, damage_refused
from tests.helpers.factories.evaluation import request
from tests.helpers.sources import files_that_say


def test_a_stop_while_a_file_is_read_is_no_damage():
    with pytest.raises(StoppedError), damage_refused("The file is damaged."):
        raise StoppedError
    with pytest.raises(PayoffError, match="damaged"), damage_refused("The file is damaged."):
        raise KeyError("row")


def test_a_stop_inside_a_metric_is_no_note_of_its_cell():
    guard = CallGuard(call_unmarked, never_stop)
    cell = Measured(model="model")

    def stop() -> None:
        raise StoppedError

    with pytest.raises(StoppedError):
        guard.call(BoundMetric(request("auc")), cell, stop)
    assert not cell.note


def test_one_exception_ends_work_by_stop():
    """Whoever lets Stop pass has one name to know, not one of each package."""
    named = [
        f"{place}: {node.name}"
        for place, inside in files_that_say(("topped", "ancelled", "borted"), "core", "payoff")
        for node in inside
        if isinstance(node, ast.ClassDef) and _ends_work(node)
    ]
    assert named == ["payoff/errors.py: StoppedError"]


def _ends_work(node: ast.ClassDef) -> bool:
    bases = " ".join(map(ast.unparse, node.bases))
    is_exception = "Exception" in bases or "Error" in bases
    return is_exception and any(
        word in node.name.lower() for word in ("stopped", "cancelled", "aborted")
    )
