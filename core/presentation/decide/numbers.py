"""What page Decide shows of numbers that move: break-even, goal seek, what-if, former numbers.

A model that beats every rule for all cases may be drawn level in two ways. Where nothing is earned
at that value, it stops paying. Where the same decision for all then earns as much, profit may well
have risen on the way: from there on the model is not needed.
"""

from __future__ import annotations

import math

from core.document.results import DecisionResult, Estimate
from core.document.studies.moving_numbers import (
    BreakEvenResult,
    BreakEvenRow,
    Crossing,
    GoalRow,
    GoalSeekResult,
    ModelWhatIf,
    RuleChangeResult,
    ScenarioOutcome,
    WhatIfResult,
    nearest,
)
from core.document.wording import (
    NBSP,
    UNDEFINED,
    estimate_decimals,
    format_count,
    format_money_interval,
    format_share,
    name_in_text,
)
from core.presentation.decide.tables import amount, plain_amount, turned_estimate
from core.presentation.labels import Labels, capitalised, distance_words, setting_words
from core.presentation.view import Cell, Table, View, common_scale
from payoff.counting import counted

FAR = 10.0  # times its present value: shown quietly, nobody expects a number to move that far
ROUNDING = 1e-9


# ---------------------------------------------------------------- break-even


def break_even_values(answer: BreakEvenResult, labels: Labels) -> View:
    """For every number, the value nearest to the present one at which something changes."""
    kept = (
        "Every case keeps its present decision."
        if answer.is_kept
        else "Decisions are made again at each value."
    )
    rows = answer.rows.text
    note = [kept, f"Exact for these rows ({rows})." if rows else "", *answer.warnings]
    return View(
        title="Break-even",
        sentences=(sentence_words(answer, labels),),
        tables=(_break_even_table(answer, labels),),
        notes=(" ".join(part for part in note if part),),
    )


def _break_even_table(answer: BreakEvenResult, labels: Labels) -> Table:
    far = "Distance from the present value"
    columns = (
        ("Number", "What happens if it moves alone"),
        ("Now", ""),
        (
            "Rule flips at",
            f"A decision starts or stops being chosen by the rule of {name_in_text(answer.model)}",
        ),
        ("", far),
        ("Another wins at", "Another model has the best total"),
        ("", far),
        ("Model", "The model that then wins"),
        (
            ends_header(answer),
            (
                "Where the same decision for all cases draws level with the best model, or the "
                "model's total crosses 0. Profit may have risen on the way."
            ),
        ),
        ("", far),
    )
    return Table(
        name="Break-even values",
        columns=tuple(head for head, _ in columns),
        rows=tuple(_break_even_row(row, answer, labels) for row in answer.numbers),
        help=tuple(text for _, text in columns),
    )


def _break_even_row(row: BreakEvenRow, answer: BreakEvenResult, labels: Labels) -> tuple[Cell, ...]:
    winner = nearest(row.winner, row.now)
    who = Cell(text=UNDEFINED, role="quiet", is_left=True)
    if winner is not None:
        series = labels.series_of(winner.becomes)
        who = Cell(text=winner.becomes, series=series, is_left=True)
    ends = min(ends_of(row, labels), key=lambda entry: abs(entry.value - row.now), default=None)
    return (
        Cell(text=capitalised(row.name), is_left=True, exact=_never_words(row, labels)),
        Cell(text=setting_words(row.now, row.unit, labels.currency)),
        *_crossing_cells(row, nearest(row.rule, row.now), rule_tip(row, labels), labels),
        *_crossing_cells(row, winner, winner_tip(row, labels), labels),
        who,
        *_crossing_cells(row, ends, ends_tip(row, answer, labels), labels),
    )


def _crossing_cells(
    row: BreakEvenRow, crossing: Crossing | None, tip: str, labels: Labels
) -> tuple[Cell, Cell]:
    """The value at which something changes, and how far it is from the present one."""
    if crossing is None:
        return Cell(text="never", role="quiet", exact=tip), Cell()
    is_far = abs(crossing.distance) > FAR
    text = setting_words(crossing.value, row.unit, labels.currency)
    step = crossing.distance
    if row.now == 0:  # no share of 0: the bar says the side only
        step = 0.5 if crossing.value > 0 else -0.5
    far = distance_words(crossing.value, row.now, row.unit)
    return (
        Cell(text=text, role="quiet" if is_far else "text", exact=tip),
        Cell(text=far, role="quiet", shift=step, exact=tip),
    )


