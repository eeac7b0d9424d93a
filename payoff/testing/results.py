"""What the conformance kit finds: one result per check, gathered in sheets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum


class CheckState(StrEnum):
    """How a check ended."""

    PASSED = "passed"
    FAILED = "failed"
    EXPECTED_FAILURE = "expected failure"


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckResult:
    """One check of one spec (or of a plugin as a whole).

    Attributes
    ----------
    check : str
        Name of the check: "Gradient matches the loss".
    subject : str
        Id of the spec or plugin.
    state : CheckState
    found : str
        What was found, in a few words: "0.40 stated, 0.80 measured".
    reason : str
        Why a failure is expected, as the spec says.
    """

    check: str
    subject: str
    state: CheckState
    found: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConformanceSheet:
    """All checks of a plugin or spec."""

    subject: str
    results: tuple[CheckResult, ...]

    @property
    def passed(self) -> bool:
        """Whether no check failed unexpectedly."""
        return not self.failures

    @property
    def failures(self) -> tuple[CheckResult, ...]:
        """The checks that failed unexpectedly."""
        return tuple(item for item in self.results if item.state is CheckState.FAILED)

    def result(self, check: str, subject: str | None = None) -> CheckResult:
        """Return the result of a check by name (of one spec).

        Raises
        ------
        KeyError
            If there is none.
        """
        for item in self.results:
            if item.check == check and subject in (None, item.subject):
                return item
        raise KeyError(check)

    def __iter__(self) -> Iterator[CheckResult]:
        return iter(self.results)

    def __str__(self) -> str:
        return "\n".join(
            f"{item.state.value:16} {item.subject}: {item.check}"
            + (f" ({item.found})" if item.found else "")
            for item in self.results
        )


def joined(subject: str, sheets: Iterable[ConformanceSheet]) -> ConformanceSheet:
    """Put several sheets into one."""
    return ConformanceSheet(
        subject=subject, results=tuple(result for sheet in sheets for result in sheet.results)
    )
