"""The Models page: the list, the four steps, the curves, the chooser, the settings."""

from __future__ import annotations

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QMenu,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from core.document.commands import RemoveModel, RenameModel
from core.document.model import Role, TrainedModel
from gui.pages.data.targets import take_target
from gui.pages.models.learned.influence import InfluencePanel
from gui.pages.models.model_files import ModelFiles
from gui.pages.models.model_list import ModelListCard
from gui.pages.models.next_model.before_training import BeforeTraining, faults_of
from gui.pages.models.next_model.chooser import DistributionChooser
from gui.pages.models.next_model.draft import is_imported, settings_words
from gui.pages.models.next_model.inspector import ModelInspector
from gui.pages.models.next_model.target_kind import read_as
from gui.pages.models.on_report import parts_of
from gui.pages.models.panels import InputsPanel, SettingsPanel, TargetPanel
from gui.pages.models.presenter import ModelsPresenter
from gui.pages.models.steps import STEPS, StepBar
from gui.pages.models.views import ModelViews
from gui.pages.models.words import (
    column_of,
    plain_of,
    target_facts,
    target_words,
    training_facts,
)
from gui.pages.page import Page
from gui.pages.report.parts import ReportPart
from gui.session.session import Session
from gui.shell.dialogs.ask_text import ask_name
from gui.shell.page_list import PageId
from gui.theme import current_theme, icon
from gui.widgets.card_column import side_width
from gui.widgets.fields.choice_box import ChoiceBox

LEFT = 292
_LOW = 700  # a lower page gives the curves the room it has
_PANEL, _LOW_PANEL = 276, 228


