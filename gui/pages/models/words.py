"""The plain words of page Models: questions, distributions, steps."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from core.document.data.model import RowUse
from core.document.data.results import ColumnSummary, TableSummary
from core.document.model import Document, TrainedModel
from core.document.results import SeenRows
from core.document.training_results import (
    GROWING,
    DistributionInfo,
    DistributionsResult,
    TrainingCurves,
)
from core.document.wording import format_count, format_seconds, format_share, share_that
from payoff.counting import counted
from payoff.types import FloatArray

# The questions in the order of the row of buttons, with the kinds of outcome that each one has.
QUESTIONS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("yes_no", "Yes or no", ("binary",)),
    ("number", "A number", ("real", "positive")),
    ("count", "A count", ("counts",)),
    ("several", "One of several", ("classes",)),
    ("time", "Time until", ("time_event",)),
    ("order", "An order", ("grades",)),
)


@dataclass(frozen=True, slots=True)
class Plain:
    """A distribution in plain words: its title, what it learns, when to choose it."""

    title: str
    text: str
    choose: str


def _plain(title: str, text: str, choose: str) -> Plain:
    return Plain(title, text, choose)


# Plain words for the built-in distributions; a plugin's own label and help stand for any other.
PLAIN: dict[str, Plain] = {
    "bernoulli": _plain(
        "Chance of yes",
        "Learns how likely a yes is for each case. Every tree corrects the chances where they are "
        "still wrong.",
        "when decisions and profit need true chances.",
    ),
    "expected_profit": _plain(
        "Chance where money turns",
        "Learns the chance of a yes, with most care near the chances at which your decision matrix "
        "changes its mind, and for the cases with most at stake.",
        "when trees are few or small and the break-even chance is far from one half; with plenty "
        "of rows the plain chance of yes does as well.",
    ),
    "adaboost": _plain(
        "Hard cases first",
        "Each tree works on the cases that the trees before it got wrong, the worst ones hardest.",
        "when the outcome is clean: a few wrong labels mislead it.",
    ),
    "huberized": _plain(
        "Robust yes or no",
        "Separates yes from no and gives up on cases that are hopelessly on the wrong side.",
        "when some outcomes are recorded wrongly and ranking matters more than chances.",
    ),
    "gaussian": _plain(
        "The average",
        "Learns the mean of the number for cases like this one. Large errors count most.",
        "when totals matter: averages add up.",
    ),
    "laplace": _plain(
        "The middle value",
        "Learns the median: half of such cases lie above, half below. Outliers hardly count.",
        "when a few extreme values would pull an average away.",
    ),
    "tdist": _plain(
        "The average, outliers tamed",
        "Like the average, but errors far out count less and less.",
        "when some values are plainly wrong.",
    ),
    "quantile": _plain(
        "A safe level",
        "Learns the value that a chosen share of such cases stays below, for example 90 %.",
        "when too little costs more than too much, as with stocks or reserves.",
    ),
    "multi_quantile": _plain(
        "How far it may go",
        "Learns several levels at once that never cross: 5 % of such cases stay below the lowest, "
        "95 % below the highest.",
        "when one number is not enough: stock, reserves, promised times, decisions over amounts.",
    ),
    "huber": _plain(
        "The average, with a limit",
        "Counts small errors by their square and large ones only by their size.",
        "when most values behave and a few do not.",
    ),
    "poisson": _plain(
        "How many",
        "Learns the expected number of events; never below 0. An offset holds the exposure.",
        "when events are counted: claims, calls, visits.",
    ),
    "gamma": _plain(
        "A size above 0",
        "Learns the mean of amounts whose spread grows with their size.",
        "when amounts are always above 0: the cost of a claim.",
    ),
    "tweedie": _plain(
        "Often 0, else an amount",
        "Learns the mean of amounts that are exactly 0 for many cases.",
        "when most cases bring nothing and some bring a lot.",
    ),
    "multinomial": _plain(
        "Chance of each class",
        "Learns the chance of every class at once; they add up to 100 %.",
        "when the outcome is one of several and each has its own worth.",
    ),
    "expected_profit_classes": _plain(
        "Chances where money turns",
        "Learns the chance of every class, with most care where your decision matrix changes its "
        "mind, and for the cases with most at stake.",
        "when trees are few or small and some mistakes cost far more than others; with plenty of "
        "rows the plain chances do as well.",
    ),
    "ordinal": _plain(
        "Classes in an order",
        "Learns how far up each case stands, and where one class ends and the next begins.",
        "when classes are grades or stages and neighbours are alike.",
    ),
    "negative_binomial": _plain(
        "Counts that vary a lot",
        "Learns the expected number; a few very large counts are expected and pull less.",
        "when some cases have many more events than chance explains.",
    ),
    "expectile": _plain(
        "Too little and too much cost differently",
        "Learns a number that leans to the side where a miss costs less.",
        "when a shortage hurts more than a surplus, or the other way round.",
    ),
    "aft": _plain(
        "Time until it happens",
        "Learns how long it takes; those who have not had it yet count as far as they were "
        "followed.",
        "when a date is wanted, not only an order.",
    ),
    "coxph": _plain(
        "Risk over time",
        "Ranks cases by how soon the event comes; those who have not had it yet count as far as "
        "they were followed.",
        "when it matters when, not only whether, and some are still waiting.",
    ),
    "pairwise": _plain(
        "The best on top",
        "Learns to put the better case above the worse one within each group.",
        "when a list is shown and only its order counts.",
    ),
}


def plain_of(info: DistributionInfo) -> Plain:
    """A distribution in plain words; a plugin that is not built in speaks for itself."""
    return PLAIN.get(info.distribution) or Plain(info.label, info.help, "")


def question_of(info: DistributionInfo) -> str:
    """The question that leads to a distribution."""
    found = (key for key, _, domains in QUESTIONS if info.domain in domains)
    return next(found, "number")


def find_distribution(
    result: DistributionsResult | None, distribution: str
) -> DistributionInfo | None:
    """A distribution by its id."""
    entries = result.distributions if result is not None else ()
    return next((entry for entry in entries if entry.distribution == distribution), None)


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
        return f"{target.column} is a number"
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
    return f"{target.column}, {kinds.get(target.kind, 'a number')}"


def rows_words(uses: tuple[RowUse, ...]) -> str:
    """Kinds of rows in a sentence: "training rows"."""
    names = {
        RowUse.TRAIN: "training rows",
        RowUse.VALIDATION: "validation rows",
        RowUse.TEST: "test rows",
        RowUse.ALL: "all rows",
    }
    return " + ".join(names.get(use, use.value) for use in uses) or "no rows"


def rows_of(result: DistributionsResult | None, uses: tuple[RowUse, ...]) -> int:
    """How many rows with a known outcome these uses have."""
    counts = dict(result.rows) if result is not None else {}
    if RowUse.ALL in uses:
        uses = (RowUse.TRAIN, RowUse.VALIDATION, RowUse.TEST)
    return sum(counts.get(use.value, 0) for use in uses)


def training_facts(draft: TrainedModel, result: DistributionsResult | None) -> str:
    """What a training would run on: "20,000 validation rows, in 5 folds"."""
    rows = rows_of(result, draft.train_rows)
    words = f"{format_count(rows)} {rows_words(draft.train_rows)}"
    if RowUse.ALL in draft.train_rows:
        words = f"all {counted(rows, 'row')}"
    text = words if rows else ""
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
    if target is None or not models:
        return ""
    use = document.rows_used
    flattered = _flattered(document) if seen is None else _flattered_by(seen)
    words = "All predict %s on the same rows: %s."
    if models == 1:
        words = "It predicts %s on these rows: %s."
    words %= (target.column, rows_words((use,)))
    if flattered:
        names = ", ".join(flattered)
        stopped = (
            " %s was trained or stopped on these rows, which flatters it; use test rows for the "
            "final word."
        )
        if len(flattered) > 1:
            stopped = (
                " %s were trained or stopped on these rows, which flatters them; use test rows "
                "for the final word."
            )
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
    return f"{name} was trained in an earlier session; its trees are kept, its curves not."


def trees_words(curves: TrainingCurves, *, is_running: bool) -> str:
    """How far a training is, or how many trees the model has and what chose their number."""
    done = format_count(curves.done)
    if is_running:
        words = f"tree {done} of {format_count(curves.wanted)}"
        if curves.stage != GROWING:
            words = f"{counted(curves.done, 'tree')}, {curves.stage[:1].lower() + curves.stage[1:]}"
        if curves.seconds_left is not None:
            words += f", {format_seconds(curves.seconds_left)} left"
        return words
    words = counted(curves.done, "tree")
    if curves.best_trees:
        return words + f", the first {format_count(curves.best_trees)} are used"
    lowest = lowest_out_of_bag(curves)
    if 0 < lowest < curves.done:
        words += ", all used; out of bag the loss was lowest at tree %s"
        return words % format_count(lowest)
    return words + ", all used"


def out_of_bag(curves: TrainingCurves) -> FloatArray:
    """The deviance that the out-of-bag improvements add up to, from the first tree's on."""
    known = np.isfinite(curves.oob)
    if not known.any() or not np.isfinite(curves.train).any():
        return np.full(len(curves.trees), math.nan)
    return np.asarray(float(curves.train[0]) - (curves.oob - curves.oob[0]))


def lowest_out_of_bag(curves: TrainingCurves) -> int:
    """The number of trees with the lowest out-of-bag loss; 0 = not known."""
    loss = out_of_bag(curves)
    if not np.isfinite(loss).any():
        return 0
    return int(curves.trees[int(np.nanargmin(loss))])
