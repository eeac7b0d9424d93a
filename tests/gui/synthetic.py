"""Made-up results of a direct mail campaign, for window tests and screenshots.

Nothing here is read from the engine: 20,000 customers, 5 % of whom respond, three models of
different quality (the third rates low chances too low), a letter at 1.60 and a response worth
25.60. The totals that belong together do: the chart at the rule equals the sum of the decision
table, and the last point of a curve is what acting on all brings.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from core.document.data.model import DataRef, RowUse
from core.document.decisions.matrix_model import MatrixKind, MatrixSpec
from core.document.model import (
    Document,
    MetricChoice,
    ModelSpec,
    OldPriorKind,
    OldPriors,
    Role,
    RoleAssignment,
    TargetSpec,
)
from core.document.plugin_results import MetricInfo
from core.document.results import (
    Advice,
    Chart,
    CursorReading,
    Curve,
    DecisionResult,
    Estimate,
    EvaluationResult,
    MetricCell,
    ModelDepths,
    ModelProfit,
    PairedDifference,
    RowsNote,
)
from payoff.types import FloatArray

MODELS = ("gbm 2", "logit", "agency")
LETTER, MARGIN = 1.60, 24.00
GRID = 1001
_SEPARATION = (1.52, 1.389, 1.017)
_Z = 1.959964


@dataclass(frozen=True)
class _Sample:
    """Outcomes and chances of the synthetic customers."""

    outcome: FloatArray  # (n,) 1 = responds
    chance: FloatArray  # (models, n)


@lru_cache(maxsize=4)
def _sample(rows: int, seed: int) -> _Sample:
    rng = np.random.default_rng(seed)
    outcome = np.zeros(rows)
    outcome[: rows // 20] = 1.0
    shared = rng.normal(size=rows)
    chance = np.empty((len(MODELS), rows))
    for index, separation in enumerate(_SEPARATION):
        noise = 0.85 * shared + np.sqrt(1 - 0.85**2) * rng.normal(size=rows)
        score = noise + separation * outcome
        logit = np.log(0.05 / 0.95) + separation * score - separation**2 / 2
        if index == 2:  # rates low chances too low
            logit = logit - 0.35
        chance[index] = 1.0 / (1.0 + np.exp(-logit))
    return _Sample(outcome=outcome, chance=chance)


@dataclass(frozen=True)
class _Ranking:
    """One model's ranking cut to the grid."""

    depth: FloatArray
    cases: FloatArray
    threshold: FloatArray
    events: FloatArray
    others: FloatArray
    ranks: FloatArray  # event order, for AUC


def _ranking(sample: _Sample, index: int) -> _Ranking:
    order = np.argsort(-sample.chance[index], kind="stable")
    outcome = sample.outcome[order]
    chance = sample.chance[index][order]
    rows = len(outcome)
    depth = np.linspace(0.0, 1.0, GRID)
    position = depth * rows
    ends = np.arange(rows + 1, dtype=np.float64)
    events = np.interp(position, ends, np.concatenate([[0.0], np.cumsum(outcome)]))
    last = np.clip(np.ceil(position).astype(np.int64) - 1, 0, rows - 1)
    return _Ranking(
        depth=depth,
        cases=position,
        threshold=chance[last],
        events=events,
        others=position - events,
        ranks=outcome,
    )


def _share_band(share: FloatArray, count: float) -> tuple[FloatArray, FloatArray]:
    error = _Z * np.sqrt(np.maximum(share * (1 - share), 0.0) / count)
    return np.clip(share - error, 0, 1), np.clip(share + error, 0, 1)


