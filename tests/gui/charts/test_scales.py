from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.presentation.charts.scales import (
    axis_label,
    ceil_to,
    floor_to,
    make_ticks,
    money_unit,
    nice_step,
)
from gui.charts.spec import AxisSpec


def _axis(quantity="percent", low=0.0, high=1.0, **more) -> AxisSpec:
    return AxisSpec(label="total profit", quantity=quantity, low=low, high=high, **more)


def test_percent_ticks_end_at_one_hundred():
    step = nice_step(1.0, 4, is_percent=True)
    ticks = make_ticks(_axis(last_tick=1.0), 0.0, 1.12, step, True)
    assert ticks.texts == (
        "0\u00a0%",
        "25\u00a0%",
        "50\u00a0%",
        "75\u00a0%",
        "100\u00a0%",
    )


def test_money_of_a_small_chart_is_in_thousands():
    axis = _axis("money", -8000.0, 12_963.0, currency="€")
    ticks = make_ticks(axis, -8000.0, 14_000.0, nice_step(21_000, 5), True)
    assert ticks.texts == ("−5", "0", "5", "10")
    assert axis_label(axis, True) == "total profit, thousand €"


def test_money_of_a_large_chart_is_written_out():
    axis = _axis("money", -8000.0, 12_963.0, currency="€")
    ticks = make_ticks(axis, -8000.0, 16_000.0, 4000.0, False)
    assert ticks.texts[0] == "−8,000"
    assert ticks.texts[-1] == "16,000"
    assert axis_label(axis, False) == "total profit, €"


@pytest.mark.parametrize(
    ("largest", "is_compact", "expected"),
    [
        (9_999, True, (1.0, "")),
        (10_000, True, (1e3, "thousand")),
        (2e7, True, (1e6, "million")),
        (2e7, False, (1e3, "thousand")),
        (3e11, False, (1e9, "billion")),
    ],
)
def test_money_units(largest, is_compact, expected):
    assert money_unit(largest, is_compact) == expected


def test_steps_below_one_show_enough_decimals():
    ticks = make_ticks(_axis("number", 0.0, 1.0), 0.0, 1.0, 0.25, True)
    assert ticks.texts == ("0.00", "0.25", "0.50", "0.75", "1.00")


@given(
    span=st.floats(1e-6, 1e12),
    most=st.integers(2, 10),
    is_percent=st.booleans(),
)
@settings(max_examples=80, deadline=None)
def test_a_step_is_round_and_gives_few_ticks(span, most, is_percent):
    step = nice_step(span, most, is_percent=is_percent)
    assert span / step <= most * (1 + 1e-6)
    leading = step / 10 ** math.floor(math.log10(step) + 1e-9)
    assert min(abs(leading - fine) for fine in (1, 2, 2.5, 3, 4, 5, 10)) < 1e-6


@given(value=st.floats(-1e9, 1e9), step=st.sampled_from([0.1, 1.0, 4.0, 2500.0]))
@settings(max_examples=60, deadline=None)
def test_floor_and_ceiling_enclose(value, step):
    slack = 1e-6 * max(1.0, abs(value))
    assert floor_to(value, step) <= value + slack
    assert ceil_to(value, step) >= value - slack
    assert ceil_to(value, step) - floor_to(value, step) <= step + slack


def test_an_empty_span_still_has_a_step():
    assert nice_step(0.0, 5) == 1.0
    assert nice_step(math.nan, 5) == 1.0
