"""What is known of one plugin on its way from found to active, and the words for it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass

from core.document.plugin_results import PluginCheck, PluginState
from core.extensions.finding import FoundPlugin
from payoff.counting import counted
from payoff.manifest import Manifest
from payoff.readers import TableReader
from payoff.specs import EvaluationMetric, LossDistribution, Spec
from payoff.systems import EvaluationSystem
from payoff.testing.catalogue import KERNEL_CHECKS, PLUGIN_CHECKS, SPEC_CHECK
from payoff.testing.results import CheckResult, CheckState, ConformanceSheet
from payoff.vocabulary import MetricOutput

RESERVED_PREFIX = "payoff."
CALL_LIMIT = 20.0
"""Seconds that one stage of one third-party plugin may take."""

COMPILE_LIMIT = 120.0
"""Seconds that the kernels of one plugin may take to be compiled, when they are checked."""

ACTIVE, QUARANTINED, OFF, DOES_NOT_FIT, CHECKING = (
    "active",
    "quarantined",
    "off",
    "does_not_fit",
    "checking",
)
FOUND, MANIFEST, API, ENABLED, IMPORT, REGISTER, SPECS, CONFORMANCE, COMPILING = (
    "found",
    "manifest",
    "contract version",
    "enabled",
    "import",
    "registration",
    "specs",
    "conformance check",
    "compiling",
)

MANIFEST_CHECK, ID_CHECK, API_CHECK, IMPORT_CHECK, HOOKS_CHECK, NAMES_CHECK, STATE_CHECK = (
    PLUGIN_CHECKS
)
_CHECKS_UP_TO = {FOUND: 0, MANIFEST: 1, API: 3, ENABLED: 3, IMPORT: 4, REGISTER: 5, SPECS: 6}
"""Stage -> how many checks of the plugin as a whole have been made when it is reached."""

CHECKS_OF_STAGES = {
    MANIFEST: MANIFEST_CHECK,
    IMPORT: IMPORT_CHECK,
    REGISTER: HOOKS_CHECK,
    SPECS: SPEC_CHECK,
    CONFORMANCE: SPEC_CHECK,
    COMPILING: KERNEL_CHECKS[0],
}
"""Stage -> the check that fails where plugin code raises in it."""

Watch = Callable[[str, str, float], AbstractContextManager[None]]
"""Called as ``watch(plugin, stage, limit in seconds)`` around every call of plugin code."""


def unwatched(plugin: str, stage: str, limit: float) -> AbstractContextManager[None]:
    """The watch of a registry that nobody watches."""
    return nullcontext()


@dataclass(kw_only=True)
class PluginRecord:
    """One plugin on its way from found to active.

    ``failing`` is the check of the plugin as a whole that it did not pass, if any.
    """

    found: FoundPlugin
    content: str = ""
    manifest: Manifest | None = None
    state: str = CHECKING
    stage: str = FOUND
    why: str = ""
    traceback: str = ""
    specs: tuple[Spec, ...] = ()
    sheet: ConformanceSheet | None = None
    failing: str = ""
    seconds: float = 0.0

    @property
    def plugin(self) -> str:
        """The id, or the file's name as long as there is no manifest."""
        return self.manifest.id if self.manifest else self.found.fallback_name

    def public(self) -> PluginState:
        """The record as the window shows it."""
        manifest = self.manifest
        return PluginState(
            plugin=self.plugin,
            name=manifest.name if manifest else self.found.fallback_name,
            version=manifest.version if manifest else "",
            families=manifest.families if manifest else (),
            author=manifest.author if manifest else "",
            licence=manifest.licence if manifest else "",
            description=manifest.description if manifest else "",
            path=str(self.found.path),
            api=str(manifest.api) if manifest else "",
            checks=tuple(
                PluginCheck(
                    check=item.check,
                    subject=item.subject,
                    state=item.state.value,
                    found=item.found,
                    reason=item.reason,
                )
                for item in self.sheet or ()
            ),
            source=self.found.source,
            state=self.state,
            stage=self.stage,
            why=self.why,
            traceback=self.traceback,
            adds=tuple(added_words(spec) for spec in self.specs)
            or (manifest.families if manifest else ()),
        )


def spec_family_of(spec: Spec) -> str:
    """The shelf a spec is served from: ids are unique on a shelf."""
    if isinstance(spec, EvaluationMetric):
        return "curve" if spec.output == MetricOutput.CURVE else "metric"
    if isinstance(spec, TableReader):
        return "reader"
    if isinstance(spec, EvaluationSystem):
        return "system"
    return "distribution" if isinstance(spec, LossDistribution) else "matrix"


def added_words(spec: Spec) -> str:
    """What a plugin adds, one spec at a time."""
    words = {"matrix": "decision matrix", "system": "evaluation system"}
    specs = spec_family_of(spec)
    return f"{words.get(specs, specs)} {spec.id}: {spec.label}"


def exception_words(error: BaseException) -> str:
    """Say what a plugin raised, in one sentence."""
    if isinstance(error, SystemExit):
        return "It tried to end the program."
    return (
        f"{type(error).__name__}: {error}" if str(error) else f"It raised {type(error).__name__}."
    )


def failure_words(failures: tuple[CheckResult, ...]) -> str:
    """The first failed check in words, and how many more there are."""
    first = failures[0]
    more = f" And {len(failures) - 1} more." if len(failures) > 1 else ""
    found = f": {first.found}" if first.found else ""
    return f"{first.subject}: the check '{first.check}' failed{found}.{more}"


def way_so_far(record: PluginRecord) -> ConformanceSheet:
    """The checks of the plugin as a whole, up to where it has come."""
    failing = record.failing
    names = PLUGIN_CHECKS[: _CHECKS_UP_TO.get(record.stage, len(PLUGIN_CHECKS))]
    if failing:
        names = (*names[: names.index(failing)], failing) if failing in names else (*names, failing)
    results = [
        CheckResult(
            check=name,
            subject=record.plugin,
            state=CheckState.FAILED if name == failing else CheckState.PASSED,
            found=record.why if name == failing else _found_on_the_way(record, name),
        )
        for name in names
    ]
    return ConformanceSheet(subject=record.plugin, results=tuple(results))


def _found_on_the_way(record: PluginRecord, check: str) -> str:
    manifest = record.manifest
    if manifest is not None and check == MANIFEST_CHECK:
        return f"{manifest.name} {manifest.version}, {manifest.licence}"
    if manifest is not None and check == API_CHECK:
        return f"contract {manifest.api}"
    if check == HOOKS_CHECK and record.specs:
        return counted(len(record.specs), "spec")
    return ""