@lru_cache(maxsize=4)
def make_evaluation(rows: int = 20_000, seed: int = 7) -> EvaluationResult:
    """Page Compare's result for the three models."""
    sample = _sample(rows, seed)
    rankings = [_ranking(sample, index) for index in range(len(MODELS))]
    infos = _metric_infos()
    cells = _metric_cells(sample, rankings, infos)
    return EvaluationResult(
        rows=RowsNote(
            use="validation", text=f"validation rows, {rows:,} of {2 * rows:,}", rows=rows
        ),
        level="1",
        class_levels=("1", "0"),
        class_weight=np.array([rows / 20, rows * 19 / 20]),
        metrics=infos,
        cells=cells,
        comparisons=_comparisons(cells),
        depths=tuple(_depths(name, r, rows) for name, r in zip(MODELS, rankings, strict=True)),
        charts=_charts(sample, rankings, rows),
        resamples=1000,
        seconds=0.8,
    )


def _depths(model: str, ranking: _Ranking, rows: int) -> ModelDepths:
    events, others = rows / 20, rows * 19 / 20
    share = np.vstack([ranking.events / events, ranking.others / others])
    bands = [_share_band(share[0], events), _share_band(share[1], others)]
    return ModelDepths(
        model=model,
        depth=ranking.depth,
        cases=ranking.cases,
        threshold=ranking.threshold,
        class_share=share,
        class_share_low=np.vstack([bands[0][0], bands[1][0]]),
        class_share_high=np.vstack([bands[0][1], bands[1][1]]),
    )


def _metric_infos() -> tuple[MetricInfo, ...]:
    rows = (
        ("auc", "AUC", "higher", 3, "How often a responder is ranked before another customer."),
        ("ks", "KS", "higher", 3, "The largest distance between the two groups' curves."),
        ("lift", "Lift, best 2 %", "higher", 1, "Times as many responders as at random."),
        ("log_loss", "Log loss", "lower", 4, "How surprised the model is by what happened."),
        ("brier", "Brier score", "lower", 4, "The mean squared distance of chance and outcome."),
    )
    return tuple(
        MetricInfo(
            metric=metric,
            title=title,
            direction=direction,
            help=text,
            formula="",
            reference="",
            decimals=decimals,
        )
        for metric, title, direction, decimals, text in rows
    )


def _metric_values(
    sample: _Sample, index: int, ranking: _Ranking
) -> dict[str, tuple[float, float]]:
    """Metric -> value and half width of its interval."""
    y, p = sample.outcome, sample.chance[index]
    found = ranking.ranks
    positions = np.flatnonzero(found)
    events, others = found.sum(), len(found) - found.sum()
    auc = 1 - (positions - np.arange(len(positions))).sum() / (events * others)
    ks = float(np.max(ranking.events / events - ranking.others / others))
    lift = float(np.interp(0.02, ranking.depth, ranking.events) / (0.02 * events))
    log_terms = -(y * np.log(p) + (1 - y) * np.log1p(-p))
    squares = (y - p) ** 2
    root = np.sqrt(len(y))
    return {
        "auc": (float(auc), 0.011),
        "ks": (ks, 0.023),
        "lift": (lift, 0.9),
        "log_loss": (float(log_terms.mean()), float(_Z * log_terms.std() / root)),
        "brier": (float(squares.mean()), float(_Z * squares.std() / root)),
    }


def _metric_cells(
    sample: _Sample, rankings: list[_Ranking], infos: tuple[MetricInfo, ...]
) -> tuple[MetricCell, ...]:
    values = [_metric_values(sample, index, r) for index, r in enumerate(rankings)]
    cells = []
    for info in infos:
        column = [entry[info.metric][0] for entry in values]
        best = int(np.argmax(column) if info.direction == "higher" else np.argmin(column))
        for index, model in enumerate(MODELS):
            value, half = values[index][info.metric]
            cells.append(
                MetricCell(
                    metric=info.metric,
                    model=model,
                    estimate=Estimate(
                        value=value,
                        low=value - half,
                        high=value + half,
                        method="Poisson bootstrap, 1,000 draws",
                        holds_fixed="for this finished model",
                    ),
                    is_best=index == best,
                    is_tied=info.metric == "lift" and index == 1 and index != best,
                )
            )
    return tuple(cells)


