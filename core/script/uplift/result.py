"""What ``payoff.uplift`` returns: curves, areas, choices and metrics of one experiment.

Tables and figures of one uplift ranking, as ``payoff.uplift`` gives them to scripts.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
import pandas as pd

from core.assembly.uplift.data import covariate_matrix
from core.assembly.uplift.prepared import PreparedUplift
from core.assembly.uplift.rankings import metric_problem, uplift_metrics
from core.data import LoadedTable
from core.decisions.ties import peak
from core.document.model import Document
from core.document.results import PairedDifference, RowsNote
from core.document.studies.uplift import Area, Choice, Criteria, Effect, PriceAxis, Validity
from core.evaluation import (
    MetricRequest,
    assess,
)
from core.evaluation.naming import metric_request
from core.inference.normal import normal_reach
from core.questions.question import Answer, Question
from core.script.metric_choices import MetricRequests, metric_choices
from core.script.session import engine
from core.uplift.choice import Limits, Prices, choose_depth, envelope_of, price_axis
from core.uplift.effects import (
    SegmentEffects,
    adjusted_effect,
    arm_spread,
    effects_by_segment,
    next_test_size,
    plain_effect,
)
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
from core.uplift.page_figures import criteria_of
from core.uplift.ranked.areas import area_ahead, aunuc, with_errors
from core.uplift.ranked.curves import LOCAL_VARIANTS, chosen_nu, curve_of, generalised_curve
from core.uplift.ranked.ranking import UpliftRanking
from core.uplift.ranked.rates import rates_of
from core.uplift.ranked.resampling import (
    DrawnCurves,
    draw_curves,
    pointwise_error,
    uniform_reach,
)
from core.uplift.ranked.row_order import audit_row_order, compare_areas
from core.uplift.segments import pehe, rate_of, slices_of, treatment_balance, uplift_at
from payoff.counting import counted
from payoff.errors import PayoffError, no_such
from payoff.types import FloatArray

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
    points = curve.x[cuts + 1], curve.y[cuts + 1]
    return band_of_draws(points, pointwise_error(ranking, nu)[cuts], drawn, confidence)


def band_of_draws(
    points: tuple[FloatArray, FloatArray], error: FloatArray, drawn: DrawnCurves, confidence: float
) -> pd.DataFrame:
    """Bands around a curve at the depths that are drawn: x, y and pointwise error, (bins,) each."""
    x, y = points
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
    found = area_ahead(ranking, variant, nu=nu, half_width=half_width, confidence=confidence)
    if any(check.key == "overlap" and check.state == "error" for check in guard.checks):
        withheld = "withheld: nearly all the weight is on a few cases"
        return with_errors(found, math.nan, math.nan, confidence, withheld)
    if not draws or variant != "generalised":
        return found
    drawn = draw_curves([ranking], nu=[nu], draws=draws, seed=seed, keep_heights=False)
    return area_of_draws(found, drawn, confidence)


def area_of_draws(found: Area, drawn: DrawnCurves, confidence: float) -> Area:
    """An area with the standard errors of its draws."""
    error, less = float(drawn.area.std(ddof=1)), float(drawn.minus_random.std(ddof=1))
    method = f"Poisson bootstrap, {counted(drawn.area.shape[1], 'draw')}"
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
        requested = (
            metric_request(offered, choice.metric, choice.parameters, word="uplift metric")
            for choice in metric_choices(metrics)
        )
        chosen = tuple({request.key: request for request in requested}.values())
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


class UpliftEvaluation:
    """What ``payoff.uplift`` returns: rankings of one experiment, each by a score column.

    Attributes
    ----------
    document : Document
        The document that a person would have made in the window of the same arguments.
    nu : dict of score to float
        Baseline of the generalised curve (NaN where it is pointwise).
    guard : Validity
        Every check with its numbers.
    treated, control : str
        The arms compared.
    rows : int
    """

    def __init__(
        self,
        made: PreparedUplift,
        *,
        document: Document,
        source: LoadedTable,
        true_effect: FloatArray | None,
        is_pointwise: bool,
    ) -> None:
        self.document = document
        self.source = source  # kept: questions are asked of it
        self.experiment, self.rankings, self.guard = made.experiment, made.rankings, made.guard
        self.treated, self.control = made.cases.arms.treated, made.cases.arms.control
        self.rows = len(self.experiment)
        self._cases = made.cases
        self._notes = (*left_out(made.cases.note), *made.notes)
        self._truth = true_effect
        nu = document.uplift.nu
        self.nu = {
            name: math.nan if is_pointwise else chosen_nu(ranking, nu)
            for name, ranking in self.rankings.items()
        }

    def ask(self, question: Question[Answer]) -> Answer:
        """What the window is answered when it asks the same of this document.

        Parameters
        ----------
        question : Question
            One of the records in ``payoff.questions``: Slices(count=10), NextTest(effect=0.02).
        """
        return engine().ask(self.document, question)

    def _ranking(self, score: str) -> UpliftRanking:
        if score not in self.rankings:
            raise no_such("score", score, self.rankings)
        return self.rankings[score]

    def _fixed_nu(self, score: str) -> float:
        nu = self.nu[score]
        if math.isnan(nu):
            raise PayoffError(
                "An area needs one baseline nu for the whole curve.",
                why="With nu='pointwise' every point of the curve has its own.",
                remedy="Take nu='optimal', nu='area' or a number.",
            )
        return nu

    def _nu_of_gain(self, score: str) -> float:
        """The baseline of the curve that gains are read off; none where it has one per depth."""
        nu = self.nu[score]
        return 0.0 if math.isnan(nu) else nu

    @property
    def _weight(self) -> FloatArray | None:
        """Case weights, where there are any."""
        return self.experiment.weight if len(self.experiment.weight) else None

    @property
    def validity(self) -> tuple[str, ...]:
        """Warnings that stand before any area; empty where nothing speaks against it."""
        gaps = []
        for name, ranking in self.rankings.items():
            curve = curve_of(ranking, "qini_joint_absolute")
            if curve.skipped:
                gaps.append(
                    f"No control case is among the first {counted(curve.skipped, 'case')} by "
                    f"'{name}': "
                    "joint absolute curves are undefined there and begin with a straight line."
                )
        return (*self.guard.warnings, *self._notes, *gaps)

    def curve(
        self, variant: str, score: str, *, half_width: int = 25, confidence: float = 0.95
    ) -> pd.DataFrame:
        """Every point of a curve: x, y; the generalised one also low and high.

        Joint absolute variants and the generalised one have ``count``, the cases acted on.
        """
        ranking = self._ranking(score)
        return curve_table(
            ranking, variant, self.nu[score], half_width=half_width, confidence=confidence
        )

    def band(
        self, score: str, *, confidence: float = 0.95, draws: int = 1000, seed: int = 20261
    ) -> pd.DataFrame:
        """The generalised curve with pointwise and uniform bands at up to 1,000 depths."""
        ranking, nu = self._ranking(score), self._fixed_nu(score)
        return band_table(ranking, nu, confidence=confidence, draws=draws, seed=seed)

    def area(
        self,
        variant: str,
        score: str,
        *,
        half_width: int = 25,
        confidence: float = 0.95,
        draws: int = 0,
        seed: int = 20261,
    ) -> Area:
        """The area of a variant, plain and less that of a random ranking.

        Intervals are analytic; with ``draws`` above 0 those of the generalised area come from
        Poisson resamples. Local propensities have none: NaN.
        """
        ranking = self._ranking(score)
        return area_with_interval(
            ranking,
            variant,
            self._fixed_nu(score) if variant == "generalised" else 0.0,
            self.guard,
            half_width=half_width,
            confidence=confidence,
            draws=draws,
            seed=seed,
        )

    def aunuc(self, score: str, form: str = "xaxis_trapz") -> float:
        """AUNUC of formula (26): the exact polygon, or the right-end sum on it."""
        if form not in ("xaxis_trapz", "xaxis_sum"):
            raise PayoffError(f"There is no form '{form}'.", why="xaxis_trapz, xaxis_sum.")
        return aunuc(self._ranking(score), nu=self._fixed_nu(score), form=form)

    def compare(
        self, a: str, b: str, *, variant: str = "generalised", confidence: float = 0.95
    ) -> PairedDifference:
        """Area of one score less that of another, paired on the same cases."""
        nu = (0.0, 0.0)
        if variant == "generalised":
            nu = (self._fixed_nu(a), self._fixed_nu(b))
        if variant in LOCAL_VARIANTS:
            raise PayoffError("Areas with local propensities have no paired test.")
        first, second = self._ranking(a), self._ranking(b)
        return compare_areas(
            first, second, names=(a, b), variant=variant, nu=nu, confidence=confidence
        )

    def criteria(self, score: str, *, depth: float = 0.5) -> Criteria:
        """Radcliffe's six criteria."""
        nu = self.nu.get(score, 0.0)
        return criteria_of(self._ranking(score), depth=depth, nu=0.0 if math.isnan(nu) else nu)

    def choose(
        self,
        quantity: str = "gain",
        constraint: Mapping[str, tuple[float | None, float | None]] | None = None,
        *,
        score: str | None = None,
        value: float = 1.0,
        contact: float = 0.0,
        redemption: float = 0.0,
        seed: int = 20261,
    ) -> Choice:
        """Formula (20): the depth with the most of one quantity while others keep their limits.

        Parameters
        ----------
        quantity : {"gain", "incremental", "return", "targeted", "spent"}
        constraint : {quantity: (low, high)}, optional
            None = open.
        score : str, optional
            Left out = the score that serves best.
        value, contact, redemption : float
            Worth of a unit of the outcome, cost of a contact, cost of a unit of a treated case.
        """
        prices = Prices(value=value, contact=contact, redemption=redemption)
        limits = Limits.of(constraint or {})
        names = [score] if score is not None else list(self.rankings)
        found = [
            choose_depth(
                self._ranking(name),
                prices,
                quantity=quantity,
                limits=limits,
                seed=seed,
                nu=self._nu_of_gain(name),
            )
            for name in names
        ]
        key = {"return": "mean_return"}.get(quantity, quantity)
        return found[peak(np.array([float(getattr(choice, key)) for choice in found]))]

    def prices(
        self, contacts: Sequence[float], *, value: float = 1.0, redemption: float = 0.0
    ) -> PriceAxis:
        """Which score earns most at which price of a contact, and where that is clear."""
        rankings = list(self.rankings.values())
        free = Prices(value=value, redemption=redemption)
        nu = [self._nu_of_gain(name) for name in self.rankings]
        return price_axis(rankings, free, np.asarray(contacts, dtype=np.float64), nu)

    def envelope(self, score: str) -> pd.DataFrame:
        """Corners of the concave envelope of the generalised curve (biased upwards)."""
        curve = envelope_of(generalised_curve(self._ranking(score), self._fixed_nu(score)))
        return pd.DataFrame({"x": curve.x, "y": curve.y})

    def pehe(self, score: str) -> tuple[float, float]:
        """Mean squared error against the true effect, and its root.

        Raises
        ------
        PayoffError
            If no ``true_effect`` was named.
        """
        if self._truth is None:
            raise PayoffError(
                "The true effect of each case is not known.",
                remedy="Name its column as true_effect; only simulated data have one.",
            )
        return pehe(self._ranking(score).score, self._truth, self._weight)

    def named_score(self, name: str, score: str, *, normalize: bool = True) -> float:
        """The figure another tool prints.

        ``name`` is "scikit_uplift_qini_auc_score", "scikit_uplift_uplift_auc_score",
        "causalml_auuc_score", "causalml_qini_score" or "criteo_auuc".
        """
        ranking = self._ranking(score)
        return named_figure(ranking, name, self.nu[score], normalize=normalize)

    def perfect_curve(self, kind: str = "qini", *, negative_effect: bool = True) -> pd.DataFrame:
        """scikit-uplift's perfect Qini or uplift curve: x, y, count."""
        ranking = next(iter(self.rankings.values()))
        return perfect_table(ranking, kind, negative_effect=negative_effect)

    def uplift_at(self, k: float, score: str, *, strategy: str = "overall") -> float:
        """Difference of the arms' means among the best ``k`` (a share, or a number of cases)."""
        return uplift_at(self._ranking(score), k, strategy=strategy)

    def by_percentile(
        self, score: str, *, bins: int = 10, strategy: str = "overall"
    ) -> pd.DataFrame:
        """Rates of both arms and uplift by slices of the ranking, best first."""
        return slice_table(self._ranking(score), bins, strategy)

    def weighted_average(self, score: str, *, bins: int = 10, strategy: str = "overall") -> float:
        """Uplift of slices weighted by their treated cases."""
        return slices_of(self._ranking(score), bins, strategy=strategy).weighted_average

    def treatment_balance(self, score: str) -> pd.DataFrame:
        """Share of the treated in a window along the ranking."""
        depth, share = treatment_balance(self._ranking(score))
        return pd.DataFrame({"depth": depth, "share": share})

    def rate(self, score: str, *, weighting: str = "autoc") -> float:
        """RATE of Yadlowsky et al.: "autoc" or "qini"."""
        return rate_of(self._ranking(score), weighting=weighting)

    def rates(self, score: str, *, draws: int = 500, seed: int = 20261) -> pd.DataFrame:
        """Both RATEs with their error: the table that the tab Slices of page Uplift shows.

        Parameters
        ----------
        score : str
        draws : int
            Poisson resamples of the cases, 2 or more.
        seed : int

        Returns
        -------
        pandas.DataFrame
            By weighting ("autoc", "qini"): ``value``, ``standard_error``, the 95 % interval ``low``
            and ``high``, and the p-value of a ranking no better than chance.
        """
        return rate_table(self._ranking(score), draws=draws, seed=seed)

    def effect(self, *, adjusted: bool = False) -> Effect:
        """Effect of the treated arm without a model, plain or adjusted for the covariates."""
        inside = self.experiment.treated > 0
        weight = self._weight
        arm, control = self.treated, self.control
        if not adjusted:
            return plain_effect(
                self.experiment.outcome, inside, ~inside, weight=weight, arm=arm, control=control
            )
        if not self._cases.columns:
            raise PayoffError("No covariates are named.", remedy="Give covariates=[...].")
        return adjusted_effect(
            self.experiment.outcome,
            inside,
            ~inside,
            covariate_matrix(self.source, self._cases.columns, self._cases.rows),
            weight=weight,
            arm=arm,
            control=control,
        )

    def effect_by(self, segments: Any, *, name: str = "segment") -> SegmentEffects:
        """Effects by level of an array of one entry per row, of the data or of the rows used.

        Raises
        ------
        PayoffError
            For an array of another length, or too many levels.
        """
        inside = self.experiment.treated > 0
        given = np.asarray(segments)
        rows, table = self._cases.rows, self.source.rows
        if given.shape not in ((table,), (self.rows,)):
            entries = given.shape[0] if given.ndim else 1
            raise PayoffError(
                f"The segments have {counted(entries, 'entry', 'entries')}.",
                why=f"The table has {counted(table, 'row')}, of which "
                f"{counted(self.rows, 'is used', 'are used')}.",
            )
        return effects_by_segment(
            self.experiment.outcome,
            inside,
            ~inside,
            given[rows] if given.shape == (table,) else given,
            column=name,
            weight=self._weight,
        )

    def next_test(self, effect: float, *, treated_share: float = 0.5, power: float = 0.8) -> int:
        """Cases that a test needs to find an effect, with the spread seen here."""
        return next_test_size(
            effect, arm_spread(self.experiment), treated_share=treated_share, power=power
        )

    def metrics(
        self, metrics: MetricRequests | None = None, *, resamples: int = 500
    ) -> pd.DataFrame:
        """Metrics of the task "uplift" from plugins, built-in and third parties'.

        Parameters
        ----------
        metrics : list of metric ids or (id, {parameter: value}), or {id: {parameter: value}}
            As in ``payoff.evaluate``: "uplift_at(depth=0.1)"; left out = all that plugins offer.
        resamples : int
            Poisson bootstrap draws; 0 = no intervals. Metrics that need the cases one by one get
            200 at most.

        Returns
        -------
        DataFrame
            Columns metric, title, score, value, low, high, note.
        """
        return metric_table(self.experiment, self.rankings, metrics, resamples)

    def row_order(self, score: str, *, seed: int = 20261) -> pd.DataFrame:
        """How far figures of row-by-row tools move with the order of tied rows.

        Returns
        -------
        DataFrame
            Columns tool, name, exact (ties in proportion), as_filed, low, high (over shuffles),
            worst, best.
        """
        audit = audit_row_order(self._ranking(score), seed=seed)
        return pd.DataFrame([asdict(entry) for entry in audit.ranges])


def left_out(note: RowsNote) -> tuple[str, ...]:
    """Which rows are not judged, and why, in sentences."""
    return tuple(
        f"{counted(count, 'row is', 'rows are')} left out: {reason}."
        for reason, count in note.dropped
    )
