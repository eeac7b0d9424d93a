"""What is shown of lists of decisions: kept out, expected, brought along by a file."""

from __future__ import annotations

import math

from core.document.studies.applying import ListResult
from core.document.studies.hold_out import HoldOutResult
from core.document.studies.reconciling import ColumnMatch, Reconciliation
from core.document.wording import (
    format_count,
    format_money,
    format_money_interval,
    format_share,
)
from core.presentation.labels import Labels
from core.presentation.table import Cell, Table
from core.presentation.view import View
from payoff.counting import counted, counted_of

FIRST = 4  # rows of each column that are shown
DECISION = "D"  # the letter of the column that is no amount

# ---------------------------------------------------------------- hold-out


def kept_out(answer: HoldOutResult, labels: Labels) -> View:
    """What a hold-out costs, and the smallest effect that it could show."""
    one, many = f"chosen {labels.case}", f"chosen {labels.cases}"
    kept = counted_of(answer.held, answer.chosen, one, many, verbs="is/are")
    what = "of expected loss not saved" if labels.is_loss else "of expected profit forgone"
    forgone = format_money(answer.forgone, labels.currency)
    return View(
        title="Hold-out",
        sentences=(f"{kept} kept out: {forgone} {what}.", _effect_words(answer, labels)),
    )


def _effect_words(answer: HoldOutResult, labels: Labels) -> str:
    event = labels.happened
    if math.isnan(answer.smallest_effect):
        return f"That is too few to show any effect on “{event}”."
    rate = format_share(answer.event_rate)
    power, level = format_share(answer.power, 0), format_share(answer.significance, 0)
    return (
        f"With {rate} “{event}” expected among the chosen, the smallest effect this could show is "
        f"{100 * answer.smallest_effect:.2f} percentage points (power {power}, two-sided {level})."
    )


# ---------------------------------------------------------------- a list of a size


def expected_list(answer: ListResult, labels: Labels) -> View:
    """Counts and total of a list, each named as expected, with its interval."""
    total = answer.total
    ends = format_money_interval(*labels.interval(total.low, total.high))
    cases = counted(answer.cases, labels.case, labels.cases)
    lines = [
        f"Expected total {labels.amount} of {cases}: {labels.money(total.value)} "
        f"({ends}, 95 % {total.holds_fixed})"
    ]
    for decision, count in answer.counts:
        share = format_share(count.value / answer.cases)
        span = f"{format_count(count.low)} to {format_count(count.high)}"
        lines.append(f"Expected {decision}: {format_count(count.value)} ({share}), {span}")
    lines.append(f"Scaled from {answer.source}; it holds for cases like them. {answer.rule}")
    return View(title=f"A list of {cases}", sentences=tuple(lines), notes=answer.warnings)


# ---------------------------------------------------------------- decisions of the file


def decisions_in_file(answer: Reconciliation, labels: Labels) -> View:
    """Decisions that the file brings along beside those of the rule: where they differ, and why."""
    del labels
    first, *more = answer.sentences
    of_columns = len([entry for entry in answer.columns if entry.different])  # in the table
    rows = _first_rows(answer)
    return View(
        title=f"Decisions in the file against {answer.model}",
        sentences=(first, *more[of_columns:]),
        state="ok" if answer.agrees else "warning",
        tables=(_matches(answer.columns), *((rows,) if rows.rows else ())),
    )


def _matches(columns: tuple[ColumnMatch, ...]) -> Table:
    """Columns of the file beside ours."""
    return Table(
        name="Columns of the file beside ours",
        columns=("Column", "Equal", "Different", "Largest difference"),
        rows=tuple(
            (
                Cell(text=entry.column, is_left=True),
                Cell(text=format_count(entry.equal)),
                Cell(
                    text=format_count(entry.different),
                    role="loss" if entry.different else "text",
                ),
                Cell(text="" if entry.letter == DECISION else f"{entry.largest:.4g}"),
            )
            for entry in columns
        ),
    )


def _first_rows(answer: Reconciliation) -> Table:
    """The first rows that differ, in the order of the file."""
    entries = [(entry.column, row) for entry in answer.columns for row in entry.first[:FIRST]]
    entries.sort(key=lambda pair: pair[1].row)
    return Table(
        name="First rows that differ",
        title="First rows that differ",
        columns=("Row", "Column", "In the file", "Ours"),
        rows=tuple(
            (
                Cell(text=format_count(row.row), is_left=True, exact=row.where),
                Cell(text=column, is_left=True),
                Cell(text=row.theirs),
                Cell(text=row.ours),
            )
            for column, row in entries[: 2 * FIRST]
        ),
    )
