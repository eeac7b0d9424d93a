"""What page Decide shows of the cases of one model: ranked, by averages, one by one."""

from __future__ import annotations

import math

from core.document.studies.rankings import RankingsResult
from core.document.wording import (
    NBSP,
    UNDEFINED,
    format_count,
    format_money,
    format_number,
    format_share,
)
from core.presentation.chart import AxisSpec, Chart, SeriesSpec
from core.presentation.labels import Labels, capitalised
from core.presentation.scales import extent
from core.presentation.table import Cell, Table
from core.presentation.view import View
from core.questions.suggestions import order_words

SAME = 1e-9  # share of the total by which two ways of adding up may differ

# ---------------------------------------------------------------- rankings


def rankings(answer: RankingsResult, labels: Labels) -> View:
    """Response and money by depth; beside them predicted classes, or Enterprise Miner's chart."""
    is_number = not answer.predicted.size
    is_em = answer.as_em and not is_number
    tables = (_ranking_table(answer, labels, as_em=is_em),)
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
        f"What the decisions of this bin {labels.verbs.brought}, {labels.currency}",
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


def _enterprise_chart(answer: RankingsResult, labels: Labels) -> Chart:
    """Average money by depth; full lines = ours, dashed = as Enterprise Miner draws it."""
    series, dashed = labels.series_of(answer.model), (5.0, 3.0)
    lines = (
        ("Payoff", "cumulative_average", series, ()),
        ("as SAS EM", "em_cumulative_average", series, dashed),
        ("base", "base_average", -1, ()),
        ("base as SAS EM", "em_base_cumulative_average", -1, dashed),
    )
    depth = answer.column("depth")
    bottom, top = extent([answer.column(column) for _, column, _, _ in lines])
    return Chart(
        kind="as_em",
        title="As Enterprise Miner draws it",
        subtitle=answer.model,
        x_axis=AxisSpec(
            label=f"share of {labels.cases} {labels.done}",
            quantity="percent",
            said="best {}",
            low=0.0,
            high=1.0,
        ),
        y_axis=AxisSpec(
            label=capitalised(f"average {labels.amount}, best cases first"),
            quantity="money",
            currency=labels.currency,
            low=bottom,
            high=top,
        ),
        series=tuple(
            SeriesSpec(
                name=name,
                series=colour,
                x=depth,
                y=answer.column(column),
                dash=dash,
                is_quiet=colour < 0,
            )
            for name, column, colour, dash in lines
        ),
        definition=(
            "Cumulative average of what decisions brought, cases with the highest chance "
            "first. Enterprise Miner averages among equal chances before it weights to the "
            "priors, and its base line adds averages up bin by bin."
        ),
        rows_text=answer.rows.text,
        headroom=10,
        rests_at=1.0,
    )
