"""Answers of the studies of page Compare, made up."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from core.document.experiments.results import (
    BoundCondition,
    BoundsResult,
    ConditionState,
    ErrorBound,
    ModelBounds,
    Side,
)
from core.document.results import ChartData, Curve, Estimate, PairedDifference, RowsNote, Selection
from core.document.studies.compare import (
    ColumnShift,
    DefinitionRow,
    DefinitionsResult,
    PairPower,
    PowerResult,
    Segment,
    SegmentCell,
    SegmentsResult,
    ShiftResult,
    SurvivalGroup,
    SurvivalResult,
)
from tests.helpers.answers.synthetic import make_evaluation

ROWS = RowsNote(use="test", text="test rows, 360 of 1,200", rows=360)


def selection(margin=0.022, low=0.012, high=0.032, p_value=0.0004) -> Selection:
    pair = PairedDifference(
        first="gbm 2",
        second="logit",
        metric="auc",
        estimate=Estimate(value=margin, low=low, high=high),
        p_value=p_value,
    )
    return Selection(
        metric="auc",
        winner="gbm 2",
        runner_up="logit",
        margin=pair,
        wins=(("gbm 2", 1000), ("logit", 0), ("agency", 0)),
        resamples=1000,
        optimism=0.0021,
        corrected=p_value,
    )


def column_shift(name="age", **changes) -> ColumnShift:
    known = {
        "name": name,
        "is_score": False,
        "index": 0.31,
        "noise": 0.01,
        "verdict": "another population",
        "bins": ("up to 30", "above 30"),
        "then": np.array([0.5, 0.5]),
        "now": np.array([0.2, 0.8]),
    }
    return ColumnShift(**(known | changes))


def shift_result(*columns: ColumnShift) -> ShiftResult:
    return ShiftResult(
        then_text="training rows, 8 of 20",
        now_text="next.csv, 9 rows",
        then_rows=8,
        now_rows=9,
        columns=columns or (column_shift(),),
        left_out=("score of logit",),
        seconds=0.1,
    )


def segments_result() -> SegmentsResult:
    info = make_evaluation().metrics[0]
    estimate = Estimate(value=0.8, low=0.75, high=0.85)
    groups = (
        Segment(name="north", rows=900, events=60),
        Segment(name="isle", rows=40, events=2, note="only 40 customers: rough"),
    )
    models = ("gbm 2", "logit", "agency")
    x = np.linspace(0, 1, 11)
    return SegmentsResult(
        rows=make_evaluation().rows,
        column="region",
        segments=groups,
        metrics=(info,),
        cells=tuple(
            SegmentCell(segment=g.name, model=m, metric=info.metric, estimate=estimate)
            for g in groups
            for m in models
        ),
        whole=tuple(
            SegmentCell(segment="", model=m, metric=info.metric, estimate=estimate) for m in models
        ),
        chart=ChartData(
            kind="roc",
            curves=tuple(Curve(model="gbm 2", name=g.name, x=x, y=np.sqrt(x)) for g in groups),
            definition="d",
        ),
        model="gbm 2",
        warnings=("Small groups, whose figures are rough: isle.",),
        seconds=0.1,
    )


def definitions_result() -> DefinitionsResult:
    row = DefinitionRow(
        figure="KS",
        model="gbm 2",
        ours=0.563,
        theirs=0.551,
        decimals=3,
        cause="20 bins only",
        ours_words="every score",
        theirs_words="bin-based",
    )
    return DefinitionsResult(convention="sas_em", rows=(row,), seconds=0.1)


def power_result(**changes) -> PowerResult:
    pair = PairPower(
        first="gbm 2",
        second="logit",
        metric="auc",
        observed=Estimate(value=0.02, low=0.01, high=0.03),
        standard_error=0.005,
        units=360,
        method="paired resamples",
        smallest=0.014,
        difference=0.02,
        cases_needed=180.0,
        power=np.nan,
    )
    known = {
        "rows": ROWS,
        "cases": 360,
        "level": 0.05,
        "target_power": 0.8,
        "metric": "auc",
        "metrics": (make_evaluation().metrics[0],),
        "pairs": (pair, replace(pair, second="agency", smallest=0.02, difference=0.01)),
        "verdict": (),
        "warnings": ("Few cases.",),
        "seconds": 0.1,
    }
    return PowerResult(**(known | changes))


def bounds_result() -> BoundsResult:
    bound = ErrorBound(
        method="hoeffding",
        label="Hoeffding",
        side=Side.UPPER,
        confidence=0.95,
        mean=0.05,
        low=0.0,
        high=0.09,
        variance=0.01,
        n=360,
        loss_range=(0.0, 1.0),
        is_valid=True,
        is_vacuous=False,
        conditions=(
            BoundCondition(state=ConditionState.MET, text="losses lie in 0 to 1"),
            BoundCondition(state=ConditionState.ASSUMED, text="cases are independent"),
        ),
        needed=1234,
    )
    rough = replace(
        bound, label="Wilson", side=Side.TWO, is_valid=False, conditions=bound.conditions[1:]
    )
    return BoundsResult(
        loss="squared",
        rows_text="test rows, 360 of 1,200",
        models=(
            ModelBounds(model="gbm 2", mean=0.05, n=360, bounds=(bound, rough)),
            ModelBounds(model="logit", mean=0.07, n=360, bounds=(), refusal="several losses"),
        ),
        warnings=("Chosen among two.",),
    )


def survival_result(with_case=True) -> SurvivalResult:
    times = np.linspace(0.0, 400.0, 41)

    def group(name: str, rate: float, cases: int) -> SurvivalGroup:
        predicted = np.exp(-rate * times)
        observed = np.exp(-1.1 * rate * times)
        at = (float(np.interp(200.0, times, predicted)), float(np.interp(200.0, times, observed)))
        return SurvivalGroup(
            name=name,
            cases=cases,
            predicted=predicted,
            observed=observed,
            low=np.clip(observed - 0.05, 0.0, 1.0),
            high=np.clip(observed + 0.05, 0.0, 1.0),
            at_horizon=at,
        )

    return SurvivalResult(
        model="hazards",
        rows=ROWS,
        times=times,
        horizon=200.0,
        groups=(group("low", 0.001, 120), group("high", 0.004, 122)),
        case=np.exp(-0.003 * times) if with_case else np.empty(0),
        case_probability=0.451 if with_case else np.nan,
        brier=0.16,
        brier_constant=0.24,
        auc=0.78,
        origin="baseline hazards",
        notes=("Some entered late.",),
    )