def _comparisons(cells: tuple[MetricCell, ...]) -> tuple[PairedDifference, ...]:
    by_key = {(cell.metric, cell.model): cell.estimate for cell in cells}
    differences = []
    for metric in ("auc", "ks", "lift", "log_loss", "brier"):
        for model in MODELS[1:]:
            first, second = by_key[metric, MODELS[0]], by_key[metric, model]
            value = first.value - second.value
            half = 0.45 * abs(value)
            differences.append(
                PairedDifference(
                    first=MODELS[0],
                    second=model,
                    metric=metric,
                    estimate=Estimate(value=value, low=value - half, high=value + half),
                    p_value=2 / 1001,
                    ahead=1000,
                    resamples=1000,
                )
            )
    return tuple(differences)


def _charts(sample: _Sample, rankings: list[_Ranking], rows: int) -> tuple[Chart, ...]:
    return (
        _roc(rankings, rows),
        _gains(rankings, rows),
        _lift(rankings, rows),
        _calibration(sample),
        _scores(sample),
    )


def _baseline(name: str, x: tuple[float, ...], y: tuple[float, ...]) -> Curve:
    return Curve(model="", x=np.array(x), y=np.array(y), name=name)


def _roc(rankings: list[_Ranking], rows: int) -> Chart:
    curves = []
    for model, ranking in zip(MODELS, rankings, strict=True):
        found = ranking.events / (rows / 20)
        low, high = _share_band(found, rows / 20)
        alarms = ranking.others / (rows * 0.95)
        curves.append(Curve(model=model, x=alarms, y=found, low=low, high=high))
    curves.append(_baseline("random", (0.0, 1.0), (0.0, 1.0)))
    return Chart(kind="roc", curves=tuple(curves), definition="Share of events against others.")


def _gains(rankings: list[_Ranking], rows: int) -> Chart:
    curves = []
    for model, ranking in zip(MODELS, rankings, strict=True):
        found = ranking.events / (rows / 20)
        low, high = _share_band(found, rows / 20)
        curves.append(Curve(model=model, x=ranking.depth, y=found, low=low, high=high))
    curves.append(_baseline("random", (0.0, 1.0), (0.0, 1.0)))
    curves.append(_baseline("best possible", (0.0, 0.05, 1.0), (0.0, 1.0, 1.0)))
    return Chart(kind="gains", curves=tuple(curves), definition="Share of events among the best.")


def _lift(rankings: list[_Ranking], rows: int) -> Chart:
    curves = []
    for model, ranking in zip(MODELS, rankings, strict=True):
        found = ranking.events / (rows / 20)
        low, high = _share_band(found, rows / 20)
        depth = ranking.depth[1:]
        curves.append(
            Curve(
                model=model,
                x=depth,
                y=found[1:] / depth,
                low=low[1:] / depth,
                high=high[1:] / depth,
            )
        )
    curves.append(_baseline("random", (0.0, 1.0), (1.0, 1.0)))
    return Chart(kind="lift", curves=tuple(curves), definition="Events found over random.")


def _calibration(sample: _Sample, groups: int = 20) -> Chart:
    curves = []
    for index, model in enumerate(MODELS):
        order = np.argsort(sample.chance[index], kind="stable")
        parts = np.array_split(order, groups)
        x = np.array([sample.chance[index][part].mean() for part in parts])
        y = np.array([sample.outcome[part].mean() for part in parts])
        low, high = _share_band(y, len(order) / groups)
        curves.append(Curve(model=model, x=x, y=y, low=low, high=high))
    curves.append(_baseline("exact", (0.0, 1.0), (0.0, 1.0)))
    return Chart(
        kind="calibration",
        curves=tuple(curves),
        definition="Mean chance against share of events in groups.",
        variant="groups of equal size",
        notes=(
            "gbm 2: the chances come true, as far as 20 groups can tell.",
            "logit: the chances come true, as far as 20 groups can tell.",
            "agency: chances are too low around 4 % to 12 %.",
        ),
    )


