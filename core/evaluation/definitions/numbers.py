"""Figures of predicted numbers as other tools define them, beside Payoff's."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from core.document.compare.chart_kinds import SAS_EM, SKLEARN, R
from core.document.studies.compare import DefinitionRow
from core.evaluation.cases import JudgedCases
from core.evaluation.definitions.paired_figures import SAME, paired_figure
from core.evaluation.problem import JudgedScores
from payoff.types import FloatArray

_MAD_FACTOR = 1.4826  # R's constant of mad(): a standard deviation of normal misses
_LEVEL = 0.9


class NumberFigures:
    """Sums of one model's misses that the rows of every tool are made of.

    Parameters
    ----------
    cases : Cases
        Of a number as the outcome.
    model : ModelScores
    """

    def __init__(self, cases: JudgedCases, model: JudgedScores) -> None:
        self.name = model.name
        self.outcome = np.asarray(cases.outcome, dtype=np.float64)
        self.predicted = np.asarray(cases.fit_chances(model)[0], dtype=np.float64)
        self.miss = self.outcome - self.predicted
        self.is_weighted = len(cases.weight) > 0
        self.weight = cases.weight if self.is_weighted else np.ones(len(cases))
        self.whole = float(self.weight.sum())

    def mean(self, values: FloatArray) -> float:
        """Weighted mean of (n,) values."""
        return float(values @ self.weight) / self.whole

    def spread(self, values: FloatArray) -> float:
        """Weighted variance of (n,) values, divided by the whole weight."""
        return self.mean((values - self.mean(values)) ** 2)

    def r_squared(self) -> float:
        """1 less the squared misses over those of the mean of these rows; NaN without spread."""
        return self._one_less(self.mean(self.miss**2))

    def explained(self) -> float:
        """1 less the variance of the misses over that of the outcome; NaN without spread."""
        return self._one_less(self.spread(self.miss))

    def _one_less(self, above: float) -> float:
        below = self.spread(self.outcome)
        return 1.0 - above / below if below > 0.0 else float("nan")

    def squared_correlation(self) -> float:
        """Square of Pearson's correlation of outcome and prediction; NaN without spread."""
        pulls = [values - self.mean(values) for values in (self.outcome, self.predicted)]
        below = self.spread(self.outcome) * self.spread(self.predicted)
        return self.mean(pulls[0] * pulls[1]) ** 2 / below if below > 0.0 else float("nan")

    def deviances(self) -> Iterator[tuple[str, float]]:
        """Mean Poisson and gamma deviance, where the values have one."""
        y, mu = self.outcome, self.predicted
        if not (mu > 0.0).all() or not (y >= 0.0).all():
            return
        logs = np.log(np.where(y > 0.0, y, mu) / mu)
        yield "Poisson deviance", self.mean(2.0 * (y * logs - (y - mu)))
        if (y > 0.0).all():
            yield "Gamma deviance", self.mean(2.0 * (y / mu - 1.0 - logs))


def rows_of_numbers(
    cases: JudgedCases,
    model: JudgedScores,
    convention: str,
) -> Iterator[DefinitionRow]:
    """Every figure of predicted numbers that a tool names or computes in its own way.

    Parameters
    ----------
    convention : str
        "scikit-learn", "sas_em" or "r".
    """
    figures = NumberFigures(cases, model)
    if not figures.whole > 0.0:
        return
    if convention == SKLEARN:
        yield from _sklearn(figures)
    elif convention == SAS_EM:
        yield from _sas(figures)
    elif convention == R:
        yield from _r(figures)


def _same(
    figures: NumberFigures, figure: str, value: float, words: tuple[str, str]
) -> DefinitionRow:
    return paired_figure(figure, figures.name, value, value, SAME, words)