def _never_words(row: BreakEvenRow, labels: Labels) -> str:
    if row.never is None:
        return ""
    at = setting_words(row.never, row.unit, labels.currency)
    return f"From {at} on one decision is the better one whatever the chance is."


def is_needed(result: BreakEvenResult) -> bool:
    """Whether the best model brings more than every single decision for all cases."""
    slack = ROUNDING * max(abs(result.total), abs(result.constant_total), 1.0)
    return result.total > result.constant_total + slack


def ends_of(row: BreakEvenRow, words: Labels) -> tuple[Crossing, ...]:
    """Where the best model is drawn level; losses have no zero that would mean anything."""
    pairs = row.beaten if words.is_loss else (*row.beaten, *row.zero)
    return tuple(entry for entry in pairs if entry is not None)


def ends_header(result: BreakEvenResult) -> str:
    """What the last column holds."""
    return "One for all ties at" if is_needed(result) else "The model is better from"


def sentence_words(result: BreakEvenResult, words: Labels) -> str:
    """The best model, what it is held against, and what happens first."""
    parts = [f"{name_in_text(result.winner)} is the best model ({_money(result.total, words)})."]
    if not is_needed(result):
        parts.append(
            f"It is not needed: “{result.constant}” for all is as good or better "
            f"({_money(result.constant_total, words)})."
        )
        return " ".join(parts)
    first = _closest([(row, end) for row in result.numbers for end in ends_of(row, words)])
    wins = _closest([(row, end) for row in result.numbers for end in row.winner if end is not None])
    if first is not None:
        parts.append(_level_words(*first, words))
    if wins is not None:
        row, end = wins
        parts.append(
            f"{name_in_text(end.becomes)} takes over first if {_quoted(row.name)} goes to "
            f"{setting_words(end.value, row.unit, words.currency)}."
        )
    return " ".join(parts)


def _level_words(row: BreakEvenRow, end: Crossing, words: Labels) -> str:
    now = setting_words(row.now, row.unit, words.currency)
    there = setting_words(end.value, row.unit, words.currency)
    if end in row.zero:
        text = "It stops paying first if %s goes from %s to %s: nothing is earned there."
        return text % (_quoted(row.name), now, there)
    if stops_paying(end, words):
        text = "It stops paying first if %s goes from %s to %s: there “%s” for all is as good."
    else:
        text = "It is needed until %s goes from %s to %s: from there “%s” for all is as good."
    return text % (_quoted(row.name), now, there, end.becomes)


def _quoted(name: str) -> str:
    """A number's name in quotes; quotes in it become single ones: “Share of ‘responds’”."""
    return f"“{name.replace('“', '‘').replace('”', '’')}”"


def stops_paying(end: Crossing, words: Labels) -> bool:
    """Whether doing nothing draws level, or nothing is earned where another rule does."""
    if words.is_loss:
        return False
    return end.becomes == words.rest or end.total <= ROUNDING * max(1.0, abs(end.total))


def rule_tip(row: BreakEvenRow, words: Labels) -> str:
    """Which decision starts or stops being chosen on either side."""
    lines = []
    for crossing in row.rule:
        if crossing is None:
            continue
        change = (
            "“%s” starts being chosen"
            if crossing.starts
            else "“%s” is no longer chosen for any case"
        )
        lines.append(line_words(row, crossing, change % crossing.becomes, words))
    return "\n".join(lines) or "The same decisions stay in use at every value."


def ends_tip(row: BreakEvenRow, result: BreakEvenResult, words: Labels) -> str:
    """Both sides of a number, in a line each."""
    level = "the best model loses as much as “%s” for all"
    if not words.is_loss:
        level = "the best model earns as much as “%s” for all"
    lines = [
        line_words(
            row,
            end,
            "the best model's total crosses 0" if end in row.zero else level % end.becomes,
            words,
        )
        for end in ends_of(row, words)
    ]
    always = (
        "The model is better than one decision for all at every value."
        if is_needed(result)
        else "One decision for all is as good or better at every value."
    )
    return "\n".join(lines) or always


