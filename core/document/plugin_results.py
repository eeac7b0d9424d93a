"""What the engine says of plugins: their states, and what they offer."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from core.document.model import MetricChoice
from payoff.counting import counted
from payoff.vocabulary import DataColumn


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricParameter:
    """One number of a metric that the user sets: the depth of a lift. ``unit`` as in MetricInfo."""

    name: str
    words: str
    default: float
    minimum: float = float("-inf")
    maximum: float = float("inf")
    unit: str = ""  # "", "money", "percent"
    choices: tuple[str, ...] = ()  # words of a choice, whose value is a position among them
    aliases: tuple[str, ...] = ()
    choice_aliases: tuple[tuple[str, ...], ...] = ()
    is_whole: bool = False

    def position(self, value: float | str) -> float:
        """A value as a number: the position of a word of ``choices``, the default for another."""
        if not isinstance(value, str):
            return value
        further = self.choice_aliases or ((),) * len(self.choices)
        for place, (word, others) in enumerate(zip(self.choices, further, strict=True)):
            if value.casefold() in (word.casefold(), *others):
                return float(place)
        return self.default


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricInfo:
    """A column of the metric table. ``metric`` is its key; ``choice`` asks for it again."""

    metric: str
    title: str  # "AUC", "Lift, best 2 %"
    direction: str  # "higher", "lower", "none"
    help: str  # one plain sentence
    formula: str
    reference: str
    decimals: int
    unit: str = ""  # "", "money", "percent"
    parameters: tuple[MetricParameter, ...] = ()  # what the dialog of metrics offers
    tasks: tuple[str, ...] = ()  # what it judges: "binary", "regression", ...
    id: str = ""  # of the spec; empty = ``metric``
    columns: tuple[DataColumn, ...] = ()  # of the data that it reads, which the user chooses
    given: tuple[tuple[str, float | str], ...] = ()  # what is not left at its usual value
    aliases: tuple[str, ...] = ()

    def choice(self) -> MetricChoice:
        """The choice of the document that gives this column."""
        return MetricChoice(metric=self.id or self.metric, parameters=self.given)


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
class CurveInfo:
    """A curve of a plugin, as the dialog of charts offers it."""

    curve: str
    title: str  # the question it answers
    subtitle: str  # the field's word
    help: str
    formula: str
    reference: str
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
class TemplateInfo:
    """A decision-matrix plugin as the window offers it."""

    template: str
    label: str
    help: str
    kind: str
    parameters: tuple[tuple[str, str, float], ...]  # name, words, default
    decisions: tuple[str, ...]
    level_words: tuple[str, ...] = ()  # words for event and other classes: "responds", ...
    case_word: tuple[str, str] = ("case", "cases")
    acting: str = ""
    do_nothing: str | None = None
    formula: str = ""
    reference: str = ""
    details: tuple[MetricParameter, ...] = ()  # units and ranges of the parameters, in their order
    is_interval: bool = False  # rows are knots of an outcome that is a number
    knots: tuple[float, ...] = ()  # those it is made for; empty = the user's
    n_levels: int = 0  # classes it is made for; 0 = any number
    amount: str = ""  # the column with an amount of each case to begin with; empty = no amounts
    amount_words: str = ""

    def misfit(self, classes: int) -> str:
        """Say what outcomes it is for where it does not fit; 0 classes = a number."""
        if self.is_interval == (classes > 0):
            return "For numbers" if self.is_interval else "For classes"
        wanted = 0 if self.is_interval else self.n_levels or len(self.level_words)
        return "" if wanted in (0, classes) else f"For {counted(wanted, 'outcome')}"


@dataclass(frozen=True, slots=True, kw_only=True)
class PluginsResult:
    """Everything the registry knows."""

    plugins: tuple[PluginState, ...]
    metrics: tuple[MetricInfo, ...]
    templates: tuple[TemplateInfo, ...]
    curves: tuple[CurveInfo, ...] = ()
    endings: tuple[str, ...] = ()  # of the names of files that readers of third parties open
    usual_losses: tuple[tuple[str, str], ...] = ()  # (task, id of the loss to begin with)

    def usual_loss(self, task: str) -> str:
        """Return the id of the loss that models of a task begin with, or an empty text."""
        return dict(self.usual_losses).get(task, "")
