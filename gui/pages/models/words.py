"""The plain words of page Models: questions, distributions, steps."""

from __future__ import annotations

from core.document.data.model import RowUse
from core.document.data.results import ColumnSummary, TableSummary
from core.document.model import Document, Role, TrainedModel
from core.document.results import SeenRows
from core.document.training_results import (
    GROWING,
    DistributionInfo,
    DistributionsResult,
    TrainingCurves,
)
from core.document.wording import format_count, format_share, share_that
from payoff.counting import counted
from payoff.vocabulary import PlainWords

# The questions in the order of the row of buttons, with the kinds of outcome that each one has.
QUESTIONS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("yes_no", "Yes or no", ("binary",)),
    ("number", "A number", ("real", "positive")),
    ("count", "A count", ("counts",)),
    ("several", "One of several", ("classes",)),
    ("time", "Time until", ("time_event",)),
    ("order", "An order", ("grades",)),
)


def plain_of(info: DistributionInfo) -> PlainWords:
    """Return a distribution in plain words: its own, else its label and help."""
    return info.plain or PlainWords(info.label, info.help)


def question_of(info: DistributionInfo) -> str:
    """The question that leads to a distribution."""
    found = (key for key, _, domains in QUESTIONS if info.domain in domains)
    return next(found, "number")


def find_distribution(
    result: DistributionsResult | None, distribution: str
) -> DistributionInfo | None:
    """A distribution by its id."""
    entries = result.distributions if result is not None else ()
    return next((entry for entry in entries if entry.id == distribution), None)


def column_of(summary: TableSummary | None, name: str) -> ColumnSummary | None:
    """The summary of a column."""
    columns = summary.columns if summary is not None else ()
    return next((entry for entry in columns if entry.name == name), None)


def target_facts(
    document: Document, summary: TableSummary | None, result: DistributionsResult | None
) -> str:
    """What the outcome is: "responded has two values, 5.0 % respond".

    Beside a row filter the values are those of the rows inside, once the engine has counted them.
    """
    target, where = document.target, document.split.where
    if target is None:
        return ""
    if target.kind == "interval" or not target.levels:
        return f"{target.column} is {_number(document)}"
    if not where:
        column = column_of(summary, target.column)
        counts = dict(column.levels) if column is not None else {}
        count = len(target.levels)
    elif result is None or result.target != target.column:
        return target_words(document)
    else:
        counts = dict(result.outcome)
        count = sum(rows > 0 for rows in counts.values())
    values = "two values" if count == 2 else counted(count, "value")
    words = f"{target.column} has {values}"
    share = _event_share(counts, target.event)
    if count == 2 and len(target.levels) == 2 and share is not None:
        words += f", {share_that(format_share(share), target.label(target.event))}"
    return words + (f", where {where}" if where else "")


def _event_share(counts: dict[str, int], event: str) -> float | None:
    total = sum(counts.values())
    return counts.get(event, 0) / total if total and event in counts else None


def target_words(document: Document) -> str:
    """The outcome and its kind: "responded, yes or no"."""
    target = document.target
    if target is None:
        return "not named yet"
    kinds = {"binary": "yes or no", "multiclass": "one of several"}
    return f"{target.column}, {kinds.get(target.kind) or _number(document)}"


def _number(document: Document) -> str:
    return "a number" if document.column_of(Role.EVENT) is None else "a time"


def rows_words(uses: tuple[RowUse, ...]) -> str:
    """Kinds of rows in a sentence: "training rows"."""
    names = {
        RowUse.TRAIN: "training rows",
        RowUse.VALIDATION: "validation rows",
        RowUse.TEST: "test rows",
        RowUse.TO_DECIDE: "rows to decide",
        RowUse.ALL: "all rows",
    }
    return " + ".join(names[use] for use in uses) or "no rows"


