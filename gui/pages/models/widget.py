"""The Models page: the list, the four steps, the curves, the chooser, the settings."""

from __future__ import annotations

from dataclasses import replace

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
from core.document.model import Role, TrainedModel
from gui.dialogs.ask_text import ask_name
from gui.frame.page_list import PageId
from gui.pages.data.targets import name_target
from gui.pages.models.chooser import DistributionChooser
from gui.pages.models.further_columns import for_distribution
from gui.pages.models.influence import InfluencePanel
from gui.pages.models.inspector import ModelInspector
from gui.pages.models.model_files import ModelFiles
from gui.pages.models.model_list import ModelListCard
from gui.pages.models.on_report import parts_of
from gui.pages.models.panels import InputsPanel, SettingsPanel, TargetPanel
from gui.pages.models.steps import STEPS, StepBar
from gui.pages.models.target_kind import read_as
from gui.pages.models.views import ModelViews
from gui.pages.models.words import column_of, find_distribution
from gui.pages.page import Page
from gui.report.parts import ReportPart
from gui.theme import current_theme, icon
from gui.workspace import Workspace

LEFT = 292
_LOW = 700  # a lower page gives the curves the room it has
_PANEL, _LOW_PANEL = 276, 228


class ModelsPage(Page):
    """Builds the page; a ``ModelsPresenter`` fills it."""

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        from gui.pages.models.presenter import ModelsPresenter

        super().__init__(workspace, "Models", parent)
        self.setAccessibleName(self.header.title.text())
        self._build_header()
        self._build_body()
        self.presenter = ModelsPresenter(workspace, self)
        self.files = ModelFiles(workspace, self)
        self._connect()

    def on_shown(self) -> None:
        self.presenter.refresh()

    def report_parts(self) -> tuple[ReportPart, ...]:
        return parts_of(self)

    def make_again(self, kind: str) -> bool:
        model = kind.removeprefix("models/learning ")
        if self.workspace.document.trained_model(model) is not None:
            self.presenter.choose(model)
            return True
        return kind == "models/list"

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
        self.views = ModelViews(self.workspace)
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
        self.import_scores.triggered.connect(
            lambda: self.workspace.page_requested.emit(PageId.DATA)
        )
        self.import_file.triggered.connect(self.files.ask_import)
        self.models.onnx_wanted.connect(self.files.ask_export)
        self.target_panel.data_wanted.connect(
            lambda: self.workspace.page_requested.emit(PageId.DATA)
        )
        self.target_panel.reading_wanted.connect(self._on_reading)
        self.new.clicked.connect(presenter.begin)
        self.stop.clicked.connect(presenter.stop)
        self.steps.step_chosen.connect(self.show_step)
        self.models.model_chosen.connect(presenter.choose)
        self.models.rename_wanted.connect(self.rename)
        self.models.remove_wanted.connect(
            lambda name: self.workspace.execute(RemoveModel(model=name))
        )
        self.models.explain_wanted.connect(self._explain)
        self.inputs_panel.features_changed.connect(self._on_features)
        self.chooser.distribution_chosen.connect(self._on_distribution)
        self.inspector.draft_changed.connect(presenter.take_draft)
        self.settings_panel.draft_changed.connect(presenter.take_draft)
        self.inspector.train_wanted.connect(presenter.train)
        self.inspector.train_on_wanted.connect(presenter.train_on)
        self.inspector.reset_wanted.connect(presenter.reset)
        self.chart.fill_requested.connect(presenter.fill)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        is_low = self.height() < _LOW
        self.panels.setFixedHeight(_LOW_PANEL if is_low else _PANEL)

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
        document = self.workspace.document
        scores = (Role.POSTERIOR, Role.SCORE, Role.PREDICTION, Role.ID, Role.ROW_USE)
        names = [entry.column for entry in document.roles if entry.role not in scores]
        target = document.target.column if document.target is not None else ""
        shown = [self.target.itemText(place) for place in range(self.target.count())]
        if shown != names:
            self.target.clear()
            self.target.addItems(names)
        self.target.setCurrentIndex(names.index(target) if target in names else -1)

    def _on_target(self, _place: int) -> None:
        column = column_of(self.workspace.summary, self.target.currentText())
        target = self.workspace.document.target
        if column is not None and (target is None or target.column != column.name):
            self.workspace.execute(name_target(self.workspace.document, column))

    def _on_reading(self, kind: str) -> None:
        target = self.workspace.document.target
        column = column_of(self.workspace.summary, target.column) if target is not None else None
        command = read_as(column, kind) if column is not None else None
        if command is not None and target != command.target:
            self.workspace.execute(command)

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
            summary, document = self.workspace.summary, self.workspace.document
            self.presenter.take_draft(for_distribution(draft, info, summary, document))

    def _explain(self, name: str) -> None:
        self.workspace.explain_requested.emit(name)
        self.workspace.page_requested.emit(PageId.EXPLAIN)

    def rename(self, model: str) -> None:
        """Ask for another name."""
        ask_name(
            self,
            "Rename model",
            "Name",
            lambda name: self.workspace.execute(RenameModel(model=model, name=name)),
            model,
        )
