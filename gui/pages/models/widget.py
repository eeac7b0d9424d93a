"""The Models page: the list, the four steps, the curves, the chooser, the settings."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
from PySide6.QtCore import QObject
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QMenu,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from core.document.commands import RemoveModel, RenameModel
from core.document.compare.metric_words import metric_value
from core.document.compare.row_words import use_words
from core.document.model import ModelSpec, Role, TrainedModel, TreeRule
from core.document.plugin_results import MetricInfo, PluginsResult
from core.document.results import EvaluationResult
from core.document.studies.tree_numbers import TreeChoice
from core.document.training_results import DistributionsResult, TrainingCheck, TrainingCurves
from core.document.tree_commands import SetTrees
from core.document.wording import NBSP
from core.engine.messages import Ask
from core.presentation.entries import newest_first, trained_words
from core.presentation.labels import Labels, TreesLook
from core.presentation.learning import (
    Learning,
    Rival,
    finished_learning,
    judging_curve,
    kept_learning,
    out_of_bag,
)
from core.presentation.showing import show
from core.presentation.view import View
from core.questions.explain import Distributions, TreeNumbers
from gui.pages.data.targets import name_target
from gui.pages.models.learned.influence import InfluencePanel
from gui.pages.models.learned.learned_curves import LearnedCurves
from gui.pages.models.model_files import ModelFiles
from gui.pages.models.model_list import ModelListCard, ModelRow
from gui.pages.models.next_model.before_training import BeforeTraining, count_loss, faults_of
from gui.pages.models.next_model.chooser import DistributionChooser
from gui.pages.models.next_model.draft import (
    begun_again,
    first_draft,
    fresh_copy,
    is_imported,
    next_series,
    settings_words,
    why_not_ready,
)
from gui.pages.models.next_model.further_columns import for_distribution, missing_ask
from gui.pages.models.next_model.inspector import ModelInspector
from gui.pages.models.next_model.mending import Mender
from gui.pages.models.next_model.target_kind import read_as
from gui.pages.models.on_report import parts_of
from gui.pages.models.panels import InputsPanel, SettingsPanel, TargetPanel
from gui.pages.models.steps import STEPS, StepBar
from gui.pages.models.views import ModelViews
from gui.pages.models.words import (
    column_of,
    find_distribution,
    flattery_note,
    growing_words,
    no_curves_words,
    plain_of,
    target_facts,
    target_words,
    training_facts,
)
from gui.pages.page import Page
from gui.pages.report.parts import ReportPart
from gui.session.request import Request
from gui.session.session import Session
from gui.session.training import RunningTraining, next_name
from gui.shell.dialogs.ask_text import ask_name
from gui.shell.page_list import PageId
from gui.theme import current_theme, icon
from payoff.counting import counted

LEFT = 292
_LOW = 700  # a lower page gives the curves the room it has
_PANEL, _LOW_PANEL = 276, 228


class ModelsPage(Page):
    """Builds the page; a ``ModelsPresenter`` fills it."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, "Models", parent)
        self.setAccessibleName(self.header.title.text())
        self._build_header()
        self._build_body()
        self.presenter = ModelsPresenter(session, self)
        self.files = ModelFiles(session, self)
        self._connect()

    def on_shown(self) -> None:
        self.presenter.refresh()

    def report_parts(self) -> tuple[ReportPart, ...]:
        return parts_of(self.views)

    # ------------------------------------------------------------ building

    def _build_header(self) -> None:
        self.target = QComboBox()
        self.target.setMinimumContentsLength(8)
        self.target.setMaximumWidth(220)
        self.header.add_left(self.target, "Target")
        self.imported = QPushButton("Import")
        self.imported.setIcon(icon("import"))
        self.imported.setToolTip("Scores or a model file of another program")
        self.import_menu = QMenu(self.imported)
        self.import_scores = self.import_menu.addAction("Scores in columns…")
        self.import_file = self.import_menu.addAction("Model file…")
        self.import_file.setToolTip("A model of LightGBM (text, JSON) or XGBoost (JSON)")
        self.import_menu.setToolTipsVisible(True)
        self.imported.setMenu(self.import_menu)
        self.new = QPushButton("Train a model")
        self.new.setIcon(icon("plus", "on_accent"))
        self.new.setProperty("kind", "primary")
        self.header.add_right(self.join_report(PageId.MODELS))
        self.header.add_right(self.imported)
        self.header.add_right(self.new)

    def _build_body(self) -> None:
        gap = current_theme().sizes.gap
        row = QHBoxLayout()
        row.setSpacing(gap)
        self.influence = InfluencePanel()
        self.models = ModelListCard(self.influence)
        self.models.setFixedWidth(LEFT)
        row.addWidget(self.models)
        middle = QVBoxLayout()
        middle.setSpacing(gap)
        self.steps = StepBar()
        middle.addWidget(self.steps)
        self.before = BeforeTraining()
        middle.addWidget(self.before)
        self.views = ModelViews(self.session)
        self.chart = self.views.learning
        self.stop = QPushButton("")
        self.stop.setIcon(icon("stop", "error"))
        self.stop.setProperty("kind", "danger")
        self.stop.setProperty("small", "true")
        self.stop.hide()
        self.chart.add_header_button(self.stop)
        middle.addWidget(self.views, 1)
        self.panels = QStackedWidget()
        self.target_panel = TargetPanel()
        self.inputs_panel = InputsPanel()
        self.chooser = DistributionChooser()
        self.settings_panel = SettingsPanel()
        for panel in (self.target_panel, self.inputs_panel, self.chooser, self.settings_panel):
            self.panels.addWidget(panel)
        middle.addWidget(self.panels)
        row.addLayout(middle, 1)
        self.inspector = ModelInspector()
        row.addWidget(self.inspector)
        self.body.addLayout(row, 1)

    def _connect(self) -> None:
        presenter = self.presenter
        self.target.activated.connect(self._on_target)
        self.import_scores.triggered.connect(lambda: self.session.page_requested.emit(PageId.DATA))
        self.import_file.triggered.connect(self.files.ask_import)
        self.models.onnx_wanted.connect(self.files.ask_export)
        self.target_panel.data_wanted.connect(lambda: self.session.page_requested.emit(PageId.DATA))
        self.target_panel.reading_wanted.connect(self._on_reading)
        self.new.clicked.connect(presenter.begin)
        self.stop.clicked.connect(presenter.stop)
        self.steps.step_chosen.connect(self.show_step)
        self.models.model_chosen.connect(presenter.choose)
        self.models.rename_wanted.connect(self.rename)
        self.models.remove_wanted.connect(
            lambda name: self.session.project.execute(RemoveModel(model=name))
        )
        self.models.explain_wanted.connect(self._explain)
        self.before.mending_wanted.connect(presenter.mend)
        self.inputs_panel.features_changed.connect(self._on_features)
        self.chooser.distribution_chosen.connect(self._on_distribution)
        self.inspector.draft_changed.connect(presenter.take_draft)
        self.settings_panel.draft_changed.connect(presenter.take_draft)
        self.inspector.train_wanted.connect(presenter.train)
        self.inspector.train_on_wanted.connect(presenter.train_on)
        self.inspector.reset_wanted.connect(presenter.reset)
        self.chart.fill_requested.connect(presenter.fill)
        self.chart.tree_read.connect(presenter.read_tree)
        self.chart.tree_chosen.connect(presenter.choose_trees)
        self.chart.best_requested.connect(lambda: presenter.choose_trees(None))
        self.views.bar.tree_chosen.connect(presenter.choose_trees)
        self.views.bar.rule_chosen.connect(presenter.choose_rule)
        self.views.bar.train_on_wanted.connect(presenter.train_on)
        self.views.choice.chosen.connect(lambda _key: self.session.report.collect())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        is_low = self.height() < _LOW
        self.panels.setFixedHeight(_LOW_PANEL if is_low else _PANEL)
        self.before.set_low(is_low)

    # ------------------------------------------------------------ steps

    def show_step(self, key: str) -> None:
        """Bring the panel of a step to the front; the settings stand at the right as well."""
        self.steps.show_step(key)
        self.panels.setCurrentIndex(STEPS.index(key))
        if key == "settings":
            self.inspector.editor("n_trees").setFocus()

    # ------------------------------------------------------------ what the user does

    def show_targets(self) -> None:
        """List the columns that can be predicted."""
        document = self.session.project.document
        scores = (Role.POSTERIOR, Role.SCORE, Role.PREDICTION, Role.ID, Role.ROW_USE)
        names = [entry.column for entry in document.roles if entry.role not in scores]
        target = document.target.column if document.target is not None else ""
        shown = [self.target.itemText(place) for place in range(self.target.count())]
        if shown != names:
            self.target.clear()
            self.target.addItems(names)
        self.target.setCurrentIndex(names.index(target) if target in names else -1)

    def _on_target(self, _place: int) -> None:
        column = column_of(self.session.project.summary, self.target.currentText())
        target = self.session.project.document.target
        if column is not None and (target is None or target.column != column.name):
            self.session.project.execute(name_target(self.session.project.document, column))

    def _on_reading(self, kind: str) -> None:
        target = self.session.project.document.target
        column = (
            column_of(self.session.project.summary, target.column) if target is not None else None
        )
        command = read_as(column, kind) if column is not None else None
        if command is not None and target != command.target:
            self.session.project.execute(command)

    def _on_features(self, features: tuple[str, ...]) -> None:
        draft = self.presenter.draft
        if draft is not None:
            monotone = tuple(entry for entry in draft.monotone if entry[0] in features)
            self.presenter.take_draft(replace(draft, features=features, monotone=monotone))

    def _on_distribution(self, distribution: str) -> None:
        draft: TrainedModel | None = self.presenter.draft
        if draft is not None:
            draft = replace(draft, distribution=distribution, distribution_params=())
            info = find_distribution(self.presenter.offered, distribution)
            summary, document = self.session.project.summary, self.session.project.document
            self.presenter.take_draft(for_distribution(draft, info, summary, document))

    def _explain(self, name: str) -> None:
        self.session.explain_requested.emit(name)
        self.session.page_requested.emit(PageId.EXPLAIN)

    def rename(self, model: str) -> None:
        """Ask for another name."""
        ask_name(
            self,
            "Rename model",
            "Name",
            lambda name: self.session.project.execute(RenameModel(model=model, name=name)),
            model,
        )


