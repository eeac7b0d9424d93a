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


# What a case costs hangs on other cases, or on more than its outcome and its score.
WITHOUT_PICTURE = {
    "aft",
    "coxph",
    "expected_profit",
    "expected_profit_classes",
    "pairwise",
    "uplift",
    "uplift_baseline",
}


@pytest.mark.parametrize("name", sorted(WITHOUT_PICTURE))
def test_losses_over_groups_or_further_columns_have_no_picture(name: str) -> None:
    assert loss_lines(SPECS[name], TargetSpec(column="t", kind="interval")) == ()


@pytest.mark.parametrize("name", sorted(SPECS.keys() - WITHOUT_PICTURE))
def test_every_other_loss_has_a_finite_picture(name: str) -> None:
    lines = loss_lines(SPECS[name], MAIL)
    assert lines  # one that fails, or is not finite, has none
    for line in lines:
        assert np.isfinite(line.y).all()
        assert line.x.shape == line.y.shape


def test_a_plugin_that_raises_has_no_picture() -> None:
    def broken(*_arguments: object) -> None:
        raise ValueError

    assert loss_lines(replace(SPECS["gaussian"], loss=broken), MAIL) == ()
