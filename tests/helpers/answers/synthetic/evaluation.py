"""The made-up evaluation of three models."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from core.document.plugin_results import MetricInfo
from core.document.results import (
    NO_MODEL,
    ChartData,
    Curve,
    Estimate,
    EvaluationResult,
    MetricCell,
    ModelDepths,
    PairedDifference,
    RowsNote,
)
from tests.helpers.answers.synthetic.campaign import (
    MODELS,
    Ranking,
    Sample,
    Z,
    draw_sample,
    rank,
    share_band,
)


@lru_cache(maxsize=4)
def make_evaluation(rows: int = 20_000, seed: int = 7) -> EvaluationResult:
    """Page Compare's result for the three models."""
    sample = draw_sample(rows, seed)
    rankings = [rank(sample, index) for index in range(len(MODELS))]
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
        no_model=_no_model_cells(),
    )


def _no_model_cells() -> tuple[MetricCell, ...]:
    """The figures of the same chance for every case, 5 %."""
    values = {
        "auc": 0.5,
        "ks": 0.0,
        "lift": 1.0,
        "log_loss": float(-0.05 * np.log(0.05) - 0.95 * np.log(0.95)),
        "brier": 0.05 * 0.95,
    }
    return tuple(
        MetricCell(
            metric=metric,
            model=NO_MODEL,
            estimate=Estimate(value=value, low=float("nan"), high=float("nan")),
        )
        for metric, value in values.items()
    )


def _depths(model: str, ranking: Ranking, rows: int) -> ModelDepths:
    events, others = rows / 20, rows * 19 / 20
    share = np.vstack([ranking.events / events, ranking.others / others])
    bands = [share_band(share[0], events), share_band(share[1], others)]
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
            id=metric,
            label=title,
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


def _metric_values(sample: Sample, index: int, ranking: Ranking) -> dict[str, tuple[float, float]]:
    """Metric -> value and half width of its interval."""
    y, p = sample.outcome, sample.probability[index]
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
        "log_loss": (float(log_terms.mean()), float(Z * log_terms.std() / root)),
        "brier": (float(squares.mean()), float(Z * squares.std() / root)),
    }


def _metric_cells(
    sample: Sample, rankings: list[Ranking], infos: tuple[MetricInfo, ...]
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


def _charts(sample: Sample, rankings: list[Ranking], rows: int) -> tuple[ChartData, ...]:
    return (
        _roc(rankings, rows),
        _gains(rankings, rows),
        _lift(rankings, rows),
        _calibration(sample),
        _scores(sample),
    )


def _baseline(name: str, x: tuple[float, ...], y: tuple[float, ...]) -> Curve:
    return Curve(model="", x=np.array(x), y=np.array(y), name=name)


def _roc(rankings: list[Ranking], rows: int) -> ChartData:
    curves = []
    for model, ranking in zip(MODELS, rankings, strict=True):
        found = ranking.events / (rows / 20)
        low, high = share_band(found, rows / 20)
        alarms = ranking.others / (rows * 0.95)
        curves.append(Curve(model=model, x=alarms, y=found, low=low, high=high))
    curves.append(_baseline("random", (0.0, 1.0), (0.0, 1.0)))
    return ChartData(kind="roc", curves=tuple(curves), definition="Share of events against others.")


def _gains(rankings: list[Ranking], rows: int) -> ChartData:
    curves = []
    for model, ranking in zip(MODELS, rankings, strict=True):
        found = ranking.events / (rows / 20)
        low, high = share_band(found, rows / 20)
        curves.append(Curve(model=model, x=ranking.depth, y=found, low=low, high=high))
    curves.append(_baseline("random", (0.0, 1.0), (0.0, 1.0)))
    curves.append(_baseline("best possible", (0.0, 0.05, 1.0), (0.0, 1.0, 1.0)))
    return ChartData(
        kind="gains", curves=tuple(curves), definition="Share of events among the best."
    )


def _lift(rankings: list[Ranking], rows: int) -> ChartData:
    curves = []
    for model, ranking in zip(MODELS, rankings, strict=True):
        found = ranking.events / (rows / 20)
        low, high = share_band(found, rows / 20)
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
    return ChartData(kind="lift", curves=tuple(curves), definition="Events found over random.")


def _calibration(sample: Sample, groups: int = 20) -> ChartData:
    curves = []
    for index, model in enumerate(MODELS):
        order = np.argsort(sample.probability[index], kind="stable")
        parts = np.array_split(order, groups)
        x = np.array([sample.probability[index][part].mean() for part in parts])
        y = np.array([sample.outcome[part].mean() for part in parts])
        low, high = share_band(y, len(order) / groups)
        alarms = ("too low, 4 % to 12 %",) if model == "agency" else ()
        curves.append(Curve(model=model, x=x, y=y, low=low, high=high, alarms=alarms))
    curves.append(_baseline("exact", (0.0, 1.0), (0.0, 1.0)))
    return ChartData(
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


def _scores(sample: Sample, bins: int = 25) -> ChartData:
    edges = np.linspace(0.0, 1.0, bins + 1)
    curves = []
    for index, model in enumerate(MODELS):
        for level, name in ((1.0, "1"), (0.0, "0")):
            probability = sample.probability[index][sample.outcome == level]
            counts, _ = np.histogram(probability, bins=edges)
            centre = (edges[1:] + edges[:-1]) / 2
            curves.append(Curve(model=model, x=centre, y=counts / len(probability), name=name))
    return ChartData(
        kind="score_distribution",
        curves=tuple(curves),
        definition="Share of each group per chance.",
    )
