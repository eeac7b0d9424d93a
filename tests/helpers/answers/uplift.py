"""Shared by tests of uplift."""

from __future__ import annotations

import numpy as np

from core.document.studies.uplift import (
    VarianceStudy,
)


def variance_study() -> VarianceStudy:
    rates, nus = np.array([0.1, 0.3]), np.array([0.0, 0.5, 1.0])
    grid = np.array([[4.0, 1.0, 9.0], [4.0, 1.0, 16.0]]) * 1e-4
    return VarianceStudy(
        models=("sees", "half"), base_rates=rates, nus=nus, variance=np.array([grid, grid]),
        mean=np.zeros((2, 2, 3)), best_nu=np.array([0.25, 0.5]), areas=np.zeros((2, 2, 1, 3)),
    )  # fmt: skip