def counted_rows(count: float, uses: tuple[RowUse, ...]) -> str:
    """A number of rows with their kinds: "1 training row", "1,200 training rows"."""
    words = rows_words(uses)
    return counted(count, words.replace("rows", "row"), words)


def rows_of(result: DistributionsResult | None, uses: tuple[RowUse, ...]) -> int:
    """How many rows with a known outcome these uses have."""
    counts = dict(result.rows) if result is not None else {}
    if RowUse.ALL in uses:
        uses = (RowUse.TRAIN, RowUse.VALIDATION, RowUse.TEST)
    return sum(counts.get(use.value, 0) for use in uses)


def training_facts(draft: TrainedModel, result: DistributionsResult | None) -> str:
    """What a training would run on: "20,000 validation rows, in 5 folds"; empty until known."""
    rows = rows_of(result, draft.train_rows)
    if not rows:
        return ""
    text = counted_rows(rows, draft.train_rows)
    if RowUse.ALL in draft.train_rows:
        text = f"all {counted(rows, 'row')}"
    if draft.cv_folds > 1:
        text += f", in {counted(draft.cv_folds, 'fold')}"
    elif draft.stop_rows:
        text += f", judged on {rows_words(draft.stop_rows)}"
    return text


def flattery_note(document: Document, models: int, seen: tuple[SeenRows, ...] | None) -> str:
    """Whom the figures flatter, as the list says it at its foot.

    ``seen``: what each model has seen of the rows, once the engine has looked; until then the uses
    of rows say it, as they are now.
    """
    target = document.target
    effects = len(document.models) - len(document.outcome_models)
    if target is None or models <= effects:
        return ""
    use = document.rows_used
    flattered = _flattered(document) if seen is None else _flattered_by(seen)
    words = "All predict %s on the same rows: %s."
    if effects:
        words = "Models of the outcome predict %s on these rows: %s."
    elif models == 1:
        words = "It predicts %s on these rows: %s."
    words %= (target.column, rows_words((use,)))
    if flattered:
        names, is_one = ", ".join(flattered), len(flattered) == 1
        stopped = " %s were trained or stopped on these rows, which flatters them; "
        if is_one:
            stopped = " %s was trained or stopped on these rows, which flatters it; "
        if use is not RowUse.TEST:
            stopped += "use test rows for the final word."
        elif is_one:
            stopped += "rows that it has not seen have the final word."
        else:
            stopped += "rows that they have not seen have the final word."
        words += stopped % names
    return words


def _flattered(document: Document) -> list[str]:
    """The models whose training took up rows of the use that figures come from."""
    use = document.rows_used
    return [
        entry.name
        for entry in document.models
        if entry.trained is not None
        and not entry.trained.program  # which rows another program saw is not known
        and use in (*entry.trained.train_rows, *entry.trained.stop_rows)
        and not entry.trained.has_folds
    ]


def _flattered_by(seen: tuple[SeenRows, ...]) -> list[str]:
    """The models that were trained or stopped on the very rows, each once."""
    return list(dict.fromkeys(e.model for e in seen if e.how in ("trained", "stopped")))


def no_curves_words(document: Document, name: str) -> str:
    """Why a model has no curves: it came from elsewhere, an earlier session, or nowhere."""
    spec = document.model(name)
    if spec is None:
        return f"There is no model “{name}”: its training ended before its first trees."
    if spec.trained is None:
        return f"The scores of {name} came with the file; how it learned is not known here."
    if spec.trained.program:
        words = "%s came as a model file of %s. It scores and explains; how it learned is unknown."
        return words % (name, spec.trained.program)
    return f"The curves of {name} are being read."


def growing_words(curves: TrainingCurves) -> str:
    """How far a training is; the strip of jobs says what part of the whole, and how long yet."""
    words = f"tree {format_count(curves.done)} of {format_count(curves.wanted)}"
    if curves.stage != GROWING:
        words = f"{counted(curves.done, 'tree')}, {curves.stage[:1].lower() + curves.stage[1:]}"
    return words
