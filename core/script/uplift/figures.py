"""Tables and figures of one uplift ranking, as ``payoff.uplift`` gives them to scripts."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict

import numpy as np
import pandas as pd

from core.assembly.uplift.rankings import metric_problem, uplift_metrics
from core.document.results import RowsNote
from core.document.studies.uplift import Area, Validity
from core.evaluation import (
    MetricRequest,
    assess,
)
from core.evaluation.naming import metric_request
from core.inference.normal import normal_reach
from core.script.metric_choices import MetricRequests, metric_choices
from core.script.session import engine
from core.uplift.areas import area_of, with_errors
from core.uplift.bands import pointwise_error, uniform_reach
from core.uplift.curves import curve_of, generalised_curve
from core.uplift.experiment import Experiment
from core.uplift.other_tools import (
    causalml_auuc_score,
    causalml_qini_score,
    criteo_auuc,
    perfect_qini_curve,
    perfect_uplift_curve,
    qini_auc_score,
    uplift_auc_score,
)
from core.uplift.ranking import UpliftRanking
from core.uplift.rates import rates_of
from core.uplift.resampling import draw_curves
from core.uplift.segments import slices_of
from payoff.counting import counted
from payoff.errors import PayoffError, no_such

NAMED = (
    "scikit_uplift_qini_auc_score",
    "scikit_uplift_uplift_auc_score",
    "causalml_auuc_score",
    "causalml_qini_score",
    "criteo_auuc",
)
SLICE_COLUMNS = (
    "treated",
    "control",
    "rate_treated",
    "rate_control",
    "uplift",
    "standard_error",
    "mean_score",
)


def curve_table(
    ranking: UpliftRanking, variant: str, nu: float, *, half_width: int, confidence: float
) -> pd.DataFrame:
    """Every point of a curve; ``nu`` NaN = pointwise."""
    is_pointwise = math.isnan(nu)
    curve = curve_of(
        ranking, variant, nu="pointwise" if is_pointwise else nu, half_width=half_width
    )
    table = pd.DataFrame({"x": curve.x, "y": curve.y})
    if variant.endswith("joint_absolute") or variant == "generalised":
        table["count"] = curve.count
    if variant == "generalised" and not is_pointwise:
        error = np.concatenate([[0.0], pointwise_error(ranking, nu)])
        table["low"] = curve.y - normal_reach(confidence) * error
        table["high"] = curve.y + normal_reach(confidence) * error
    return table


def band_table(
    ranking: UpliftRanking, nu: float, *, confidence: float, draws: int, seed: int
) -> pd.DataFrame:
    """The generalised curve with pointwise and uniform bands, at the depths that are drawn."""
    drawn = draw_curves([ranking], nu=[nu], draws=draws, seed=seed)
    cuts = drawn.cuts[0]
    curve = generalised_curve(ranking, nu)
    x, y = curve.x[cuts + 1], curve.y[cuts + 1]
    error = pointwise_error(ranking, nu)[cuts]
    wide = uniform_reach(drawn.heights[0], y, error, confidence)
    near = normal_reach(confidence)
    return pd.DataFrame(
        {
            "x": x,
            "y": y,
            "low": y - near * error,
            "high": y + near * error,
            "low_all": y - wide * error,
            "high_all": y + wide * error,
        }
    )


def area_with_interval(
    ranking: UpliftRanking,
    variant: str,
    nu: float,
    guard: Validity,
    *,
    half_width: int,
    confidence: float,
    draws: int,
    seed: int,
) -> Area:
    """The area of a variant; errors are withheld where nearly all the weight is on a few cases."""
    found = area_of(ranking, variant, nu=nu, half_width=half_width, confidence=confidence)
    if any(check.key == "overlap" and check.state == "error" for check in guard.checks):
        withheld = "withheld: nearly all the weight is on a few cases"
        return with_errors(found, math.nan, math.nan, confidence, withheld)
    if not draws or variant != "generalised":
        return found
    drawn = draw_curves([ranking], nu=[nu], draws=draws, seed=seed, keep_heights=False)
    error, less = float(drawn.area.std(ddof=1)), float(drawn.minus_random.std(ddof=1))
    method = f"Poisson bootstrap, {counted(draws, 'draw')}"
    return with_errors(found, error, less, confidence, method)


def named_figure(ranking: UpliftRanking, name: str, nu: float, *, normalize: bool) -> float:
    """The figure another tool prints, by its name in ``NAMED``; ``nu`` NaN counts as 0."""
    if name == "scikit_uplift_qini_auc_score":
        return qini_auc_score(ranking)
    if name == "scikit_uplift_uplift_auc_score":
        return uplift_auc_score(ranking)
    if name == "causalml_auuc_score":
        return causalml_auuc_score(ranking, normalize=normalize)
    if name == "causalml_qini_score":
        return causalml_qini_score(ranking, normalize=normalize)
    if name == "criteo_auuc":
        return criteo_auuc(ranking, nu=0.0 if math.isnan(nu) else nu)
    raise no_such("figure", name, NAMED)


def perfect_table(ranking: UpliftRanking, kind: str, *, negative_effect: bool) -> pd.DataFrame:
    """scikit-uplift's perfect Qini or uplift curve."""
    if kind == "qini":
        curve = perfect_qini_curve(ranking, negative_effect=negative_effect)
    elif kind == "uplift":
        curve = perfect_uplift_curve(ranking)
    else:
        raise PayoffError(f"There is no perfect curve '{kind}'.", why="qini, uplift.")
    return pd.DataFrame({"x": curve.x, "y": curve.y, "count": curve.count})


def slice_table(ranking: UpliftRanking, bins: int, strategy: str) -> pd.DataFrame:
    """Rates of both arms and uplift by slices of the ranking, best first."""
    found = slices_of(ranking, bins, strategy=strategy)
    return pd.DataFrame({name: getattr(found, name) for name in SLICE_COLUMNS})


def rate_table(ranking: UpliftRanking, *, draws: int, seed: int) -> pd.DataFrame:
    """Both RATEs with their error, by weighting."""
    if draws < 2:
        raise PayoffError(
            f"{counted(draws, 'resample gives', 'resamples give')} no error.",
            why="It takes 2 or more.",
        )
    found = rates_of(ranking, draws=draws, seed=seed)
    return pd.DataFrame([asdict(rate) for rate in found]).set_index("weighting")


def metric_table(
    experiment: Experiment,
    rankings: Mapping[str, UpliftRanking],
    metrics: MetricRequests | None,
    resamples: int,
) -> pd.DataFrame:
    """Metrics of the task "uplift" from plugins, one row per metric and score."""
    offered = uplift_metrics(engine().registry)
    chosen = tuple(MetricRequest(spec=spec) for spec in offered)
    if metrics is not None:
        asked = (
            metric_request(offered, choice.metric, choice.parameters, word="uplift metric")
            for choice in metric_choices(metrics)
        )
        chosen = tuple({request.key: request for request in asked}.values())
    rows = RowsNote(use="all", text="", rows=len(experiment))
    problem = metric_problem(experiment, rankings, chosen, draws=resamples, rows=rows)
    found = assess(problem, with_charts=False)
    titles = {info.metric: info.title for info in found.metrics}
    return pd.DataFrame(
        [
            {
                "metric": cell.metric,
                "title": titles[cell.metric],
                "score": cell.model,
                "value": cell.estimate.value,
                "low": cell.estimate.low,
                "high": cell.estimate.high,
                "note": cell.estimate.note,
            }
            for cell in found.cells
        ]
    )
