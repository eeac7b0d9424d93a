"""What ``payoff.uplift`` returns: curves, areas, choices and metrics of one experiment."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import pandas as pd

from core.document.results import RowsNote
from core.engine.jobs.uplift_data import (
    Arms,
)
from core.engine.jobs.uplift_metrics import metric_problem, uplift_metrics
from core.evaluation import MetricRequest, evaluate
from core.script.session import engine
from core.uplift.areas import area_of, aunuc
from core.uplift.bands import pointwise_error, reach_of, uniform_reach
from core.uplift.choice import Choice, Limits, PriceAxis, Prices, choose_depth, price_axis
from core.uplift.comparison import AreaDifference, compare_areas
from core.uplift.criteria import Criteria, criteria_of
from core.uplift.curves import LOCAL_VARIANTS, curve_of, generalised_curve
from core.uplift.effects import (
    Effect,
    SegmentEffects,
    adjusted_effect,
    effects_by_segment,
    next_test_size,
    plain_effect,
)
from core.uplift.envelope import envelope_of
from core.uplift.experiment import Experiment
from core.uplift.guard import Validity
from core.uplift.named_scores import (
    causalml_auuc_score,
    causalml_qini_score,
    criteo_auuc,
    perfect_qini_curve,
    perfect_uplift_curve,
    qini_auc_score,
    uplift_auc_score,
)
from core.uplift.optimal_nu import area_nu, overall_nu
from core.uplift.ranking import UpliftRanking
from core.uplift.rates import rates_of
from core.uplift.resampling import draw_curves
from core.uplift.row_order import audit_row_order
from core.uplift.segments import pehe, rate_of, slices_of, treatment_balance, uplift_at
from payoff.errors import PayoffError
from payoff.types import FloatArray

NU_CHOICES = ("optimal", "area", "pointwise")
NAMED = (
    "scikit_uplift_qini_auc_score",
    "scikit_uplift_uplift_auc_score",
    "causalml_auuc_score",
    "causalml_qini_score",
    "criteo_auuc",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class UpliftArea:
    """An area with its interval; ``minus_random`` figures are of the area less the chord."""

    area: float
    area_minus_random: float
    standard_error: float
    low: float
    high: float
    standard_error_minus_random: float
    low_minus_random: float
    high_minus_random: float
    method: str


class Uplift:
    """What ``payoff.uplift`` returns: rankings of one experiment, each by a score column.

    Attributes
    ----------
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
        experiment: Experiment,
        scores: Mapping[str, FloatArray],
        *,
        nu: float | str,
        guard: Validity,
        arms: Arms,
        notes: tuple[str, ...],
        true_effect: FloatArray | None,
        covariates: FloatArray | None,
    ) -> None:
        self.experiment = experiment
        self.rankings = {name: UpliftRanking(experiment, s) for name, s in scores.items()}
        self.guard = guard
        self.treated, self.control = arms.treated, arms.control
        self.rows = len(experiment)
        self._choice = nu
        self._notes = notes
        self._truth = true_effect
        self._covariates = covariates
        self.nu = {name: self._nu_of(ranking) for name, ranking in self.rankings.items()}

    def _nu_of(self, ranking: UpliftRanking) -> float:
        if self._choice == "optimal":
            return overall_nu(ranking)
        if self._choice == "area":
            return area_nu(ranking)
        return math.nan if isinstance(self._choice, str) else float(self._choice)

    def _ranking(self, score: str) -> UpliftRanking:
        if score not in self.rankings:
            raise PayoffError(
                f"There is no score '{score}'.", why=f"Scores: {', '.join(self.rankings)}."
            )
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

    @property
    def validity(self) -> tuple[str, ...]:
        """Warnings that stand before any area; empty where nothing speaks against it."""
        gaps = []
        for name, ranking in self.rankings.items():
            curve = curve_of(ranking, "qini_joint_absolute")
            if curve.skipped:
                gaps.append(
                    f"No control case is among the first {curve.skipped:,.0f} cases by '{name}': "
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
        is_pointwise = math.isnan(self.nu[score])
        nu: float | str = "pointwise" if is_pointwise else self.nu[score]
        curve = curve_of(ranking, variant, nu=nu, half_width=half_width)
        table = pd.DataFrame({"x": curve.x, "y": curve.y})
        if variant.endswith("joint_absolute") or variant == "generalised":
            table["count"] = curve.count
        if variant == "generalised" and not is_pointwise:
            error = np.concatenate([[0.0], pointwise_error(ranking, self.nu[score])])
            table["low"] = curve.y - reach_of(confidence) * error
            table["high"] = curve.y + reach_of(confidence) * error
        return table

    def band(
        self, score: str, *, confidence: float = 0.95, draws: int = 1000, seed: int = 20261
    ) -> pd.DataFrame:
        """The generalised curve with pointwise and uniform bands at up to 1,000 depths."""
        ranking, nu = self._ranking(score), self._fixed_nu(score)
        drawn = draw_curves([ranking], nu=[nu], draws=draws, seed=seed)
        cuts = drawn.cuts[0]
        curve = generalised_curve(ranking, nu)
        x, y = curve.x[cuts + 1], curve.y[cuts + 1]
        error = pointwise_error(ranking, nu)[cuts]
        wide = uniform_reach(drawn.heights[0], y, error, confidence)
        near = reach_of(confidence)
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

    def area(
        self,
        variant: str,
        score: str,
        *,
        half_width: int = 25,
        confidence: float = 0.95,
        draws: int = 0,
        seed: int = 20261,
    ) -> UpliftArea:
        """The area of a variant, plain and less that of a random ranking.

        Intervals are analytic; with ``draws`` above 0 those of the generalised area come from
        Poisson resamples. Local propensities have none: NaN.
        """
        ranking = self._ranking(score)
        nu = self._fixed_nu(score) if variant == "generalised" else 0.0
        found = area_of(ranking, variant, nu=nu, half_width=half_width)
        error, less = found.standard_error, found.standard_error_minus_random
        method = "analytic" if variant not in LOCAL_VARIANTS else "none"
        if draws and variant == "generalised":
            drawn = draw_curves([ranking], nu=[nu], draws=draws, seed=seed, keep_heights=False)
            error = float(drawn.area.std(ddof=1))
            less = float(drawn.minus_random.std(ddof=1))
            method = f"Poisson bootstrap, {draws:,} draws"
        if any(check.key == "overlap" and check.state == "error" for check in self.guard.checks):
            error = less = math.nan
            method = "withheld: nearly all the weight is on a few cases"
        reach = reach_of(confidence)
        return UpliftArea(
            area=found.area,
            area_minus_random=found.minus_random,
            standard_error=error,
            low=found.area - reach * error,
            high=found.area + reach * error,
            standard_error_minus_random=less,
            low_minus_random=found.minus_random - reach * less,
            high_minus_random=found.minus_random + reach * less,
            method=method,
        )

    def aunuc(self, score: str, form: str = "xaxis_trapz") -> float:
        """AUNUC of formula (26): the exact polygon, or the right-end sum on it."""
        if form not in ("xaxis_trapz", "xaxis_sum"):
            raise PayoffError(f"There is no form '{form}'.", why="xaxis_trapz, xaxis_sum.")
        return aunuc(self._ranking(score), nu=self._fixed_nu(score), form=form)

    def compare(
        self, a: str, b: str, *, variant: str = "generalised", confidence: float = 0.95
    ) -> AreaDifference:
        """Area of one score less that of another, paired on the same cases."""
        nu = (0.0, 0.0)
        if variant == "generalised":
            nu = (self._fixed_nu(a), self._fixed_nu(b))
        if variant in LOCAL_VARIANTS:
            raise PayoffError("Areas with local propensities have no paired test.")
        first, second = self._ranking(a), self._ranking(b)
        return compare_areas(first, second, variant=variant, nu=nu, confidence=confidence)

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
            choose_depth(self._ranking(name), prices, quantity=quantity, limits=limits, seed=seed)
            for name in names
        ]
        key = {"return": "mean_return"}.get(quantity, quantity)
        return max(found, key=lambda choice: float(getattr(choice, key)))

    def prices(
        self, contacts: Sequence[float], *, value: float = 1.0, redemption: float = 0.0
    ) -> PriceAxis:
        """Which score earns most at which price of a contact, and where that is clear."""
        rankings = list(self.rankings.values())
        free = Prices(value=value, redemption=redemption)
        return price_axis(rankings, free, np.asarray(contacts, dtype=np.float64))

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
        return pehe(self._ranking(score).score, self._truth)

    def named_score(self, name: str, score: str, *, normalize: bool = True) -> float:
        """The figure another tool prints: see ``NAMED``."""
        ranking = self._ranking(score)
        if name == "scikit_uplift_qini_auc_score":
            return qini_auc_score(ranking)
        if name == "scikit_uplift_uplift_auc_score":
            return uplift_auc_score(ranking)
        if name == "causalml_auuc_score":
            return causalml_auuc_score(ranking, normalize=normalize)
        if name == "causalml_qini_score":
            return causalml_qini_score(ranking, normalize=normalize)
        if name == "criteo_auuc":
            nu = self.nu[score]
            return criteo_auuc(ranking, nu=0.0 if math.isnan(nu) else nu)
        raise PayoffError(f"There is no figure '{name}'.", why=f"There are: {', '.join(NAMED)}.")

    def perfect_curve(self, kind: str = "qini", *, negative_effect: bool = True) -> pd.DataFrame:
        """scikit-uplift's perfect Qini or uplift curve: x, y, count."""
        ranking = next(iter(self.rankings.values()))
        if kind == "qini":
            curve = perfect_qini_curve(ranking, negative_effect=negative_effect)
        elif kind == "uplift":
            curve = perfect_uplift_curve(ranking)
        else:
            raise PayoffError(f"There is no perfect curve '{kind}'.", why="qini, uplift.")
        return pd.DataFrame({"x": curve.x, "y": curve.y, "count": curve.count})

    def uplift_at(self, k: float, score: str, *, strategy: str = "overall") -> float:
        """Difference of the arms' means among the best ``k`` (a share, or a number of cases)."""
        return uplift_at(self._ranking(score), k, strategy=strategy)

    def by_percentile(
        self, score: str, *, bins: int = 10, strategy: str = "overall"
    ) -> pd.DataFrame:
        """Rates of both arms and uplift by slices of the ranking, best first."""
        found = slices_of(self._ranking(score), bins, strategy=strategy)
        names = (
            "treated",
            "control",
            "rate_treated",
            "rate_control",
            "uplift",
            "standard_error",
            "mean_score",
        )
        return pd.DataFrame({name: getattr(found, name) for name in names})

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
        if draws < 2:
            raise PayoffError(f"{draws} resamples give no error.", why="It takes 2 or more.")
        found = rates_of(self._ranking(score), draws=draws, seed=seed)
        return pd.DataFrame(
            {
                "value": [rate.value for rate in found],
                "standard_error": [rate.standard_error for rate in found],
                "low": [rate.interval()[0] for rate in found],
                "high": [rate.interval()[1] for rate in found],
                "p_value": [rate.p_value for rate in found],
            },
            index=pd.Index([rate.weighting for rate in found], name="weighting"),
        )

    def effect(self, *, adjusted: bool = False) -> Effect:
        """Effect of the treated arm without a model, plain or adjusted for the covariates."""
        inside = self.experiment.treated > 0
        weight = self.experiment.weight if len(self.experiment.weight) else None
        arm, control = self.treated, self.control
        if not adjusted:
            return plain_effect(
                self.experiment.outcome, inside, ~inside, weight=weight, arm=arm, control=control
            )
        if self._covariates is None:
            raise PayoffError("No covariates are named.", remedy="Give covariates=[...].")
        return adjusted_effect(
            self.experiment.outcome,
            inside,
            ~inside,
            self._covariates,
            weight=weight,
            arm=arm,
            control=control,
        )

    def effect_by(self, segments: Any, *, name: str = "segment") -> SegmentEffects:
        """Effects by level of an array of one entry per row."""
        inside = self.experiment.treated > 0
        return effects_by_segment(
            self.experiment.outcome, inside, ~inside, np.asarray(segments), column=name
        )

    def next_test(self, effect: float, *, treated_share: float = 0.5, power: float = 0.8) -> int:
        """Cases that a test needs to find an effect, with the spread seen here."""
        outcome, inside = self.experiment.outcome, self.experiment.treated > 0
        spread = float(outcome[inside].var(ddof=1)), float(outcome[~inside].var(ddof=1))
        return next_test_size(effect, spread, treated_share=treated_share, power=power)

    def metrics(
        self, metrics: Sequence[str] | None = None, *, resamples: int = 500
    ) -> pd.DataFrame:
        """Metrics of the task "uplift" from plugins, built-in and third parties'.

        Parameters
        ----------
        metrics : list of str, optional
            Ids; left out = all that plugins offer.
        resamples : int
            Poisson bootstrap draws; 0 = no intervals. Metrics that need the cases one by one get
            200 at most.

        Returns
        -------
        DataFrame
            Columns metric, title, score, value, low, high, note.
        """
        registry = engine().workbench.registry
        offered = {spec.id: spec for spec in uplift_metrics(registry)}
        unknown = [name for name in metrics or () if name not in offered]
        if unknown:
            raise PayoffError(
                f"There is no uplift metric '{unknown[0]}'.",
                why=f"There are: {', '.join(offered)}.",
            )
        chosen = tuple(
            MetricRequest(spec=offered[name]) for name in (offered if metrics is None else metrics)
        )
        problem = metric_problem(
            self.experiment,
            self.rankings,
            chosen,
            draws=resamples,
            rows=RowsNote(use="all", text="", rows=self.rows),
        )
        found = evaluate(problem, with_charts=False)
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
