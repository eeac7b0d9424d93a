"""What page Decide shows of the cases of one model: ranked, by averages, one by one."""

from __future__ import annotations

import math

import numpy as np

from core.document.studies.decided_cases import (
    HONEST,
    LEAF,
    MEAN,
    SCORE,
    SPREAD,
    BasisLine,
    BasisResult,
    CaseCloud,
    RankingsResult,
)
from core.document.wording import (
    NBSP,
    UNDEFINED,
    format_count,
    format_money,
    format_money_interval,
    format_number,
    format_share,
    join_words,
)
from core.presentation.charts.chart import AxisSpec, BaselineSpec, Chart, PointsSpec, SeriesSpec
from core.presentation.charts.scales import extent
from core.presentation.decide.profit import best_cases_axis
from core.presentation.labels import Labels, capitalised
from core.presentation.view import Cell, Table, View
from core.questions.suggestions import order_words
from payoff.counting import counted, counted_of
from payoff.types import FloatArray

SAME = 1e-9  # share of the total by which two ways of adding up may differ

# ---------------------------------------------------------------- rankings


def score_rankings(answer: RankingsResult, labels: Labels) -> View:
    """Response and money by depth; beside them predicted classes, or Enterprise Miner's chart."""
    is_number = not answer.predicted.size
    is_em = answer.as_em and not is_number
    tables: tuple[Table, ...] = (_ranking_table(answer, labels, as_em=is_em),)
    note = f"{answer.rows.text}."
    if is_em:
        note = difference_sentence(answer, labels)
    elif not is_number:
        tables = (*tables, _predicted_table(answer, labels))
        note = predicted_sentence(answer, labels)
    return View(
        title=f"Score rankings, {answer.model}",
        subtitle=order_words(answer.by, is_loss=labels.is_loss),
        tables=tables,
        charts=(_enterprise_chart(answer, labels),) if is_em else (),
        notes=(note,),
    )


def _ranking_table(answer: RankingsResult, labels: Labels, *, as_em: bool) -> Table:
    """A row per bin of depth: response or value, lift, and money."""
    is_number = not answer.predicted.size
    name = "value" if is_number else "response"
    mean = "Mean" if is_number else f"Response,{NBSP}%"
    money = capitalised(labels.amount)
    header = ["Depth", capitalised(labels.cases), mean, f"Captured,{NBSP}%", "Lift", money]
    header += ["All so far", "As SAS EM"] if as_em else ["All so far", "Expected so far"]
    last = "em_cumulative_total" if as_em else "expected_cumulative_total"
    helps = (
        "The best cases down to here",
        "Weighted to the priors; cases with equal scores are shared between bins in proportion",
        "Of this bin",
        "Share of all, from the best case down to here",
        "Of this bin: times the average of all cases",
        f"What the decisions of this bin {labels.verbs.realised}, {labels.currency}",
        "The same, from the best case down to here; the last row is the total",
        "As Enterprise Miner's chart has it" if as_em else "What the chances promise of the same",
    )
    columns = ("depth", "cases", name, "cumulative_captured", "lift", "total", "cumulative_total")
    found = [answer.column(column) for column in (*columns, last)]
    return Table(
        name="Score rankings",
        columns=tuple(header),
        help=helps,
        rows=tuple(_ranking_row(tuple(map(float, entry))) for entry in zip(*found, strict=True)),
    )


def _ranking_row(entry: tuple[float, ...]) -> tuple[Cell, ...]:
    depth, cases, mean, captured, lift, total, cumulative, last = entry
    texts = (
        format_share(depth, 0),
        format_count(cases),
        _number(mean, 2),
        _number(captured, 1),
        _number(lift, 2),
        format_money(total, "", decimals=0),
        format_money(cumulative, "", decimals=0),
        format_money(last, "", decimals=0),
    )
    return tuple(Cell(text=text) for text in texts)


def _number(value: float, decimals: int) -> str:
    return format_number(value, decimals) if math.isfinite(value) else UNDEFINED


