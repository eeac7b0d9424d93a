"""Records that only the client and its engines exchange. Standard library only."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from core.engine.messages import JobRequest


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
