"""Entries of the report that are no one question's view: made of the answers to several.

The window and a run without one make them by the same function: it is handed a way to get the
answer to a question, and asks for what it needs. Nothing of a page takes part.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from core.document.compare.chart_kinds import chart_kind, chart_task, charts_shown
from core.document.compare.words import metric_interval, metric_value, use_words
from core.document.decisions.words import void_reason
from core.document.model import ChartMode, Document, ModelSpec, TrainedModel
from core.document.report.commands import BOARD, COMMITTEE, METRIC_TABLE, is_grid_entry
from core.document.results import (
    CursorReading,
    DecisionResult,
    EvaluationResult,
)
from core.document.wording import (
    NBSP,
)
from core.presentation.charts.chart import Chart
from core.presentation.compare.metrics import metric_entry
from core.presentation.decide import figures, tables
from core.presentation.decide.headline import headline_of
from core.presentation.decide.profit import money_chart
from core.presentation.evaluation.charts import evaluation_chart
from core.presentation.labels import Labels, money_by_depth
from core.presentation.report.committee import board_page, committee
from core.presentation.view import Table, View
from core.questions.compare import CompareModels
from core.questions.decide import AtDepth, Resamples, Totals
from core.questions.question import Question, questions
from payoff.counting import counted
from payoff.errors import PayoffError

Answers = Callable[[Question[Any]], Any]
"""Gives the answer to a question of the document, or raises what its work refuses."""

MOST_ROWS = 60  # of a table on the report: beyond them it says how many there are
_HEADROOM = 10  # pixels: on paper no cursor's flag stands there
RULE = "rule"  # behind the key of a table of decisions: counted by the rule, not at the cursor


def is_own_entry(kind: str) -> bool:
    """Return whether an entry is made here, and not of one question's answer."""
    name = kind.partition(" ")[0]
    return is_grid_entry(kind) or name in _MAKERS or kind in (*COMMITTEE, BOARD)


def own_entry(kind: str, document: Document, answer: Answers) -> View:
    """Return an entry of the report, made of answers about a document.

    Parameters
    ----------
    kind : str
        The entry's key: "roc", "decide/decisions rule".
    document : Document
    answer : callable
        Gives the answer to a question of the document; ``CompareModels`` with every chart that is
        on the report (``with_report_charts``).

    Raises
    ------
    PayoffError
        Where the project has nothing to make it of.
    """
    source = _Source(document=document, answer=answer)
    name, _, part = kind.partition(" ")
    if kind == BOARD:
        view = _board(source)
    elif kind in COMMITTEE:
        view = _of_committee(source, kind)
    elif name in _MAKERS:
        view = _MAKERS[name](source, part)
    else:
        view = _grid_chart(source, name, part)
    return replace(view, key=kind)


def own_entries(document: Document) -> tuple[tuple[str, str], ...]:
    """Return key and title of everything that can be put on the report of a project here."""
    offered: list[tuple[str, str]] = []
    if CompareModels.why_not(document) is None:
        shown = charts_shown(document.charts, chart_task(document))
        known = ((kind, chart_kind(kind)) for kind in shown)
        offered.append((METRIC_TABLE, _TITLES[METRIC_TABLE]))
        offered += [(kind, entry.title) for kind, entry in known if entry is not None]
    if Totals.why_not(document) is None:
        offered += [(kind, title) for kind, title in _TITLES.items() if kind.startswith("decide/")]
        offered.append(("decide/profit", money_by_depth(document)))
    if document.models:
        offered.append(("models/list", _TITLES["models/list"]))
    return tuple(offered)


def entry_title(kind: str) -> str:
    """Return what an entry is called before it is made."""
    name, _, part = kind.partition(" ")
    title = _TITLES.get(kind) or _TITLES.get(name)
    chart, question = chart_kind(name), questions().get(name.replace("/", "."))
    if name in ("profit", "decide/profit"):
        title = "Money by depth"
    elif kind == BOARD:
        title = "Board page"
    elif kind in COMMITTEE:
        title = f"For the committee: {kind.partition('/')[2]}"
    elif title is None and chart is not None:
        title = chart.title
    elif title is None and question is not None:
        title = question.facts.title
    title = title or name
    return f"{title}, {part}" if part and kind not in _TITLES else title


@dataclass(frozen=True, slots=True, kw_only=True)
class _Source:
    """The document, and what is known of it."""

    document: Document
    answer: Answers

    def known(self, question: Question[Any]) -> Any:
        """The answer, or None where its work refuses."""
        try:
            return self.answer(question)
        except PayoffError:
            return None

    def totals(self) -> DecisionResult:
        """The totals, of one model at least."""
        found: DecisionResult = self.answer(Totals())
        if not found.models:
            raise PayoffError("No model was decided by.")
        return found

    def totals_or_none(self) -> DecisionResult | None:
        """The totals, where the project has what they need."""
        found: DecisionResult | None = None
        if Totals.why_not(self.document) is None:
            found = self.known(Totals())
        return found

    def reading(self, depth: float) -> CursorReading | None:
        """Exact values at a depth."""
        found: CursorReading | None = None
        if math.isfinite(depth):
            found = self.known(AtDepth(depth=depth))
        return found