def _predicted_table(answer: RankingsResult, labels: Labels) -> Table:
    """Actual class by predicted class: cases and how many of a row were right."""
    names = [labels.level(level) for level in answer.levels]
    rows = []
    for place, name in enumerate(names):
        cells = [Cell(text=name, is_left=True)]
        cells += [Cell(text=format_count(float(count))) for count in answer.predicted[place]]
        cells.append(Cell(text=_share_right(answer, place)))
        rows.append(tuple(cells))
    total = [Cell(text=f"all {labels.cases}", is_bold=True, is_left=True)]
    total += [
        Cell(text=format_count(float(count)), is_bold=True)
        for count in answer.predicted.sum(axis=0)
    ]
    share = float(answer.predicted.trace() / answer.predicted.sum())
    total.append(Cell(text=format_share(share), is_bold=True))
    return Table(
        name="Predicted classes",
        columns=("Predicted:", *names, "Right"),
        rows=(*rows, tuple(total)),
    )


def _share_right(answer: RankingsResult, place: int) -> str:
    whole = float(answer.predicted[place].sum())
    return format_share(float(answer.predicted[place, place]) / whole) if whole else UNDEFINED


def predicted_sentence(answer: RankingsResult, labels: Labels) -> str:
    """What the table of predicted classes is, and what it is not."""
    text = "Rows: what happened. Columns: the class with the highest chance, whatever decisions "
    text += "earn; "
    adjusted = float(answer.adjusted.trace() / answer.adjusted.sum())
    if answer.has_priors:
        text += f"weighted to the priors {format_share(adjusted)} of {labels.cases} are right; "
    return f"{text}{answer.rows.text}."


def difference_sentence(answer: RankingsResult, labels: Labels) -> str:
    """How far Enterprise Miner's chart ends from the total, and why."""
    ours = float(answer.column("cumulative_total")[-1])
    theirs = float(answer.column("em_cumulative_total")[-1])
    head = f"Enterprise Miner's chart ends at {format_money(theirs, labels.currency)}, "
    if abs(theirs - ours) <= SAME * max(abs(ours), abs(theirs)):
        text = f"{head}the total, as here: "
        text += "no equal chances mix classes. " if answer.has_priors else "no priors are set. "
    else:
        text = f"{head}the total is {format_money(ours, labels.currency)}: it averages profits of "
        text += "equal chances first and weights them to the priors afterwards. "
    base = answer.column("em_base_cumulative_average")
    ends, right = (format_money(float(base[place]), labels.currency) for place in (-1, 0))
    return f"{text}Its base line adds up averages and ends at {ends}, not at {right}."


def _enterprise_lines(answer: RankingsResult, own: int) -> tuple[SeriesSpec, ...]:
    dashed = (5.0, 3.0)
    lines = (
        ("Payoff", "cumulative_average", own, ()),
        ("as SAS EM", "em_cumulative_average", own, dashed),
        ("base", "base_average", -1, ()),
        ("base as SAS EM", "em_base_cumulative_average", -1, dashed),
    )
    return tuple(
        SeriesSpec(
            name=name,
            series=series,
            x=answer.column("depth"),
            y=answer.column(column),
            dash=dash,
            is_quiet=series < 0,
        )
        for name, column, series, dash in lines
    )


def _enterprise_chart(answer: RankingsResult, labels: Labels) -> Chart:
    """Average money by depth; full lines = ours, dashed = as Enterprise Miner draws it."""
    series = _enterprise_lines(answer, labels.series_of(answer.model))
    bottom, top = extent([line.y for line in series])
    return Chart(
        kind="as_em",
        title="As Enterprise Miner draws it",
        subtitle=answer.model,
        x_axis=best_cases_axis(labels),
        y_axis=AxisSpec(
            label=capitalised(f"average {labels.amount}, best cases first"),
            quantity="money",
            currency=labels.currency,
            low=bottom,
            high=top,
        ),
        series=series,
        definition=(
            "Cumulative average of what decisions brought, cases with the highest chance "
            "first. Enterprise Miner averages among equal chances before it weights to the "
            "priors, and its base line adds averages up bin by bin."
        ),
        rows_text=answer.rows.text,
        headroom=10,
        rests_at=1.0,
    )


# ---------------------------------------------------------------- basis


def basis(answer: BasisResult, labels: Labels) -> View:
    """A model's decisions by each case's own score beside those by averages."""
    note = basis_note(answer, labels)
    return View(
        title=f"Ways to decide, {answer.model}",
        sentences=(basis_sentence(answer, labels),),
        tables=(_basis_table(answer, labels),) if answer.lines else (),
        notes=(note,) if note else (),
    )


