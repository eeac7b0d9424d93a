"""The range of a prior on the priors card: offered, edited, refused, taken back."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from core.document.decisions.commands import SetPriors
from tests.helpers.harness import DecideHarness


@pytest.fixture
def sure(harness: DecideHarness) -> DecideHarness:
    harness.session.project.execute(SetPriors(priors=(("1", 0.05), ("0", 0.95))))
    return harness


def test_a_range_is_offered_around_the_prior_and_can_be_taken_back(sure: DecideHarness) -> None:
    line = sure.page.priors.range_line
    assert not line.offer.isHidden()
    assert line.isHidden()
    line.offer.click()
    assert sure.document.prior_range == pytest.approx((0.04, 0.06))
    assert not line.isHidden()
    assert line.low.text() == "4.0\u00a0%"
    line.clear.click()
    assert sure.document.prior_range is None
    sure.session.project.undo()
    assert sure.document.prior_range == pytest.approx((0.04, 0.06))


def test_typed_ends_are_taken_when_the_field_is_left(sure: DecideHarness) -> None:
    line = sure.page.priors.range_line
    line.offer.click()
    line.high.setText("8")
    line.high.textEdited.emit("8")
    line.high.editingFinished.emit()
    assert sure.document.prior_range == pytest.approx((0.04, 0.08))


def test_a_range_that_misses_the_prior_is_refused_and_the_field_goes_back(
    sure: DecideHarness, qtbot: QtBot
) -> None:
    line = sure.page.priors.range_line
    line.offer.click()
    line.low.setText("7")
    line.low.textEdited.emit("7")
    line.low.editingFinished.emit()
    assert sure.document.prior_range == pytest.approx((0.04, 0.06))
    assert line.low.text() == "4.0\u00a0%"


def test_without_priors_there_is_no_range(harness: DecideHarness) -> None:
    harness.session.project.execute(SetPriors(priors=None))
    assert harness.page.priors.range_line.isHidden()
    assert harness.page.priors.range_line.offer.isHidden()
