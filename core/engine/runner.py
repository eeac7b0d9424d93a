"""Running one job anywhere: route, look in the store, work, keep the result.

Which engine runs a job: what calls plugins of third parties runs in the one for plugins.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

from core.document.compare.chart_kinds import chart_kind
from core.document.data.model import DataRef, ReaderSettings
from core.document.files.guarded import note_read
from core.document.model import Document
from core.engine.context import JobContext
from core.engine.kinds import EVERY_FAMILY, JobKind, find_kind
from core.engine.messages import Ask, PluginsArguments, TrainArguments
from core.engine.plugins import OWN_FORMATS, EnginePlugins
from core.engine.protocol import Handler
from core.engine.sandbox.replaced_code import with_code_kept
from core.engine.store import result_ref
from core.questions.compare import Segments
from payoff.errors import PayoffError

_OWN_ENDS = (".csv", ".tsv", ".txt", ".parquet", ".pq")


class RouteToPlugins(Exception):  # noqa: N818 - not an error: the other engine must run the job
    """Raised in the main engine by a job that would call third-party plugins."""


def check_route(kind: str, arguments: object, plugins: EnginePlugins) -> None:
    """Raise RouteToPlugins in the main engine for a job that calls third-party plugins."""
    if not plugins.leaves_third_party:
        return
    facts = find_kind(kind)
    if isinstance(arguments, PluginsArguments):
        plugins.looked_at(arguments)
    if (
        (facts.lists and plugins.waits(*facts.lists))
        or _has_foreign_part(arguments, plugins)
        or _needs_foreign_reader(arguments, plugins)
        or (_names_unknown_spec(arguments, plugins) and plugins.waits(EVERY_FAMILY))
    ):
        raise RouteToPlugins


def drawn_document(arguments: object) -> Document | None:
    """The document that a job looks at, with the one chart that "By column" draws among its own."""
    document = getattr(arguments, "document", None)
    if not isinstance(document, Document):
        return None
    question = arguments.question if isinstance(arguments, Ask) else None
    if isinstance(question, Segments) and question.chart:
        return replace(document, charts=(*document.charts, question.chart))
    return document


def data_named(arguments: object) -> DataRef | None:
    """The data that a job is about; None where its arguments name none."""
    document = getattr(arguments, "document", None)
    found = document.data if isinstance(document, Document) else getattr(arguments, "data", None)
    return found if isinstance(found, DataRef) else None


def _has_foreign_part(arguments: object, plugins: EnginePlugins) -> bool:
    """Whether an experiment has a distribution or system that only a third party may know."""
    spec = arguments.document.experiment if isinstance(arguments, Ask) else None
    if spec is None:
        return False
    settled = spec.settled()
    named = {learner.partition(":")[2] for learner in settled.learners}
    own = {entry.id for entry in plugins.registry.distributions()}
    if named - {""} - own and plugins.waits("distributions"):
        return True
    systems = {system.id for system in plugins.registry.systems()}
    return settled.system not in systems and plugins.waits("evaluation_systems")


def _needs_foreign_reader(arguments: object, plugins: EnginePlugins) -> bool:
    """Whether a job opens a file that only a third-party reader may know."""
    for named in _named_files(arguments):
        path, reader = getattr(named, "path", ""), getattr(named, "reader", None)
        if not (path and isinstance(reader, ReaderSettings)) or reader.format in OWN_FORMATS:
            continue
        if reader.format is None and path.lower().endswith(_OWN_ENDS):
            continue
        known = any(
            entry.id == reader.format if reader.format else entry.claims_name(path)
            for entry in plugins.registry.readers()
        )
        if not known and plugins.waits("readers"):
            return True
    return False


def _named_files(arguments: Any) -> Iterator[object]:
    """Whatever may name a file that the job reads: its arguments, their parts, its data."""
    question = getattr(arguments, "question", None)
    for record in (arguments, question):
        if is_dataclass(record):
            yield record
            for entry in fields(record):
                value = getattr(record, entry.name)
                yield value
                yield getattr(value, "file", None)  # of a join
    data = data_named(arguments)
    if data is not None:
        yield from (data, *data.recipe.files)


def _names_unknown_spec(arguments: object, plugins: EnginePlugins) -> bool:
    """Whether this engine's plugins do not serve a spec that the job calls."""
    document = drawn_document(arguments)
    if document is None:
        return False
    losses = {entry.trained.distribution for entry in document.models if entry.trained}
    if isinstance(arguments, TrainArguments):
        losses.add(arguments.settings.distribution)
    if not (document.metrics or document.charts or document.matrix or losses):
        return False
    registry = plugins.registry
    if losses - {spec.id for spec in registry.distributions()}:
        return True
    matrices = {spec.id for spec in registry.matrices()}
    if document.matrix is not None and document.matrix.template not in matrices:
        return True
    metrics = {spec.id for spec in registry.metrics()}
    curves = {spec.id for spec in registry.curves()}
    return any(choice.metric not in metrics for choice in document.metrics) or any(
        chart_kind(kind) is None and kind not in curves for kind in document.charts
    )


def run_job(
    handlers: Mapping[str, Handler], kind: str, arguments: object, context: JobContext
) -> Any:
    """Run a job, or answer it from the result store; the result is stored before it is returned.

    Raises
    ------
    PayoffError
        An unknown kind, or what the handler refuses.
    RouteToPlugins
        The job calls third-party plugins and this engine runs none.
    StoppedError
        Stop was asked for.
    """
    handler = handlers.get(kind)
    if handler is None:
        raise PayoffError(f"There is no job of kind '{kind}'.")
    context.check()
    for path in _files_of(arguments):
        note_read(path)
    facts, plugins = find_kind(kind), context.plugins
    arguments = facts.handed(arguments)
    plugins.begin(context.in_plugin)
    check_route(kind, arguments, plugins)
    store = context.store if facts.result else None
    ref = _ref(facts, arguments, context) if store is not None else ""
    if store is not None and not facts.is_fresh:
        found = store.get(ref)
        if found is not None:
            context.ref = ref
            return found
    changes = plugins.changes
    result = with_code_kept(context, lambda: handler(arguments, context))
    # A job that plugins have changed under is of neither version: it is answered, not remembered.
    is_of_one_version = changes == plugins.changes
    is_kept = context.is_kept and is_of_one_version
    if store is not None and is_kept and store.put(ref, result):
        context.ref = ref
    return result


def _files_of(arguments: object) -> tuple[str, ...]:
    """The data files that a job's arguments name: it may find their rows without reading them."""
    found = data_named(arguments)
    return (found.path, *(file.path for file in found.recipe.files)) if found is not None else ()


def _ref(kind: JobKind, arguments: Any, context: JobContext) -> str:
    """The result's name: it depends on the kind's view of the document."""
    document = getattr(arguments, "document", None)
    if kind.reads is None or not isinstance(document, Document):
        return result_ref(kind.key, arguments, "", "")
    data = document.data
    data_hash = context.tables.data_hash(data) if data is not None else ""
    drawn = drawn_document(arguments) or document
    versions = context.plugins.versions_of(drawn) if kind.calls_plugins else ""
    key = replace(arguments, document=kind.reads.key(document))
    return result_ref(kind.key, key, data_hash, versions)
