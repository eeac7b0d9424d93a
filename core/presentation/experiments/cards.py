"""What is shown of an experiment: the cards of its runs, its rows, another one beside it.

The runs have several views; ``Labels.part`` says which one is shown (``RunsCard``).
"""

from __future__ import annotations

import math

from core.document.experiments.results import DataFacts, ExperimentPair, ExperimentResult
from core.presentation.chart import Chart
from core.presentation.experiments.losses import (
    find_loss_group,
    loss_chart,
    loss_groups,
    violin_chart,
)
from core.presentation.experiments.tables import compared_table, granted_table, summary_table
from core.presentation.experiments.words import (
    GRANTED,
    LOSSES,
    SUMMARY,
    VIOLINS,
    RunsCard,
    difference_words,
    experiment_title,
    verdict_of,
)
from core.presentation.labels import Labels
from core.presentation.table import Table
from core.presentation.view import View
from payoff.counting import counted


def runs(answer: ExperimentResult, labels: Labels) -> View:
    """The card that ``labels.part`` names; left out: the verdict, all losses and both tables."""
    name = RunsCard.read(labels.part)
    if name.card == SUMMARY:
        return _table_view(answer, "Losses by method", summary_table(answer))
    if name.card == GRANTED:
        return _table_view(answer, "What it takes for granted", granted_table(answer, answer.data))
    if name.card == VIOLINS:
        return _chart_view(violin_chart(answer, loss_groups(answer, name), name.is_effect))
    if name.card == LOSSES:
        return _chart_view(loss_chart(answer, find_loss_group(answer, name), name.is_effect))
    groups = (group for group in loss_groups(answer, name) if len(group.losses))
    return View(
        title=experiment_title(answer.spec),
        sentences=tuple(line for line in (verdict_of(answer),) if line),
        tables=(summary_table(answer), granted_table(answer, answer.data)),
        charts=tuple(loss_chart(answer, group, name.is_effect) for group in groups),
    )


def _chart_view(chart: Chart) -> View:
    return View(
        title=chart.title, subtitle=chart.subtitle, charts=(chart,), notes=(chart.definition,)
    )


def _table_view(answer: ExperimentResult, title: str, table: Table) -> View:
    verdict = verdict_of(answer)
    return View(
        title=title,
        subtitle=experiment_title(answer.spec),
        tables=(table,),
        notes=(verdict,) if verdict else (),
    )


def check(answer: DataFacts, labels: Labels) -> View:
    """What was found in the rows of an experiment, and how they were read."""
    del labels
    words = (
        f"{counted(answer.rows, 'row')}, {counted(answer.conditions, 'column')} of conditions, "
        f"{counted(answer.parameters, 'parameter')} a subject"
    )
    if math.isfinite(answer.prevalence):
        words += f", mean outcome {answer.prevalence:.3f}"
    return View(
        title="Rows of the experiment",
        sentences=(f"{words}.",),
        tables=(granted_table(None, answer),),
    )


# ---------------------------------------------------------------- another experiment beside it


def comparison(answer: ExperimentPair, labels: Labels) -> View:
    """Another experiment's losses in grey, and the differences as a table.

    ``labels.part`` says of which learner, and whether of the effect.
    """
    here, there, name = answer.here, answer.there, RunsCard.read(labels.part)
    groups = (group for group in loss_groups(here, name, there) if len(group.losses))
    return View(
        title="Comparison",
        subtitle=experiment_title(here.spec),
        sentences=(difference_words(here, there),),
        tables=(compared_table(here, there),),
        charts=tuple(loss_chart(here, group, name.is_effect) for group in groups),
    )