def winner_tip(row: BreakEvenRow, words: Labels) -> str:
    """Which model leads on either side."""
    leads = "%s loses least" if words.is_loss else "%s earns most"
    lines = [
        line_words(row, end, leads % end.becomes, words) for end in row.winner if end is not None
    ]
    if lines:
        return "\n".join(lines)
    return (
        "The same model loses least at every value."
        if words.is_loss
        else "The same model earns most at every value."
    )


def line_words(row: BreakEvenRow, crossing: Crossing, what: str, words: Labels) -> str:
    """One change: the value, how far it lies, what happens there, and the total."""
    at = setting_words(crossing.value, row.unit, words.currency)
    far = distance_words(crossing.value, row.now, row.unit)
    return f"{at} ({far}): {what}; {f'total there {_money(crossing.total, words)}'}"


def _money(total: float, words: Labels) -> str:
    text = words.money(total)
    return f"a loss of {text}" if words.is_loss else text


def _closest(found: list[tuple[BreakEvenRow, Crossing]]) -> tuple[BreakEvenRow, Crossing] | None:
    """The change that lies nearest to the present, as a share of the number that moves."""
    known = [entry for entry in found if entry[1].distance == entry[1].distance]
    return min(known, key=lambda entry: abs(entry[1].distance), default=None)


# ---------------------------------------------------------------- goal seek


def wanted_total(answer: GoalSeekResult, labels: Labels) -> View:
    """Which number, at which value, brings what is wanted; and which part of perfect foresight."""
    rows = answer.rows.text
    note = [
        "One number moves alone; decisions are made again. Nearest to the present value, or beyond "
        "it where the total jumps past what is wanted.",
        f"Exact for these rows ({rows})." if rows else "",
        *answer.warnings,
    ]
    return View(
        title="Goal seek",
        sentences=_goal_sentences(answer, labels),
        strong=0,
        tables=(_goal_table(answer, labels),),
        notes=(" ".join(part for part in note if part),),
    )


def _goal_sentences(answer: GoalSeekResult, labels: Labels) -> tuple[str, ...]:
    """What is wanted beside what there is, the shortest way there, and the model that would do."""
    wanted, now = (_money(total, labels) for total in (answer.wanted, answer.total))
    if is_reached(answer):
        return (
            f"{capitalised(wanted)}: the rule of {name_in_text(answer.model)} brings it as it is.",
        )
    difference = labels.money(answer.wanted - answer.total, sign=True)
    rule = f"the rule of {name_in_text(answer.model)}"
    first = f"{capitalised(wanted)} instead of {now} by {rule}: {difference}."
    return (f"{first} {_shortest_words(answer, labels)}", *_quality_words(answer, labels))


def is_reached(answer: GoalSeekResult) -> bool:
    """Whether the rule brings what is wanted with the numbers as they are."""
    return all(row.value == row.now for row in answer.numbers)


def _shortest_words(answer: GoalSeekResult, labels: Labels) -> str:
    """The number that has to move least, as a share of itself."""
    known = [row for row in answer.numbers if row.is_within_reach and row.now]
    if not any(row.is_within_reach for row in answer.numbers):
        return "No number alone brings that."
    if not known:
        return ""
    row = min(known, key=lambda entry: abs(entry.value / entry.now - 1.0))
    now, there = (setting_words(v, row.unit, labels.currency) for v in (row.now, row.value))
    far = distance_words(row.value, row.now, row.unit)
    return f"Shortest way: {_quoted(row.name)} from {now} to {there} ({far})."


def _quality_words(answer: GoalSeekResult, labels: Labels) -> tuple[str, ...]:
    """What a model would have to know, with the numbers as they are."""
    if math.isnan(answer.share):
        return ()
    perfect = _money(answer.perfect, labels)
    if answer.share > 1.0:
        return (f"No model brings it with these numbers: perfect foresight comes to {perfect}.",)
    share = format_share(answer.share)
    return (
        f"With these numbers a better model would have to bring {share} of what perfect foresight "
        f"({perfect}) would add.",
    )


