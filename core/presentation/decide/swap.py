"""What the tab Swap set shows: who moves between two ways to decide, and the money."""

from __future__ import annotations

from core.document.studies.decided_cases import BOTH, FIRST, NEITHER, SECOND, SwapGroup, SwapSet
from core.document.wording import (
    NBSP,
    format_count,
    format_money,
    format_money_interval,
    format_p_value,
    format_share,
    name_in_text,
    share_that,
)
from core.presentation.charts.chart import AxisSpec, Chart, TileSpec
from core.presentation.labels import Labels, capitalised
from core.presentation.view import Cell, Table, View
from payoff.counting import counted

RATE_COLUMN = 2


def side_names(answer: SwapSet) -> tuple[str, str]:
    """Return what the two ways are called: their models, or all of it where one model is both."""
    first, second = answer.models
    return (first, second) if first and first != second else (answer.first, answer.second)


def _in_text(name: str, answer: SwapSet) -> str:
    """A way as a sentence writes it, where it is called as its model is."""
    return name_in_text(name) if name in answer.models else name


def _pair_words(answer: SwapSet) -> str:
    return f"{_in_text(answer.first, answer)} against {_in_text(answer.second, answer)}"


def _group_names(answer: SwapSet) -> dict[str, str]:
    first, second = side_names(answer)
    first, second = (_in_text(name, answer) for name in (first, second))
    return {BOTH: "both", FIRST: f"only {first}", SECOND: f"only {second}", NEITHER: "neither"}


def swaps(answer: SwapSet, labels: Labels) -> View:
    """Four groups of cases, who moves, and what that is worth."""
    event = labels.level(answer.levels[0])
    parts = [answer.rows.text, f"intervals {answer.holds_fixed}"]
    if answer.judged_by:
        parts.append(f"money counted by {answer.judged_by}")
    return View(
        title=_pair_words(answer),
        sentences=(swap_sentence(answer, labels),),
        tables=(swap_table(answer, labels, event),),
        charts=(_tiles(answer, labels, event),),
        notes=("; ".join(part for part in parts if part) + ".",),
    )


def _tiles(answer: SwapSet, labels: Labels, event: str) -> Chart:
    """Columns: what the second does; rows: what the first does."""
    places = (BOTH, FIRST, SECOND, NEITHER)
    names, across = _group_names(answer), side_names(answer)[1]
    return Chart(
        kind="swap",
        title="Who moves?",
        subtitle=_pair_words(answer),
        x_axis=AxisSpec(label="", quantity="number", low=0.0, high=2.0),
        y_axis=AxisSpec(label="", quantity="number", low=0.0, high=2.0),
        tile_heads=(f"{across}: {labels.done}", f"{across}: not"),
        tiles=tuple(_tile(names[name], answer.group(name), labels, event) for name in places),
        definition=(
            "Each case falls into one of four groups, by whether each of the two ways acts on it. "
            "What they do alike brings both the same: they differ in the groups of one alone."
        ),
        rows_text=answer.rows.text,
        headroom=0,
    )


def _tile(name: str, group: SwapGroup, labels: Labels, event: str) -> TileSpec:
    count = format_count(group.cases)
    if group.cases <= 0:  # nobody, and no share of nobody
        return TileSpec(name=name, figure=count)
    rate = group.event_rate
    share = format_share(rate.value)
    ends = f"{format_share(rate.low)} to {format_share(rate.high)}, 95{NBSP}%"
    cases = counted(group.cases, labels.case, labels.cases)
    return TileSpec(
        name=name,
        figure=count,
        note=share_that(share, event),
        exact=f"{cases}, {share_that(f'{share} ({ends})', event)}",
    )


def swap_sentence(answer: SwapSet, labels: Labels) -> str:
    """Who moves, and what that is worth."""
    only_first, only_second = answer.group(FIRST), answer.group(SECOND)
    mine, other = (_in_text(name, answer) for name in side_names(answer))
    one, two = (_in_text(name, answer) for name in (answer.first, answer.second))
    text = f"{one} acts on {format_share(answer.first_depth)}, {two} on "
    text += f"{format_share(answer.second_depth)}. "
    if only_first.cases < 0.5 and only_second.cases < 0.5:
        same = "the same" if answer.group(BOTH).cases >= 0.5 else "no"
        return text + f"They choose {same} {labels.cases}."
    first = counted(only_first.cases, f"{labels.case} is", f"{labels.cases} are")
    text += f"{first} {labels.done} by {mine} only, "
    text += f"{format_count(only_second.cases)} by {other} only. "
    estimate = answer.difference.estimate
    ends = (estimate.low, estimate.high)
    if estimate.value < 0:
        ends = (-estimate.high, -estimate.low)
    amount = format_money(abs(estimate.value), labels.currency)
    verbs = labels.verbs
    text += f"{mine} {verbs.earns} {amount} {verbs.more(estimate.value)} "
    text += f"({format_money_interval(*ends)}, {format_p_value(answer.difference.p_value)})."
    return text


def swap_table(answer: SwapSet, labels: Labels, event: str) -> Table:
    """One row per group: cases, rate of events, money of both ways and the difference."""
    names = _group_names(answer) | {"all": f"all {labels.cases}"}
    first, second = side_names(answer)
    rows = tuple(
        _row(names[group.name], group, labels, is_bold=group.name == "all")
        for group in (*answer.groups, answer.everyone)
    )
    header = (
        f"{capitalised(labels.done)} by",
        capitalised(labels.cases),
        event,
        f"{first}, {labels.currency}",
        f"{second}, {labels.currency}",
        f"Difference, {labels.currency}",
        "95\u00a0%",
    )
    help_texts = (
        "",
        "Weighted to the priors",
        f"Share of “{event}”",
        f"What {answer.first} {labels.verbs.brings} with these {labels.cases}",
        f"What {answer.second} {labels.verbs.brings} with these {labels.cases}",
        f"{first} less {second}, case by case",
        "Interval of the difference: the same cases, paired",
    )
    return Table(name="Swap set", columns=header, rows=rows, help=help_texts, spare=(RATE_COLUMN,))


def _row(name: str, group: SwapGroup, labels: Labels, *, is_bold: bool) -> tuple[Cell, ...]:
    gain = group.difference.value
    role = "text" if abs(gain) < 0.5 else "gain" if gain > 0 else "loss"
    low, high = labels.interval(group.difference.low, group.difference.high)
    ends = "" if max(abs(low), abs(high)) < 0.5 else format_money_interval(low, high)
    return (
        Cell(text=name, is_bold=is_bold),
        Cell(text=format_count(group.cases), is_bold=is_bold),
        Cell(text=format_share(group.event_rate.value), is_bold=is_bold),
        Cell(text=format_money(labels.shown(group.first), "", decimals=0), is_bold=is_bold),
        Cell(text=format_money(labels.shown(group.second), "", decimals=0), is_bold=is_bold),
        Cell(
            text=format_money(labels.shown(gain), "", decimals=0, sign=True),
            role=role,
            is_bold=is_bold,
        ),
        Cell(text=ends if group.cases > 0 else "", role="quiet"),
    )
