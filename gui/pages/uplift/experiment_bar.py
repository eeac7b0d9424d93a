"""Who was treated, against whom, and which outcome and model are looked at: the page's header."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QComboBox

from core.document.data.results import ColumnSummary
from core.document.model import Document, Role
from core.document.studies.uplift import UpliftResult
from core.document.uplift.commands import SetExperiment, SetUpliftOutcome
from core.document.uplift.model import guess_control
from core.presentation.labels import Labels
from gui.pages.page import PageHeader
from gui.session.session import Session
from gui.theme import theme_notifier
from gui.widgets import series_icon
from gui.widgets.fields.choice_box import ChoiceBox

MOST_ARMS = 12
MOST_WIDTH = 170
FRAME = 44  # border, margins and arrow of a box


class ExperimentBar(QObject):
    """Lists what the data offer and says the command of each choice.

    Arms that nobody has chosen are guessed from the names of the treatment's levels.
    """

    model_chosen = Signal(str)

    def __init__(self, session: Session, header: PageHeader) -> None:
        super().__init__(header)
        self._session = session
        self._header = header
        self.treatment = self._combo("Treatment", self._choose_treatment)
        self.treated = self._combo("", self._choose_arms, "Treated arm")
        self.control = self._combo("against", self._choose_arms, "Control arm")
        self.outcome = self._combo("Outcome", self._choose_outcome)
        self.model = self._combo("Model", self._choose_model)
        self._series: tuple[int, ...] = ()
        theme_notifier().theme_changed.connect(self._show_icons)

    def _combo(self, caption: str, chosen: Callable[[], None], name: str = "") -> QComboBox:
        combo = ChoiceBox()
        combo.setMinimumContentsLength(3)
        combo.setMaximumWidth(MOST_WIDTH)
        combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        combo.activated.connect(lambda _place: chosen())
        if name:
            combo.setAccessibleName(name)
        self._header.add_left(combo, caption)
        return combo

    def arms(self) -> tuple[str, str]:
        """The treated and the control arm that are chosen, as they are in the file."""
        return self.treated.currentData() or "", self.control.currentData() or ""

    # ------------------------------------------------------------ showing

    def show_document(self, document: Document) -> None:
        """List the columns and arms that the data offer, those of the document chosen."""
        summary = self._session.project.summary
        columns = summary.columns if summary is not None else ()
        names = [c.name for c in columns if 2 <= c.distinct <= MOST_ARMS and c.levels]
        treatment = treatment_of(document)
        _fill(self.treatment, names, treatment)
        levels = list(self._levels(treatment))
        treated, control = document.uplift.treated, document.uplift.control
        if not (treated and control):
            treated, control = self._guessed_arms(treatment)
        shown = Labels.of(document).values(treatment, tuple(levels))
        _fill(self.treated, levels, treated, shown)
        _fill(self.control, levels, control, shown)
        target = document.target.column if document.target is not None else ""
        outcomes = [c.name for c in columns if c.name != treatment and _can_be_outcome(c)]
        _fill(self.outcome, outcomes, document.uplift.outcome or target)

    def show_models(self, result: UpliftResult, labels: Labels, chosen: str) -> None:
        """List the models of a result, each with the mark of its line."""
        _fill(self.model, [model.model for model in result.models], chosen)
        self._series = tuple(labels.series_of(model.model) for model in result.models)
        self._show_icons()
        _keep_whole(self.model)

    def forget_models(self) -> None:
        """List no model: those of the last answer ranked other data."""
        self._series = ()
        _fill(self.model, [], "")

    def _show_icons(self, _theme: object = None) -> None:
        """The models' lines in the colours of the theme."""
        for place, series in enumerate(self._series):
            self.model.setItemIcon(place, series_icon(series))

    # ------------------------------------------------------------ choosing

    def _choose_treatment(self) -> None:
        column = self.treatment.currentText()
        treated, control = self._guessed_arms(column)
        self._session.project.execute(
            SetExperiment(treatment=column, treated=treated, control=control)
        )

    def _choose_arms(self) -> None:
        treated, control = self.arms()
        if treated == control:  # the other one gives way
            others = [self.control.itemData(i) for i in range(self.control.count())]
            other = next((level for level in others if level != treated), control)
            is_control = self.sender() is self.control
            treated, control = (other, control) if is_control else (treated, other)
        treatment = self.treatment.currentText()
        self._session.project.execute(
            SetExperiment(treatment=treatment, treated=treated, control=control)
        )

    def _choose_outcome(self) -> None:
        self._session.project.execute(SetUpliftOutcome(outcome=self.outcome.currentText()))

    def _choose_model(self) -> None:
        self.model_chosen.emit(self.model.currentText())

    def _guessed_arms(self, column: str) -> tuple[str, str]:
        """The arms as their names tell; empty where they do not."""
        levels = self._levels(column)
        data = self._session.project.document.data
        words = dict(data.code_words).get(column, ()) if data is not None else ()
        control = guess_control(levels, column, dict(words))
        if control is None or len(levels) < 2:
            return "", ""
        return next(level for level in levels if level != control), control

    def _levels(self, column: str) -> tuple[str, ...]:
        summary = self._session.project.summary
        columns = summary.columns if summary is not None else ()
        found = next((entry for entry in columns if entry.name == column), None)
        return tuple(level for level, _ in found.levels[:MOST_ARMS]) if found is not None else ()


def treatment_of(document: Document) -> str:
    """The column that says who was treated; empty where none is known."""
    return document.uplift.treatment or document.column_of(Role.TREATMENT) or ""


def _can_be_outcome(column: ColumnSummary) -> bool:
    return column.kind in ("integer", "number", "boolean") or column.distinct == 2


def _fill(
    combo: QComboBox, names: list[str], chosen: str, shown: Sequence[str] | None = None
) -> None:
    """List names, in other words where they are ``shown`` so."""
    entries = list(zip(shown or names, names, strict=True))
    if [(combo.itemText(i), combo.itemData(i)) for i in range(combo.count())] != entries:
        combo.clear()
        for words, name in entries:
            combo.addItem(words, name)
    combo.setCurrentIndex(names.index(chosen) if chosen in names else -1)
    combo.setPlaceholderText("choose…" if names and chosen not in names else "")
    combo.setEnabled(bool(names))
    _keep_whole(combo)


def _keep_whole(combo: QComboBox) -> None:
    """What is chosen stays readable where the header is narrow; other entries may be longer."""
    icon = 0 if combo.itemIcon(combo.currentIndex()).isNull() else combo.iconSize().width() + 4
    shown = combo.currentText() or combo.placeholderText()
    words = combo.fontMetrics().horizontalAdvance(shown)
    combo.setMinimumWidth(min(words + icon + FRAME, MOST_WIDTH))
    combo.setToolTip(f"{combo.accessibleName()}: {shown}")  # captions give way on narrow pages
