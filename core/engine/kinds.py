"""The kinds of jobs: every fact about a kind is declared here, once.

What the client, the queues, routing, the result store and the handlers know of a kind is read from
its declaration; a question is a kind that says of itself what there is to know. The others are no
questions to a project: they read a file that belongs to none, train a model, write a file, or look
at and change the plugins here. As light as ``core.engine.messages``: the window imports this module
too.

The handlers of all kinds of jobs, found by their names.

A module is imported when its first job comes: an engine that is asked for one page does not wait
for what the others need.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from typing import Any

from core.document import views
from core.document.model import Document
from core.document.views import DocumentView
from core.engine.protocol import Handler
from core.questions.lanes import Lane
from core.questions.question import Question, questions

EVERY_FAMILY = "*"
NAMING_PLUGINS = frozenset({"models", "metrics", "charts", "matrix"})
"""Fields of the document that name plugins."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JobKind:
    """What is known of a kind of job.

    Attributes
    ----------
    key : str
        What a request names.
    place : str
        ``module:function`` of its handler, ``(arguments, context) -> result``; imported when its
        first job comes.
    lane : Lane
        Where it goes if the caller names none.
    result : str
        ``module:class`` of the record that is kept in the result store; empty: it is not kept.
    is_fresh : bool
        Done anew every time, although its result is kept for the window.
    reads : DocumentView, optional
        What it is handed of the document in its arguments: nothing else reaches its handler, and
        plugins that the view names are those that it calls. None: its arguments hold no document.
    lists : tuple of str
        Families of plugins that it looks at whole, whether the document names them or not.
    writes : bool
        It leaves a file behind: it ends although its data are no longer open.
    changes_plugins : bool
        It writes into the plugin folder: it waits for jobs that use plugins.
    kernels : int
        About how many kernels it calls where no cache holds any, counted on a plain binary file;
        0: not counted.
    """

    key: str
    place: str
    lane: Lane = Lane.LONG
    result: str = ""
    is_fresh: bool = False
    reads: DocumentView | None = None
    lists: tuple[str, ...] = ()
    writes: bool = False
    changes_plugins: bool = False
    kernels: int = 0

    @property
    def calls_plugins(self) -> bool:
        """Whether it calls plugins that the document names: its result is one of their versions."""
        return self.reads is not None and not self.reads.names.isdisjoint(NAMING_PLUGINS)

    def handed(self, arguments: Any) -> Any:
        """The arguments as its handler is given them: of the document they hold its view alone."""
        document = getattr(arguments, "document", None)
        if self.reads is None or not isinstance(document, Document):
            return arguments
        return replace(arguments, document=self.reads.of(document))


def _job(key: str, place: str, **facts: Any) -> JobKind:
    return JobKind(key=key, place=f"core.engine.jobs.{place}", **facts)


DECLARED: tuple[JobKind, ...] = (
    # page Data
    _job("preview", "data:preview_file", lane=Lane.LOOK),
    _job(
        "load",
        "data:load_file",
        lane=Lane.OPEN,
        result="core.document.data.results:TableSummary",
        is_fresh=True,
        kernels=3,
    ),
    _job("cluster", "data:look_at_cluster", lane=Lane.LOOK),
    _job("make_table", "data:make_table", lane=Lane.OPEN),
    _job("second_file", "data:inspect_file", lane=Lane.LOOK, reads=views.TABLE),
    _job("export_data", "data:export_data", writes=True, reads=views.TABLE),
    _job("export_cells", "data:export_cells", writes=True, reads=views.TABLE),
    # page Models
    _job("train", "models.training:train_model", lane=Lane.TRAIN, kernels=90, reads=views.TRAINING),
    _job("import_model", "models.model_files:import_model_file", reads=views.MODELS),
    _job("export_onnx", "models.model_files:export_onnx", writes=True, reads=views.MODELS),
    # page Compare
    _job("horizon_file", "compare.horizon_file:write_horizon", writes=True, reads=views.MODELS),
    # page Decide
    _job("save_decisions", "decide.saving:save_decisions", writes=True, reads=views.WRITTEN_RULE),
    _job("apply", "decide.rules:apply_rule", writes=True, reads=views.WRITTEN_RULE),
    _job("read_matrix", "decide.rules:import_matrix", lane=Lane.QUICK, reads=views.OUTCOME),
    _job(
        "write_matrix",
        "decide.rules:export_matrix",
        lane=Lane.QUICK,
        writes=True,
        reads=views.RANKED,
    ),
    _job(
        "export_rule",
        "decide.rules:export_document",
        writes=True,
        reads=views.WRITTEN_RULE,
    ),
    # page Uplift
    _job("save_uplift", "uplift:save_uplift", writes=True, reads=views.WRITTEN_EXPERIMENT),
    # page Plugins
    _job("plugins", "plugins:list_plugins", lists=(EVERY_FAMILY,)),
    _job("plugin_file", "plugins:preview_plugin_file", lane=Lane.LOOK),
    _job(
        "install_plugin",
        "plugins:install_file",
        writes=True,
        changes_plugins=True,
    ),
    _job(
        "remove_plugin",
        "plugins:remove_installed",
        writes=True,
        changes_plugins=True,
    ),
)
"""Every kind of job that is no question, by page."""

_BY_KEY: Mapping[str, JobKind] = {kind.key: kind for kind in DECLARED}
_UNKNOWN = JobKind(key="", place="")


def _kind_of(question: type[Question[Any]]) -> JobKind:
    """The kind of a question: what the question says of itself."""
    facts = question.facts
    kept = f"{facts.answer.__module__}:{facts.answer.__qualname__}" if facts.is_stored else ""
    place = "core.engine.jobs.asking:answer_question"
    return JobKind(
        key=facts.key,
        place=place,
        lane=facts.lane,
        result=kept,
        reads=facts.reads,
        lists=facts.plugins,
        kernels=facts.kernels,
    )


def every_kind() -> tuple[JobKind, ...]:
    """Every kind of job: those that are declared here, then the questions."""
    return (*DECLARED, *(_kind_of(question) for question in questions().values()))


def find_kind(key: str) -> JobKind:
    """The declaration of a kind; of an unknown one (handlers of one's own) the usual facts."""
    if key in _BY_KEY:
        return _BY_KEY[key]
    question = questions().get(key) if "." in key else None  # "decide.capacity"
    return _UNKNOWN if question is None else _kind_of(question)


def resolve(place: str) -> Any:
    """The function or class at ``module:name``."""
    module, _, name = place.partition(":")
    return getattr(import_module(module), name)


def _later(kind: JobKind) -> Handler:
    """A handler that is found when it is called."""

    def handle(arguments: Any, context: Any) -> object:
        handler: Handler = resolve(kind.place)
        return handler(arguments, context)

    return handle


@cache
def standard_handlers() -> Mapping[str, Handler]:
    """The handlers of all kinds by key; finding the questions imports their records."""
    return {kind.key: _later(kind) for kind in every_kind()}