def _goal_table(answer: GoalSeekResult, labels: Labels) -> Table:
    unit = f", {labels.currency}" if labels.currency else ""
    columns = (
        ("If this number moves alone", "Choose a row to try its value"),
        ("Now", ""),
        ("Needed", "The value nearest to the present one that brings what is wanted"),
        ("", "Distance from the present value"),
        ("Total there" + unit, "By the rule, decisions made again at that value"),
    )
    places = estimate_decimals(answer.total, answer.wanted)
    rows = [_goal_row(row, answer, labels, places) for row in answer.numbers]
    if not math.isnan(answer.share) and not is_reached(answer):
        rows.append(_quality_row(answer, labels, places))
    return Table(
        name="Values that bring what is wanted",
        columns=tuple(head for head, _ in columns),
        rows=tuple(rows),
        help=tuple(text for _, text in columns),
    )


def _goal_row(
    row: GoalRow, answer: GoalSeekResult, labels: Labels, places: int
) -> tuple[Cell, ...]:
    name = Cell(text=capitalised(row.name), is_left=True)
    now = Cell(text=setting_words(row.now, row.unit, labels.currency))
    if not row.is_within_reach:
        return (name, now, *_out_of_reach(row.total, answer, labels, places))
    step = (row.value - row.now) / abs(row.now) if row.now else 0.5 if row.value > 0 else -0.5
    jumps = "" if row.is_exact else "Decisions change at this value: the total jumps there."
    role = "quiet" if row.now and abs(step) > FAR else "text"
    return (
        name,
        now,
        Cell(text=setting_words(row.value, row.unit, labels.currency), role=role, exact=jumps),
        Cell(text=distance_words(row.value, row.now, row.unit), role="quiet", shift=step),
        plain_amount(row.total, labels, places),
    )


def _out_of_reach(
    total: float, answer: GoalSeekResult, labels: Labels, places: int
) -> tuple[Cell, Cell, Cell]:
    """What is said where nothing brings it: how far it goes."""
    most = "at most" if (answer.wanted > answer.total) != labels.is_loss else "at least"
    end = f"{most} {labels.money(total, decimals=places)}" if math.isfinite(total) else UNDEFINED
    return Cell(text="not within reach", role="quiet"), Cell(), Cell(text=end, role="quiet")


def _quality_row(answer: GoalSeekResult, labels: Labels, places: int) -> tuple[Cell, ...]:
    """A better model in place of another number: what part of perfect foresight it would bring."""
    name = Cell(text="Or a better model: share of what foresight adds", is_left=True)
    now = Cell(text=format_share(0.0))
    if answer.share > 1.0:
        return (name, now, *_out_of_reach(answer.perfect, answer, labels, places))
    wanted = plain_amount(answer.wanted, labels, places)
    return (name, now, Cell(text=format_share(answer.share)), Cell(), wanted)


# ---------------------------------------------------------------- what-if

SCENARIOS = 1  # the place of their table


def numbers_tried(answer: WhatIfResult, labels: Labels) -> View:
    """Each model's total now and with the numbers tried; the scenarios side by side."""
    held = f"intervals {answer.holds_fixed}" if answer.holds_fixed else ""
    return View(
        title="What-if",
        sentences=(answer.rule_text,) if answer.rule_text else (),
        tables=(_tried_table(answer, labels), _scenario_table(answer, labels)),
        notes=("; ".join(part for part in (answer.rows.text, held) if part) + ".",),
    )


def _tried_table(answer: WhatIfResult, labels: Labels) -> Table:
    """Each model now, with decisions kept and made again, and what that changes."""
    unit = f", {labels.currency}" if labels.currency else ""
    to_now = "Difference to now on the same cases"
    columns = (
        ("Model", "", False),
        ("Now" + unit, "Total at the present numbers", False),
        ("Kept" + unit, "Every case keeps its present decision", False),
        ("Change", to_now, True),
        ("Made again" + unit, "Decisions are made again at these numbers", False),
        ("Change", to_now, False),
        (f"95{NBSP}%", "Interval of that difference", True),
        ("Other decision", f"{labels.cases} that get another decision", True),
    )
    bars = [turned_estimate(labels, entry.remade_change) for entry in answer.models]
    scale = common_scale(bars)
    best = max(entry.remade.value for entry in answer.models)
    places = _places(answer.models)
    return Table(
        name="Totals now and with the numbers tried",
        columns=tuple(head for head, _, _ in columns),
        help=tuple(text for _, text, _ in columns),
        spare=tuple(place for place, (_, _, is_spare) in enumerate(columns) if is_spare),
        rows=tuple(
            _tried_row(entry, labels, bar, scale, places, is_best=entry.remade.value == best)
            for entry, bar in zip(answer.models, bars, strict=True)
        ),
    )


