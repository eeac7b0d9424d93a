"""What learns in an experiment: boxes to tick, and a list of what else is installed here."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QVBoxLayout, QWidget

from core.document.experiments.results import ExperimentChoices, LearnerChoice
from core.document.experiments.spec import ExperimentSpec, learner_label
from gui.widgets import clear_layout
from gui.widgets.fields.form import may_shrink

_OWN = ("logistic", "logistic_mse", "linear", "boosting")


class LearnerParts(QWidget):
    """The learners offered for a protocol, and a list from which others are added."""

    chosen = Signal(object)  # tuple of str

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        self._boxes_place = QVBoxLayout()
        self._boxes_place.setSpacing(4)
        self.boxes: dict[str, QCheckBox] = {}
        self.more = QComboBox()
        self.more.setAccessibleName("Further learners")
        self.more.setPlaceholderText("Add a learner…")
        self.more.setToolTip(
            "Boosted trees with any distribution, third parties' too; XGBoost, CatBoost and "
            "LightGBM where they are installed."
        )
        may_shrink(self.more)
        self.more.activated.connect(self._on_more)
        column.addLayout(self._boxes_place)
        column.addWidget(self.more)
        self._labels: dict[str, str] = {}

    def show_spec(self, spec: ExperimentSpec, choices: ExperimentChoices | None) -> None:
        """Show the learners of an experiment, and what may be added once that is known."""
        settled = spec.settled()
        if choices is not None:
            self._labels = {entry.learner: _label(entry) for entry in choices.learners}
        offered = dict.fromkeys((*settled.facts.learners, *_OWN, *settled.learners))
        if tuple(offered) != tuple(self.boxes):
            clear_layout(self._boxes_place)
            self.boxes = {name: QCheckBox() for name in offered}
            for box in self.boxes.values():
                box.clicked.connect(self._on_boxes)
                self._boxes_place.addWidget(box)
        for name, box in self.boxes.items():
            box.setText(self._labels.get(name) or learner_label(name))
            box.setChecked(name in settled.learners)
        self._fill_more(offered, choices)

    def _fill_more(self, offered: dict[str, None], choices: ExperimentChoices | None) -> None:
        entries = [e for e in choices.learners if e.learner not in offered] if choices else []
        names = [entry.learner for entry in entries]
        if names != [self.more.itemData(place) for place in range(self.more.count())]:
            self.more.clear()
            for place, entry in enumerate(entries):
                self.more.addItem(_label(entry), entry.learner)
                self.more.setItemData(place, entry.help, Qt.ItemDataRole.ToolTipRole)
        self.more.setCurrentIndex(-1)
        self.more.setEnabled(bool(entries))

    def _ticked(self) -> tuple[str, ...]:
        return tuple(name for name, box in self.boxes.items() if box.isChecked())

    def _on_boxes(self) -> None:
        self.chosen.emit(self._ticked())

    def _on_more(self, place: int) -> None:
        name = self.more.itemData(place)
        self.more.setCurrentIndex(-1)
        if name:
            self.chosen.emit((*self._ticked(), str(name)))


def _label(entry: LearnerChoice) -> str:
    return f"{entry.label} ({entry.plugin})" if entry.plugin else entry.label
