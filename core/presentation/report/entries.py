"""Entries of the report that are no one question's view: made of the answers to several.

The window and a run without one make them by the same function: it is handed a way to get the
answer to a question, and asks for what it needs. Nothing of a page takes part.

How a report was made: data, rows, priors, matrix, seed, version and day.

What a committee wants to know of a project, filled in from what the project says and was told.

Seven entries of the report: the question, the data, the decision, the money, how sure that is, what
was checked, and what is open. Caption and note of each are the user's own. The board page is made
of them: the same sentences and figures, on one page.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from core.document.compare.chart_kinds import chart_kind, chart_task, charts_shown
from core.document.compare.words import metric_interval, metric_value, use_words
from core.document.data.model import DataRecipe
from core.document.decisions.words import probabilities_sentence, void_reason
from core.document.model import ChartMode, Document, ModelSpec, TrainedModel
from core.document.report.commands import BOARD, COMMITTEE, METRIC_TABLE, is_grid_entry
from core.document.results import (
    CursorReading,
    DecisionResult,
    Estimate,
    EvaluationResult,
    ModelProfit,
)
from core.document.wording import (
    NBSP,
    format_count,
    format_money_interval,
    format_number,
    format_p_value,
    format_share,
    join_words,
)
from core.presentation.charts.chart import Chart
from core.presentation.compare.metrics import metric_entry
from core.presentation.decide import figures, tables
from core.presentation.decide.headline import headline_of
from core.presentation.decide.profit import money_chart
from core.presentation.evaluation.charts import evaluation_chart
from core.presentation.labels import Labels, capitalised, money_by_depth
from core.presentation.view import Table, View
from core.questions.compare import CompareModels
from core.questions.decide import AtDepth, Resamples, Totals
from core.questions.question import Question, questions
from payoff.counting import counted
from payoff.errors import PayoffError


def making_block(document: Document, decisions: DecisionResult, version: str, made_at: str) -> View:
    """The matrix, and everything that a later reader needs to make the numbers again."""
    described = (
        knot_words(document, decisions),
        f"Data: {data_words(document)}. Rows: {decisions.rows.text}.",
        prior_words(document),
        f"Seed {document.seed}. Payoff {version}.{_day(made_at)}",
    )
    return View(
        key="making",
        title="How this was made",
        tables=(matrix_table(document, decisions),),
        notes=tuple(line for line in described if line),
    )


def matrix_table(document: Document, decisions: DecisionResult) -> Table:
    """Return the decision matrix as it was worked out: a row for each outcome.

    Of a number a row for each value that amounts are given for, not for the bands that cases are
    counted in.
    """
    shares = np.zeros_like(decisions.cells) if decisions.shares is None else decisions.shares
    matrix = document.matrix
    amount = matrix.amount if matrix is not None and matrix.amount else "the amount"
    names = decisions.knots or decisions.levels
    rows = tuple(
        (_label(document, level), *(_cell(*cell, amount) for cell in zip(row, share, strict=True)))
        for level, row, share in zip(names, decisions.cells, shares, strict=True)
    )
    return Table(
        columns=(decisions.kind, *decisions.decisions),
        rows=rows,
        right=tuple(range(1, len(decisions.decisions) + 1)),
    )


def knot_words(document: Document, decisions: DecisionResult) -> str:
    """Where a matrix of a number says its amounts; empty for one of classes."""
    if not decisions.knots or document.target is None:
        return ""
    column = document.target.column
    return f"Amounts are for these values of {column}, and lie on straight lines between them."


def _cell(value: float, share: float, amount: str) -> str:
    """A consequence in the words of the matrix: "5 % of loan", "10.00 − 45 % of loan"."""
    if share == 0.0:
        return format_number(float(value))
    part = f"{format_number(100.0 * abs(share), 2).rstrip('0').rstrip('.')}{NBSP}% of {amount}"
    if value == 0.0:
        return part if share > 0 else f"−{part}"
    return f"{format_number(float(value))} {'+' if share > 0 else '−'} {part}"


def _label(document: Document, level: str) -> str:
    return document.target.label(level) if document.target else level


def data_words(document: Document) -> str:
    """Return which data these are: file, rows, hash, and what was made of them."""
    data = document.data
    if data is None:
        return "none"
    parts = f"{_name_of(data.path)}, {counted(data.rows, 'row')}, SHA-256 {data.own_hash[:16]}…"
    return parts + _recipe_words(data.recipe)


def _recipe_words(recipe: DataRecipe) -> str:
    """What was made of the data file: further files by their hashes, derived columns."""
    parts = [f"{_name_of(file.path)} (SHA-256 {file.content_hash[:16]}…)" for file in recipe.files]
    parts += [f"{entry.name} = {entry.text}" for entry in recipe.derived]
    return f"; with {'; '.join(parts)}" if parts else ""


def _name_of(path: str) -> str:
    return path.replace("\\", "/").rsplit("/", 1)[-1]


def prior_words(document: Document) -> str:
    """Return the shares of the classes in real life, as they were said."""
    if document.target is None or not document.target.levels:
        return ""
    if document.priors is None:
        return "Shares of the classes in real life: as in these rows."
    whole = sum(share for _level, share in document.priors)
    parts = [
        f"{_label(document, level)} {format_share(share / whole, 2) if whole > 0 else '–'}"
        for level, share in document.priors
    ]
    return f"Shares of the classes in real life: {', '.join(parts)}."


def _day(made_at: str) -> str:
    return f" Made on {made_at[:10]}." if made_at else ""


_SIGNS = {"ok": "✓", "warning": "⚠", "error": "✗"}
_OPEN = ("warning", "error")
_NONE = "Nothing that can be seen from the project."
_UNSEEN = (
    "No figure can say whether the cases to come are like these, and whether the amounts of the "
    "matrix are right."
)


def committee(
    document: Document, decisions: DecisionResult, evaluation: EvaluationResult | None
) -> tuple[View, ...]:
    """Return the entries in the order of ``COMMITTEE``; none where no model is decided by.

    Parameters
    ----------
    document : Document
    decisions : DecisionResult
        Its totals.
    evaluation : EvaluationResult, optional
        Its metrics; without them nothing is said of those.
    """
    wanted, models = document.reference_model, decisions.models
    chosen = next((m for m in models if m.model == wanted), models[0] if models else None)
    if chosen is None:
        return ()
    labels = Labels.of(document, decisions)
    views = (
        _question(document, decisions, chosen, labels),
        _data(document, decisions),
        _decision(document, decisions, chosen, labels),
        _money(decisions, chosen, labels),
        _certainty(document, decisions, evaluation, chosen, labels),
        _checked(document, decisions, evaluation, chosen),
        _open_points(document, decisions, evaluation, chosen, labels),
    )
    assert tuple(view.key for view in views) == COMMITTEE
    return views


MOST_LINES = 6
"""Lines of one part of the board page; what does not fit is counted."""


def board_page(
    document: Document,
    decisions: DecisionResult | None,
    evaluation: EvaluationResult | None,
    missing: tuple[str, ...] = (),
) -> View:
    """Return the entries for the committee on one page.

    Parameters
    ----------
    document : Document
    decisions : DecisionResult or None
        Its totals; None where there are none, and ``missing`` says why.
    evaluation : EvaluationResult, optional
    missing : tuple of str
        What the project lacks.
    """
    views = committee(document, decisions, evaluation) if decisions is not None else ()
    found = {view.key.partition("/")[2]: view for view in views}
    if not found:
        reasons = missing or ("No model is decided by.",)
        lines = {"Missing": tuple(f"⚠ {reason}" for reason in reasons)}
        return _on_one_page(document, None, {"Question": _question_open(document), **lines})
    money, decision = found["money"], found["decision"]
    lines = {
        "Question": found["question"].sentences,
        "Answer": tuple(line for line in decision.sentences if line),
        "Money": (*_first_line(money), *money.sentences),
        "How sure": tuple(
            f"{name}: {value} ({ends})" for name, value, ends in _texts(found["certainty"])
        ),
        "Checked": found["checked"].sentences or ("Nothing was checked.",),
        "Open": (*(f"⚠ {reason}" for reason in missing), *found["open"].sentences, _UNSEEN),
    }
    return _on_one_page(document, money, lines)


def _question_open(document: Document) -> tuple[str, ...]:
    """What would be asked, as far as the project says it."""
    outcome = document.target.column if document.target is not None else ""
    what = f"What to do with each {document.case_word[0]}, and what is that worth?"
    return (what, f"Outcome: {outcome}.") if outcome else (what,)


def _first_line(money: View) -> tuple[str, ...]:
    return (f"{money.subtitle}: {money.figure} ({money.interval}).",) if money.figure else ()


def _texts(view: View) -> list[tuple[str, ...]]:
    return [tuple(cell.words for cell in row) for row in view.tables[0].cells()]


def _on_one_page(
    document: Document, money: View | None, lines: Mapping[str, tuple[str, ...]]
) -> View:
    rows = []
    for head, described in lines.items():
        left = len(described) - MOST_LINES
        kept = (
            described if left <= 0 else (*described[: MOST_LINES - 1], f"… and {left + 1:,} more.")
        )
        rows += [(head if place == 0 else "", line) for place, line in enumerate(kept)]
    strong = tuple((place, 0) for place, (head, _) in enumerate(rows) if head)
    return View(
        key=BOARD,
        title="What it is worth",
        subtitle=money.subtitle if money is not None else "",
        figure=money.figure if money is not None else "",
        interval=money.interval if money is not None else "",
        tables=(
            Table(columns=("", ""), rows=tuple(rows), strong=strong, name="Board page", wide=1),
        ),
        notes=(f"Data: {data_words(document)}.",) if document.data is not None else (),
    )


def _question(
    document: Document, decisions: DecisionResult, chosen: ModelProfit, labels: Labels
) -> View:
    others = [entry.model for entry in decisions.models if entry.model != chosen.model]
    rest = [name for name in decisions.decisions if name != decisions.acting]
    against = f", compared with {join_words(others)}" if others else ""
    outcome = f"Outcome: {document.target.column}." if document.target is not None else ""
    return View(
        key="committee/question",
        title="The question",
        sentences=(
            f"Which {labels.cases} should get “{decisions.acting}”, and what is that worth?",
            f"The other {'choice is' if len(rest) == 1 else 'choices are'} "
            f"{join_words([f'“{name}”' for name in rest])}. {outcome}".strip(),
            f"Decided by the model {chosen.model}{against}.",
        ),
        strong=0,
    )


def _data(document: Document, decisions: DecisionResult) -> View:
    left_out = [f"{counted(count, 'row')}: {why}" for why, count in decisions.rows.dropped]
    rows = tuple(
        (document.target.label(level) if document.target else level, format_count(float(count)))
        for level, count in zip(decisions.levels, decisions.class_counts.tolist(), strict=True)
    )
    table = Table(columns=("Outcome", "Rows"), rows=rows, right=(1,))
    described = (
        f"The figures come from {decisions.rows.text}.",
        f"Left out: {join_words(left_out)}." if left_out else "",
        prior_words(document),
    )
    return View(
        key="committee/data",
        title="The data",
        sentences=tuple(line for line in described if line),
        tables=() if decisions.knots else (table,),
        notes=(f"Data: {data_words(document)}.",),
    )


def _decision(
    document: Document, decisions: DecisionResult, chosen: ModelProfit, labels: Labels
) -> View:
    share = ""
    if chosen.has_probabilities and math.isfinite(chosen.rule_depth):
        share = (
            f"By this rule {format_share(chosen.rule_depth)} of the {labels.cases} get "
            f"“{decisions.acting}”."
        )
    described = (decisions.rule_text, decisions.rule_reason, share)
    return View(
        key="committee/decision",
        title="The decision",
        sentences=tuple(line for line in described if line),
        strong=0,
        tables=(matrix_table(document, decisions),),
        notes=(
            f"The table says what each decision {labels.verbs.brings} in each outcome.",
            *filter(None, (knot_words(document, decisions),)),
        ),
    )


def _money(decisions: DecisionResult, chosen: ModelProfit, labels: Labels) -> View:
    total = chosen.total
    if not math.isfinite(total.value):
        return View(
            key="committee/money", title=f"What it {labels.verbs.brings}", sentences=(total.note,)
        )
    for_all = (
        f"{capitalised(labels.acting_on_all)}: {labels.money(decisions.act_on_all)}; "
        f"{labels.resting}: {labels.money(decisions.do_nothing)}."
    )
    rows = tuple(
        (
            entry.model,
            labels.money(entry.total.value),
            _interval(entry.total, labels),
            format_share(entry.rule_depth),
        )
        for entry in decisions.models
    )
    place = next(at for at, entry in enumerate(decisions.models) if entry.model == chosen.model)
    table = Table(
        columns=("Model", f"Total {labels.amount}", "95 %", decisions.acting),
        rows=rows,
        right=(1, 2, 3),
        strong=tuple((place, column) for column in range(4)),
    )
    return View(
        key="committee/money",
        title=f"What it {labels.verbs.brings}",
        subtitle=f"{chosen.model}, every case by the rule",
        figure=labels.money(total.value),
        interval=f"{_interval(total, labels)}, 95 % {total.holds_fixed}".strip(),
        sentences=(for_all, f"{_per_thousand(chosen, labels)}."),
        tables=(table,),
    )


def _per_thousand(chosen: ModelProfit, labels: Labels) -> str:
    average = labels.money(1000 * chosen.average.value)
    return f"{average} per 1,000 {labels.cases}"


def _interval(estimate: Estimate, labels: Labels) -> str:
    return format_money_interval(*labels.interval(estimate.low, estimate.high))


def _certainty(
    document: Document,
    decisions: DecisionResult,
    evaluation: EvaluationResult | None,
    chosen: ModelProfit,
    labels: Labels,
) -> View:
    """Intervals of the total, of differences to other models, and of the model's metrics."""
    rows = [(f"Total {labels.amount}", labels.money(chosen.total.value), _of(chosen.total, labels))]
    for pair in decisions.differences:
        if pair.first == chosen.model:
            less = labels.money(pair.estimate.value, sign=True)
            described = f"{_of(pair.estimate, labels)}, {format_p_value(pair.p_value)}"
            rows.append(
                (f"{labels.amount.capitalize()} less that of {pair.second}", less, described)
            )
    cells = evaluation.cells if evaluation is not None else ()
    infos = {info.metric: info for info in evaluation.metrics} if evaluation is not None else {}
    for cell in cells:
        info, found = infos[cell.metric], cell.estimate
        if cell.model == chosen.model and math.isfinite(found.value):
            interval = metric_interval(info, found.low, found.high)
            rows.append((info.title, metric_value(info, found.value), interval))
    has_priors = document.priors is not None  # else it is the model alone, which is said anyway
    held = f", {decisions.holds_fixed}" if has_priors and decisions.holds_fixed else ""
    return View(
        key="committee/certainty",
        title="How sure is it?",
        tables=(
            Table(columns=("Figure", "On these rows", "95 %"), rows=tuple(rows), right=(1, 2)),
        ),
        notes=(f"The intervals are for new cases like these{held}, and this model as it is.",),
    )


