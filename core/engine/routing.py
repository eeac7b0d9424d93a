"""Which engine runs a job: what calls plugins of third parties runs in the one for plugins."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any

from core.document.compare.chart_kinds import chart_kind
from core.document.data.model import DataRef, ReaderSettings
from core.document.model import Document
from core.engine.kinds import EVERY_FAMILY, find_kind
from core.engine.messages import Ask, PluginsArguments, TrainArguments
from core.engine.plugins import OWN_FORMATS, EnginePlugins
from core.questions.compare import Segments

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
        or _has_third_party_part(arguments, plugins)
        or _needs_third_party_reader(arguments, plugins)
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


def _has_third_party_part(arguments: object, plugins: EnginePlugins) -> bool:
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


def _needs_third_party_reader(arguments: object, plugins: EnginePlugins) -> bool:
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
