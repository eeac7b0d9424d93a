"""The parts of an experiment: what is drawn, what learns, how it is split and bounded.

What learns in an experiment: boxes to tick, and a list of what else is installed here.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QHBoxLayout,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from core.document.experiments.results import ExperimentChoices, LearnerChoice
from core.document.experiments.spec import SAMPLERS, ExperimentSpec, learner_label
from core.document.wording import format_count
from core.presentation.experiments.views import SAMPLER_WORDS
from core.presentation.view import View
from gui.pages.experiments.part_fields import drawing_fields, number_fields, with_part
from gui.theme import icon
from gui.widgets import Card, ElidedLabel, HelpText, Rule, TextLabel, clear_layout
from gui.widgets.fields.choice_box import ChoiceBox
from gui.widgets.fields.form import Form, may_shrink
from gui.widgets.scrolled import scrolled

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
        self.more = ChoiceBox()
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


FIELD = 92  # pixels of a number


class PartsCard(Card):
    """Shows the parts of an experiment and tells every change of one."""

    spec_changed = Signal(object)  # ExperimentSpec
    file_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(margin=0, parent=parent)
        self._spec = ExperimentSpec()
        self._choices: ExperimentChoices | None = None
        self.setFixedWidth(300)
        self.about = TextLabel("", "quiet", wraps=True)
        holder = QWidget()
        holder.setProperty("scrolled", "true")
        column = QVBoxLayout(holder)
        column.setContentsMargins(12, 12, 16, 12)
        column.setSpacing(8)
        column.addWidget(self.about)
        column.addWidget(Rule())
        self._build_rows(column)
        column.addWidget(Rule())
        self._build_drawing(column)
        column.addWidget(Rule())
        self._build_learners(column)
        column.addWidget(Rule())
        self._build_numbers(column)
        column.addStretch(1)
        self.body.addWidget(scrolled(holder), 1)
        self._build_foot()

    # ------------------------------------------------------------ building

    def _build_rows(self, column: QVBoxLayout) -> None:
        column.addWidget(TextLabel("Rows", "section"))
        self.source = ElidedLabel("", "strong")
        self.facts = TextLabel("", "quiet", wraps=True)
        row = QHBoxLayout()
        row.setSpacing(8)
        self.file = QPushButton("Choose a file…")
        self.file.setIcon(icon("folder-open"))
        self.file.setProperty("small", "true")
        self.file.clicked.connect(self.file_wanted)
        self.made_up = QPushButton("Made-up rows")
        self.made_up.setProperty("small", "true")
        self.made_up.clicked.connect(lambda: self._change(path=""))
        row.addWidget(self.file)
        row.addWidget(self.made_up)
        row.addStretch(1)
        column.addWidget(self.source)
        column.addWidget(self.facts)
        column.addLayout(row)

    def _build_drawing(self, column: QVBoxLayout) -> None:
        column.addWidget(TextLabel("What is drawn", "section"))
        row = QHBoxLayout()
        row.setSpacing(12)
        self.samplers = {name: QCheckBox(SAMPLER_WORDS[name]) for name in SAMPLERS}
        for box in self.samplers.values():
            box.clicked.connect(self._on_samplers)
            row.addWidget(box)
        row.addStretch(1)
        column.addLayout(row)
        self.drawing = self._add_form(column)

    def _add_form(self, column: QVBoxLayout) -> Form:
        form = Form(width=FIELD, role="quiet", fills=True)
        form.changed.connect(lambda name, value: self._take(with_part(self._spec, name, value)))
        column.addWidget(form)
        return form

    def _build_learners(self, column: QVBoxLayout) -> None:
        column.addWidget(TextLabel("What learns", "section"))
        self.learning = LearnerParts()
        self.learning.chosen.connect(self._on_learners)
        column.addWidget(self.learning)

    def _build_numbers(self, column: QVBoxLayout) -> None:
        column.addWidget(TextLabel("How often, how judged", "section"))
        self.numbers = self._add_form(column)

    def _build_foot(self) -> None:
        foot = QWidget()
        column = QVBoxLayout(foot)
        column.setContentsMargins(12, 8, 12, 12)
        column.setSpacing(6)
        self.fits = TextLabel("", "quiet", wraps=True)
        self.run = QPushButton("Run")
        self.run.setProperty("kind", "primary")
        column.addWidget(self.fits)
        column.addWidget(self.run)
        self.body.addWidget(Rule())
        self.body.addWidget(foot)

    # ------------------------------------------------------------ showing

    @property
    def learners(self) -> dict[str, QCheckBox]:
        """The boxes of the learners by name."""
        return self.learning.boxes

    @property
    def system(self) -> QComboBox:
        """The list of evaluation systems."""
        box: QComboBox = self.drawing.editor("system")
        return box

    def show_spec(self, spec: ExperimentSpec, choices: ExperimentChoices | None = None) -> None:
        """Show other parts, without telling; ``choices`` is what plugins and programs offer."""
        self._spec, self._choices = spec, choices
        facts, settled = spec.facts, spec.settled()
        self.about.setText(facts.about)
        self.source.set_full_text(Path(spec.path).name if spec.path else "Made-up rows")
        self.source.setToolTip(spec.path)
        self.made_up.setEnabled(bool(spec.path))
        for name, box in self.samplers.items():
            box.setChecked(name in settled.samplers)
        self.drawing.show_fields(drawing_fields(spec, choices))
        self.learning.show_spec(spec, choices)
        self.numbers.show_fields(number_fields(spec))
        self.show_fits(spec.fits)

    def show_fits(self, count: int, *, is_rest: bool = False) -> None:
        """Say how many models a run will fit; the rest of them where one goes on."""
        rest = " more" if is_rest else ""
        self.fits.setText(f"{format_count(count)}{rest} evaluation models will be fitted.")

    def show_facts(self, view: View | None) -> None:
        """Say what was found in the rows."""
        if view is None:
            self.facts.setText("Not read yet.")
            return
        self.facts.setText(" ".join(view.sentences))
        self.facts.setToolTip("\n".join(row[1] for row in view.tables[0].texts()))

    def show_refusal(self, words: str) -> None:
        """Say why the rows cannot be used."""
        self.facts.setText(words)
        self.facts.setToolTip("")

    # ------------------------------------------------------------ telling

    def _change(self, **parts: Any) -> None:
        self._take(replace(self._spec, **parts))

    def _take(self, spec: ExperimentSpec) -> None:
        self.spec_changed.emit(spec)

    def _on_samplers(self) -> None:
        chosen = tuple(name for name, box in self.samplers.items() if box.isChecked())
        if chosen:
            self._change(samplers=chosen)
        else:
            self.show_spec(self._spec, self._choices)

    def _on_learners(self, chosen: tuple[str, ...]) -> None:
        if chosen:
            self._change(learners=chosen)
        else:
            self.show_spec(self._spec, self._choices)


def help_of_page() -> HelpText:
    """What the words of the page mean."""
    return HelpText(
        title="Evaluation experiments",
        text=(
            "A subject (a model with random parameters) meets evaluation conditions (the rows). An "
            "evaluation system says what comes of it; it is made up here, so that the truth is "
            "known. An evaluation model learns to predict the outcome from subject and conditions, "
            "instead of a trial. Its error on test rows is the evaluation error (GEE is its mean "
            "over new cases); its error for the difference between two subjects under the same "
            "condition is the effect error (GCEE). Neither has to do with generalised estimating "
            "equations."
        ),
        formula="E = mean (predicted − measured)²,  bound: E + margin",
        reference="Yan 2025 (arXiv 2503.21138); Hoeffding 1963; Waudby-Smith and Ramdas 2024",
    )
