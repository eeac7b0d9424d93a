"""Running named checks: each has its own result, whatever the checked code raises."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from payoff.specs import Spec
from payoff.testing.formula_places import checked_formula
from payoff.testing.results import CheckResult, CheckState, ConformanceSheet

KERNEL_CHECKS = (
    "Kernels compile",
    "Compiled kernels agree with plain Python",
    "Compiled kernels are kept",
)
"""Checks that need the engine's compiler: made after all others, see ``kernel_checks``."""

_HOST = Path(__file__).parents[1]

Checked = TypeVar("Checked", bound=Spec)


class CheckFailedError(Exception):
    """A check found something wrong; its text says what."""


@dataclass(frozen=True, slots=True)
class Check(Generic[Checked]):
    """A named check: ``run(spec)`` returns what it found, or raises."""

    name: str
    run: Callable[[Checked], str]


def run_checks(
    spec: Checked, checks: Sequence[Check[Checked]], *, is_all: bool = True
) -> ConformanceSheet:
    """Run checks of a spec; one that fails does not keep the others from running.

    ``is_all``: these are all but those of kernels, so that an announced failure of any other
    check is a slip of the pen.
    """
    reasons = dict(spec.expected_failures)
    results = [_run_one(spec, check, reasons) for check in checks]
    names = {check.name for check in checks} | set(KERNEL_CHECKS)
    results += [
        CheckResult(
            check=name,
            subject=spec.id,
            state=CheckState.FAILED,
            found="a failure is announced, but there is no such check",
        )
        for name in reasons
        if is_all and name not in names
    ]
    return ConformanceSheet(subject=spec.id, results=tuple(results))


def _run_one(spec: Checked, check: Check[Checked], reasons: dict[str, str]) -> CheckResult:
    reason = reasons.get(check.name, "")
    try:
        with np.errstate(all="ignore"):
            found = check.run(spec)
        state = CheckState.PASSED
    except KeyboardInterrupt:
        raise
    except CheckFailedError as error:
        found, state = f"{error}{checked_formula(spec, check.name)}", CheckState.FAILED
    except BaseException as error:
        found, state = f"raised {type(error).__name__}: {error}{place_of(error)}", CheckState.FAILED
    if check.name in reasons:
        if state is CheckState.PASSED:
            found, state = "passed, though a failure is announced", CheckState.FAILED
        elif reason.strip():
            state = CheckState.EXPECTED_FAILURE
    return CheckResult(check=check.name, subject=spec.id, state=state, found=found, reason=reason)


def place_of(error: BaseException) -> str:
    """File and line of the plugin's code that raised, as " (own.py, line 7)".

    It is the last frame that is neither of this package nor of an installed one.
    """
    frames = traceback.extract_tb(error.__traceback__)
    theirs = [frame for frame in frames if not _is_host(Path(frame.filename))]
    return f" ({Path(theirs[-1].filename).name}, line {theirs[-1].lineno})" if theirs else ""


def _is_host(path: Path) -> bool:
    return _HOST in path.parents or "site-packages" in path.parts


def require(is_fine: object, text: str) -> None:
    """Fail the check with a text unless a condition holds."""
    if not is_fine:
        raise CheckFailedError(text)


def require_close(
    found: ArrayLike, wanted: ArrayLike, words: str, *, tolerance: float = 1e-9
) -> str:
    """Fail unless two answers agree (both missing counts as agreeing); return how well they do."""
    first = np.atleast_1d(np.asarray(found, dtype=np.float64))
    second = np.atleast_1d(np.asarray(wanted, dtype=np.float64))
    require(first.shape == second.shape, f"{words}: shapes {first.shape} and {second.shape}")
    are_close = np.isclose(first, second, rtol=tolerance, atol=tolerance, equal_nan=True)
    if not are_close.all():
        place = tuple(np.argwhere(~are_close)[0])
        raise CheckFailedError(f"{words}: {first[place]:.6g} against {second[place]:.6g}")
    finite = np.isfinite(first) & np.isfinite(second)
    worst = np.max(np.abs(first[finite] - second[finite]), initial=0.0)
    return "exact" if worst == 0.0 else f"within {worst:.0e}"