def _places(models: tuple[ModelWhatIf, ...]) -> int:
    """Decimals of the totals of all models, now and with other numbers."""
    totals = ((entry.now.value, entry.kept.value, entry.remade.value) for entry in models)
    return estimate_decimals(*(total for three in totals for total in three))


def _tried_row(
    entry: ModelWhatIf,
    labels: Labels,
    bar: Estimate,
    scale: tuple[float, float],
    places: int,
    *,
    is_best: bool,
) -> tuple[Cell, ...]:
    series = labels.series_of(entry.model)
    ends = format_money_interval(bar.low, bar.high)
    return (
        Cell(text=entry.model, series=series, is_left=True),
        plain_amount(entry.now.value, labels, places),
        plain_amount(entry.kept.value, labels, places),
        _change(entry.kept_change, labels, places),
        plain_amount(entry.remade.value, labels, places, is_bold=is_best),
        _change(entry.remade_change, labels, places),
        Cell(estimate=bar, scale=scale, series=series, exact=ends),
        Cell(text=format_count(entry.moved)),
    )


def _change(estimate: Estimate, labels: Labels, places: int) -> Cell:
    figure = amount(estimate.value, labels, places)
    ends = format_money_interval(*labels.interval(estimate.low, estimate.high))
    return Cell(text=figure.text, role=figure.role, exact=ends)


def _scenario_table(answer: WhatIfResult, labels: Labels) -> Table:
    """Each scenario: what it changes, decisions kept, decisions made again, the best model."""
    unit = f", {labels.currency}" if labels.currency else ""
    columns = (
        ("Scenario", ""),
        ("What is changed", ""),
        ("Kept" + unit, "Total of the model that is best now, present decisions kept"),
        ("Made again" + unit, "Total of the best model, decisions made again"),
        ("Best model", ""),
    )
    places = _places(answer.models)
    return Table(
        name="Scenarios side by side",
        title="Scenarios",
        columns=tuple(head for head, _ in columns),
        help=tuple(text for _, text in columns),
        rows=(
            _present_row(answer.models, labels, places),
            *(_scenario_row(entry, labels, places) for entry in answer.scenarios),
        ),
    )


def _present_row(models: tuple[ModelWhatIf, ...], labels: Labels, places: int) -> tuple[Cell, ...]:
    best = max(models, key=lambda entry: entry.now.value)
    return (
        Cell(text="As it is", is_left=True),
        Cell(text=UNDEFINED, role="quiet", is_left=True),
        plain_amount(best.now.value, labels, places),
        plain_amount(best.now.value, labels, places),
        Cell(text=best.model, is_left=True),
    )


def _scenario_row(entry: ScenarioOutcome, labels: Labels, places: int) -> tuple[Cell, ...]:
    name = Cell(text=entry.name, is_left=True, is_bold=True, exact=entry.name)
    if entry.refusal:
        gone = Cell(text=UNDEFINED, role="quiet")
        why = Cell(text=entry.refusal, role="error", is_left=True, exact=entry.refusal)
        return (name, why, gone, gone, Cell(text=UNDEFINED, role="quiet", is_left=True))
    changes = ", ".join(
        f"{what} {setting_words(value, unit, labels.currency)}"
        + (f" ({distance_words(value, now, unit)})" if now and not math.isnan(now) else "")
        for what, unit, now, value in entry.changes
    )
    return (
        name,
        Cell(text=changes, is_left=True, exact=changes),
        plain_amount(entry.kept, labels, places),
        plain_amount(entry.remade, labels, places, is_bold=True),
        Cell(text=entry.best_model, is_left=True),
    )


# ---------------------------------------------------------------- beside the former numbers