def way_words(way: str, labels: Labels) -> str:
    """A way to decide, as the first cell of its row."""
    return {
        SCORE: f"each {labels.case}'s own score",
        MEAN: "the mean of its quantiles",
        SPREAD: "averaged over its quantiles",
        LEAF: "its leaf's average of promises",
        HONEST: "its leaf's average of outcomes",
    }[way]


def basis_sentence(result: BasisResult, labels: Labels) -> str:
    """What averaging changes: decisions, promises and what came in."""
    if not result.lines:
        return (
            f"“{result.model}” decides each {labels.case} by its own score. Choose quantiles that "
            "were predicted, or the leaves of a tree, to average over."
        )
    first, last = result.lines[0], _averaged(result)
    decided = counted_of(last.changed, result.cases, labels.case, labels.cases)
    text = f"Averaging decides {decided} "
    text += f"otherwise ({format_share(last.changed / max(result.cases, 1e-300))})"
    ends = format_money_interval(*labels.interval(last.difference.low, last.difference.high))
    money = labels.money(last.difference.value, sign=True)
    text += f": {money} {labels.verbs.came_in} with it ({ends}). "
    if result.leaves:
        return text
    mean = next(line for line in result.lines if line.way == MEAN)
    gap = mean.expected - mean.averaged
    lost = last.averaged - mean.averaged
    seems = f"seem to {labels.verbs.bring} {labels.money(mean.expected)}"
    text += f"Jensen gap: at the mean its decisions {seems}, "
    text += f"over the distribution {labels.money(mean.averaged)}, {labels.money(abs(gap))} "
    text += f"{'less' if (gap > 0) != labels.is_loss else 'more'}; deciding over it is worth "
    text += f"{format_money(lost, labels.currency)}. At the score itself: "
    return text + f"{labels.money(first.expected)} and {labels.money(first.averaged)}."


def _averaged(result: BasisResult) -> BasisLine:
    """The way of averaging that decides, or the first one where none does."""
    averaged = [line for line in result.lines if line.way in (SPREAD, LEAF, HONEST)]
    return next((line for line in averaged if line.way == result.used), averaged[0])


def _basis_table(result: BasisResult, labels: Labels) -> Table:
    """One row per way: promised, what the averages say of it, came in, decided otherwise."""
    acting = capitalised(labels.done)
    came_in = capitalised(labels.verbs.came_in.removeprefix("was "))
    header = (
        "Decided by",
        acting,
        f"Promised, {labels.currency}",
        f"By averages, {labels.currency}",
        f"{came_in}, {labels.currency}",
        "Difference",
        f"95{NBSP}%",
        "Otherwise",
    )
    help_texts = (
        "What each decision is read from; the way in use is in bold",
        f"{capitalised(labels.cases)} that are {labels.done}, weighted to the priors",
        "What this way itself promises of its decisions",
        "What the averages promise of the same decisions",
        f"What these decisions really {labels.verbs.realised}",
        f"{came_in}, less that of the first way",
        "Interval of the difference: the same cases, paired",
        f"{capitalised(labels.cases)} that the first way decides otherwise",
    )
    rows = tuple(_basis_row(line, labels, is_bold=line.way == result.used) for line in result.lines)
    return Table(name="Ways to decide", columns=header, rows=rows, help=help_texts)


def _basis_row(line: BasisLine, labels: Labels, *, is_bold: bool) -> tuple[Cell, ...]:
    def money(profit: float) -> Cell:
        text = format_money(labels.shown(profit), "", decimals=0)
        return Cell(text=text, exact=labels.money(profit), is_bold=is_bold)

    gain, is_first = line.difference.value, line.way == SCORE
    role = "text" if abs(gain) < 0.5 else "gain" if gain > 0 else "loss"
    ends = format_money_interval(*labels.interval(line.difference.low, line.difference.high))
    difference = format_money(labels.shown(gain), "", decimals=0, sign=True)
    return (
        Cell(text=way_words(line.way, labels), is_bold=is_bold),
        Cell(text=format_count(line.acted), is_bold=is_bold),
        money(line.expected),
        money(line.averaged),
        money(line.realised.value),
        Cell(text="" if is_first else difference, role=role, is_bold=is_bold),
        Cell(text="" if is_first else ends, role="quiet"),
        Cell(text="" if is_first else format_count(line.changed), is_bold=is_bold),
    )


