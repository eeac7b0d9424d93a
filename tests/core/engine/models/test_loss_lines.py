"""Pictures of losses: they are the distributions' own."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from core.assembly.models.distributions import loss_lines
from core.document.model import TargetSpec
from plugins.distributions.hooks import payoff_register_distributions

SPECS = {spec.id: spec for spec in payoff_register_distributions()}
MAIL = TargetSpec(
    column="responded", kind="binary", levels=("1", "0"), labels=("responds", "does not")
)


def test_bernoulli_costs_what_its_formula_says_for_both_outcomes() -> None:
    yes, no = loss_lines(SPECS["bernoulli"], MAIL)
    assert (yes.words, no.words) == ("responds", "does not")
    assert yes.y[0] == pytest.approx(2 * math.log1p(math.exp(4.0)))
    np.testing.assert_allclose(yes.y, no.y[::-1])


def test_a_number_has_one_line_over_its_error() -> None:
    (line,) = loss_lines(SPECS["gaussian"], TargetSpec(column="amount", kind="interval"))
    np.testing.assert_allclose(line.y, line.x**2)


def test_losses_over_groups_have_no_picture() -> None:
    for name in ("coxph", "pairwise"):
        assert loss_lines(SPECS[name], TargetSpec(column="t", kind="interval")) == ()


@pytest.mark.parametrize("name", sorted(SPECS))
def test_every_picture_is_finite(name: str) -> None:
    for line in loss_lines(SPECS[name], MAIL):
        assert np.isfinite(line.y).all()
        assert line.x.shape == line.y.shape


def test_a_plugin_that_raises_has_no_picture() -> None:
    def broken(*_arguments: object) -> None:
        raise ValueError

    assert loss_lines(replace(SPECS["gaussian"], loss=broken), MAIL) == ()
