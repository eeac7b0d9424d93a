"""A share is typed and shown in per cent, whatever plugin asks for it."""

from __future__ import annotations

import pytest

import payoff
from payoff.specs import metric_title
from plugins.decision_matrices.hooks import payoff_register_decision_matrices
from plugins.distributions.hooks import payoff_register_distributions
from plugins.metrics.hooks import payoff_register_metrics
from plugins.metrics.thresholds import precision

OTHERS = {("expectile", "alpha")}
"""Of two prices, and no share of anything."""
SPECS = (
    *payoff_register_metrics(),
    *payoff_register_distributions(),
    *payoff_register_decision_matrices(),
)


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.id)
def test_what_runs_from_0_to_1_is_a_percentage(spec):
    shares = [
        item
        for item in spec.parameters
        if item.minimum == 0.0 and item.maximum <= 1.0 and not item.choices
    ]
    for item in shares:
        if (spec.id, item.name) not in OTHERS:
            assert item.unit == payoff.NumberUnit.PERCENT, item.name


def test_a_title_says_it_so():
    assert metric_title(precision, {"threshold": 0.05}) == "Precision from 5\N{NO-BREAK SPACE}%"