def basis_note(result: BasisResult, labels: Labels) -> str:
    """What is averaged over, and over which rows."""
    if not result.lines:
        return ""
    parts = [result.rows.text, f"intervals {result.holds_fixed}".strip()]
    if result.levels:
        levels = join_words([f"{format_number(100 * level, 1)}{NBSP}%" for level in result.levels])
        parts.append(
            f"quantiles of {levels}, straight between them; the outer ones stand for the "
            f"{format_share(result.tail)} beyond"
        )
    if result.crossed:
        parts.append(
            f"the quantiles of {counted(result.crossed, labels.case, labels.cases)} cross and "
            "were put in order"
        )
    if result.leaves:
        parts.append(
            f"{counted(result.leaves, 'leaf', 'leaves')}; new {labels.cases} get the averages "
            "of these rows, and pay their own costs"
        )
    return "; ".join(part for part in parts if part) + "."


# ---------------------------------------------------------------- own break-evens


def case_cloud(answer: CaseCloud, labels: Labels) -> View:
    """Chances against the cases' own break-evens; the reason where all share one."""
    title = "Which cases are worth acting on?"
    if answer.reason:
        return View(title=title, sentences=(answer.reason,))
    return View(
        title=title,
        sentences=(cloud_sentence(answer, labels),),
        charts=(_cloud_chart(answer, labels, title),),
    )


def cloud_sentence(answer: CaseCloud, labels: Labels) -> str:
    """What own break-evens bring over one for all."""
    mean = format_share(answer.mean_break_even)
    text = f"By its own break-even {format_share(answer.acted_share)} of {labels.cases} are "
    text += f"{labels.done}; with one break-even for all, the mean {mean}, it would be "
    text += f"{format_share(answer.acted_share_at_mean)}. "
    expected = format_money(abs(answer.expected_gain), labels.currency)
    came = format_money(abs(answer.realised_gain), labels.currency)
    verbs = labels.verbs
    hope, truth = verbs.more(answer.expected_gain), verbs.more(answer.realised_gain)
    verb = "to lose " if labels.is_loss else ""
    text += f"The own ones promise {verb}{expected} {hope}; "
    return f"{text}they really {verbs.realised} {came} {truth}."


def _cloud_chart(answer: CaseCloud, labels: Labels, title: str) -> Chart:
    """A point per case drawn; the diagonal is where acting begins to pay."""
    left, right = _start_of(answer.break_even), _end_of(answer.break_even)
    ends = np.array([left, right])
    drawn = counted_of(len(answer.probability), answer.cases, labels.case, labels.cases)
    return Chart(
        kind="case_cloud",
        title=title,
        subtitle=f"{drawn} drawn",
        x_axis=AxisSpec(
            label="the case's own break-even chance",
            quantity="percent",
            template="break-even {}",
            low=left,
            high=right,
        ),
        y_axis=AxisSpec(
            label="chance by the model",
            quantity="percent",
            low=0.0,
            high=max(_end_of(answer.probability), right),
        ),
        baselines=(BaselineSpec(name="acting begins to pay", x=ends, y=ends, label_at=0.2),),
        points=_cloud_points(answer, labels.series_of(labels.chosen)),
        definition=(
            "Costs or amounts differ from case to case, so each has a chance of its own at "
            "which acting begins to pay. Acting pays for the points "
            f"{'above' if answer.acts_above else 'below'} the diagonal."
        ),
        headroom=8,
        rests_at=min(answer.mean_break_even, 1.0),
    )


def _cloud_points(answer: CaseCloud, own: int) -> tuple[PointsSpec, ...]:
    event = answer.is_event
    groups = (("others", -1, ~event, 3.5), ("events", own, event, 4.5))
    return tuple(
        PointsSpec(
            name=name,
            series=series,
            x=answer.break_even[chosen],
            y=answer.probability[chosen],
            size=size,
        )
        for name, series, chosen, size in groups
    )


def _start_of(values: FloatArray) -> float:
    """The start of an axis of chances: 0 unless all values lie far from it."""
    low, high = float(values.min()), float(values.max())
    return 0.0 if low < 0.5 * high else max(0.0, low - 0.2 * (high - low))


def _end_of(values: FloatArray) -> float:
    """The end of an axis of chances: a little beyond the largest, at most all."""
    return min(1.0, max(0.01, 1.05 * float(values.max())))
