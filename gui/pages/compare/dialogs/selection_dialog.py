"""Choosing the best model by a metric or by profit, with its margin against the noise."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from PySide6.QtWidgets import QDialogButtonBox, QPushButton, QWidget

from core.document.compare.commands import ChooseModel
from core.document.model import Document, MetricChoice
from core.document.plugin_results import MetricInfo
from core.document.results import EvaluationResult, Selection
from core.document.studies.compare import TOTAL, is_offered, money_figures
from core.presentation.compare.models import choice_of_model
from core.questions.compare import CompareModels
from core.questions.fields import FieldKind, FormField
from core.questions.suggestions import choices_from
from gui.pages.compare.dialogs.study_dialog import StudyDialog
from gui.session.results import RESAMPLES
from gui.session.session import Session


class SelectionDialog(StudyDialog):
    """The winner by one metric, how often it wins in resamples, and what choosing adds."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(
            session,
            "Choose the best model",
            (
                "The best of several models is partly the luckiest. Here is its lead over every "
                "other, how often it is the best when the cases are drawn again, and how much "
                "choosing it on these rows flatters it."
            ),
            parent,
        )
        self._chosen: Selection | None = None
        self.take_button = QPushButton("Take it")
        self.take_button.setProperty("kind", "primary")
        self.take_button.setEnabled(False)
        self.buttons.addButton(self.take_button, QDialogButtonBox.ButtonRole.AcceptRole)
        self.take_button.clicked.connect(self.take)
        self._metric = ""
        self.form = self.add_settings(self._choose)
        self.refresh()

    def _choose(self, _name: str, metric: str) -> None:
        self._metric = metric
        self.refresh()

    def _metrics(self) -> tuple[tuple[MetricInfo, ...], tuple[MetricInfo, ...]]:
        """Those of the table, and all that there are."""
        evaluation, plugins = self.session.results.evaluation, self.session.plugins.known
        return (
            evaluation.metrics if evaluation is not None else (),
            plugins.metrics if plugins is not None else (),
        )

    def refresh(self) -> None:
        """Show the choice by the metric named; ask the engine where the table has it not."""
        self.begin()
        self._chosen = None
        self.take_button.setEnabled(False)
        field = metric_field(self.session.project.document, *self._metrics(), self._metric)
        self.form.show_fields((field,))
        key, words = str(field.value), {entry.value: entry.words for entry in field.options}
        evaluation = self.session.results.evaluation
        of = partial(replace, metrics=(self._choice_of(key),), charts=(), report=())
        question = CompareModels(level=self.session.results.level, resamples=RESAMPLES)
        if evaluation is not None and any(entry.metric == key for entry in evaluation.selections):
            self.rest_on(question, of)
            self._take(key, evaluation)
            return
        title = f"Choosing by {words.get(key, key)}"
        self.put(question, partial(self._take_asked, key), of=of, title=title)

    def _show_freshness(self, _document: object = None) -> None:
        """A choice by figures of another project is not taken."""
        super()._show_freshness()
        self.take_button.setEnabled(self._chosen is not None and not self.is_stale)

    def _choice_of(self, key: str) -> MetricChoice:
        """The metric with the parameters that it has in the table."""
        shown, _ = self._metrics()
        found = next((info for info in shown if info.metric == key), None)
        return MetricChoice(metric=key) if found is None else found.choice()

    def _take_asked(self, key: str, result: EvaluationResult) -> None:
        """An answer of one metric, whose name there has its parameters."""
        self._take(result.metrics[0].metric if result.metrics else key, result)

    def _take(self, key: str, result: EvaluationResult) -> None:
        self._chosen = next((entry for entry in result.selections if entry.metric == key), None)
        view = choice_of_model(result, key)
        if self._chosen is None or not view.tables:
            self._chosen = None
            self.say(view.sentences[0])
            return
        self.show_view(view)
        self.take_button.setText(f"Take {self._chosen.winner}")
        self.take_button.setEnabled(not self.is_stale)

    def take(self) -> None:
        """Make the winner the reference model; the rows used flatter it from then on."""
        if self._chosen is not None:
            self.session.project.execute(
                ChooseModel(model=self._chosen.winner, metric=self._chosen.metric)
            )
            self.close()


def metric_field(
    document: Document,
    shown: tuple[MetricInfo, ...],
    offered: tuple[MetricInfo, ...],
    chosen: str,
) -> FormField:
    """Return the choice of a metric: those of the table first, then profit, then every other one.

    Parameters
    ----------
    document : Document
    shown, offered : tuple of MetricInfo
        Those of the table, and all that there are.
    chosen : str
        By its key; empty: the first.
    """
    found = {info.metric: info.title for info in shown if info.direction != "none"}
    keys = {info.id or info.metric for info in shown}
    has_money = document.matrix is not None and bool(document.target and document.target.levels)
    total, _average = money_figures(document)
    if has_money and total not in keys:
        found[total] = f"{'Profit' if total == TOTAL else 'Loss'} by the rule"
    for info in sorted(offered, key=lambda entry: entry.title):
        is_new = info.metric not in {*keys, total} and info.direction != "none"
        if is_new and is_offered(info, document):
            found.setdefault(info.metric, info.title)
    return FormField(
        name="metric",
        label="Best by",
        kind=FieldKind.CHOICE,
        value=chosen if chosen in found else next(iter(found), ""),
        options=choices_from(found),
    )
