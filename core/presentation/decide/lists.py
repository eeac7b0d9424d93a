"""What is shown of lists of decisions: kept out, expected, applied, brought along by a file."""

from __future__ import annotations

import math

from core.document.model import Document
from core.document.results import Advice, ApplyResult, SaveResult
from core.document.studies.decision_files import HoldOutResult, ListResult, WorkbookChanges
from core.document.studies.reconciling import ColumnMatch, Reconciliation
from core.document.wording import (
    NumberText,
    format_count,
    format_money,
    format_money_interval,
    format_number,
    format_points,
    format_share,
    format_threshold,
    join_words,
    name_in_text,
)
from core.presentation.labels import Labels, four_digits
from core.presentation.view import Cell, Table, View
from payoff.counting import counted, counted_of

FIRST = 4  # rows of each column that are shown
PREVIEW_ROWS = 8
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
    smallest = format_points(answer.smallest_effect)
    return (
        f"With {rate} “{event}” expected among the chosen, the smallest effect this could show is "
        f"{smallest} percentage points (power {power}, two-sided {level})."
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


# ---------------------------------------------------------------- the rule on another file


def saved_words(saved: SaveResult) -> str:
    """Return what is said of a file that was written."""
    return f"Saved {counted(saved.rows, 'row')} to {saved.path}"


def applied_lines(answer: ApplyResult, document: Document, model: str) -> tuple[Advice, ...]:
    """Return what was checked of a file, each line with its state: columns, classes, rows."""
    target, known = document.target, []
    known.append(
        f"All columns that the rule reads are there: {join_words(_rule_columns(document, model))}."
    )
    if target is not None and target.levels:
        classes = join_words([target.label(level) for level in target.levels])
        known.append(f"Classes as in this project: {classes}.")
    known.append(f"{counted(answer.rows, *document.case_word)}.")
    if answer.realised_total is not None:
        known.append("The outcome is known there too.")
    return (
        *(Advice(state="ok", text=text) for text in known),
        *answer.checks,
        *(Advice(state="warning", text=text) for text in answer.warnings),
    )


def _rule_columns(document: Document, model: str) -> list[str]:
    """What a rule reads of a file: scores or inputs, predictions, costs, the amount."""
    trained, matrix = document.trained_model(model), document.matrix
    predicted = document.prediction_column(model)
    columns = [*(trained.features if trained else document.score_columns(model))]
    columns += [predicted] if predicted is not None else []
    if matrix is not None:
        columns += [cost.column for cost in matrix.costs if cost.column]
        columns += [matrix.amount] if matrix.amount is not None else []
    return columns


def applied(answer: ApplyResult, labels: Labels) -> View:
    """Return the totals of another file, named as expected or realised, and its first rows."""
    rows = [
        (f"Expected total {labels.amount}, from the chances", labels.money(answer.expected_total))
    ]
    if answer.realised_total is not None:
        realised = labels.money(answer.realised_total)
        rows.append((f"Realised total {labels.amount}, from the outcome", realised))
    cases = max(1, sum(count for _decision, count in answer.counts))
    rows += [
        (decision, f"{format_count(count)} ({format_share(count / cases)})")
        for decision, count in answer.counts
    ]
    totals = Table(
        name="Totals", columns=("", "In the file"), rows=tuple(rows), right=(1,), strong=((0, 1),)
    )
    preview = tuple(
        tuple(_preview_cell(*entry) for entry in zip(answer.preview_columns, row, strict=True))
        for row in answer.preview.rows[:PREVIEW_ROWS]
    )
    first = Table(
        name="First rows with their decisions", columns=answer.preview_columns, rows=preview
    )
    return View(title="In the file", tables=(totals, first) if preview else (totals,))


def _preview_cell(column: str, text: str) -> Cell:
    """A cell for reading: chances as shares, expected amounts with two decimals."""
    is_amount, is_share = column.startswith(("EP_", "EL_")), column.startswith("P_")
    shown = text
    if text and (is_amount or is_share):
        shown = format_threshold(float(text)) if is_share else format_number(float(text))
    return Cell(text=shown, exact=text, is_left=not (is_amount or is_share))


# ---------------------------------------------------------------- decisions of the file


def workbook_changes(answer: WorkbookChanges, labels: Labels) -> View:
    """What somebody changed in a decision workbook: numbers of the rule, decisions, rows."""
    tables = (_changed_numbers(answer, labels), _changed_decisions(answer, labels))
    notes = []
    if answer.others:
        notes.append(
            f"Changed too, and not taken over: {join_words(answer.others)}. It follows from the "
            "priors of the project: change these."
        )
    if answer.is_stale:
        notes.append("No spreadsheet has worked the formulas out since: decisions are Payoff's.")
    return View(
        title="Decision workbook read back",
        sentences=_workbook_sentences(answer, labels),
        state="warning" if answer.are_any else "ok",
        tables=tuple(table for table in tables if table.rows),
        notes=tuple(notes),
    )


def _workbook_sentences(answer: WorkbookChanges, labels: Labels) -> tuple[str, ...]:
    """Counts of what was changed."""
    if not answer.are_any:
        many = counted(answer.cases, labels.case, labels.cases)
        return (f"Nothing was changed: its numbers and {many} are as they were handed over.",)
    by_hand = sum(entry.by_hand for entry in answer.decisions)
    counts = (
        (len(answer.numbers), "number of the rule was", "numbers of the rule were", "changed"),
        (len(answer.decisions), "decision is", "decisions are", "another one"),
        (by_hand, "of them was", "of them were", "changed by hand"),
        (len(answer.changed_inputs), "row was", "rows were", "given other inputs"),
        (len(answer.added), "row was", "rows were", "added"),
        (len(answer.removed), "row was", "rows were", "removed"),
    )
    reported = [
        f"{counted(count, one, many)} {what}." for count, one, many, what in counts if count
    ]
    rows = [
        f"{what}: {join_words(tuple(map(str, names[:FIRST])))}{' ...' * bool(names[FIRST:])}."
        for what, names in (
            ("Rows added to sheet Cases", answer.added),
            ("Rows removed, by their number", answer.removed),
            ("Rows with other inputs, by their number", answer.changed_inputs),
        )
        if names
    ]
    return (" ".join(reported), *rows)


def _changed_numbers(answer: WorkbookChanges, labels: Labels) -> Table:
    return Table(
        name="Numbers of the rule that were changed",
        title="Numbers of the rule",
        columns=("Class", "Decision", "Was", "Is now"),
        rows=tuple(
            (
                Cell(text=labels.level(entry.level), is_left=True),
                Cell(text=entry.decision, is_left=True),
                *(_workbook_number(n, entry.is_share) for n in (entry.before, entry.after)),
            )
            for entry in answer.numbers
        ),
    )


def _workbook_number(number: float, is_share: bool) -> Cell:
    text = four_digits(number)
    text = NumberText(f"{text} × amount", number) if is_share else text
    return Cell(text=text, exact=f"{number!r}")


def _changed_decisions(answer: WorkbookChanges, labels: Labels) -> Table:
    return Table(
        name="Decisions that are other ones",
        title="Decisions",
        columns=(labels.case.capitalize(), "Was", "Is now", "Because of"),
        rows=tuple(
            (
                Cell(text=entry.case),
                Cell(text=entry.before or "none", is_left=True),
                Cell(text=entry.after or "none", is_left=True),
                Cell(
                    text="changed by hand" if entry.by_hand else "the workbook's numbers",
                    is_left=True,
                ),
            )
            for entry in answer.decisions
        ),
    )


def decisions_in_file(answer: Reconciliation, labels: Labels) -> View:
    """Decisions that the file brings along beside those of the rule: where they differ, and why."""
    del labels
    first, *more = answer.sentences
    of_columns = len([entry for entry in answer.columns if entry.different])  # in the table
    rows = _first_rows(answer)
    return View(
        title=f"Decisions in the file against {name_in_text(answer.model)}",
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
                Cell(text="" if entry.letter == DECISION else four_digits(entry.largest)),
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
