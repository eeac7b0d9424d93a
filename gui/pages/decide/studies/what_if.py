"""Tab What-if: numbers at other values, live, and named scenarios side by side."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from core.document.commands import Command
from core.document.decisions.matrix_model import NumberRef, NumberSetting, Scenario
from core.document.decisions.numbers import AddScenario, RemoveScenario, RenameScenario, UseNumbers
from core.document.model import Document
from core.document.studies.moving_numbers import TriedNumber, WhatIfResult
from core.presentation.decide.numbers import SCENARIOS
from core.questions.decide import WhatIf
from gui.pages.decide.studies.number_slider import NumberSlider
from gui.pages.decide.studies.study import Study
from gui.pauses import PAUSES
from gui.session.session import Session
from gui.shell.dialogs.ask_text import ask_name
from gui.widgets import (
    HelpButton,
    HelpText,
    TextLabel,
    after_typing,
    clear_layout,
    keeping_focus,
)
from gui.widgets.tables.figure_table import ResultTable

SIDE, NARROW_SIDE = 356, 324
NARROW = 860  # below this width of the tab the sliders are shorter


class WhatIfStudy(Study):
    """Sliders at the left; totals now and then, and the scenarios, at the right."""

    asks = WhatIf
    fills_page = False

    @property
    def pause(self) -> int:
        return PAUSES.what_if

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, parent)
        self._sliders: dict[NumberRef, NumberSlider] = {}
        self.add_panel("left")
        self.panel.add_beside(self._make_left())
        self.panel.table_clicked.connect(self._show_buttons)
        self._show_buttons()

    def _make_left(self) -> QWidget:
        self._column = QWidget()
        self._list = QVBoxLayout(self._column)
        self._list.setContentsMargins(0, 0, 6, 0)
        self._list.setSpacing(4)
        area = QScrollArea()
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # its controls have it
        area.setWidget(self._column)
        area.setWidgetResizable(True)
        area.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Ignored)  # it scrolls
        area.viewport().setAutoFillBackground(False)
        self._column.setProperty("scrolled", "true")
        self.use_button = self._button("Use these", self.use_numbers)
        self.use_button.setToolTip("Write these numbers into the project, in one step")
        self.keep_button = self._button("Keep as scenario…", self.ask_for_name)
        self.reset_button = self._button("Reset", self.reset)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        for button in (self.use_button, self.keep_button, self.reset_button):
            buttons.addWidget(button)
        buttons.addStretch(1)
        buttons.addWidget(self._help())
        side = self._side = QWidget()
        side.setFixedWidth(SIDE)
        column = QVBoxLayout(side)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(area, 1)
        column.addLayout(self._make_scenario_buttons())
        column.addLayout(buttons)
        return side

    def _make_scenario_buttons(self) -> QHBoxLayout:
        self.try_button = self._button("Try it", self.try_scenario)
        self.rename_button = self._button("Rename…", self.ask_for_new_name)
        self.remove_button = self._button("Remove", self.remove_scenario)
        line = QHBoxLayout()
        line.setSpacing(8)
        line.addWidget(TextLabel("Scenario", "quiet"))
        for button in (self.try_button, self.rename_button, self.remove_button):
            line.addWidget(button)
        line.addStretch(1)
        return line

    def _button(self, words: str, action: Callable[[], None]) -> QPushButton:
        button = QPushButton(words)
        button.setProperty("small", True)
        button.clicked.connect(lambda _on=False: action())
        return button

    def _help(self) -> HelpButton:
        return HelpButton(
            HelpText(
                title="What-if",
                text=(
                    "Move any number: every total follows. “Kept” is what happens if each case "
                    "keeps its present decision; “made again” if the rule is applied anew. "
                    "Changes are differences to now on the same cases, with 95 % intervals. "
                    "Nothing is written to the project until you press “Use these”."
                ),
                formula="Σᵢ Fᵢ w′ Q′(Tᵢ, Dᵢ)  and  Σᵢ Fᵢ w′ Q′(Tᵢ, D′ᵢ)",
                reference="Own definition; totals as on tab Totals",
            )
        )

    # ------------------------------------------------------------ asking

    def title(self) -> str:
        return "What-if"

    def forget(self) -> None:
        self.reset()

    def request_for(self, document: Document) -> WhatIf | None:
        return WhatIf(settings=self.settings())

    def settings(self) -> tuple[NumberSetting, ...]:
        """The numbers that are tried at other values."""
        return tuple(
            NumberSetting(number=slider.number, value=slider.value)
            for slider in self._sliders.values()
            if slider.is_tried
        )

    # ------------------------------------------------------------ showing

    @property
    def result(self) -> WhatIfResult | None:
        """The answer that is shown."""
        result: WhatIfResult | None = self.answer
        return result

    @property
    def scenarios(self) -> ResultTable:
        """The table of the scenarios, where an answer is shown."""
        return self.panel.tables[SCENARIOS]

    def show_answer(self, document: Document, answer: WhatIfResult) -> None:
        super().show_answer(document, answer)
        self._show_sliders(answer.numbers)
        self._show_buttons()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._side.setFixedWidth(NARROW_SIDE if self.width() < NARROW else SIDE)

    def _show_sliders(self, numbers: tuple[TriedNumber, ...]) -> None:
        if tuple(self._sliders) != tuple(entry.number for entry in numbers):
            if after_typing(self, self._show_late_sliders):
                return
            with keeping_focus(self):
                self._build_sliders(numbers)
        for entry in numbers:
            self._sliders[entry.number].take(entry)

    def _show_late_sliders(self) -> None:
        """The sliders of the last answer, which waited for what was being typed."""
        if self.result is None:
            return
        self._show_sliders(self.result.numbers)
        self._on_changed()

    def _build_sliders(self, numbers: tuple[TriedNumber, ...]) -> None:
        """A slider for each number; what is tried stays so where the number is still there."""
        tried = {setting.number: setting.value for setting in self.settings()}
        clear_layout(self._list)
        self._sliders = {}
        for entry in numbers:
            slider = NumberSlider(entry)
            if entry.number in tried:
                slider.set_value(tried[entry.number])
            slider.changed.connect(self._on_changed)
            self._sliders[entry.number] = slider
            self._list.addWidget(slider)
        self._list.addStretch(1)

    def _show_buttons(self) -> None:
        is_tried = bool(self.settings())
        for button in (self.use_button, self.keep_button, self.reset_button):
            button.setEnabled(is_tried)
        is_chosen = self._chosen() is not None
        for button in (self.try_button, self.rename_button, self.remove_button):
            button.setEnabled(is_chosen)

    def slider(self, name: str) -> NumberSlider:
        """The slider of a number by its words."""
        return next(entry for entry in self._sliders.values() if entry.name == name)

    # ------------------------------------------------------------ what the user does

    def _on_changed(self) -> None:
        self._show_buttons()
        self.refresh()

    def reset(self) -> None:
        """All numbers back to their present values."""
        for slider in self._sliders.values():
            slider.reset()

    def use_numbers(self) -> None:
        """Write what is tried into the project, as one step of undo."""
        settings = self.settings()
        if not settings or self.result is None:
            return
        if self._do(UseNumbers(settings=settings, resolved=self.result.resolved)):
            self.refresh()

    def _do(self, command: Command) -> bool:
        done = self.session.project.execute(command)
        self.session.project.finish_editing()
        return done

    def ask_for_name(self) -> None:
        """Ask what the scenario is to be called, then keep it."""
        words = "Name of the scenario"
        ask_name(self, "Keep as scenario", words, self.keep_scenario)

    def keep_scenario(self, name: str) -> bool:
        """Keep what is tried under a name; False where it was refused."""
        is_kept = self._do(AddScenario(scenario=Scenario(name=name, settings=self.settings())))
        if is_kept:
            self.refresh()
        return is_kept

    def choose_scenario(self, name: str) -> None:
        """Select a scenario's row."""
        if self.result is not None:
            names = [entry.name for entry in self.result.scenarios]
            flag = QItemSelectionModel.SelectionFlag
            self.scenarios.selectionModel().select(
                self.scenarios.figures.index(names.index(name) + 1, 0),
                flag.ClearAndSelect | flag.Rows,
            )
            self._show_buttons()

    def _chosen(self) -> Scenario | None:
        """The scenario whose row is selected."""
        if self.result is None:
            return None
        rows = {index.row() for index in self.scenarios.selectedIndexes()}
        if len(rows) != 1:
            return None
        place = rows.pop() - 1  # the first row is the project as it is
        if not 0 <= place < len(self.result.scenarios):
            return None
        name = self.result.scenarios[place].name
        known = self.session.project.document.scenarios
        return next((entry for entry in known if entry.name == name), None)

    def try_scenario(self) -> None:
        """Put the numbers of the selected scenario on the sliders."""
        chosen = self._chosen()
        if chosen is None:
            return
        values = {entry.number: entry.value for entry in chosen.settings}
        for number, slider in self._sliders.items():
            if number in values:
                slider.set_value(values[number])
            else:
                slider.reset()

    def ask_for_new_name(self) -> None:
        """Ask for another name of the selected scenario."""
        chosen = self._chosen()
        if chosen is None:
            return
        words = "Name of the scenario"

        def take(name: str) -> bool:
            is_renamed = self._do(RenameScenario(scenario=chosen.name, name=name))
            if is_renamed:
                self.refresh()
            return is_renamed

        ask_name(self, "Rename scenario", words, take, chosen.name)

    def remove_scenario(self) -> None:
        """Take the selected scenario away."""
        chosen = self._chosen()
        if chosen is not None and self._do(RemoveScenario(scenario=chosen.name)):
            self.refresh()
