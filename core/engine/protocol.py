"""Records that only the client and its engines exchange. Nothing heavy: the window imports it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from core.engine.messages import JobRequest
from core.engine.options import EngineOptions

Handler = Callable[..., Any]
HandlerSource = Callable[[], Mapping[str, Handler]]


class EngineRole(StrEnum):
    """``MAIN`` runs built-in code only; ``PLUGINS`` runs jobs that call third-party code."""

    MAIN = "main"
    PLUGINS = "plugins"


@dataclass(frozen=True, slots=True)
class Submit:
    """Client -> engine: run this; ``slot`` is its stop byte."""

    request: JobRequest
    slot: int


@dataclass(frozen=True, slots=True)
class Blame:
    """Client -> engine: this plugin ended or held an engine; quarantine it."""

    plugin: str
    stage: str
    why: str


@dataclass(frozen=True, slots=True)
class Ready:
    """Engine -> client: the loop runs."""


@dataclass(frozen=True, slots=True)
class Begun:
    """Engine -> client: the job is being worked on; before that, a death is not its doing."""

    job: int


@dataclass(frozen=True, slots=True)
class Reroute:
    """Main engine -> client: the job calls third-party plugins; the other engine must run it."""

    job: int


@dataclass(frozen=True, slots=True)
class EngineSetup:
    """Everything a new engine process is given."""

    role: EngineRole
    options: EngineOptions
    handlers: HandlerSource
    blamed: tuple[Blame, ...]