def rule_change(answer: RuleChangeResult, labels: Labels) -> View:
    """What the numbers bring beside the former ones, and for how many cases they decide anew."""
    entry = _chosen(answer, labels)
    ends = labels.interval(entry.remade_change.low, entry.remade_change.high)
    held = f" {answer.holds_fixed}" if answer.holds_fixed else ""
    places = _places(answer.models)
    total, before, change = (
        labels.money(found.value, decimals=places, sign=found is entry.remade_change)
        for found in (entry.remade, entry.now, entry.remade_change)
    )
    return View(
        title="What the change brings",
        figure=change,
        interval=f"{format_money_interval(*ends)}, 95{NBSP}%{held}",
        sentences=(
            f"{total} instead of {before} by the rule of {name_in_text(entry.model)}, on the same "
            f"{labels.cases}; {moved_words(entry.moved, labels)}.",
            *_kept_words(entry, labels),
        ),
        strong=0,
        tables=(_change_table(answer, labels),),
        notes=tuple(part for part in (answer.rows.text, *answer.warnings) if part),
    )


def ghost_words(
    former: DecisionResult,
    now: DecisionResult,
    change: RuleChangeResult | None,
    labels: Labels,
    *,
    is_elsewhere: bool = False,
) -> str:
    """The difference of the chosen rule, and the cases that it decides anew once they are known.

    A difference whose interval holds 0 is said to be one that may be 0. Where the cursor is
    elsewhere, its total may even go the other way: the rule is then named.
    """
    rule = " by the rule" * is_elsewhere
    if change is None:
        totals = [_total_of(result, labels) for result in (former, now)]
        return labels.money(totals[1] - totals[0], sign=True) + rule
    entry = _chosen(change, labels)
    found = entry.remade_change
    figure = labels.money(found.value, sign=True) + rule
    if found.low <= 0 <= found.high and found.low < found.high:
        ends = format_money_interval(*labels.interval(found.low, found.high))
        figure = f"{figure} (95{NBSP}% {ends}, may be 0)"
    return f"{figure}, {moved_words(entry.moved, labels)}"


def _total_of(result: DecisionResult, labels: Labels) -> float:
    """The total of the chosen model's rule."""
    named = (entry.total.value for entry in result.models if entry.model == labels.chosen)
    return next(named, math.nan)


def moved_words(moved: float, labels: Labels) -> str:
    """How many cases are decided otherwise: "212 customers change", "no customer changes"."""
    if not moved:
        return f"no {labels.case} changes"
    return counted(moved, f"{labels.case} changes", f"{labels.cases} change")


def _chosen(answer: RuleChangeResult, labels: Labels) -> ModelWhatIf:
    named = (entry for entry in answer.models if entry.model == labels.chosen)
    return next(named, answer.models[0])


def _kept_words(entry: ModelWhatIf, labels: Labels) -> tuple[str, ...]:
    """What of the difference comes from the numbers alone, where decisions change too."""
    if not entry.moved:
        return ()
    rest = entry.remade_change.value - entry.kept_change.value
    parts = (entry.kept_change.value, rest)
    places = estimate_decimals(*parts)
    numbers, anew = (labels.money(part, sign=True, decimals=places) for part in parts)
    return (f"{numbers} comes from the numbers, {anew} from deciding anew.",)


def _change_table(answer: RuleChangeResult, labels: Labels) -> Table:
    """Each model's total before and now, and the paired difference."""
    unit = f", {labels.currency}" if labels.currency else ""
    bars = [turned_estimate(labels, entry.remade_change) for entry in answer.models]
    scale, places = common_scale(bars), _places(answer.models)
    rows = tuple(
        (
            Cell(text=entry.model, series=labels.series_of(entry.model), is_left=True),
            plain_amount(entry.now.value, labels, places),
            plain_amount(entry.remade.value, labels, places),
            _change(entry.remade_change, labels, places),
            Cell(estimate=bar, scale=scale, series=labels.series_of(entry.model)),
            Cell(text=format_count(entry.moved)),
        )
        for entry, bar in zip(answer.models, bars, strict=True)
    )
    return Table(
        name="Totals before and now",
        columns=(
            "Model",
            "Before" + unit,
            "Now" + unit,
            "Difference" + unit,
            f"95{NBSP}%",
            "Other decision",
        ),
        rows=rows,
    )
