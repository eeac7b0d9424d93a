"""A number from elsewhere: what it may mean, and which figure of the project it is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.presentation.known_figures import (
    KnownFigure,
    decision_figures,
    leading_figure,
    matching,
    metric_figures,
    readings,
)
from core.presentation.labels import Labels
from tests.helpers.answers.synthetic import make_decisions
from tests.helpers.answers.synthetic.evaluation import make_evaluation


@pytest.mark.parametrize(
    ("typed", "values"),
    [
        ("0.842", [0.842]),
        (" 0,842 ", [0.842]),
        ("84.2 %", [0.842]),
        ("84,2\u00a0%", [0.842]),
        ("−12.5", [-12.5]),
        ("6.2e-1", [0.62]),
        ("€ 153,153", [153.153, 153153.0]),
        ("153'153.25 CHF", [153153.25]),
        ("1.234.567,8", [1234567.8]),
        ("AUC", []),
        ("0.8 to 0.9", []),
        ("", []),
    ],
)
def test_a_number_is_read_as_people_write_it(typed, values):
    assert [one.value for one in readings(typed)] == pytest.approx(values)


@given(st.floats(-1e6, 1e6), st.integers(1, 6))
def test_what_is_written_of_a_value_fits_it(value, decimals):
    written = f"{value:.{decimals}f}"
    assert any(one.fits(value) for one in readings(written))
    farther = value + 1.1 * 10.0**-decimals
    assert not any(one.fits(farther) for one in readings(written) if one.reach < 0.5)


def test_every_metric_and_total_is_found_by_its_digits():
    answer, decisions = make_evaluation(2_000), make_decisions(2_000)
    labels = Labels(currency="€")
    known = (*metric_figures(answer), *decision_figures(decisions, labels))
    for cell in answer.cells:
        title = next(info.title for info in answer.metrics if info.metric == cell.metric)
        found = matching(f"{cell.estimate.value:.6f}", known)
        assert any(entry.name == f"{title}, {cell.model}" for entry in found)
    for model in decisions.models:
        found = matching(f"{model.total.value:,.2f}", known)
        assert f"Total of {model.model} by the rule" in [entry.name for entry in found]
    assert matching("123456789.5", known) == ()
    leading = leading_figure(answer)
    assert leading is not None
    assert leading.place == "compare"


def test_shares_are_found_in_per_cent_and_as_fractions():
    share = KnownFigure(
        name="Best depth", shown="21.3 %", value=0.2134, place="decide", is_share=True
    )
    for typed in ("21.3", "21.3 %", "0.213", "0,2134"):
        assert matching(typed, (share,)) == (share,)
    assert matching("21.4 %", (share,)) == ()
