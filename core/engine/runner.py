"""Running one job anywhere: route, look in the store, work, keep the result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from core.document.files.guarded import note_read
from core.document.model import Document
from core.engine.context import JobContext
from core.engine.kinds import JobKind, find_kind
from core.engine.protocol import Handler
from core.engine.routing import check_route, data_named, drawn_document
from core.engine.sandbox.replaced_code import with_code_kept
from core.engine.store import result_ref
from payoff.errors import PayoffError


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
