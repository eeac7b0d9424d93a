"""The conformance kit for plugins: named checks, each with its own result.

``check_plugin(path)`` leads a plugin through every stage that the program leads it through;
``check_distribution``, ``check_metric``, ``check_matrix``, ``check_reader`` and ``check_system``
check one spec at hand. Everything runs in plain Python on small made-up cases; ``check_plugin``
compiles the kernels of losses and metrics too, once all else passes.
``payoff.testing.pytest_plugin`` brings the same to pytest.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import cast

from payoff.testing.conformance import (
    KIT_VERSION,
    check_distribution,
    check_matrix,
    check_metric,
    check_reader,
    check_spec,
    check_system,
)
from payoff.testing.host import DistributionHost, metric_answer, metric_value
from payoff.testing.results import CheckResult, CheckState, ConformanceSheet

__all__ = [
    "KIT_VERSION",
    "CheckResult",
    "CheckState",
    "ConformanceSheet",
    "DistributionHost",
    "check_distribution",
    "check_matrix",
    "check_metric",
    "check_plugin",
    "check_reader",
    "check_spec",
    "check_system",
    "metric_answer",
    "metric_value",
]


def check_plugin(path: str | Path, *, kernels: bool = True) -> ConformanceSheet:
    """Check a plugin folder, ``.py`` file or ``.zip`` from its manifest to its last spec.

    Parameters
    ----------
    path : str or Path
    kernels : bool
        Where all else passes, compile the kernels too, and see in a second process whether the
        compiled ones are kept: some seconds.

    Raises
    ------
    payoff.PayoffError
        If the path does not exist.
    """
    return cast(
        ConformanceSheet, import_module("core.extensions").check_plugin_files(path, kernels=kernels)
    )
