"""The fields of the tab Capacity: at most so many actions, at most so much money, a price."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QGridLayout, QWidget

from core.presentation.labels import Labels, capitalised
from gui.parts import NumberField, TextLabel

FIELD = 96


class LimitFields(QWidget):
    """Two limits, each switched on by its box, and the price of an action where none is known."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.has_actions = QCheckBox()
        self.has_actions.setChecked(True)
        self.has_money = QCheckBox()
        self.action_field = NumberField(whole=True, minimum=0.0, step=100.0)
        self.money_field = NumberField(decimals=0, minimum=0.0, step=100.0)
        self.price_field = NumberField(decimals=2, minimum=0.0, step=0.1)
        self.price_words = TextLabel("", "quiet")
        self._is_own_price = False
        self._proposed: list[NumberField] = []  # has a value: proposed once, or typed
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 4, 0, 0)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(6)
        grid.setColumnStretch(0, 1)
        rows = ((self.has_actions, self.action_field), (self.has_money, self.money_field))
        for row, (box, field) in enumerate(rows):
            grid.addWidget(box, row, 0)
            grid.addWidget(field, row, 1)
            box.toggled.connect(self._on_change)
            field.value_changed.connect(partial(self._on_typed, field))
        grid.addWidget(self.price_words, 2, 0)
        grid.addWidget(self.price_field, 2, 1)
        for field in (self.action_field, self.money_field, self.price_field):
            field.setFixedWidth(FIELD)
        self.price_field.value_changed.connect(self._on_price)
        self._enable()

    def set_words(self, words: Labels, done: str) -> None:
        """Speak of the project's cases and money; ``done`` is what an action does to a case."""
        actions = capitalised(f"{words.cases} {done} at most")
        self.has_actions.setText(actions)
        self.action_field.setAccessibleName(actions)
        money = f"Money spent at most, {words.currency}"
        self.has_money.setText(money)
        self.money_field.setAccessibleName(money)
        price = f"One {words.case} {done} costs, {words.currency}"
        self.price_words.setText(price)
        self.price_field.setAccessibleName(price)

    def propose(self, actions: float, money: float) -> None:
        """Fill fields that nobody has typed into yet; 0 is as good a limit as another.

        A proposal holds until something is typed, or until other data come.
        """
        for field, proposal in ((self.action_field, actions), (self.money_field, money)):
            if field not in self._proposed:
                self._proposed.append(field)
                field.set_value(proposal)

    def forget(self) -> None:
        """Other data: neither limits nor price were said of them."""
        self._proposed.clear()
        self._is_own_price = False

    def show_price(self, price: float | None, reason: str) -> None:
        """Show the price that was assumed; None: there is no one price to ask for."""
        for widget in (self.price_field, self.price_words):
            widget.setVisible(price is not None)
        if price is not None and not self._is_own_price:
            self.price_field.set_value(price)
            self.price_field.setToolTip(reason)

    @property
    def most_actions(self) -> float | None:
        """The limit of actions, if it is on."""
        return self.action_field.value() if self.has_actions.isChecked() else None

    @property
    def most_money(self) -> float | None:
        """The limit of money, if it is on."""
        return self.money_field.value() if self.has_money.isChecked() else None

    @property
    def own_price(self) -> float | None:
        """The price of an action, if it was typed."""
        return self.price_field.value() if self._is_own_price else None

    def _on_price(self, _value: float) -> None:
        self._is_own_price = True
        self.changed.emit()

    def _on_typed(self, field: NumberField, _value: float) -> None:
        if field not in self._proposed:
            self._proposed.append(field)
        self._on_change(None)

    def _on_change(self, _value: object) -> None:
        self._enable()
        self.changed.emit()

    def _enable(self) -> None:
        self.action_field.setEnabled(self.has_actions.isChecked())
        self.money_field.setEnabled(self.has_money.isChecked())