class ModelsPage(Page):
    """Shows what the presenter holds: a model in view, the settings of the next one."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, "Models", parent)
        self.setAccessibleName(self.header.title.text())
        self.presenter = ModelsPresenter(session, self)
        self.files = ModelFiles(session, self)
        self._build_header()
        self._build_body()
        self._connect()
        self._connect_session()
        self.show_step("distribution")
        self.presenter.refresh()

    def on_shown(self) -> None:
        self.presenter.refresh()

    def report_parts(self) -> tuple[ReportPart, ...]:
        return parts_of(self.views)

    # ------------------------------------------------------------ building

    def _build_header(self) -> None:
        self.target = ChoiceBox()
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
        self.chart, self.stop = self.views.learning, self.views.stop
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
        self.new.clicked.connect(self._begin)
        self.stop.clicked.connect(presenter.stop)
        self.steps.step_chosen.connect(self.show_step)
        self.models.model_chosen.connect(presenter.choose)
        self.models.rename_wanted.connect(self.rename)
        self.models.remove_wanted.connect(
            lambda name: self.session.project.execute(RemoveModel(model=name))
        )
        self.models.explain_wanted.connect(self._explain)
        self.before.mending_wanted.connect(presenter.mend)
        self.inputs_panel.features_changed.connect(presenter.take_features)
        self.chooser.distribution_chosen.connect(presenter.take_loss)
        self.inspector.draft_changed.connect(presenter.take_draft)
        self.settings_panel.draft_changed.connect(presenter.take_draft)
        self.inspector.train_wanted.connect(presenter.train)
        self.inspector.train_on_wanted.connect(presenter.train_on)
        self.inspector.reset_wanted.connect(presenter.reset)
        self.chart.fill_requested.connect(presenter.train)
        self.chart.tree_chosen.connect(presenter.choose_trees)
        self.chart.best_requested.connect(lambda: presenter.choose_trees(None))
        self.views.bar.tree_chosen.connect(presenter.choose_trees)
        self.views.bar.rule_chosen.connect(presenter.choose_rule)
        self.views.bar.train_on_wanted.connect(presenter.train_on)
        self.views.choice.chosen.connect(lambda _key: self.session.report.collect())

    def _connect_session(self) -> None:
        session = self.session
        self.presenter.changed.connect(self.in_front(self._show_all))
        self.presenter.draft_changed.connect(self._show_settings)
        session.results.evaluation_changed.connect(self.in_front(self._show_list))
        session.trainings.curves_changed.connect(self._on_curves)
        session.trainings.progressed.connect(self.in_front(self._show_list))
        session.influence.changed.connect(self.in_front(self._show_influence))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.models.setFixedWidth(side_width(LEFT, self.width()))
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

    def _on_target(self, _place: int) -> None:
        column = column_of(self.session.project.summary, self.target.currentText())
        target = self.session.project.document.target
        if column is not None and (target is None or target.column != column.name):
            take_target(self.session, column, PageId.MODELS)

    def _on_reading(self, kind: str) -> None:
        target = self.session.project.document.target
        column = (
            column_of(self.session.project.summary, target.column) if target is not None else None
        )
        command = read_as(column, kind) if column is not None else None
        if command is not None and target != command.target:
            self.session.project.execute(command)

    def _begin(self) -> None:
        self.presenter.begin()
        self.show_step("distribution")
        self.inspector.train.setFocus()

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

    # ------------------------------------------------------------ showing

    def _show_all(self) -> None:
        self._show_targets()
        self._show_list()
        self._show_views()
        self._show_influence()
        self._show_settings()

    def _on_curves(self, name: str) -> None:
        if name == self.presenter.chosen and not self.is_behind:
            self._show_views()
            self._show_influence()

    def _show_targets(self) -> None:
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

    def _show_list(self) -> None:
        self.models.show_session(self.session, self.presenter.chosen)

    def _show_views(self) -> None:
        """The curves of the model in view and its ranges, or what stands there without any."""
        seen = self.presenter
        invitation = ("", "", "") if seen.chosen else self._invitation()
        self.views.show_model(
            seen.chosen, seen.series(), has_ranges=seen.has_ranges(), invitation=invitation
        )

    def _invitation(self) -> tuple[str, str, str]:
        """What stands in the empty chart before a training."""
        draft, reason = self.presenter.draft, self.presenter.reason()
        sentence = reason or "Check the four steps above, then train. You can watch it learn here."
        button = f"Train {draft.name}" if draft is not None and not reason else ""
        return "A new model", sentence, button

    def _show_influence(self) -> None:
        """What the model in view uses: so far, or all in all."""
        session, seen, panel = self.session, self.presenter, self.influence
        running, name = seen.running(), seen.chosen
        if running is not None:
            shares = running.curves.influence if running.curves is not None else ()
            title = f"What {name} uses so far"
            panel.show_influence(title, shares, running.series, "No trees yet.")
            return
        if seen.trained() is None:
            panel.show_influence("What it uses", (), 0, "")
            return
        known = session.influence.shares(name, asks=self.isVisible())
        words = session.influence.refusal(name) or "Being worked out."
        panel.show_influence(f"What {name} uses", known or (), seen.series(), words)

    def _show_settings(self) -> None:
        """The four steps, their panels, and the inspector."""
        seen, document = self.presenter, self.session.project.document
        draft, offered = seen.draft, seen.offered
        self.target_panel.show_target(document, self.session.project.summary, offered)
        self.settings_panel.show_draft(draft, document, offered)
        self.before.show_faults(() if seen.chosen else faults_of(draft, offered, document))
        self._show_inspector()
        if draft is not None:
            facts = target_facts(document, self.session.project.summary, offered)
            self.inputs_panel.show_inputs(offered.inputs if offered else (), draft.features)
            self.chooser.show_result(offered, draft.distribution, facts)
            self._show_steps(draft)

    def _show_inspector(self) -> None:
        seen, document = self.presenter, self.session.project.document
        draft, offered, trained = seen.draft, seen.offered, seen.trained()
        inputs = offered.inputs if offered is not None else ()
        numbers = tuple(info.column for info in inputs if info.kind == "number")
        self.inspector.show_draft(draft, document, numbers, **self._inspector_words())
        can_grow = trained is not None and not is_imported(trained)
        self.inspector.show_train_on(trained if can_grow else None)
        if draft is not None:
            info = seen.loss_of(draft)
            self.inspector.show_ready(seen.reason(), training_facts(draft, offered))
            self.inspector.show_watches(info.watches if info is not None else ())

    def _inspector_words(self) -> dict[str, str]:
        seen = self.presenter
        if seen.running() is not None or seen.trained() is not None:
            return {
                "title": f"Settings of {seen.chosen}",
                "state": "In use now. A change makes a new model.",
                "button": "Train as a new model",
            }
        name = seen.draft.name if seen.draft is not None else ""
        advice = "These are good settings to start with."
        if not seen.is_first_draft():
            advice = "Reset brings good settings to start with."
        return {
            "title": f"Settings of {name}" if name else "Settings",
            "state": f"Not trained yet. {advice}",
            "button": f"Train {name}",
        }

    def _show_steps(self, draft: TrainedModel) -> None:
        """What was chosen in each step."""
        steps, summary = self.steps, self.session.project.summary
        document, info = self.session.project.document, self.presenter.loss_of(draft)
        steps.show_choice("target", target_words(document), document.target is not None)
        many = len(summary.columns) if summary is not None else 0
        chosen = f"{len(draft.features)} of {many}"
        steps.show_choice("inputs", chosen, bool(draft.features))
        words = info.label if info is not None else draft.distribution
        steps.show_choice("distribution", words or "choose one", bool(info and info.fits))
        steps.show_choice("settings", settings_words(draft))
        if info is not None:
            steps.buttons["distribution"].setToolTip(plain_of(info).title)
