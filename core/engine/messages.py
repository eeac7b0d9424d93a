"""What window and engine say to each other: plain frozen records over one pipe.

Standard library, ``payoff`` and ``core.document`` only: the window imports this module.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Generic, TypeVar

from core.document.data.model import ReaderSettings
from core.document.model import Document, TrainedModel
from core.questions.lanes import Lane
from core.questions.question import Question


class JobState(StrEnum):
    """Where a job stands."""

    PENDING = "pending"
    RUNNING = "running"
    DONE = "done"
    CANCELLED = "cancelled"
    FAILED = "failed"
    LOST = "lost"


@dataclass(frozen=True, slots=True, kw_only=True)
class PreviewArguments:
    """-> PreviewResult. Kind "preview"."""

    path: str
    reader: ReaderSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadArguments:
    """-> TableSummary. Kind "load"."""

    path: str
    reader: ReaderSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterArguments:
    """-> ClusterFacts. Kind "cluster": whether a scheduler answers, and what works for it.

    ``folder`` is to be written by every worker; empty: none is looked at.
    """

    address: str
    folder: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterFacts:
    """A cluster whose workers are this program; ``threads`` are those of all workers."""

    workers: int
    threads: int
    version: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SaveArguments:
    """-> SaveResult. Kind "save_decisions".

    ``columns`` among D, EP, CP, BP, IC, ROI, P; ``decisions`` empty = all; ``use_cursor`` decides
    by the depth at the cursor instead of by the rule.
    """

    document: Document
    model: str
    path: str
    columns: tuple[str, ...] = ("D", "EP")
    decisions: tuple[str, ...] = ()
    keep_columns: tuple[str, ...] = ()  # written along; empty = the id, or the row number
    use_cursor: bool = False
    hold_out: float = 0.0  # share of the chosen kept out of the action
    hold_out_seed: int | None = None  # None: the document's


@dataclass(frozen=True, slots=True, kw_only=True)
class ApplyArguments:
    """-> ApplyResult. Kind "apply"; ``save`` None = look only."""

    document: Document
    model: str
    path: str
    reader: ReaderSettings
    save: SaveArguments | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PluginsArguments:
    """-> PluginsResult. Kind "plugins".

    ``check_again`` finds and checks all plugins anew, ``check`` the one with this id.
    """

    check_again: bool = False
    check: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainArguments:
    """-> TrainResult. Kind "train", long lane; partial results are TrainingCurves.

    Stop keeps the trees: the job then ends DONE with the model so far (CANCELLED only if not one
    tree had been grown). ``settings`` with a ``model_hash`` continue that model's trees to
    ``n_trees``: a checkpoint, or a model that is to grow further.
    """

    document: Document
    settings: TrainedModel


Asked = TypeVar("Asked", bound=Question[Any])


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask(Generic[Asked]):
    """A question, and what it reads of the document. Its kind is the question's key.

    Two that are equal have the same answer: that is what tells a present answer from a former one.
    """

    document: Document
    question: Asked

    @classmethod
    def of(cls, document: Document, question: Asked) -> Ask[Asked]:
        """Return a question to a document: of that it holds the question's view."""
        return cls(document=question.facts.reads.of(document), question=question)


@dataclass(frozen=True, slots=True, kw_only=True)
class JobRequest:
    """One job for the engine."""

    job: int
    kind: str
    arguments: object
    lane: Lane = Lane.LONG
    title: str = ""


def owner_of(arguments: object) -> tuple[str, ReaderSettings] | None:
    """The data that a job is about: a file's content and how it is read. None: no open data.

    What is derived, joined or filtered changes no owner: a training goes on meanwhile.
    """
    document = getattr(arguments, "document", None)
    return owner_of_data(document) if isinstance(document, Document) else None


def is_of_project(arguments: object) -> bool:
    """Whether a job is about the project that asks for it: it ends with it, unless it writes."""
    return any(getattr(arguments, name, None) is not None for name in ("document", "data"))


def owner_of_data(document: Document) -> tuple[str, ReaderSettings] | None:
    """The data of a document, as ``owner_of`` tells them apart."""
    data = document.data
    return None if data is None else (data.own_hash, data.reader)


@dataclass(frozen=True, slots=True, kw_only=True)
class JobProgress:
    """How far a job is: ``fraction`` None = unknown.

    ``is_waiting``: it gave way to what a person asked for, and begins again after it, or its lane
    is not free yet.
    ``is_preparing``: what it needs is being compiled for this computer, once.
    """

    job: int
    fraction: float | None
    stage: str
    partial: object = None
    is_waiting: bool = False
    is_preparing: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class WarmUp:
    """How far the engine is in the background with kernels that have to be compiled.

    ``share`` of the work that is done, 1 at the end; ``compiled`` kernels so far. Never told where
    all kernels are there.
    """

    share: float
    compiled: int

    @property
    def is_done(self) -> bool:
        """Whether all kernels are ready."""
        return self.share >= 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class JobOutcome:
    """The end of a job. ``error`` is a PayoffError (or its like) when failed or lost.

    ``ref`` names the result in the session's result store, if it was kept there.
    """

    job: int
    state: JobState
    result: object = None
    error: Exception | None = None
    seconds: float = 0.0
    ref: str = ""