def _scores(sample: _Sample, bins: int = 25) -> Chart:
    edges = np.linspace(0.0, 1.0, bins + 1)
    curves = []
    for index, model in enumerate(MODELS):
        for level, name in ((1.0, "1"), (0.0, "0")):
            chance = sample.chance[index][sample.outcome == level]
            counts, _ = np.histogram(chance, bins=edges)
            centre = (edges[1:] + edges[:-1]) / 2
            curves.append(Curve(model=model, x=centre, y=counts / len(chance), name=name))
    return Chart(
        kind="score_distribution",
        curves=tuple(curves),
        definition="Share of each group per chance.",
    )


@lru_cache(maxsize=4)
def make_decisions(rows: int = 20_000, seed: int = 7) -> DecisionResult:
    """Page Decide's result: mail the best n %, a letter costs 1.60, a response brings 25.60."""
    sample = _sample(rows, seed)
    profits = tuple(
        _profit(sample, index, _ranking(sample, index), rows) for index in range(len(MODELS))
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


def _profit_band(ranking: _Ranking, rows: int) -> FloatArray:
    """Half widths of the 95 % interval with the class counts held fixed."""
    events, others = rows / 20, rows * 19 / 20
    found, alarms = ranking.events / events, ranking.others / others
    variance = MARGIN**2 * events * found * (1 - found) + LETTER**2 * others * alarms * (1 - alarms)
    return np.asarray(_Z * np.sqrt(np.maximum(variance, 0.0)), dtype=np.float64)


def _profit(sample: _Sample, index: int, ranking: _Ranking, rows: int) -> ModelProfit:
    profit = MARGIN * ranking.events - LETTER * ranking.others
    half = _profit_band(ranking, rows)
    p, y = sample.chance[index], sample.outcome
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
        mean_chance_before=np.array([0.248, 0.752]),
        mean_chance_after=np.array([float(p.mean()), 1 - float(p.mean())]),
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


def make_document(rows: int = 20_000) -> Document:
    """The project these results belong to."""
    columns = ("customer", "respond", "p_gbm", "p_logit", "p_agency", "use")
    roles = (
        RoleAssignment(column="customer", role=Role.ID),
        RoleAssignment(column="respond", role=Role.TARGET),
        *(
            RoleAssignment(column=column, role=Role.POSTERIOR, model=model, level="1")
            for column, model in zip(columns[2:5], MODELS, strict=True)
        ),
        RoleAssignment(column="use", role=Role.ROW_USE),
    )
    trained_at = OldPriors(kind=OldPriorKind.TRAINED_AT, shares=(("1", 0.248), ("0", 0.752)))
    return Document(
        name="Spring mailing",
        case_word=("customer", "customers"),
        data=DataRef(
            path="spring_mailing.csv",
            content_hash="0" * 64,
            rows=2 * rows,
            columns=columns,
            size_bytes=3_000_000,
        ),
        roles=roles,
        target=TargetSpec(
            column="respond",
            kind="binary",
            levels=("1", "0"),
            labels=("responds", "does not respond"),
        ),
        rows_used=RowUse.VALIDATION,
        models=tuple(
            ModelSpec(name=name, series=index, old_priors=trained_at if index == 0 else OldPriors())
            for index, name in enumerate(MODELS)
        ),
        reference_model=MODELS[0],
        matrix=MatrixSpec(
            template="direct_mail",
            kind=MatrixKind.PROFIT,
            levels=("1", "0"),
            decisions=("Mail", "Do nothing"),
            cells=((MARGIN, 0.0), (-LETTER, 0.0)),
            acting="Mail",
            parameters=(("cost", LETTER), ("margin", MARGIN + LETTER)),
            do_nothing="Do nothing",
        ),
        priors=(("1", 0.05), ("0", 0.95)),
        metrics=tuple(MetricChoice(metric=info.metric) for info in _metric_infos()),
        cursor_depth=0.213,
    )