class ModelsPresenter(QObject):
    """Holds the choice and the draft; everything else stands in session and document."""

    def __init__(self, session: Session, page: ModelsPage) -> None:
        super().__init__(page)
        self.session = session
        self.page = page
        self.draft: TrainedModel | None = None
        self._begun: TrainedModel | None = None  # the draft before a person changed it
        self._mender = Mender(session, self._change_draft, self)
        self.chosen = ""  # name of the model in view; empty = the next model
        self.offered: DistributionsResult | None = None
        self._key: object = None
        self._asked: object = None  # what the engine was asked about
        self._has_losses = _has_losses(session.plugins.known)
        self._request = Request(self, session.project, self._send)
        self._learned = LearnedCurves(session, self)
        self._learned.changed.connect(self._on_learned)
        session.project.document_changed.connect(self._on_document)
        session.project.summary_changed.connect(self._on_document)
        session.results.evaluation_changed.connect(lambda _result: self.show_list())
        session.trainings.changed.connect(self._on_trainings)
        session.trainings.curves_changed.connect(self._on_curves)
        session.results.influence_changed.connect(lambda _name: self.show_influence())
        session.plugins.changed.connect(self._on_plugins)
        page.show_step("distribution")
        self._on_document()

    # ------------------------------------------------------------ following the document

    def refresh(self) -> None:
        """Show everything as it is now."""
        self._on_document()

    def _on_document(self, *_ignored: object) -> None:
        document = self.session.project.document
        key = (document.data, document.target, document.roles, document.split)
        if key != self._key:
            self._key = key
            self.offered = None
            if self.draft is None or not self._still_fits(self.draft):
                self.draft = None
                self.chosen = ""
        is_ready = Distributions.why_not(document) is None
        asked = Ask.of(document, Distributions())
        if is_ready and self.session.project.summary is not None and self._asked != asked:
            self._asked = asked  # a project's columns are known some time after it was opened
            self._request.renew()
        if self.chosen and document.model(self.chosen) is None and not self._running():
            # A draft that has the name back is of a training that kept nothing: it stays.
            if self.draft is None or self.draft.name != self.chosen:
                self.draft = None
            self.chosen = ""
        if self.draft is None and self.session.project.summary is not None:
            self._choose_first()
        self.show_all()

    def _on_plugins(self, result: PluginsResult) -> None:
        """Ask again for the losses: a third party's may have come, gone or changed."""
        had_losses, self._has_losses = self._has_losses, _has_losses(result)
        if (had_losses or self._has_losses) and self._is_asked:
            self._request.renew()

    @property
    def _is_asked(self) -> bool:
        """Whether the losses were asked for as the document is now."""
        return self._asked == Ask.of(self.session.project.document, Distributions())

    def _still_fits(self, draft: TrainedModel) -> bool:
        target = self.session.project.document.target
        columns = {entry.column for entry in self.session.project.document.roles}
        return (
            target is not None and draft.target == target.column and set(draft.features) <= columns
        )

    def _choose_first(self) -> None:
        """The newest trained model, else the settings of the next one."""
        trained = [
            entry for entry in self.session.project.document.models if entry.trained is not None
        ]
        if trained:
            self._choose(trained[-1].name)
        else:
            self._begin_draft()

    def _begin_draft(self) -> None:
        """Take the settings that a new model starts with."""
        self.draft = self._begun = self._first_draft()

    def _begin_draft_again(self) -> None:
        """Take what a new model starts with now, and what a person had changed."""
        draft, begun, fresh = self.draft, self._begun, self._first_draft()
        self.draft = self._begun = fresh
        if draft is not None and begun is not None:
            data = self.session.project.document.data
            self.draft = begun_again(draft, begun, fresh, data.columns if data else ())

    def _is_first_draft(self) -> bool:
        """Whether the draft is as a new model starts, but for its name."""
        draft, first = self.draft, self._first_draft()
        return draft is None or replace(first, name=draft.name) == draft

    def _first_draft(self) -> TrainedModel:
        """Where a new model starts: the inputs and the distribution that the engine suggests."""
        session = self.session
        draft = first_draft(
            session.project.document, session.project.summary, session.plugins.known
        )
        if self.offered is None or self.offered.target != draft.target:
            return draft
        inputs = tuple(
            info.column for info in self.offered.inputs if info.can_train and info.is_usual
        )
        fitting = [info for info in self.offered.distributions if info.fits]
        usual = next((info for info in fitting if info.is_usual), fitting[0] if fitting else None)
        return replace(draft, features=inputs, distribution=usual.id if usual is not None else "")

    def _send(self) -> None:
        key = self._key

        def on_result(result: DistributionsResult) -> None:
            is_first = self.offered is None
            self.offered = result
            if is_first and not self.chosen:  # later answers leave what was set as it is
                self._begin_draft_again()
            self.show_all()

        self._request.ask(
            self.session.project.document,
            Distributions(),
            on_result=on_result,
            is_wanted=lambda: key == self._key and self._is_asked,
        )

    # ------------------------------------------------------------ what the user does

    def choose(self, name: str) -> None:
        """Show a model: its curves, its settings, what it uses."""
        self._choose(name)
        self.show_all()

    def _choose(self, name: str) -> None:
        self.chosen = name
        running = self.session.trainings.find(name)
        trained = self.session.project.document.trained_model(name)
        settings = running.settings if running is not None else trained
        if settings is None:
            self._begin_draft()
        else:
            self.draft = fresh_copy(settings, self.session.trainings.names())

    def begin(self) -> None:
        """Settings of a new model, from the start."""
        self.chosen = ""
        self._begin_draft()
        self.page.show_step("distribution")
        self.show_all()
        self.page.inspector.train.setFocus()

    def reset(self) -> None:
        """Back to the settings that a new model starts with."""
        self._begin_draft()
        self.show_all()

    def take_draft(self, draft: TrainedModel) -> None:
        """Take changed settings; they are those of a new model."""
        self.draft = draft
        self.show_settings()

    def mend(self, check: TrainingCheck) -> None:
        """Do what the button beside a fault says."""
        self._mender.mend(check, count_loss(self.offered))

    def _change_draft(self, change: Callable[[TrainedModel], TrainedModel]) -> None:
        if self.draft is not None:
            self.take_draft(change(self.draft))

    def train(self) -> None:
        """Train the draft as a new model and watch it."""
        draft = self.draft
        if draft is None or self._reason(draft):
            return
        session = self.session
        waiting = len(session.trainings.running)
        series = next_series(session.project.document) + waiting
        session.trainings.start(draft, series)
        self.choose(draft.name)

    def train_on(self, trees: int) -> None:
        """Continue the model in view by more trees; it keeps its name, and undo its old trees.

        All the further trees are grown: patience may have ended the training before.
        """
        trained = self.session.project.document.trained_model(self.chosen)
        if trained is None or self._running() is not None:
            return
        ended = trained.as_it_ended  # a number chosen since then is of the trees there were
        more = replace(ended, n_trees=trained.trees + trees, patience=0)
        self.session.trainings.start(more, self._series())
        self.choose(trained.name)

    def fill(self) -> None:
        """The button of the empty chart."""
        self.train()

    def stop(self) -> None:
        """End the training in view; its trees are kept."""
        self.session.trainings.stop(self.chosen)

    # ------------------------------------------------------------ showing

    def _on_trainings(self) -> None:
        self.show_all()

    def _on_curves(self, name: str) -> None:
        self.show_list()
        if name == self.chosen:
            self.show_learning()
            self.show_influence()

    def show_all(self) -> None:
        """Show everything."""
        if self.draft is not None:  # a name is free again once a training has kept nothing
            taken = self.session.trainings.names()
            self.draft = replace(self.draft, name=next_name(taken))
        self.page.show_targets()
        self.show_list()
        self.show_learning()
        self.show_influence()
        self.show_settings()

    def _running(self) -> RunningTraining | None:
        return self.session.trainings.find(self.chosen)

    def _series(self) -> int:
        running = self._running()
        if running is not None:
            return running.series
        spec = self.session.project.document.model(self.chosen)
        return spec.series if spec is not None else next_series(self.session.project.document)

    def show_list(self) -> None:
        """The models, those in training first."""
        session = self.session
        evaluation = session.results.evaluation
        info = _figure_of(evaluation)
        running = [_running_row(entry) for entry in reversed(session.trainings.running)]
        growing = {entry.name for entry in session.trainings.running}
        models = [entry for entry in session.project.document.models if entry.name not in growing]
        rows = [
            _row_of(entry, session.results.evaluation_of(entry.name), info)
            for entry in newest_first(tuple(models))
        ]
        figure = ""
        if info is not None:
            use = use_words(session.project.document.rows_used).lower()
            figure = f"{info.title}, {use}, 95{NBSP}%"
        self.page.models.show_rows((*running, *rows), self.chosen, figure)
        is_known = session.results.evaluation_is_fresh
        seen = evaluation.seen if evaluation is not None and is_known else None
        self.page.models.show_note(flattery_note(session.project.document, len(rows), seen))

    def show_influence(self) -> None:
        """What the model in view uses: so far, or all in all."""
        session = self.session
        panel = self.page.influence
        running = self._running()
        if running is not None:
            shares = running.curves.influence if running.curves is not None else ()
            title = f"What {self.chosen} uses so far"
            panel.show_influence(title, shares, running.series, "No trees yet.")
            return
        if session.project.document.trained_model(self.chosen) is None:
            panel.show_influence("What it uses", (), 0, "")
            return
        known = session.results.influence_of(self.chosen, asks=self.page.isVisible())
        title = f"What {self.chosen} uses"
        words = session.results.influence_refusal(self.chosen) or "Being worked out."
        panel.show_influence(title, known or (), self._series(), words)

    def show_learning(self) -> None:
        """The curves of the model in view, or what stands there without any."""
        page, running = self.page, self._running()
        learning, entry = self._shown_learning(running)
        labels = Labels.of(self.session.project.document, self.session.results.decisions)
        page.chart.show_learning(learning, entry, labels)
        trained = None if running else self.session.project.document.trained_model(self.chosen)
        page.views.bar.show_learning(learning, trained, self._learned.choices(self.chosen), labels)
        page.stop.setVisible(running is not None)
        if running is not None:
            done = running.curves.done if running.curves is not None else 0
            words = f"Stop, keep {counted(done, 'tree')}" if done else "Stop"
            page.stop.setText("Stopping" if running.is_stopping else words)
            page.stop.setEnabled(not running.is_stopping)
        if learning is None:
            page.chart.set_empty(*self._empty_words(running))
        page.views.show_model(self.chosen, self._series(), has_ranges=self._has_ranges())

    def _has_ranges(self) -> bool:
        """Whether the model in view is finished and predicts several quantiles."""
        trained = self.session.project.document.trained_model(self.chosen)
        if trained is None or self._running() is not None:
            return False
        info = find_distribution(self.offered, trained.distribution)
        return info is not None and info.predicts_quantiles

    def _empty_words(self, running: RunningTraining | None) -> tuple[str, str, str]:
        if running is not None:
            return (
                f"{self.chosen} begins",
                "Its curves stand here as soon as it has grown a tree.",
                "",
            )
        if self.chosen:
            refusal = self._learned.refusal(self.chosen)
            words = refusal or no_curves_words(self.session.project.document, self.chosen)
            return self.chosen, words, ""
        reason = self._reason(self.draft) if self.draft is not None else "No data yet."
        sentence = reason or "Check the four steps above, then train. You can watch it learn here."
        button = f"Train {self.draft.name}" if self.draft is not None and not reason else ""
        return "A new model", sentence, button

    def _shown_learning(
        self, running: RunningTraining | None
    ) -> tuple[Learning | None, View | None]:
        """What the chart shows of the model in view, and the report's entry of a finished one."""
        curves = self.session.trainings.curves_of(self.chosen)
        if running is not None:
            return (self._growing(curves) if curves else None), None
        answer, document = self._learned.answer(self.chosen), self.session.project.document
        trained = document.trained_model(self.chosen)
        if trained is None:
            return None, None
        self._learned.ask(self.chosen, is_looked_at=self.page.isVisible())
        look, series = TreesLook.of(trained), self._series()
        if answer is not None:
            labels = Labels.of(document, self.session.results.decisions)
            learning = kept_learning(answer, series, look, self._rival(answer.curves))
            return learning, show(TreeNumbers(model=self.chosen), answer, labels)
        if curves is None:
            return None, None
        return finished_learning(curves, series, look, self._rival(curves)), None

    def _on_learned(self, name: str) -> None:
        if name == self.chosen:
            self.show_learning()

    def read_tree(self, tree: int) -> None:
        """Say what a number of trees brings while the cursor is dragged over it."""
        learning = self.page.chart.learning
        if learning is not None and not learning.is_running:
            labels = Labels.of(self.session.project.document, self.session.results.decisions)
            self.page.views.bar.show_tree(learning, labels, tree)

    def choose_trees(self, trees: int | None, rule: TreeRule = TreeRule.HAND) -> None:
        """Let the model in view predict with so many trees; None: as its training left it."""
        trained = self.session.project.document.trained_model(self.chosen)
        if trained is not None and self._running() is None:
            self.session.project.execute(SetTrees(model=trained.name, trees=trees, rule=rule))
            self.session.project.finish_editing()

    def choose_rule(self, choice: TreeChoice | None) -> None:
        """Let a rule choose the number of trees; None: the training."""
        if choice is None:
            self.choose_trees(None)
        else:
            self.choose_trees(choice.trees, choice.rule)

    def _growing(self, curves: TrainingCurves) -> Learning:
        """What the chart shows of a training under way."""
        return Learning(
            model=self.chosen,
            series=self._series(),
            loss=curves.deviance_words,
            wanted=curves.wanted,
            trees=curves.trees,
            training=curves.train,
            validation=curves.valid,
            out_of_bag=out_of_bag(curves),
            folds=curves.crossed,
            best=curves.best_trees,
            is_running=True,
            watched=judging_curve(curves),
            rival=self._rival(curves),
            no_model=curves.no_model,
            subtitle=growing_words(curves),
        )

    def _rival(self, curves: TrainingCurves) -> Rival | None:
        """The best other model of the same loss whose curves were looked at in this session."""
        best: Rival | None = None
        for spec in self.session.project.document.models:
            if spec.name == self.chosen or spec.trained is None:
                continue
            other = self.session.trainings.curves_of(spec.name)
            if other is None or other.deviance_words != curves.deviance_words:
                continue
            judged = other.valid if np.isfinite(other.valid).any() else other.crossed
            if not np.isfinite(judged).any():
                continue
            level = float(np.nanmin(judged))
            if best is None or level < best.deviance:
                best = Rival(name=spec.name, series=spec.series, deviance=level)
        return best

    # ------------------------------------------------------------ settings

    def _reason(self, draft: TrainedModel) -> str:
        """Why the draft cannot be trained."""
        reason = why_not_ready(self.session.project.document, draft)
        info = find_distribution(self.offered, draft.distribution)
        if not reason and info is not None:
            if not info.fits:
                reason = info.reason
            reason = reason or missing_ask(draft, info)
        return reason

    def show_settings(self) -> None:
        """The four steps, their panels, and the inspector."""
        session, page, draft = self.session, self.page, self.draft
        document = session.project.document
        facts = target_facts(document, session.project.summary, self.offered)
        page.target_panel.show_target(document, session.project.summary, self.offered)
        page.settings_panel.show_draft(draft, document, self.offered)
        offered = self.offered.inputs if self.offered is not None else ()
        numbers = tuple(info.column for info in offered if info.kind == "number")
        page.inspector.show_draft(draft, document, numbers, **self._inspector_words())
        trained = document.trained_model(self.chosen)
        page.before.show_faults(() if self.chosen else faults_of(draft, self.offered, document))
        can_grow = trained is not None and not is_imported(trained) and self._running() is None
        page.inspector.show_train_on(trained if can_grow else None)
        if draft is None:
            return
        inputs = self.offered.inputs if self.offered is not None else ()
        page.inputs_panel.show_inputs(inputs, draft.features)
        page.chooser.show_result(self.offered, draft.distribution, facts)
        reason = self._reason(draft)
        page.inspector.show_ready(reason, training_facts(draft, self.offered))
        info = find_distribution(self.offered, draft.distribution)
        page.inspector.show_watches(info.watches if info is not None else ())
        steps = page.steps
        steps.show_choice("target", target_words(document), document.target is not None)
        many = len(session.project.summary.columns) if session.project.summary is not None else 0
        chosen = f"{len(draft.features)} of {many}"
        steps.show_choice("inputs", chosen, bool(draft.features))
        words = info.label if info is not None else draft.distribution
        steps.show_choice("distribution", words or "choose one", bool(info and info.fits))
        steps.show_choice("settings", settings_words(draft))
        if info is not None:
            steps.buttons["distribution"].setToolTip(plain_of(info).title)

    def _inspector_words(self) -> dict[str, str]:
        is_kept = self._running() is not None or bool(
            self.session.project.document.trained_model(self.chosen)
        )
        if is_kept:
            return {
                "title": f"Settings of {self.chosen}",
                "state": "In use now. A change makes a new model.",
                "button": "Train as a new model",
            }
        name = self.draft.name if self.draft is not None else ""
        advice = "These are good settings to start with."
        if not self._is_first_draft():
            advice = "Reset brings good settings to start with."
        return {
            "title": f"Settings of {name}" if name else "Settings",
            "state": f"Not trained yet. {advice}",
            "button": f"Train {name}",
        }


