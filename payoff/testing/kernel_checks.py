"""Checks of compiled kernels: the kit's numbers once more, from what the engine's compiler makes.

The kit runs in plain Python and knows no compiler; who runs these checks hands one in.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

import numpy as np

from payoff.errors import PayoffError
from payoff.specs import EvaluationMetric, LossDistribution, Spec
from payoff.testing.checks import (
    KERNEL_CHECKS,
    Check,
    CheckFailedError,
    require,
    require_close,
    run_checks,
)
from payoff.testing.distribution_checks import SEED, leaves_of, made_up, random_scores
from payoff.testing.host import metric_answer
from payoff.testing.metric_checks import sample_of
from payoff.testing.results import ConformanceSheet, joined
from payoff.types import FloatArray

COMPILES, AGREES, KEPT = KERNEL_CHECKS

Compiler = Callable[[Callable[..., Any]], Callable[..., Any]]
"""Gives the compiled form of a kernel, or of a plain function that calls some; else the same."""


class NotCompiledError(Exception):
    """A kernel cannot be compiled; its text says why and where."""


def with_compiled(spec: Spec, compiler: Compiler) -> Spec | None:
    """The spec with every kernel in its compiled form; None where it has no kernel.

    Raises
    ------
    NotCompiledError
        Here or when a kernel is first called: compilers look at a kernel with its arguments.
    """
    if not isinstance(spec, LossDistribution | EvaluationMetric):
        return None
    changed: dict[str, Any] = {}
    for item in fields(spec):
        function = getattr(spec, item.name)
        if not callable(function):
            continue
        try:
            compiled = compiler(function)
        except PayoffError as error:
            raise NotCompiledError(f"{item.name}: {error}") from error
        if compiled is not function:
            changed[item.name] = _named(function, compiled, item.name)
    return replace(spec, **changed) if changed else None


def answers(spec: Spec) -> dict[str, FloatArray]:
    """What the functions of a loss or metric give on made-up cases, each in words."""
    with np.errstate(all="ignore"):
        if isinstance(spec, LossDistribution):
            return _loss_answers(spec)
        assert isinstance(spec, EvaluationMetric)
        return {
            f"value of the task '{task}'": metric_answer(spec, sample_of(spec, task))
            for task in spec.tasks
        }


def check_kernels(spec: Spec, compiler: Compiler) -> ConformanceSheet:
    """Check that the kernels of a spec compile, and then agree with plain Python.

    A spec without kernels gives an empty sheet.
    """
    found: dict[str, FloatArray] = {}

    def compiles(checked: Spec) -> str:
        """Fail where a kernel cannot be compiled, and keep what the compiled ones give."""
        try:
            compiled = with_compiled(checked, compiler)
            found.update({} if compiled is None else answers(compiled))
        except NotCompiledError as error:
            raise CheckFailedError(str(error)) from error
        return f"answers: {len(found)}"

    def agrees(checked: Spec) -> str:
        """Hold what was kept against plain Python."""
        for words, plain in answers(checked).items():
            require_close(found[words], plain, f"{words}, compiled and as plain Python")
        return f"answers: {len(found)}"

    try:
        if with_compiled(spec, compiler) is None:
            return ConformanceSheet(subject=spec.id, results=())
    except NotCompiledError:
        pass  # the first check says so
    sheet = run_checks(spec, [Check(COMPILES, compiles)], is_all=False)
    if not found:
        return sheet
    return joined(spec.id, [sheet, run_checks(spec, [Check(AGREES, agrees)], is_all=False)])


def check_kept(spec: Spec, made_again: tuple[str, ...]) -> ConformanceSheet:
    """Check that nothing had to be compiled again at a second start.

    Parameters
    ----------
    spec : Spec
    made_again : tuple of str
        Names of the functions that were.
    """

    def kept(_: Spec) -> str:
        """Fail with the names of what was compiled again."""
        names = ", ".join(made_again)
        require(not made_again, f"compiled again at the second start: {names}")
        return "nothing was compiled again at the second start"

    return run_checks(spec, [Check(KEPT, kept)], is_all=False)


def _named(
    function: Callable[..., Any], compiled: Callable[..., Any], field: str
) -> Callable[..., Any]:
    """A compiled function whose refusal names the field that it fills."""

    @functools.wraps(function)
    def call(*arguments: Any) -> Any:
        """Call the compiled function."""
        try:
            return compiled(*arguments)
        except NotCompiledError as error:
            raise NotCompiledError(f"{field}: {error}") from error

    return call


def _loss_answers(spec: LossDistribution) -> dict[str, FloatArray]:
    host = made_up(spec)
    score = random_scores(host)
    weight = np.random.default_rng(SEED).uniform(0.5, 2.0, host.size)
    gradient, curvature = host.gradients(score, weight)
    prediction = host.responses(score)
    given = {
        "loss": host.losses(score, weight),
        "gradient": gradient,
        "curvature": curvature,
        "initial score": host.initial_score(weight, np.zeros_like(score)),
        "leaf values": host.leaf_values(score, weight, *leaves_of(host.size), 0),
        "prediction": prediction,
        "link": host.links(prediction),
    }
    for name, function, inputs in (
        ("saturated loss", spec.saturated, (host.outcome,)),
        ("deviance", spec.deviance, (host.outcome, prediction)),
    ):
        if function is not None:
            given[name] = np.full(host.size, np.nan)
            function(*inputs, host.parameters, given[name], 0, host.size)
    return given
