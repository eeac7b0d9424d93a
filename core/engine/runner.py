"""Running one job anywhere: route, look in the store, work, keep the result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from core.document.compare.chart_kinds import PAYOFF
from core.document.data.model import DataRef
from core.document.files.guarded import note_read
from core.document.model import ChartMode, Document
from core.document.uplift.model import UpliftSpec
from core.engine.context import JobContext
from core.engine.drawn import drawn_document
from core.engine.process import Handler
from core.engine.replaced_code import with_code_kept
from core.engine.store import STORED_KINDS, result_ref
from payoff.errors import PayoffError

_FRESH_KINDS = frozenset({"load"})  # kept for the window, but always done anew

_PLUGIN_KINDS = frozenset({"evaluate", "decide", "resample", "explain"})


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
    workbench = context.workbench
    workbench.begin(context)
    workbench.check_route(kind, arguments)
    store = workbench.store if kind in STORED_KINDS else None
    ref = _ref(kind, arguments, context) if store is not None else ""
    if store is not None and kind not in _FRESH_KINDS:
        found = store.get(ref)
        if found is not None:
            context.ref = ref
            return found
    changes = workbench.plugin_changes
    result = with_code_kept(context, lambda: handler(arguments, context))
    # A job that plugins have changed under is of neither version: it is answered, not remembered.
    is_of_one_version = changes == workbench.plugin_changes
    is_kept = context.is_kept and is_of_one_version
    if store is not None and is_kept and store.put(ref, result):
        context.ref = ref
    return result


def _files_of(arguments: object) -> tuple[str, ...]:
    """The data files that a job's arguments name: it may find their rows without reading them."""
    document = getattr(arguments, "document", None)
    found = document.data if isinstance(document, Document) else getattr(arguments, "data", None)
    if not isinstance(found, DataRef):
        return ()
    return (found.path, *(file.path for file in found.recipe.files))


def _ref(kind: str, arguments: object, context: JobContext) -> str:
    """The result's name; what the result does not depend on is left out of it."""
    document = getattr(arguments, "document", None)
    if not isinstance(document, Document):
        return result_ref(kind, arguments, "", "")
    data_hash = context.workbench.data_hash(document.data) if document.data is not None else ""
    calls_plugins = kind in _PLUGIN_KINDS
    drawn = drawn_document(arguments) or document
    versions = context.workbench.plugin_versions(drawn) if calls_plugins else ""
    record: Any = arguments
    stripped = replace(record, document=_stripped(kind, document))
    return result_ref(kind, stripped, data_hash, versions)


def _stripped(kind: str, document: Document) -> Document:
    """The document without what cannot change the result of a kind of job."""
    data = replace(document.data, path="") if document.data is not None else None
    document = replace(
        document,
        name="",
        data=data,
        cursor_depth=None,
        scenarios=(),
        report=(),
        uplift=UpliftSpec(),
        experiment=None,
    )
    if kind == "evaluate":
        return replace(document, chart_mode=ChartMode.ACT_ON_BEST)
    if kind in ("decide", "resample"):
        return replace(document, metrics=(), charts=(), convention=PAYOFF, choice=None)
    return document
