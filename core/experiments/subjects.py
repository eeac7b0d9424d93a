"""Subjects: random linear models, drawn independently of the conditions they will meet."""

from __future__ import annotations

import math

import numpy as np

from core.document.experiments.spec import FORMS, SAMPLERS
from payoff.counting import counted
from payoff.errors import PayoffError, no_such
from payoff.systems import Subjects
from payoff.types import FloatArray


def open_uniform(draw: np.random.Generator, shape: tuple[int, ...]) -> tuple[FloatArray, int]:
    """Uniform numbers with both ends left out, and how many had to be drawn again."""
    u = draw.random(shape)
    redrawn = 0
    while True:
        at_end = (u <= 0.0) | (u >= 1.0)
        count = int(at_end.sum())
        if not count:
            return u, redrawn
        redrawn += count
        u[at_end] = draw.random(count)


def draw_subjects(
    draw: np.random.Generator,
    rows: int,
    parameters: int,
    sampler: str,
    *,
    form: str = "auto",
    mean: tuple[float, ...] = (),
    root: FloatArray | None = None,
) -> Subjects:
    """Draw a subject for every row.

    Parameters
    ----------
    sampler : str
        "sigmoid" (theta = ln(u / (1 - u)), standard logistic), "arctan" (theta = tan(pi (u - 1/2)),
        standard Cauchy, which has no mean), "gaussian" (N(mean, covariance)).
    form : str
        T(S): "theta", or "uniform" / "auto": u - 1/2 for sigmoid and arctan.
    mean : tuple of float
        Of gaussian subjects; empty = 0.
    root : float64 (d, d), optional
        From ``covariance_root``; None = the identity.
    """
    if sampler not in SAMPLERS:
        raise no_such("sampler", sampler, SAMPLERS)
    if form not in FORMS:
        raise PayoffError(f"T(S) cannot be '{form}'.", remedy=f"There are: {', '.join(FORMS)}.")
    if sampler == "gaussian":
        theta = draw.standard_normal((rows, parameters))
        if root is not None:
            theta = theta @ root.T
        if mean:
            theta = theta + np.asarray(mean)
        return Subjects(theta=theta, features=theta)
    u, redrawn = open_uniform(draw, (rows, parameters))
    theta = np.log(u / (1.0 - u)) if sampler == "sigmoid" else np.tan(math.pi * (u - 0.5))
    return Subjects(theta=theta, features=theta if form == "theta" else u - 0.5, redrawn=redrawn)


def check_mean(mean: tuple[float, ...], parameters: int) -> None:
    """Refuse a mean of another length."""
    if mean and len(mean) != parameters:
        raise PayoffError(
            f"The mean has {counted(len(mean), 'value')} for {counted(parameters, 'parameter')}.",
            where="gaussian sampling",
        )


def covariance_root(
    covariance: tuple[tuple[float, ...], ...], parameters: int
) -> FloatArray | None:
    """A matrix whose product with its transpose is the covariance; None for the identity.

    Raises
    ------
    PayoffError
        For a matrix of another size, that is not symmetric, or has a negative eigenvalue.
    """
    if not covariance:
        return None
    where = "gaussian sampling, covariance"
    widths = {len(row) for row in covariance}
    if len(covariance) != parameters or widths != {parameters}:
        shown = f"{len(covariance)} x {'/'.join(str(w) for w in sorted(widths))}"
        raise PayoffError(
            f"The covariance is {shown}; a subject has {counted(parameters, 'parameter')}.",
            where=where,
        )
    matrix = np.asarray(covariance, dtype=np.float64)
    if not np.isfinite(matrix).all():
        raise PayoffError("The covariance holds a number that is not finite.", where=where)
    gap = np.abs(matrix - matrix.T)
    if gap.max() > 1e-10 * max(1.0, float(np.abs(matrix).max())):
        row, column = np.unravel_index(int(gap.argmax()), gap.shape)
        raise PayoffError(
            "The covariance is not symmetric.",
            where=f"{where}, row {row + 1}, column {column + 1}",
            why=f"{matrix[row, column]:g} stands opposite {matrix[column, row]:g}.",
        )
    values, vectors = np.linalg.eigh(matrix)
    if values[0] < -1e-10 * max(1.0, float(values[-1])):
        raise PayoffError(
            "The covariance is not positive semidefinite.",
            where=where,
            why=f"Its smallest eigenvalue is {values[0]:.4g}.",
            remedy="Every combination of parameters needs a variance of 0 or more.",
        )
    root: FloatArray = vectors * np.sqrt(np.maximum(values, 0.0))
    return root
