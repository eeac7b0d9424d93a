"""A warning with a code is its words everywhere, and keeps its code on the way to the window."""

from __future__ import annotations

import json
import pickle

import pytest

import payoff
from core.document.files.codec import to_plain
from core.document.results import CodedWarning, WarningCode, is_about
from payoff.errors import PayoffError


def test_it_is_its_words_and_keeps_its_code_between_processes():
    made = CodedWarning("n is taken as a weight.", WarningCode.WEIGHT_KIND, "n")
    back = pickle.loads(pickle.dumps(("plain", made)))[1]
    assert back == made == "n is taken as a weight."
    assert is_about(back, WarningCode.WEIGHT_KIND, "n")
    assert not is_about(back, WarningCode.WEIGHT_KIND, "m")
    assert not is_about(back, WarningCode.METRIC_LEFT_OUT)
    assert not is_about(str(made), WarningCode.WEIGHT_KIND)
    assert json.loads(json.dumps(to_plain((made,)))) == ["n is taken as a weight."]


def test_metrics_that_do_not_fit_are_refused_with_their_reasons():
    table = {"y": [0, 1] * 30, "p": [0.1, 0.2] * 30}
    with pytest.raises(PayoffError, match="None of the metrics fits") as refused:
        payoff.evaluate(table, outcome="y", scores="p", metrics=["rmse"])
    assert "is left out" in refused.value.why
