"""The evaluation system of an experiment: a list of ours and third parties', and its numbers."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QFormLayout, QWidget

from core.document.experiments.results import ExperimentChoices, SystemChoice, SystemParameter
from core.document.experiments.spec import SYSTEM_LABELS, ExperimentSpec
from gui.parts import NumberField, TextLabel, after_typing, keeping_focus

FIELD_WIDTH = 92


class SystemParts(QWidget):
    """Rows of a form: which system, and what it asks for."""

    changed = Signal(object)  # dict of parts of the experiment

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.system = QComboBox()
        self.system.setAccessibleName("Evaluation system")
        may_shrink(self.system)
        self.system.activated.connect(self._on_system)
        self.fields: dict[str, NumberField | QComboBox] = {}
        self._form = plain_form()
        self._form.addRow(TextLabel("Outcome", "quiet"), self.system)
        self.setLayout(self._form)
        self._shown: SystemChoice | None = None
        self._newest: tuple[ExperimentSpec, ExperimentChoices | None]
        self._values: dict[str, float] = {}

    def add_row(self, label: str, field: QWidget) -> None:
        """Add a row below the system's own, in line with them."""
        self._form.addRow(TextLabel(label, "quiet"), field)

    def show_spec(self, spec: ExperimentSpec, choices: ExperimentChoices | None) -> None:
        """Show the system of an experiment; without ``choices`` ours alone are listed."""
        self._newest = (spec, choices)
        settled = spec.settled()
        self._fill(settled, choices)
        chosen = choices.system_of(settled.system) if choices is not None else None
        if chosen != self._shown:
            if after_typing(self, lambda: self.show_spec(*self._newest)):
                return
            self._shown = chosen
            with keeping_focus(self):
                self._build_fields(chosen.parameters if chosen is not None else ())
        self._values = dict(settled.system_parameters)
        for item in chosen.parameters if chosen is not None else ():
            _set(self.fields[item.name], self._values.get(item.name, item.default))

    def _fill(self, settled: ExperimentSpec, choices: ExperimentChoices | None) -> None:
        entries = _entries(settled, choices)
        shown = [
            (self.system.itemData(place), self.system.itemText(place))
            for place in range(self.system.count())
        ]
        if shown != [entry[:2] for entry in entries]:
            self.system.clear()
            for name, label, help_text in entries:
                self.system.addItem(label, name)
                tip = Qt.ItemDataRole.ToolTipRole
                self.system.setItemData(self.system.count() - 1, help_text, tip)
        place = self.system.findData(settled.system)
        self.system.setCurrentIndex(place)
        self.system.setToolTip(entries[place][2] if place >= 0 else "")

    def _build_fields(self, parameters: tuple[SystemParameter, ...]) -> None:
        for _ in self.fields:
            row = self._form.takeRow(1)
            for part in (row.labelItem, row.fieldItem):
                if (widget := part.widget()) is not None:
                    widget.hide()
                    widget.deleteLater()  # it may be the one that is just being left
        self.fields = {}
        for place, item in enumerate(parameters, start=1):
            field = self._field(item)
            field.setAccessibleName(item.words)
            field.setToolTip(item.help)
            self.fields[item.name] = field
            self._form.insertRow(place, TextLabel(item.words, "quiet"), field)

    def _field(self, item: SystemParameter) -> NumberField | QComboBox:
        if item.choices:
            box = QComboBox()
            box.addItems(item.choices)
            may_shrink(box)
            box.activated.connect(lambda place, name=item.name: self._on_value(name, place))
            return box
        is_share = item.unit == "percent"
        field = NumberField(
            item.default,
            decimals=0 if is_share else 2,
            whole=item.is_whole,
            minimum=item.minimum,
            maximum=item.maximum,
            unit="%" if is_share else "",
            factor=100.0 if is_share else 1.0,
            step=0.05 if is_share else 1.0 if item.is_whole else 0.1,
        )
        field.setFixedWidth(FIELD_WIDTH)
        field.value_committed.connect(lambda value, name=item.name: self._on_value(name, value))
        return field

    def _on_system(self, _place: int) -> None:
        self.changed.emit(
            {"system": self.system.currentData(), "system_parameters": (), "sharpness": 1.0}
        )

    def _on_value(self, name: str, value: float) -> None:
        values = {**self._values, name: float(value)}
        if values != self._values:
            parts: dict[str, Any] = {"system_parameters": tuple(sorted(values.items()))}
            self.changed.emit({**parts, "sharpness": 1.0})


def _entries(
    settled: ExperimentSpec, choices: ExperimentChoices | None
) -> list[tuple[str, str, str]]:
    """Name, label and help of the systems to list; a chosen one that is not here is named so."""
    if choices is None:
        entries = [(name, SYSTEM_LABELS[name], "") for name in settled.facts.systems]
    else:
        entries = [
            (entry.system, _label(entry), f"{entry.help}\n{entry.formula}".strip())
            for entry in choices.systems
        ]
    if settled.system not in [entry[0] for entry in entries]:
        label = settled.system if choices is None else f"{settled.system} (not here)"
        entries.append((settled.system, label, ""))
    return entries


def _label(entry: SystemChoice) -> str:
    return f"{entry.label} ({entry.plugin})" if entry.plugin else entry.label


def _set(field: NumberField | QComboBox, value: float) -> None:
    if isinstance(field, QComboBox):
        field.setCurrentIndex(int(value))
    else:
        field.set_value(value)


def plain_form() -> QFormLayout:
    """A form of quiet labels at the left, its fields as wide as their place."""
    form = QFormLayout()
    form.setContentsMargins(0, 0, 0, 0)
    form.setHorizontalSpacing(8)
    form.setVerticalSpacing(6)
    form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
    form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
    return form


def may_shrink(box: QComboBox) -> None:
    """Let a list be as narrow as its place; long entries are cut there, not in the list."""
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    box.setMinimumContentsLength(8)