def _sklearn(figures: NumberFigures) -> Iterator[DefinitionRow]:
    square = figures.mean(figures.miss**2)
    yield _same(figures, "MSE", square, ("mean square", "mean_squared_error"))
    yield _same(figures, "RMSE", square**0.5, ("root of the MSE", "root_mean_squared_error"))
    size = np.abs(figures.miss)
    yield _same(figures, "MAE", figures.mean(size), ("mean size", "mean_absolute_error"))
    yield _same(figures, "R²", figures.r_squared(), ("out of sample", "r2_score"))
    explained = figures.explained()
    yield paired_figure(
        "R² and explained variance",
        figures.name,
        figures.r_squared(),
        explained,
        "Two figures that are taken for one: explained_variance_score forgives a miss that is the "
        "same for all cases (a bias), R² does not.",
        ("R²", "explained_variance_score"),
    )
    for name, value in figures.deviances():
        theirs = f"mean_{name.lower().replace(' ', '_')}"
        yield _same(figures, name, value, ("mean per case", theirs))
    yield from _quantile(figures, "numpy.quantile")


def _sas(figures: NumberFigures) -> Iterator[DefinitionRow]:
    square = figures.mean(figures.miss**2)
    yield _same(figures, "MSE", square, ("mean square", "_ASE_, Average Squared Error"))
    yield _same(
        figures, "RMSE", square**0.5, ("root of the MSE", "_RASE_, Root Average Squared Error")
    )
    yield paired_figure(
        "Squared misses",
        figures.name,
        square,
        square * figures.whole,
        "_SSE_ adds up the cases, the MSE is their mean. SAS EM's own _MSE_ divides by the cases "
        "less the parameters fitted, for training rows only.",
        ("MSE", "_SSE_, Sum of Squared Errors"),
    )
    yield from _deviance_sums(figures, "PROC GENMOD, Deviance")
    yield from _quantile(figures, "")


def _r(figures: NumberFigures) -> Iterator[DefinitionRow]:
    square = figures.mean(figures.miss**2)
    yield _same(figures, "RMSE", square**0.5, ("root of the MSE", "caret::RMSE"))
    yield paired_figure(
        "R²",
        figures.name,
        figures.r_squared(),
        figures.squared_correlation(),
        "caret::R2 squares the correlation: predictions that are all too high, or on another "
        "scale, lose nothing by it. Payoff's R² compares the misses with those of the mean.",
        ("1 - misses ÷ misses of the mean", "caret::R2, formula 'corr'"),
    )
    yield _same(
        figures,
        "Explained variance",
        figures.explained(),
        ("1 - variance of misses ÷ of outcome", "1 - var(y - f) / var(y)"),
    )
    yield from _deviance_sums(figures, "deviance() of a glm")
    if not figures.is_weighted:
        centred = np.abs(figures.miss - np.median(figures.miss))
        yield paired_figure(
            "Median size of a miss",
            figures.name,
            float(np.median(np.abs(figures.miss))),
            _MAD_FACTOR * float(np.median(centred)),
            "mad() measures from the median miss, not from 0, and multiplies by 1.4826 so that it "
            "estimates the standard deviation of normal misses.",
            ("median absolute error", "mad(y - f)"),
        )
    yield from _quantile(figures, "quantile()")


def _deviance_sums(figures: NumberFigures, theirs: str) -> Iterator[DefinitionRow]:
    for name, value in figures.deviances():
        yield paired_figure(
            name,
            figures.name,
            value,
            value * figures.whole,
            "There the deviance is the sum over the cases, here their mean: a sum grows with the "
            "number of cases, so that files of different size cannot be compared by it.",
            ("mean per case", f"{theirs}, a sum"),
        )


def _quantile(figures: NumberFigures, theirs: str) -> Iterator[DefinitionRow]:
    """The 90 % quantile of the sizes of misses; types are compared where no case is weighted."""
    if figures.is_weighted:
        return
    size = np.abs(figures.miss)
    ours = float(np.quantile(size, _LEVEL, method="averaged_inverted_cdf"))
    figure = "Size of a miss, 90 % quantile"
    if not theirs:
        yield _same(figures, figure, ours, ("type 2, averaged", "PCTLDEF=5, averaged"))
        return
    yield paired_figure(
        figure,
        figures.name,
        ours,
        float(np.quantile(size, _LEVEL)),
        f"{theirs} draws a line between neighbours by default (type 7); Payoff, as SAS, takes the "
        "case at the level, or the mean of two (type 2).",
        ("type 2, averaged", f"{theirs}, type 7"),
    )
