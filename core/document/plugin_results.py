"""What the engine says of plugins: their states, what they offer, the files that hold them.

What the engine says of plugins: their states, and what they offer.

What window and engine say to each other about files that hold plugins.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from core.document.model import MetricChoice
from payoff.facts import MatrixFacts, SpecFacts
from payoff.vocabulary import DataColumn


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricInfo(SpecFacts):
    """A column of the metric table. ``metric`` is its key; ``choice`` asks for it again."""

    metric: str
    title: str  # "AUC", "Lift, best 2 %"
    direction: str  # "higher", "lower", "none"
    decimals: int
    unit: str = ""  # "", "money", "percent"
    tasks: tuple[str, ...] = ()  # what it judges: "binary", "regression", ...
    columns: tuple[DataColumn, ...] = ()  # of the data that it reads, which the user chooses
    given: tuple[tuple[str, float | str], ...] = ()  # what is not left at its usual value
    aliases: tuple[str, ...] = ()

    def choice(self) -> MetricChoice:
        """The choice of the document that gives this column."""
        return MetricChoice(metric=self.id, parameters=self.given)


def settled_choice(choice: MetricChoice, offered: Iterable[MetricInfo]) -> MetricChoice:
    """A choice by the id and the parameters' own names, values as numbers; else as it is."""
    infos = [info for info in offered if choice.metric in (info.metric, *info.aliases)]
    if not infos:
        return choice
    info = next((entry for entry in infos if entry.metric == choice.metric), infos[0])
    columns = {entry.name for entry in info.columns}
    given: dict[str, float | str] = {
        name: value for name, value in choice.parameters if name in columns
    }
    given |= {
        entry.name: entry.position(value)
        for name, value in choice.parameters
        for entry in info.parameters
        if name in (entry.name, *entry.aliases)
    }
    return MetricChoice(metric=info.metric, parameters=tuple(given.items()))


@dataclass(frozen=True, slots=True, kw_only=True)
class CurveInfo(SpecFacts):
    """A curve of a plugin, as the dialog of charts offers it."""

    title: str  # the question it answers
    tasks: tuple[str, ...]
    axis: str
    is_split: bool = False  # several lines of one model


@dataclass(frozen=True, slots=True, kw_only=True)
class PluginCheck:
    """One check of the conformance kit: state in passed, failed, expected failure."""

    check: str
    subject: str
    state: str
    found: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PluginState:
    """One plugin: state in active, quarantined, off, does_not_fit, checking."""

    plugin: str
    name: str
    version: str
    source: str  # "built in", "user folder", "shared folder", "package"
    state: str
    stage: str = ""
    why: str = ""
    traceback: str = ""
    adds: tuple[str, ...] = ()
    families: tuple[str, ...] = ()
    author: str = ""
    licence: str = ""
    description: str = ""
    path: str = ""
    api: str = ""  # versions of the contract it is written for: ">=1,<2"
    checks: tuple[PluginCheck, ...] = ()  # the conformance sheet, where one was made


@dataclass(frozen=True, slots=True, kw_only=True)
class PluginsResult:
    """Everything the registry knows."""

    plugins: tuple[PluginState, ...]
    metrics: tuple[MetricInfo, ...]
    templates: tuple[MatrixFacts, ...]
    curves: tuple[CurveInfo, ...] = ()
    endings: tuple[str, ...] = ()  # of the names of files that readers of third parties open
    usual_losses: tuple[tuple[str, str], ...] = ()  # (task, id of the loss to begin with)

    def usual_loss(self, task: str) -> str:
        """Return the id of the loss that models of a task begin with, or an empty text."""
        return dict(self.usual_losses).get(task, "")


@dataclass(frozen=True, slots=True, kw_only=True)
class PluginOffering:
    """One plugin of a file.

    ``change``: "new", "update", "same" or "older" beside ``installed_version``. ``is_listed``: its
    files are listed with their hashes, and are unchanged. ``packages``: what it brings along.
    """

    plugin: str
    name: str
    version: str
    licence: str
    author: str
    description: str
    families: tuple[str, ...]
    files: int
    size_bytes: int
    is_listed: bool
    packages: tuple[str, ...]
    change: str
    installed_version: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LookIntoPluginArguments:
    """-> PluginOfferings: what a file would install; nothing of it is run. Kind "plugin_file"."""

    path: str


@dataclass(frozen=True, slots=True, kw_only=True)
class InstallPluginArguments:
    """-> PluginOfferings: what was installed. Kind "install_plugin"."""

    path: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RemovePluginArguments:
    """-> PluginOfferings, empty. Kind "remove_plugin"."""

    plugin: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PluginsAtWork:
    """Why installing or removing waits: jobs that may be using plugins, by their titles.

    ``is_elsewhere``: those of another window, whose titles are not known here. Sent as the
    partial result of "install_plugin" and "remove_plugin".
    """

    jobs: tuple[str, ...]
    is_elsewhere: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PluginOfferings:
    """The plugins of a file, in its order, and the folder they go to."""

    folder: str
    plugins: tuple[PluginOffering, ...] = ()
