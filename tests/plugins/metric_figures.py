"""Shared by tests of metric figures."""

import json
from pathlib import Path

from payoff.testing import metric_value
from plugins.metrics.hooks import payoff_register_metrics

METRICS = {spec.id: spec for spec in payoff_register_metrics()}

GOLDEN = Path(__file__).parent.parent / "golden" / "metrics"

BIRTHS = json.loads((GOLDEN / "birthweight.json").read_text("utf-8"))


def value(metric, sample, **parameters):
    return metric_value(METRICS[metric], sample, parameters)
