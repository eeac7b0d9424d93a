"""What every worker of a Dask cluster does before its first task, those to come as well.

Imported only where a cluster is named.
"""

from __future__ import annotations

from typing import Any, Protocol

from distributed import WorkerPlugin


class Taken(Protocol):
    """Something that is sent to workers, and is taken there once."""

    @property
    def key(self) -> str:
        """What tells it apart."""

    def take(self) -> None:
        """Take it, in the worker."""


class TakeFirst(WorkerPlugin):
    """Has every worker take something."""

    def __init__(self, sent: Taken) -> None:
        self.name, self.sent = sent.key, sent

    def setup(self, worker: Any) -> None:
        """Take it."""
        del worker
        self.sent.take()


__all__ = ["TakeFirst", "Taken"]
