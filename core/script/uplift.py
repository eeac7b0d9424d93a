"""``payoff.uplift``: what treating brings, for scripts."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from core.data import LoadedTable, column_as_float, place_of, printed
from core.document.uplift import looks_after_treatment, looks_like_exposure
from core.engine.context import JobContext
from core.engine.jobs.uplift_data import (
    Arms,
    column_values,
    covariate_matrix,
    cross_fitted_treatment,
    guard_columns,
    guard_sample,
    read_arms,
    read_outcome,
)
from core.script.session import ScriptData, engine, table_of
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
from core.uplift.experiment import Experiment, checked_propensity, make_experiment
from core.uplift.guard import Validity, check_validity
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
from core.uplift.resampling import draw_curves
from core.uplift.segments import pehe, rate_of, slices_of, treatment_balance, uplift_at
from payoff.errors import PayoffError
from payoff.types import FloatArray, IntArray

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
            "treated", "control", "rate_treated", "rate_control", "uplift", "standard_error",
            "mean_score",
        )  # fmt: skip
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


def uplift(
    data: ScriptData,
    *,
    outcome: str,
    treatment: str,
    scores: str | Sequence[str] | Mapping[str, str],
    propensity: str | None = None,
    weight: str | None = None,
    nu: float | str = 0.0,
    true_effect: str | None = None,
    covariates: Sequence[str] | None = None,
    treated: Any = None,
    control: Any = None,
    event: Any = None,
    clip: float | None = None,
    planned_share: float | None = None,
    drawn_by_lot: bool | None = None,
    seed: int = 20261,
) -> Uplift:
    """Judge rankings by predicted uplift on an experiment.

    Parameters
    ----------
    data : path, DataFrame, pyarrow Table or mapping of column name to 1-D array
    outcome : str
        0/1, any number, or two levels.
    treatment : str
        Column of the arm as assigned.
    scores : str, list of str or {name: column}
        Predicted uplift, or anything that ranks: higher = treat first.
    propensity : str, optional
        Column of the chance of being treated, or "estimate": boosted trees on ``covariates``,
        cross-fitted. Left out = the share of the treated, whose estimation errors include.
    weight : str, optional
        Case weights; weight 2 = the row twice.
    nu : float, "optimal", "area" or "pointwise"
        Baseline of V_nu.
    true_effect : str, optional
        Column of the true effect, where it is known.
    covariates : list of str, optional
        Columns known before the treatment: the guard looks whether they tell the arms apart.
    treated, control : level, optional
        The arms compared; needed where they cannot be told by their names, or there are more.
    event : level, optional
        Of an outcome of levels, the one that counts.
    clip : float, optional
        Keep propensities this far from 0 and 1.
    planned_share : float, optional
        Share of the treated as planned, for the sample-ratio test.
    drawn_by_lot : bool, optional
        What is known of the assignment.

    Returns
    -------
    Uplift

    Raises
    ------
    PayoffError
        Naming column, row and value.
    """
    _check_nu(nu)
    table = table_of(data)
    arms = read_arms(
        table,
        treatment,
        "" if treated is None else printed(treated),
        "" if control is None else printed(control),
    )
    values, _ = read_outcome(table, outcome, "" if event is None else printed(event))
    rows, notes = _rows_of(table, outcome, values, arms)
    named = _score_columns(scores)
    columns = tuple(covariates or ())
    for name in columns:
        table.require_column(name)
    notes += _leaks(columns, treatment)
    made = make_experiment(
        values[rows],
        arms.code[rows] == 1,
        weight=None if weight is None else _column(table, weight, rows, "weight"),
        where=table.path,
    )
    context = JobContext(engine().workbench)
    usable, _ = guard_columns(table, columns)
    predicted, sample = None, guard_sample(rows, seed)
    if usable:
        inside = made.treated[sample]
        predicted = cross_fitted_treatment(table, usable, rows[sample], inside, context, seed=seed)
    made = made.with_propensity(
        _propensities(table, propensity, rows, usable, made, predicted, clip, context, seed)
    )
    kept = {name: _column(table, column, rows, "score") for name, column in named.items()}
    base = made.with_propensity(None)
    guard = check_validity(
        made,
        {name: UpliftRanking(base, score) for name, score in kept.items()},
        columns={name: column_values(table, name, rows) for name in usable},
        predicted=predicted,
        predicted_rows=sample,
        planned_share=planned_share,
        drawn_by_lot=drawn_by_lot,
    )
    return Uplift(
        made,
        kept,
        nu=nu,
        guard=guard,
        arms=arms,
        notes=notes,
        true_effect=None if true_effect is None else _column(table, true_effect, rows, "effect"),
        covariates=covariate_matrix(table, usable, rows) if usable else None,
    )


def _check_nu(nu: float | str) -> None:
    if isinstance(nu, str) and nu not in NU_CHOICES:
        raise PayoffError(
            f"There is no baseline '{nu}'.", why=f"A number, {', '.join(NU_CHOICES)}."
        )
    if not isinstance(nu, str) and not math.isfinite(nu):
        raise PayoffError("The baseline nu must be a finite number.")


def _rows_of(
    table: LoadedTable, outcome: str, values: FloatArray, arms: Arms
) -> tuple[IntArray, tuple[str, ...]]:
    in_arms = arms.code < 2
    infinite = in_arms & np.isinf(values)
    if infinite.any():
        row = int(np.argmax(infinite))
        raise PayoffError(
            f"The outcome '{outcome}' is not finite.", where=place_of(table, row, outcome)
        )
    missing = in_arms & np.isnan(values)
    notes: tuple[str, ...] = ()
    if missing.any():
        notes += (f"{int(missing.sum()):,} rows without '{outcome}' are left out.",)
    if not in_arms.all():
        notes += (f"{int((~in_arms).sum()):,} rows of other arms are left out.",)
    return np.flatnonzero(in_arms & ~missing), notes


def _score_columns(scores: str | Sequence[str] | Mapping[str, str]) -> dict[str, str]:
    if isinstance(scores, str):
        return {scores: scores}
    if isinstance(scores, Mapping):
        named = {str(name): str(column) for name, column in scores.items()}
    else:
        named = {str(column): str(column) for column in scores}
    if not named:
        raise PayoffError("No score column is named.", remedy="Give scores='column'.")
    return named


def _column(table: LoadedTable, name: str, rows: IntArray, role: str) -> FloatArray:
    values = column_as_float(table, name, role=role)[rows]
    missing = ~np.isfinite(values)
    if missing.any():
        row = int(rows[int(np.argmax(missing))])
        raise PayoffError(
            f"The {role} column '{name}' is missing or infinite in {int(missing.sum()):,} rows.",
            where=place_of(table, row, name),
            remedy="Fill it in, or leave these rows out.",
        )
    return np.ascontiguousarray(values)


def _leaks(columns: tuple[str, ...], treatment: str) -> tuple[str, ...]:
    notes = []
    after = [name for name in columns if looks_after_treatment(name)]
    if after:
        notes.append(
            f"{', '.join(repr(name) for name in after)} looks measured after the treatment: what "
            "the treatment changed must not explain it. It is left out of the guard and of "
            "estimated propensities."
        )
    if looks_like_exposure(treatment):
        notes.append(
            f"'{treatment}' looks like something cases did, not what they were assigned to. "
            "Compare arms as assigned: those who open or click differ to begin with."
        )
    return tuple(notes)


def _propensities(
    table: LoadedTable,
    propensity: str | None,
    rows: IntArray,
    columns: tuple[str, ...],
    experiment: Experiment,
    predicted: FloatArray | None,
    clip: float | None,
    context: JobContext,
    seed: int,
) -> FloatArray | None:
    """Given or estimated chances of treatment; clipped only where asked."""
    if propensity is None:
        return None
    if propensity == "estimate" and "estimate" not in table.kinds:
        found = predicted
        if found is None or len(found) != len(rows):
            found = cross_fitted_treatment(
                table, columns, rows, experiment.treated, context, seed=seed
            )
        if found is None:
            raise PayoffError(
                "Chances of treatment cannot be estimated.",
                why="No usable covariate is named, or an arm has too few cases.",
                remedy="Give covariates=[...], or a column of propensities.",
            )
        found = np.clip(found, 0.01, 0.99)
    else:
        found = column_as_float(table, propensity, role="propensity")[rows]
    if clip is not None:
        if not 0 < clip < 0.5:
            raise PayoffError("The threshold for clipping lies between 0 and 0.5.")
        inside = ~np.isnan(found) & (found >= 0) & (found <= 1)
        found = np.where(inside, np.clip(found, clip, 1 - clip), found)
    return checked_propensity(found, len(rows), f"{table.path}, column {propensity}")