# ---------------------------------------------------------------- rows and figures


def _figure_of(evaluation: EvaluationResult | None) -> MetricInfo | None:
    """The metric of the list: the first that has a direction."""
    metrics = evaluation.metrics if evaluation is not None else ()
    return next((entry for entry in metrics if entry.direction != "none"), None)


def _row_of(
    spec: ModelSpec, evaluation: EvaluationResult | None, info: MetricInfo | None
) -> ModelRow:
    kind = trained_words(spec.trained) if spec.trained is not None else "scores from the file"
    cells = evaluation.cells if evaluation is not None else ()
    cell = next(
        (c for c in cells if info is not None and c.model == spec.name and c.metric == info.metric),
        None,
    )
    value = ""
    if cell is not None and info is not None and math.isfinite(cell.estimate.value):
        value = metric_value(info, cell.estimate.value)
    return ModelRow(
        name=spec.name,
        series=spec.series,
        kind=kind,
        is_trained=spec.trained is not None,
        estimate=cell.estimate if cell is not None else None,
        value=value,
        is_best=cell is not None and cell.is_best,
    )


def _running_row(entry: RunningTraining) -> ModelRow:
    kind = "boosted trees, waiting"
    if entry.curves is not None:
        kind = f"boosted trees, {entry.curves.stage.lower()}"
    return ModelRow(
        name=entry.name,
        series=entry.series,
        kind=kind,
        is_trained=True,
        fraction=entry.fraction,
    )


def _has_losses(result: PluginsResult | None) -> bool:
    """Whether a plugin of a third party has losses."""
    plugins = result.plugins if result is not None else ()
    return any(p.source != "built in" and "distributions" in p.families for p in plugins)
