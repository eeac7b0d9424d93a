"""What is said and drawn of ways to turn scores into chances; no window."""

from __future__ import annotations

import math

import numpy as np

from core.document.model import CalibrationMap, CalibrationMethod, CalibrationSpec
from core.document.results import Estimate, RowsNote
from core.document.studies.compare import CalibrationOption, CalibrationResult
from core.presentation.compare.figures import ways_to_probabilities
from core.presentation.labels import Labels
from core.presentation.report.page import entry_html

METHODS = (None, CalibrationMethod.LOGISTIC, CalibrationMethod.ISOTONIC)


def option(method: CalibrationMethod | None, loss: float) -> CalibrationOption:
    spec = CalibrationSpec(
        method=method,
        maps=(CalibrationMap(slope=1.0),),
        columns=("score",),
        class_shares=(("1", 0.05), ("0", 0.95)),
        fitted_rows=100,
        data_hash="ab",
    )
    line = np.linspace(0.01, 0.3, 10)
    return CalibrationOption(
        spec=None if method is None else spec,
        brier=Estimate(value=math.nan, low=math.nan, high=math.nan, note="Too few cases."),
        log_loss=Estimate(value=loss, low=loss - 0.01, high=loss + 0.01),
        predicted=line,
        observed=line,
        low=line - 0.005,
        high=line + 0.005,
    )


def answer() -> CalibrationResult:
    return CalibrationResult(
        model="gbm",
        rows=RowsNote(use="test", text="test rows, 100", rows=100),
        options=tuple(option(m, loss) for m, loss in zip(METHODS, (0.3, 0.16, 0.15), strict=True)),
        best=2,
        area=0.84,
        warnings=("Few events.",),
    )


def test_every_way_has_its_figures_and_the_best_stands_out():
    view = ways_to_probabilities(answer(), Labels())
    assert view.key == "gbm"
    assert "84.0" in view.sentences[0]
    cells = view.tables[0].cells()
    assert [row[0].text.split(":")[0] for row in cells] == [
        *("as they stand in the file", "logistic", "isotonic"),
    ]
    assert [row[1].is_bold for row in cells] == [False, False, True]
    assert cells[2][1].text == "0.1500  (0.1400 to 0.1600)"
    assert cells[0][2].exact == "Too few cases."
    assert [row[3].text for row in cells] == ["", "", "comes true best"]
    assert view.notes == ("Few events.",)


def test_the_way_that_is_chosen_has_its_band():
    view = ways_to_probabilities(answer(), Labels())
    assert len(view.by_row) == 3
    for place, part in enumerate(view.by_row):
        (chart,) = part.charts
        assert [line.is_chosen for line in chart.series] == [at == place for at in range(3)]
        assert [line.low is not None for line in chart.series] == [at == place for at in range(3)]
    assert view.charts == view.by_row[2].charts
    assert [line.name for line in view.charts[0].series] == [
        *("as they stand", "logistic", "isotonic"),
    ]
    assert entry_html(view).text.count("<svg") == 1
