"""The kinds of jobs: every fact about a kind is declared here, once.

What the client, the queues, routing, the result store and the handlers know of a kind is read from
its declaration; a question is a kind that says of itself what there is to know. As light as
``core.engine.messages``: the window imports this module too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from importlib import import_module
from typing import Any

from core.questions.lanes import Lane
from core.questions.question import Question, questions


class Calls(Enum):
    """Which plugins that a document names a job calls."""

    NONE = "none"  # rows of the table only
    SCORING = "scoring"  # losses of its models, the template of its matrix
    JUDGING = "judging"  # these, its metrics and its charts


EVERY_FAMILY = "*"


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
    ignores : tuple of str
        Fields of the document, beyond those that no result depends on, that its result does not
        depend on.
    calls : Calls
        Which plugins that the document names it calls; where it calls any, its result is one of
        their versions.
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
    ignores: tuple[str, ...] = ()
    calls: Calls = Calls.SCORING
    lists: tuple[str, ...] = ()
    writes: bool = False
    changes_plugins: bool = False
    kernels: int = 0


def _job(key: str, place: str, **facts: Any) -> JobKind:
    return JobKind(key=key, place=f"core.engine.jobs.{place}", **facts)


DECLARED: tuple[JobKind, ...] = (
    # page Data
    _job("preview", "data.tables:preview_file", lane=Lane.LOOK, calls=Calls.NONE),
    _job(
        "load",
        "data.tables:load_file",
        lane=Lane.OPEN,
        result="core.document.data.results:TableSummary",
        is_fresh=True,
        kernels=3,
        calls=Calls.NONE,
    ),
    _job("rows", "data.tables:read_rows", lane=Lane.QUICK, calls=Calls.NONE),
    _job(
        "column",
        "data.tables:describe_column",
        lane=Lane.QUICK,
        result="core.document.data.results:ColumnDetail",
        calls=Calls.NONE,
    ),
    _job("make_table", "data.further_files:make_table", lane=Lane.OPEN, calls=Calls.NONE),
    _job("second_file", "data.further_files:look_at_file", lane=Lane.LOOK, calls=Calls.NONE),
    _job("look_at_join", "data.further_files:look_at_join", calls=Calls.NONE),
    _job("overlap", "data.further_files:find_overlap", calls=Calls.NONE),
    _job("outcome_gaps", "data.outcome_gaps:find_outcome_gaps", calls=Calls.NONE),
    _job("try_expression", "data.expressions:try_expression", lane=Lane.QUICK, calls=Calls.NONE),
    _job("export_data", "data.exporting:export_data", writes=True),
    _job("export_cells", "data.exporting:export_cells", writes=True),
    # page Models
    _job(
        "distributions",
        "models.distributions:list_distributions",
        lane=Lane.QUICK,
        lists=(EVERY_FAMILY,),
    ),
    _job("train", "models.training:train_model", lane=Lane.TRAIN, kernels=90),
    _job("import_model", "models.model_files:import_model"),
    _job("export_onnx", "models.model_files:export_onnx", writes=True),
    # page Compare
    _job("horizon_file", "compare.survival:write_horizon", writes=True),
    # page Decide
    _job("save_decisions", "decide.saving:save_decisions", writes=True),
    _job("apply", "decide.applying:apply_rule", writes=True),
    _job("read_matrix", "decide.matrix_files:read_matrix", lane=Lane.QUICK),
    _job("write_matrix", "decide.matrix_files:write_matrix", lane=Lane.QUICK, writes=True),
    _job("reconcile", "decide.reconciling:reconcile_decisions"),
    _job("hand_over_rule", "decide.rule_hand_over:hand_over", writes=True),
    # page Uplift
    _job("experiment_gaps", "uplift.outcome_gaps:find_experiment_gaps", calls=Calls.NONE),
    _job("uplift_variance", "uplift.tabs:study_variance"),
    _job("save_uplift", "uplift.saving:save_uplift", writes=True),
    # page Experiments
    _job("experiment", "experiments.running:run_experiment_job", lane=Lane.TRAIN),
    _job("check_experiment", "experiments.running:check_experiment", lane=Lane.QUICK),
    _job(
        "experiment_choices",
        "experiments.choices:experiment_choices",
        lane=Lane.QUICK,
        lists=("distributions", "evaluation_systems"),
    ),
    _job("iterations", "experiments.iterations:study_iterations", lane=Lane.TRAIN),
    # page Plugins
    _job("plugins", "plugins.listing:list_plugins", lists=(EVERY_FAMILY,)),
    _job("plugin_file", "plugins.plugin_files:look_into_file", lane=Lane.LOOK, calls=Calls.NONE),
    _job(
        "install_plugin",
        "plugins.plugin_files:install_file",
        writes=True,
        changes_plugins=True,
        calls=Calls.NONE,
    ),
    _job(
        "remove_plugin",
        "plugins.plugin_files:remove_installed",
        writes=True,
        changes_plugins=True,
        calls=Calls.NONE,
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
        calls=Calls.JUDGING,  # as far as its view of the document names any
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
