"""Data that scripts read in pieces: which those are, who is told how far it is, their opening."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from dataclasses import fields
from typing import Any, Protocol

from core.assembly.pieces.opened import Pieces, pieces_of
from core.document.data.limits import LIMITS
from core.document.data.model import DataRef
from core.document.model import Role, RoleAssignment, TargetSpec
from core.engine.context import JobContext, ProgressCall
from core.scale.reading import OutcomeSummary
from core.scale.sources import is_streamed
from core.script.session import document_of_roles, engine, reporting_reader

_watching: ContextVar[ProgressCall | None] = ContextVar("payoff_watching", default=None)


class RequestInPieces(Protocol):
    """What every request says of its data, and of where and how they are read."""

    @property
    def data(self) -> Any:
        """Paths or batches."""

    @property
    def memory(self) -> float | str | None:
        """How much of it may be taken."""

    @property
    def scratch(self) -> str | None:
        """A folder for what is written meanwhile."""

    @property
    def dask(self) -> Any:
        """Where tasks run."""


def current_watcher() -> ProgressCall | None:
    """Who is told how far work in pieces is."""
    return _watching.get()


@contextmanager
def watched_by(progress: ProgressCall) -> Iterator[None]:
    """Tell how far work inside is, where its data are read in pieces."""
    before = _watching.set(progress)
    try:
        yield
    finally:
        _watching.reset(before)


def is_in_pieces(data: Any, memory: float | str | None, cluster: Any = None) -> bool:
    """Whether data are read in pieces: with a memory or a cluster, and wherever only so."""
    return memory is not None or cluster is not None or is_streamed(data)


def opened_pieces(
    request: RequestInPieces, columns: tuple[str, ...]
) -> AbstractContextManager[Pieces]:
    """Open the data of a request, of which these columns are needed.

    Raises
    ------
    PayoffError
        As ``pieces_of``.
    """
    return pieces_of(
        request.data,
        columns,
        reporting_reader(),
        JobContext(engine().workbench, on_progress=current_watcher()),
        memory=request.memory,
        scratch=request.scratch,
        cluster=request.dask,
        question=repr(request),
    )


def refuse_arguments(request: RequestInPieces, place: str) -> None:
    """Refuse arguments that ask for what is not there.

    Raises
    ------
    PayoffError
        With why, and what would help.
    """
    defaults = {entry.name: entry.default for entry in fields(type(request))}  # type: ignore[arg-type]  # requests are dataclasses
    for limit in LIMITS.values():
        for name in limit.arguments if limit.place == place else ():
            if getattr(request, name) is not defaults[name]:
                raise limit.refusal(f"{name}=")


def outcome_levels(
    pieces: Pieces, column: str, condition: str | None, missing_outcomes: str, most_levels: int
) -> OutcomeSummary:
    """Levels of a column that is an outcome, and their rows, and rows without one."""
    plain = document_of_roles(
        DataRef(path=pieces.source.name),
        TargetSpec(column=column, kind="interval"),
        (RoleAssignment(column=column, role=Role.TARGET),),
        condition,
        missing_outcomes,
    )
    return pieces.outcome(plain, most_levels)


__all__ = [
    "current_watcher",
    "is_in_pieces",
    "opened_pieces",
    "outcome_levels",
    "refuse_arguments",
    "watched_by",
]