# ---------------------------------------------------------------- page Compare


def _metrics(source: _Source, level: str) -> View:
    """The metric table, with what is earned at the cursor where that is known."""
    result: EvaluationResult = source.answer(CompareModels(level=level or None))
    document, decisions = source.document, source.totals_or_none()
    depth = figures.cursor_depth(document, decisions) if decisions is not None else math.nan
    labels = Labels.of(document, decisions, level=level or None)
    reading = source.reading(depth)
    view = metric_entry(result, labels, document.seed, decisions, reading, depth)
    (table,) = view.tables
    shown, left = shortened(table)
    return replace(view, tables=(shown,), notes=(*left, *view.notes))


def _grid_chart(source: _Source, kind: str, level: str) -> View:
    """A chart of page Compare's grid."""
    if kind == "profit":
        return _profit(source, "")
    result: EvaluationResult = source.answer(CompareModels(level=level or None))
    document = source.document
    labels = Labels.of(document, source.totals_or_none(), level=level or None)
    chart = evaluation_chart(kind, result, labels)
    if chart is None:
        drawn = next((entry for entry in result.charts if entry.kind == kind), None)
        why = " ".join(drawn.notes) if drawn is not None else ""
        raise PayoffError("These rows have nothing for this chart.", why=why)
    if level and document.target is not None:
        against = f"“{document.target.label(level)}” against all others"
        chart = replace(chart, subtitle=f"{chart.subtitle}, {against}")
    return chart_entry(chart)


def chart_entry(chart: Chart) -> View:
    """Return a chart as an entry of the report, without room for a cursor's flag."""
    chart = replace(chart, headroom=_HEADROOM)
    notes = tuple(line for line in (*chart.notes, chart.definition) if line)
    return View(title=chart.title, subtitle=chart.subtitle, notes=notes, charts=(chart,))


# ---------------------------------------------------------------- page Decide


def _profit(source: _Source, _part: str) -> View:
    """What the best n % bring, for every model."""
    decisions = source.totals()
    chart = money_chart(decisions, Labels.of(source.document, decisions))
    assert chart is not None  # there are models
    return chart_entry(chart)


def _total(source: _Source, _part: str) -> View:
    """The total at the cursor, and what it is compared with."""
    document, decisions = source.document, source.totals()
    depth = figures.cursor_depth(document, decisions)
    resamples = source.known(Resamples(depth=depth)) if len(decisions.models) > 1 else None
    described = headline_of(document, decisions, depth, source.reading(depth), resamples)
    assert described is not None  # there are models
    return described.view(void_reason(decisions, described.model), decisions.rule_text)


def _is_by_rule(document: Document, part: str) -> bool:
    """Whether each case's own decision is counted, and not the best n %."""
    return part == RULE or document.chart_mode is ChartMode.FIRM


def _figures(source: _Source, part: str) -> View:
    """The decision table, all models beside it, and what was checked."""
    document, decisions = source.document, source.totals()
    chosen = figures.profit_of(decisions, document.reference_model)
    is_by_rule = _is_by_rule(document, part)
    if chosen is not None and is_by_rule and not chosen.has_probabilities:
        raise PayoffError(chosen.total.note)
    depth = figures.cursor_depth(document, decisions)
    reading = None if is_by_rule else source.reading(depth)
    resamples = source.known(Resamples(depth=depth)) if len(decisions.models) > 1 else None
    view = tables.figures_view(
        document, decisions, depth, reading, resamples, is_by_rule=is_by_rule
    )
    assert view is not None  # there are models
    return view


def _decisions(source: _Source, part: str) -> View:
    """Classes by decisions, counts and amounts."""
    view = _figures(source, part)
    notes = (*view.sentences, *view.notes)
    return _of_table("decide/decisions", view.tables[0], source.document, part, notes)


def _models(source: _Source, part: str) -> View:
    """All models side by side."""
    table = _figures(source, part).tables[1]
    return _of_table("decide/models", table, source.document, part)


def _totals(source: _Source, _part: str) -> View:
    """Every model by its rule."""
    view = tables.totals_view(source.document, source.totals())
    return _of_table("decide/totals", view.tables[0], source.document, notes=view.notes)


def _of_table(
    kind: str, table: Table, document: Document, part: str = "", notes: tuple[str, ...] = ()
) -> View:
    shown, left = shortened(table.as_texts())
    by_rule = f"{kind} {RULE}"
    is_by_rule = by_rule in _TITLES and _is_by_rule(document, part)
    return View(
        title=_TITLES[by_rule if is_by_rule else kind], tables=(shown,), notes=(*left, *notes)
    )


