"""Cox models that R fitted: their log likelihoods, slopes at the best, and concordance."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest

from payoff.testing import DistributionHost, metric_value
from plugins.distributions.coxph import COXPH
from plugins.metrics.hooks import payoff_register_metrics
from tests.helpers.shared_data import SHARED
from tests.plugins.cox_figures import lives

METRICS = {spec.id: spec for spec in payoff_register_metrics()}
MADE_UP = json.loads(
    (Path(__file__).parent.parent / "golden" / "metrics" / "cox.json").read_text("utf-8")
)
LUNG = SHARED / "lung" / "lung.csv"
"""As R's ``write.csv(survival::lung, ..., row.names = FALSE)`` writes it (Loprinzi 1994)."""


def slopes(covers, risk, time, event, ties):
    """Slopes of the log partial likelihood in the coefficients, from the loss's gradient."""
    host = DistributionHost(COXPH, time, {"event": event}, {"ties": ties})
    gradient, _ = host.gradients(risk[np.newaxis])
    return covers @ gradient[0]


def columns_of(data, names):
    return np.array([data[name] for name in names], dtype=float)


@pytest.mark.parametrize("ties", ["breslow", "efron"])
def test_made_up_lives_with_many_ties_are_those_of_r(ties):
    covers = columns_of(MADE_UP, ("age", "male", "grade"))
    time, event = columns_of(MADE_UP, ("time", "event"))
    fitted = MADE_UP[ties]
    risk = np.array(fitted["coefficients"]) @ covers
    for score, wanted in ((0.0 * risk, "log_likelihood_at_0"), (risk, "log_likelihood")):
        found = metric_value(
            METRICS["cox_log_likelihood"], lives(score, time, event), {"ties": ties.capitalize()}
        )
        assert found == pytest.approx(fitted[wanted], rel=1e-12), wanted
    assert slopes(covers, risk, time, event, ties) == pytest.approx(np.zeros(3), abs=1e-8)
    for metric, name in (("concordance", "concordance"), ("uno_concordance", "uno")):
        found = metric_value(METRICS[metric], lives(risk, time, event), {})
        assert found == pytest.approx(fitted[name], rel=1e-12), name


@pytest.mark.shared_data
@pytest.mark.skipif(not LUNG.is_file(), reason="the lung data are not beside the checkout")
@pytest.mark.parametrize(
    ("ties", "coefficients", "at_zero", "at_best"),
    [  # R 4.2.2, survival 3.5-3: coxph(Surv(time, status) ~ age + sex + ph.ecog, lung, ties)
        ("breslow", (0.0110411364, -0.5518895698, 0.4629470406), -744.6928193, -729.4887052),
        ("efron", (0.0110667646, -0.5526123957, 0.4637284754), -744.4804558, -729.2301214),
    ],
)
def test_the_lung_data_are_those_of_r(ties, coefficients, at_zero, at_best):
    with LUNG.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["ph.ecog"] != "NA"]
    assert len(rows) == 227
    covers = np.array([[float(row[name]) for row in rows] for name in ("age", "sex", "ph.ecog")])
    time = np.array([float(row["time"]) for row in rows])
    event = np.array([float(row["status"] == "2") for row in rows])
    risk = np.array(coefficients) @ covers
    for score, wanted in ((0.0 * risk, at_zero), (risk, at_best)):
        found = metric_value(
            METRICS["cox_log_likelihood"], lives(score, time, event), {"ties": ties.capitalize()}
        )
        assert found == pytest.approx(wanted, abs=1e-7)
    assert slopes(covers, risk, time, event, ties) == pytest.approx(np.zeros(3), abs=2e-4)
    found = metric_value(METRICS["concordance"], lives(risk, time, event), {})
    assert found == pytest.approx(0.637135493000, abs=1e-9)
