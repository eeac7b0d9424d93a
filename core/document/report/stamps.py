"""What results and the entries of the report depend on: their stamps tell stale from fresh."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from core.document.data.recipes import at_paths
from core.document.model import ChartMode, Document
from core.document.studies.subject import subject_of
from core.document.uplift.model import UpliftSpec


def decide_key(document: Document) -> Document | None:
    """The part of the document that totals depend on; None where nothing can be decided yet."""
    if document.data is None or document.target is None or document.matrix is None:
        return None
    if not document.models or predicts_no_amount(document):
        return None
    return replace(subject_of(document), scenarios=())


def predicts_no_amount(document: Document) -> bool:
    """Whether the outcome is a survival time or a grade: its models predict a rank, no amount."""
    if document.target is None or document.target.levels:
        return False
    trained = (entry.trained for entry in document.models if entry.trained is not None)
    return any(entry.event or entry.group for entry in trained)


def evaluate_key(document: Document) -> Document | None:
    """The part of the document that the metric table and its charts depend on."""
    if document.data is None or document.target is None or not document.models:
        return None
    return replace(
        document,
        cursor_depth=None,
        name="",
        scenarios=(),
        report=(),
        chart_mode=ChartMode.ACT_ON_BEST,
        uplift=UpliftSpec(),
        experiment=None,
    )


def uplift_key(document: Document) -> Document:
    """The part of a document that page Uplift depends on."""
    return replace(
        subject_of(document),
        matrix=document.matrix if document.uplift.follows_matrix else None,
        priors=None,
        prior_range=None,
        scenarios=(),
        reference_model=None,
        uplift=replace(document.uplift, metrics=()),
    )


def page_stamp(page: str, document: Document) -> str:
    """The stamp of what a page shows of a document; empty where it can show nothing."""
    key = _KEYS.get(page, _whole)(_placeless(document))
    if key is None:
        return ""
    from core.document.report.blocks import stamp_of

    return stamp_of(key)


def _placeless(document: Document) -> Document:
    """The document wherever its files lie: contents count, paths do not."""
    data = document.data
    if data is None:
        return document
    contents = {file.path: file.content_hash for file in data.recipe.files}
    placed = replace(data, path=data.content_hash, recipe=at_paths(data.recipe, contents))
    return replace(document, data=placed)


def _compare(document: Document) -> object:
    key = evaluate_key(document)
    return replace(key, charts=()) if key is not None else None


def _decide(document: Document) -> object:
    key = decide_key(document)
    if key is None:
        return None
    return replace(key, chart_mode=document.chart_mode, cursor_depth=document.cursor_depth)


def _models(document: Document) -> object:
    return (document.data, document.target, document.split, document.roles, document.models)


def _explain(document: Document) -> object:
    return (_models(document), document.rows_used, document.seed)


def _experiments(document: Document) -> object:
    return document.experiment or ()


def _whole(document: Document) -> object:
    return replace(document, name="", cursor_depth=None, report=(), charts=(), scenarios=())


_KEYS: dict[str, Callable[[Document], object]] = {
    "compare": _compare,
    "decide": _decide,
    "uplift": uplift_key,
    "models": _models,
    "explain": _explain,
    "experiments": _experiments,
}