def _of(estimate: Estimate, labels: Labels) -> str:
    return _interval(estimate, labels) if math.isfinite(estimate.low) else "not known"


def _checked(
    document: Document,
    decisions: DecisionResult,
    evaluation: EvaluationResult | None,
    chosen: ModelProfit,
) -> View:
    """Every check with its verdict, those that found something too."""
    lines = [
        f"{_SIGNS.get(entry.state, '')} {entry.text}".strip()
        for entry in decisions.advice
        if entry.model in ("", chosen.model)
    ]
    spec = document.model(chosen.model)
    fitted = probabilities_sentence(spec, document.rows_used, document.data_hash) if spec else ""
    trained = spec.trained if spec is not None else None
    is_trained_here = trained is not None and not trained.program
    if is_trained_here and evaluation is not None and not evaluation.favoured:
        lines.append("✓ No row that is counted here trained, stopped or chose the model.")
    return View(
        key="committee/checked",
        title="What was checked",
        sentences=tuple(line for line in (*lines, fitted) if line),
    )


def _open_points(
    document: Document,
    decisions: DecisionResult,
    evaluation: EvaluationResult | None,
    chosen: ModelProfit,
    labels: Labels,
) -> View:
    found = tuple(dict.fromkeys(_doubts(document, decisions, evaluation, chosen, labels)))
    return View(
        key="committee/open",
        title="Open points",
        sentences=tuple(f"⚠ {line}" for line in found) or (_NONE,),
        notes=(_UNSEEN,),
    )