def shortened(table: Table) -> tuple[Table, tuple[str, ...]]:
    """Return the first rows of a table, and the note of how many were left out."""
    left = max(0, len(table.rows) - MOST_ROWS)
    if not left:
        return table, ()
    strong = tuple(place for place in table.strong if place[0] < MOST_ROWS)
    words = counted(left, "more row is", "more rows are") + " left out."
    return replace(table, rows=table.rows[:MOST_ROWS], strong=strong), (words,)


# ---------------------------------------------------------------- page Models, the committee


def trained_words(trained: TrainedModel) -> str:
    """Return what a trained model is: "boosted trees, 940 trees of 4 splits"."""
    if trained.program:
        return f"{counted(trained.trees, 'iteration')}, model file of {trained.program}"
    splits = counted(trained.interaction_depth, "split")
    return f"boosted trees, {counted(trained.trees_used or trained.trees, 'tree')} of {splits}"


def newest_first(models: tuple[ModelSpec, ...]) -> tuple[ModelSpec, ...]:
    """Return models in the order of the list: trained ones from the newest, then scores."""
    trained = tuple(entry for entry in reversed(models) if entry.trained is not None)
    return (*trained, *(entry for entry in models if entry.trained is None))


def _model_list(source: _Source, _part: str) -> View:
    """Every model, what it is, and its figure."""
    document = source.document
    result: EvaluationResult | None = source.known(CompareModels())
    infos = result.metrics if result is not None else ()
    info = next((entry for entry in infos if entry.direction != "none"), None)
    cells = {}
    if result is not None and info is not None:
        cells = {cell.model: cell for cell in result.cells if cell.metric == info.metric}
    rows: list[tuple[str, ...]] = []
    strong = []
    for place, spec in enumerate(newest_first(document.models)):
        cell = cells.get(spec.name)
        value = ""
        if cell is not None and info is not None and math.isfinite(cell.estimate.value):
            value = metric_value(info, cell.estimate.value)
            if math.isfinite(cell.estimate.low) and math.isfinite(cell.estimate.high):
                interval = metric_interval(info, cell.estimate.low, cell.estimate.high)
                value = f"{value}\n{interval}"
        if cell is not None and cell.is_best:
            strong.append((place, 2))
        kind = trained_words(spec.trained) if spec.trained is not None else "scores from the file"
        rows.append((spec.name, kind, value))
    if not rows:
        raise PayoffError("There is no model yet.")
    columns: tuple[str, ...] = ("Model", "Kind")
    if info is not None:
        columns = (*columns, f"{info.title}, {use_words(document.rows_used).lower()}, 95{NBSP}%")
    else:
        rows = [row[:2] for row in rows]
    table = Table(columns=columns, rows=tuple(rows), right=(2,), strong=tuple(strong))
    return View(title="Models", tables=(table,))


def _of_committee(source: _Source, kind: str) -> View:
    """One of the entries for the committee."""
    views = committee(source.document, source.totals(), source.answer(CompareModels()))
    return next(view for view in views if view.key == kind)


def _board(source: _Source) -> View:
    """The board page: made of what there is, and what there is not is said on it."""
    document, missing = source.document, []
    refusals = (Totals().refusal(document), CompareModels().refusal(document))
    decisions: DecisionResult | None = None
    evaluation: EvaluationResult | None = None
    if refusals[0] is None:
        try:
            decisions = source.totals()
        except PayoffError as refusal:
            missing.append(str(refusal))
    else:
        missing.append(str(refusals[0]))
    if refusals[1] is None:
        try:
            evaluation = source.answer(CompareModels())
        except PayoffError as refusal:
            missing.append(f"The models were not judged. {refusal}")
    return board_page(document, decisions, evaluation, tuple(missing))


_TITLES = {
    METRIC_TABLE: "Metric table",
    "decide/total": "The total at the cursor",
    "decide/decisions": "Decision table",
    f"decide/decisions {RULE}": "Decision table by the rule",
    "decide/models": "All models at the cursor",
    f"decide/models {RULE}": "All models by their rules",
    "decide/totals": "Totals of all models",
    "models/list": "List of models",
}
_MAKERS: dict[str, Callable[[_Source, str], View]] = {
    METRIC_TABLE: _metrics,
    "decide/total": _total,
    "decide/profit": _profit,
    "decide/decisions": _decisions,
    "decide/models": _models,
    "decide/totals": _totals,
    "models/list": _model_list,
}


def missing_entry(kind: str, reason: str) -> tuple[View, str]:
    """Return what stands in the place of an entry that was never made, and its warning.

    Parameters
    ----------
    kind : str
    reason : str
        Why it cannot be made; empty where nobody has asked for it.
    """
    why = reason or "the project keeps no figures of it, and they cannot be asked for here."
    return View(key=kind, title=entry_title(kind)), f"Not made: {why}"
