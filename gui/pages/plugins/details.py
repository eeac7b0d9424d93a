"""One plugin beside the list: what it adds, why it is in its state, its conformance sheet."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from core.document.plugin_results import PluginCheck, PluginState
from gui.pages.plugins.words import FAMILIES, by_line, sheet_verdict, state_words
from gui.widgets import Card, Chip, IconLabel, TextLabel, clear_layout
from payoff.testing.meanings import meaning

SIGNS = {
    "passed": ("check", "gain"),
    "failed": ("cross", "error"),
    "expected failure": ("warning", "loss"),
}

_EDGES = {"quarantined": "error", "does_not_fit": "loss"}  # colour of the left edge of the reason


class PluginDetails(Card):
    """What is known of the chosen plugin, and what can be done with it."""

    remove_wanted = Signal(str)
    switch_wanted = Signal(str, bool)
    check_wanted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.plugin: PluginState | None = None
        self.name = TextLabel("", "section")
        self.chip = Chip("", "plain")
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self.name)
        head.addWidget(self.chip)
        head.addStretch(1)
        self.by = TextLabel("", "quiet", wraps=True)
        self.text = TextLabel("", "body", wraps=True)
        content = QWidget()
        content.setProperty("scrolled", "true")
        self.column = QVBoxLayout(content)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(6)
        scroll = QScrollArea()
        scroll.setWidget(content)
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.viewport().setAutoFillBackground(False)
        self.body.addLayout(head)
        self.body.addWidget(self.by)
        self.body.addWidget(self.text)
        self.body.addWidget(scroll, 1)
        self.body.addLayout(self._make_buttons())

    def _make_buttons(self) -> QHBoxLayout:
        self.check = QPushButton("Check this plugin")
        self.switch = QPushButton("Turn off")
        self.copy = QPushButton("Copy details")
        self.remove = QPushButton("Remove")
        row = QHBoxLayout()
        row.setSpacing(8)
        for button in (self.check, self.switch, self.copy):
            row.addWidget(button)
        row.addStretch(1)
        row.addWidget(self.remove)
        self.check.clicked.connect(self._on_check)
        self.switch.clicked.connect(self._on_switch)
        self.copy.clicked.connect(self._on_copy)
        self.remove.clicked.connect(self._on_remove)
        return row

    def show_plugin(self, plugin: PluginState | None) -> None:
        """Show a plugin; None shows nothing."""
        self.plugin = plugin
        for widget in (self.check, self.switch, self.copy, self.remove):
            widget.setVisible(plugin is not None)
        clear_layout(self.column)
        if plugin is None:
            self.name.setText("No plugin is chosen.")
            self.chip.hide()
            return
        self.name.setText(plugin.name)
        self.chip.show()
        self.chip.set_state(*state_words(plugin))
        self.by.setText(by_line(plugin))
        self.text.setText(plugin.description)
        self.text.setVisible(bool(plugin.description))
        is_own = plugin.source == "user folder"
        self.remove.setEnabled(is_own)
        is_shared = plugin.source == "shared folder"
        why = "Others keep its folder." if is_shared else "It came with the program."
        self.remove.setToolTip("" if is_own else why)
        is_built_in = plugin.source == "built in"
        self.switch.setEnabled(not is_built_in)
        self.switch.setText("Turn on" if plugin.state == "off" else "Turn off")
        self._show_why(plugin)
        self._show_adds(plugin)
        self._show_checks(plugin.checks, is_built_in=is_built_in)
        self.column.addStretch(1)

    def details(self) -> str:
        """Everything known of the plugin as plain text, for a message to its author."""
        plugin = self.plugin
        if plugin is None:
            return ""
        lines = [f"{plugin.name} {plugin.version} ({plugin.plugin})", f"state: {plugin.state}"]
        lines += [f"stage: {plugin.stage}"] if plugin.stage else []
        lines += [f"why: {plugin.why}"] if plugin.why else []
        lines += [f"contract: {plugin.api}"] if plugin.api else []
        lines += [f"from: {plugin.source}, {plugin.path}"]
        lines += [f"{one.state}: {one.check} ({one.subject}) {one.found}" for one in plugin.checks]
        return "\n".join([*lines, plugin.traceback]).rstrip()

    def _show_why(self, plugin: PluginState) -> None:
        if not plugin.why:
            return
        box = QFrame()
        box.setProperty("card", "true")
        box.setProperty("edge", _EDGES.get(plugin.state, "plain"))
        column = QVBoxLayout(box)
        heading = {
            "quarantined": "Why it is quarantined",
            "does_not_fit": "Why it does not fit",
        }.get(plugin.state, "Why")
        column.addWidget(TextLabel(heading, "strong"))
        column.addWidget(TextLabel(plugin.why, "body", wraps=True))
        if plugin.state in _EDGES and plugin.stage:  # the others were left alone, not stopped
            column.addWidget(TextLabel(f"Stage: {plugin.stage}", "note"))
        if plugin.state == "quarantined":
            words = "'Check this plugin' tries it again; 'Copy details' is for its author."
            column.addWidget(TextLabel(words, "note", wraps=True))
        self.column.addWidget(box)

    def _show_adds(self, plugin: PluginState) -> None:
        if not plugin.adds:
            return
        self.column.addWidget(TextLabel("What it adds", "strong"))
        for entry in plugin.adds:
            words = FAMILIES.get(entry, entry)  # a family until its plugin was imported
            self.column.addWidget(TextLabel(words[:1].upper() + words[1:], "body", wraps=True))
        if plugin.source != "built in":
            words = "It runs in a process of its own, with your rights."
            self.column.addWidget(TextLabel(words, "note", wraps=True))

    def _show_checks(self, checks: tuple[PluginCheck, ...], *, is_built_in: bool) -> None:
        if not checks:
            return
        several = len({one.subject for one in checks}) > 1
        self.column.addWidget(TextLabel("Conformance sheet", "strong"))
        self.column.addWidget(TextLabel(sheet_verdict(checks), "body", wraps=True))
        if is_built_in and not several:
            words = (
                "What it adds was checked before it shipped; 'Check this plugin' does it here, too."
            )
            self.column.addWidget(TextLabel(words, "note", wraps=True))
        grid = QGridLayout()
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(1, 1)
        failed_first = sorted(checks, key=lambda one: (one.state == "passed", one.subject))
        subject = ""
        for one in failed_first:
            if several and one.subject != subject:
                subject = one.subject
                grid.addWidget(TextLabel(subject, "note"), grid.rowCount(), 0, 1, 2)
            self._add_check(grid, one)
        self.column.addLayout(grid)

    @staticmethod
    def _add_check(grid: QGridLayout, one: PluginCheck) -> None:
        """What a check asks; where it did not pass, its name and what it found as well."""
        row = grid.rowCount()
        sign = IconLabel(*SIGNS.get(one.state, ("info", "quiet")), 14)
        grid.addWidget(sign, row, 0, Qt.AlignmentFlag.AlignTop)
        asks = TextLabel(meaning(one.check) or one.check, "body", wraps=True)
        asks.setToolTip(f"{one.check}. {one.found}")
        grid.addWidget(asks, row, 1)
        if one.state != "passed":
            words = ". ".join(part for part in (one.check, one.found, one.reason) if part)
            grid.addWidget(TextLabel(words, "note", wraps=True), row + 1, 1)

    def _on_check(self) -> None:
        if self.plugin is not None:
            self.check_wanted.emit(self.plugin.plugin)

    def _on_switch(self) -> None:
        if self.plugin is not None:
            self.switch_wanted.emit(self.plugin.plugin, self.plugin.state == "off")

    def _on_remove(self) -> None:
        if self.plugin is not None:
            self.remove_wanted.emit(self.plugin.plugin)

    def _on_copy(self) -> None:
        QGuiApplication.clipboard().setText(self.details())
