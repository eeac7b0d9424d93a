"""What is known of one plugin on its way from found to active, and the words for it.

What is remembered between starts: passed conformance checks and quarantined plugins.

Both are JSON, keyed by the content of the plugin's files, so that a changed plugin is looked at
afresh. A file that is missing or damaged counts as empty.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from core.document.files.atomic import write_atomically
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


def shelf_of(spec: Spec) -> str:
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
    shelf = shelf_of(spec)
    return f"{words.get(shelf, shelf)} {spec.id}: {spec.label}"


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """Why a plugin is in quarantine."""

    stage: str
    why: str
    traceback: str = ""


class JsonMemory:
    """A small JSON table on disk; without a path it lasts as long as the process."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self._table: dict[str, Any] = _read(path)

    def get(self, key: str, content: str) -> Any:
        """Return the entry of a key if it was made for the same content, else None."""
        entry = self._table.get(key)
        if isinstance(entry, dict) and entry.get("content") == content:
            return entry.get("value")
        return None

    def values(self) -> dict[str, Any]:
        """Every entry by its key, whatever content it was made for."""
        entries = {key: entry for key, entry in self._table.items() if isinstance(entry, dict)}
        return {key: entry.get("value") for key, entry in entries.items()}

    def put(self, key: str, content: str, value: Any) -> None:
        """Keep a value; a disk that cannot be written is no reason to fail."""
        self._table[key] = {"content": content, "value": value}
        self._write()

    def forget(self, key: str) -> None:
        """Drop the entry of a key."""
        if self._table.pop(key, None) is not None:
            self._write()

    def _write(self) -> None:
        if self.path is None:
            return
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(self.path, json.dumps(self._table, indent=1).encode("utf-8"))
        except OSError:
            self.path = None


def fault_to_json(fault: Fault) -> dict[str, str]:
    """Plain form of a fault."""
    return asdict(fault)


def fault_from_json(value: object) -> Fault | None:
    """The fault, or None for a damaged entry."""
    if not isinstance(value, Mapping):
        return None
    texts: dict[str, Any] = {key: value.get(key) for key in ("stage", "why", "traceback")}
    if not all(isinstance(text, str) for text in texts.values()):
        return None
    return Fault(**texts)


def sheet_to_json(sheet: ConformanceSheet) -> dict[str, Any]:
    """Plain form of a conformance sheet."""
    return asdict(sheet)


def sheet_from_json(value: Any) -> ConformanceSheet | None:
    """The sheet, or None for a damaged entry."""
    try:
        results = tuple(
            CheckResult(**{**item, "state": CheckState(item["state"])}) for item in value["results"]
        )
        return ConformanceSheet(subject=value["subject"], results=results)
    except (TypeError, KeyError, ValueError):
        return None


def _read(path: Path | None) -> dict[str, Any]:
    if path is None:
        return {}
    try:
        table = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return table if isinstance(table, dict) else {}
