"""Parameters: typed, ranged, in the user's words."""

import pytest

from payoff import NumberUnit, Parameter, ParameterKind, PayoffError, resolve_parameters
from payoff.parameters import parameter_array

DEPTH = Parameter(
    name="depth",
    words="share of cases",
    default=0.02,
    minimum=0,
    maximum=1,
    is_minimum_open=True,
    unit=NumberUnit.PERCENT,
)
BINS = Parameter(name="bins", words="number of bins", default=10, kind="integer", minimum=1)
SCHEME = Parameter(
    name="scheme", words="bins by", default=0, kind=ParameterKind.CHOICE, choices=("width", "count")
)


def test_defaults_are_filled_in_and_kept_in_order():
    values = resolve_parameters((DEPTH, BINS, SCHEME), {"bins": 20, "scheme": "count"})
    assert list(values.items()) == [("depth", 0.02), ("bins", 20.0), ("scheme", 1.0)]
    assert parameter_array((SCHEME, DEPTH), values).tolist() == [1.0, 0.02]


@pytest.mark.parametrize(
    ("parameter", "value", "words"),
    [
        (DEPTH, 0.0, "above 0 and at most 1"),
        (DEPTH, 1.01, "above 0 and at most 1"),
        (DEPTH, float("nan"), "finite"),
        (DEPTH, "much", "must be a number"),
        (DEPTH, True, "must be a number"),
        (BINS, 2.5, "whole"),
        (BINS, 0, "at least 1"),
        (SCHEME, "height", "must be a number"),
        (SCHEME, 2, "width, count"),
    ],
)
def test_a_value_that_does_not_fit_is_refused(parameter, value, words):
    with pytest.raises(PayoffError, match=words) as refused:
        parameter.check(value)
    assert parameter.name in refused.value.where
    assert refused.value.remedy


def test_an_unknown_name_is_refused():
    with pytest.raises(PayoffError, match="no parameter 'depht'"):
        resolve_parameters((DEPTH,), {"depht": 0.1})


def test_texts_for_titles():
    assert DEPTH.text(0.02) == "2\N{NO-BREAK SPACE}%"
    assert BINS.text(10.0) == "10"
    assert SCHEME.text(1.0) == "count"
