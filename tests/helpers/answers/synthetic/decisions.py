"""Made-up decisions on the campaign, and what stands at a depth."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from core.document.results import (
    Advice,
    CursorReading,
    DecisionResult,
    Estimate,
    ModelProfit,
    PairedDifference,
    RowsNote,
)
from payoff.types import FloatArray
from tests.helpers.answers.synthetic.campaign import (
    GRID,
    LETTER,
    MARGIN,
    MODELS,
    Ranking,
    Sample,
    Z,
    draw_sample,
    rank,
)


@lru_cache(maxsize=4)
def make_decisions(rows: int = 20_000, seed: int = 7) -> DecisionResult:
    """Page Decide's result: mail the best n %, a letter costs 1.60, a response brings 25.60."""
    sample = draw_sample(rows, seed)
    profits = tuple(
        _profit(sample, index, rank(sample, index), rows) for index in range(len(MODELS))
    )
    act_on_all = MARGIN * rows / 20 - LETTER * rows * 19 / 20
    first = profits[0]
    differences = tuple(_profit_difference(first.total, p.total, p.model) for p in profits[1:])
    return DecisionResult(
        rows=RowsNote(
            use="validation", text=f"validation rows, {rows:,} of {2 * rows:,}", rows=rows
        ),
        kind="profit",
        levels=("1", "0"),
        class_counts=np.array([rows / 20, rows * 19 / 20]),
        class_cases=np.array([rows / 20, rows * 19 / 20]),
        class_weight=np.array([rows / 20, rows * 19 / 20]),
        decisions=("Mail", "Do nothing"),
        cells=np.array([[MARGIN, 0.0], [-LETTER, 0.0]]),
        acting="Mail",
        rest="Do nothing",
        models=profits,
        act_on_all=act_on_all,
        do_nothing=0.0,
        random_profit=act_on_all * np.linspace(0.0, 1.0, GRID),
        perfect_total=MARGIN * rows / 20,
        rule_text="Mail a customer when the chance of a response is above 6.25 %.",
        rule_reason="A letter costs € 1.60 and a response brings € 25.60: 1.60 ÷ 25.60 = 6.25 %.",
        rule_threshold=0.0625,
        advice=(
            Advice(state="ok", text="Both decisions can win. Neither is always worse."),
            Advice(state="ok", text="Chances are corrected from 24.8 % to 5.0 % once, not twice."),
            Advice(
                state="warning",
                text="agency rates low chances too low (4 to 12 %).",
                link="calibration",
            ),
        ),
        holds_fixed="if 5.0 % respond",
        differences=differences,
        seconds=0.05,
    )


def _profit_band(ranking: Ranking, rows: int) -> FloatArray:
    """Half widths of the 95 % interval with the class counts held fixed."""
    events, others = rows / 20, rows * 19 / 20
    found, alarms = ranking.events / events, ranking.others / others
    variance = MARGIN**2 * events * found * (1 - found) + LETTER**2 * others * alarms * (1 - alarms)
    return np.asarray(Z * np.sqrt(np.maximum(variance, 0.0)), dtype=np.float64)


def _profit(sample: Sample, index: int, ranking: Ranking, rows: int) -> ModelProfit:
    profit = MARGIN * ranking.events - LETTER * ranking.others
    half = _profit_band(ranking, rows)
    p, y = sample.probability[index], sample.outcome
    acted = p > 0.0625
    rule_depth = float(acted.mean())
    counts = np.array(
        [
            [np.sum(acted & (y == 1)), np.sum(~acted & (y == 1))],
            [np.sum(acted & (y == 0)), np.sum(~acted & (y == 0))],
        ],
        dtype=np.float64,
    )
    realised = counts * np.array([[MARGIN, 0.0], [-LETTER, 0.0]])
    total = float(realised.sum())
    spread = float(np.interp(rule_depth, ranking.depth, half))
    best = int(np.argmax(profit))
    expected = np.interp(
        ranking.cases,
        np.arange(rows + 1),
        np.concatenate([[0.0], np.cumsum(np.sort(p)[::-1] * (MARGIN + LETTER) - LETTER)]),
    )
    fixed = "if 5.0 % respond"
    return ModelProfit(
        model=MODELS[index],
        depth=ranking.depth,
        cases=ranking.cases,
        threshold=ranking.threshold,
        profit=profit,
        low=profit - half,
        high=profit + half,
        expected=expected,
        class_cases=np.vstack([ranking.events, ranking.others]),
        total=Estimate(value=total, low=total - spread, high=total + spread, holds_fixed=fixed),
        average=Estimate(
            value=total / rows, low=(total - spread) / rows, high=(total + spread) / rows
        ),
        expected_total=float(np.interp(rule_depth, ranking.depth, expected)),
        best_total=MARGIN * rows / 20,
        roi=total / (LETTER * float(acted.sum())),
        rule_depth=rule_depth,
        rule_cases=float(acted.sum()),
        best_depth=float(ranking.depth[best]),
        best_profit=float(profit[best]),
        best_profit_crossfitted=Estimate(
            value=float(profit[best]) * 0.98,
            low=float(profit[best] - half[best]),
            high=float(profit[best] + half[best]),
        ),
        chart_end=total,
        counts=counts,
        profits=realised,
        mean_probability_before=np.array([0.248, 0.752]),
        mean_probability_after=np.array([float(p.mean()), 1 - float(p.mean())]),
    )


def _profit_difference(first: Estimate, second: Estimate, model: str) -> PairedDifference:
    value = first.value - second.value
    half = 0.45 * abs(value)
    return PairedDifference(
        first=MODELS[0],
        second=model,
        metric="total_profit",
        estimate=Estimate(value=value, low=value - half, high=value + half),
        p_value=2 / 1001,
        ahead=1000,
        resamples=1000,
    )


def make_reading(depth: float, rows: int = 20_000, seed: int = 7) -> CursorReading:
    """What the engine answers at a depth."""
    result = make_decisions(rows, seed)

    def read(name: str) -> FloatArray:
        return np.array([np.interp(depth, m.depth, getattr(m, name)) for m in result.models])

    profit = read("profit")
    return CursorReading(
        depth=depth,
        models=MODELS,
        cases=np.rint(read("cases")).astype(np.int64),
        threshold=read("threshold"),
        profit=profit,
        low=read("low"),
        high=read("high"),
        class_cases=np.array(
            [[np.interp(depth, m.depth, row) for row in m.class_cases] for m in result.models]
        ),
        differences=tuple(
            _profit_difference(
                Estimate(value=float(profit[0]), low=0.0, high=0.0),
                Estimate(value=float(profit[index]), low=0.0, high=0.0),
                MODELS[index],
            )
            for index in (1, 2)
        ),
    )
