"""What a committee wants to know of a project, filled in from what the project says and was told.

Seven entries of the report: the question, the data, the decision, the money, how sure that is, what
was checked, and what is open. Caption and note of each are the user's own. The board page is made
of them: the same sentences and figures, on one page.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from core.document.compare.words import metric_interval, metric_value
from core.document.decisions.starting_matrix import assumed_amounts
from core.document.decisions.words import probabilities_sentence, void_reason
from core.document.model import Document
from core.document.report.commands import BOARD, COMMITTEE
from core.document.results import (
    DecisionResult,
    Estimate,
    EvaluationResult,
    ModelProfit,
)
from core.document.wording import (
    format_count,
    format_money_interval,
    format_p_value,
    format_share,
    join_words,
    name_in_text,
)
from core.presentation.labels import Labels, capitalised
from core.presentation.report.making import data_words, knot_words, matrix_table, prior_words
from core.presentation.view import Table, View
from payoff.counting import counted

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
    checked = found["checked"].sentences
    still_open = [line for line in found["open"].sentences if line not in checked]
    lines = {
        "Question": found["question"].sentences,
        "Answer": tuple(line for line in decision.sentences if line),
        "Money": (*_first_line(money), *money.sentences),
        "How sure": tuple(
            f"{name}: {value} ({ends})" for name, value, ends in _texts(found["certainty"])
        ),
        "Checked": checked or ("Nothing was checked.",),
        "Open": (*(f"⚠ {reason}" for reason in missing), *still_open, _UNSEEN),
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
    against = (
        f", compared with {join_words([name_in_text(other) for other in others])}" if others else ""
    )
    outcome = f"Outcome: {document.target.column}." if document.target is not None else ""
    return View(
        key="committee/question",
        title="The question",
        sentences=(
            f"Which {labels.cases} should get “{decisions.acting}”, and what is that worth?",
            f"The other {'choice is' if len(rest) == 1 else 'choices are'} "
            f"{join_words([f'“{name}”' for name in rest])}. {outcome}".strip(),
            f"Decided by the model {name_in_text(chosen.model)}{against}.",
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
        subtitle=f"{chosen.model}, every {labels.case} by the rule",
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
    assumed = assumed_amounts(document.matrix, document.target)
    if assumed:
        yield assumed
    for entry in decisions.advice:
        if entry.state in _OPEN and entry.model in ("", chosen.model) and not void:
            yield entry.text
    yield from (*decisions.warnings, *chosen.warnings)
    if evaluation is not None:
        yield from (*evaluation.warnings, *([evaluation.favoured] if evaluation.favoured else []))
    spec = document.model(chosen.model)
    if spec is not None and spec.trained is None:
        which = f"On which rows {name_in_text(chosen.model)} was trained"
        yield f"{which} is not known: its scores came with the data."
    if spec is not None and spec.trained is not None and spec.trained.program:
        where = f"it came as a model file of {spec.trained.program}"
        yield f"On which rows {name_in_text(chosen.model)} was trained is not known: {where}."
    if chosen.total.low < 0.0 < chosen.total.high:
        yield f"The sign of the total {labels.amount} is not certain on these rows."
    level = [
        pair.second
        for pair in decisions.differences
        if pair.first == chosen.model and pair.estimate.low <= 0.0 <= pair.estimate.high
    ]
    if level:
        names = join_words([name_in_text(name) for name in (chosen.model, *level)])
        yield f"{names} cannot be told apart by {labels.amount} on these rows."