def _doubts(
    document: Document,
    decisions: DecisionResult,
    evaluation: EvaluationResult | None,
    chosen: ModelProfit,
    labels: Labels,
) -> Iterator[str]:
    """Everything that was warned of, then what the intervals leave open."""
    void = void_reason(decisions, chosen.model)
    if void:
        yield void
    for entry in decisions.advice:
        if entry.state in _OPEN and entry.model in ("", chosen.model) and not void:
            yield entry.text
    yield from (*decisions.warnings, *chosen.warnings)
    if evaluation is not None:
        yield from (*evaluation.warnings, *([evaluation.favoured] if evaluation.favoured else []))
    spec = document.model(chosen.model)
    if spec is not None and spec.trained is None:
        which = f"On which rows {chosen.model} was trained"
        yield f"{which} is not known: its scores came with the data."
    if spec is not None and spec.trained is not None and spec.trained.program:
        where = f"it came as a model file of {spec.trained.program}"
        yield f"On which rows {chosen.model} was trained is not known: {where}."
    if chosen.total.low < 0.0 < chosen.total.high:
        yield f"The sign of the total {labels.amount} is not certain on these rows."
    level = [
        pair.second
        for pair in decisions.differences
        if pair.first == chosen.model and pair.estimate.low <= 0.0 <= pair.estimate.high
    ]
    if level:
        names = join_words(level)
        yield f"{chosen.model} and {names} cannot be told apart by {labels.amount} on these rows."


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
