"""The conformance kit: every check of a spec, each with its own result."""

from __future__ import annotations

from payoff.deviance import deviance_metric
from payoff.readers import TableReader
from payoff.spec_checks import spec_problems
from payoff.specs import DecisionMatrix, EvaluationMetric, LossDistribution, Spec
from payoff.systems import EvaluationSystem
from payoff.testing.catalogue import (
    ALL_DISTRIBUTION_CHECKS,
    ALL_MATRIX_CHECKS,
    ALL_METRIC_CHECKS,
    READER_CHECKS,
    SPEC_CHECK,
    SYSTEM_CHECKS,
)
from payoff.testing.checks import run_checks
from payoff.testing.results import CheckResult, CheckState, ConformanceSheet, joined

KIT_VERSION = "5"
"""Part of the stamp under which passed checks are remembered; raised when a check changes."""


def check_distribution(spec: LossDistribution) -> ConformanceSheet:
    """Check a loss distribution, its variants for gbm, and the deviance metric that follows."""
    sheets = [_filled_in(spec)]
    if sheets[0].passed:
        variants = [item for item in (spec.gbm, spec.gbm_with_offset) if item is not None]
        sheets += [run_checks(item, ALL_DISTRIBUTION_CHECKS) for item in (spec, *variants)]
        metric = deviance_metric(spec)
        if metric is not None:
            sheets.append(run_checks(metric, ALL_METRIC_CHECKS))
    return joined(spec.id, sheets)


def check_metric(spec: EvaluationMetric) -> ConformanceSheet:
    """Check an evaluation metric."""
    sheet = _filled_in(spec)
    if not sheet.passed:
        return sheet
    return joined(spec.id, [sheet, run_checks(spec, ALL_METRIC_CHECKS)])


def check_matrix(spec: DecisionMatrix) -> ConformanceSheet:
    """Check a decision matrix."""
    sheet = _filled_in(spec)
    if not sheet.passed:
        return sheet
    return joined(spec.id, [sheet, run_checks(spec, ALL_MATRIX_CHECKS)])


def check_reader(spec: TableReader) -> ConformanceSheet:
    """Check a reader, on the small file that it writes itself."""
    sheet = _filled_in(spec)
    if not sheet.passed:
        return sheet
    return joined(spec.id, [sheet, run_checks(spec, READER_CHECKS)])


def check_system(spec: EvaluationSystem) -> ConformanceSheet:
    """Check an evaluation system, drawn over small made-up rows."""
    sheet = _filled_in(spec)
    if not sheet.passed:
        return sheet
    return joined(spec.id, [sheet, run_checks(spec, SYSTEM_CHECKS)])


def check_spec(spec: Spec) -> ConformanceSheet:
    """Check a spec of any family."""
    if isinstance(spec, LossDistribution):
        return check_distribution(spec)
    if isinstance(spec, EvaluationMetric):
        return check_metric(spec)
    if isinstance(spec, TableReader):
        return check_reader(spec)
    if isinstance(spec, EvaluationSystem):
        return check_system(spec)
    return check_matrix(spec)


def _filled_in(spec: Spec) -> ConformanceSheet:
    """Ask whether the spec is filled in sensibly, before any of its functions runs."""
    problems = spec_problems(spec)
    result = CheckResult(
        check=SPEC_CHECK,
        subject=spec.id,
        state=CheckState.FAILED if problems else CheckState.PASSED,
        found=" ".join(problems),
    )
    return ConformanceSheet(subject=spec.id, results=(result,))
