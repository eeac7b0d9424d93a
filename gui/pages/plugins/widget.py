"""Page Plugins: every plugin with its state and why; installing, checking, removing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import (
    QFileDialog,
    QFrame,
    QHBoxLayout,
    QMessageBox,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from core.document.plugin_results import (
    InstallPluginArguments,
    PluginOfferings,
    PluginsAtWork,
    PluginState,
    PreviewPluginArguments,
    RemovePluginArguments,
)
from core.settings import plugin_folder
from gui.app.plugin_crashes import crash_book
from gui.pages.page import Page
from gui.pages.plugins.details import PluginDetails
from gui.pages.plugins.install import InstallDialog
from gui.pages.plugins.rows import PluginList
from gui.pages.plugins.words import FAMILIES, family_of
from gui.session.request import Request
from gui.session.session import Session
from gui.theme import current_theme
from gui.widgets import Card, IconLabel, Segments, TextLabel

DETAILS_WIDTH = 452
COMPILED = frozenset({"distributions", "metrics"})  # families whose kernels are compiled
FILES = "Plugins (*.payoff-plugin *.zip *.py *.whl)"


class PluginsPage(Page):
    """The list on the left, the chosen plugin on the right."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, "Plugins", parent)
        self.setAccessibleName("Plugins")
        self.chosen = ""
        self.dialog: InstallDialog | None = None
        self._offer = Request(self, session.project)
        self.header.add_left(
            TextLabel(
                (
                    "Losses, metrics, matrices, readers, systems. Plugins run in a process of "
                    "their own."
                ),
                "quiet",
            )
        )
        self.folder_button = QPushButton("Open plugin folder")
        self.check_button = QPushButton("Check all")
        self.install_button = QPushButton("Install from file…")
        self.install_button.setProperty("kind", "primary")
        for button in (self.folder_button, self.check_button, self.install_button):
            self.header.add_right(button)
        self.family = Segments(
            [
                ("", "All"),
                *((key, text.split(" ")[-1].capitalize()) for key, text in FAMILIES.items()),
            ]
        )
        self.counts = TextLabel("", "quiet")
        self.family.choose("")
        self.list = PluginList()
        self.details = PluginDetails()
        self._lay_out()
        self._connect()
        self._show()

    def _lay_out(self) -> None:
        card = Card()
        head = QHBoxLayout()
        head.addWidget(self.family)
        head.addStretch(1)
        head.addWidget(self.counts)
        card.body.addLayout(head)
        holder = QWidget()
        holder.setProperty("scrolled", "true")
        column = QVBoxLayout(holder)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.list)
        scroll = QScrollArea()
        scroll.setWidget(holder)
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        card.body.addWidget(scroll, 1)
        card.body.addWidget(self._make_drop_zone())
        row = QHBoxLayout()
        row.setSpacing(current_theme().sizes.gap)
        row.addWidget(card, 1)
        self.details.setFixedWidth(DETAILS_WIDTH)
        row.addWidget(self.details)
        self.body.addLayout(row)

    def _make_drop_zone(self) -> QFrame:
        """Where a plugin may be dropped; the whole window takes it."""
        zone = QFrame()
        zone.setProperty("dropzone", "true")
        row = QHBoxLayout(zone)
        row.setContentsMargins(16, 10, 16, 10)
        row.setSpacing(12)
        row.addWidget(IconLabel("import", "quiet", 20))
        column = QVBoxLayout()
        column.setSpacing(2)
        column.addWidget(TextLabel("Drop a plugin anywhere on this window", "strong"))
        words = "One .py file or a .payoff-plugin archive. It is checked before it is used."
        self.hint = TextLabel(words, "note", wraps=True)
        column.addWidget(self.hint)
        row.addLayout(column, 1)
        return zone

    def _connect(self) -> None:
        self.session.plugins.changed.connect(self._show)
        self.family.chosen.connect(lambda _key: self._show())
        self.list.chosen.connect(self.choose)
        self.install_button.clicked.connect(self.ask_for_file)
        self.check_button.clicked.connect(self.check_all)
        self.folder_button.clicked.connect(self.open_folder)
        self.details.check_wanted.connect(self.check_one)
        self.details.remove_wanted.connect(self.ask_to_remove)
        self.details.switch_wanted.connect(self.switch)

    # ------------------------------------------------------------ showing

    def plugins(self) -> tuple[PluginState, ...]:
        """Everything known, as the engine said last."""
        known = self.session.plugins.known
        return known.plugins if known is not None else ()

    def choose(self, plugin: str) -> None:
        """Put a plugin beside the list."""
        self.chosen = plugin
        self.list.mark(plugin)
        self.details.show_plugin(next((p for p in self.plugins() if p.plugin == plugin), None))

    def _show(self, _result: object = None) -> None:
        plugins = self.plugins()
        if self.chosen not in {plugin.plugin for plugin in plugins}:
            faulty = next((p for p in plugins if p.state == "quarantined"), None)
            first = faulty or next(iter(plugins), None)
            self.chosen = first.plugin if first is not None else ""
        self.list.show_plugins(plugins, self.family.choice(), self.chosen)
        self.choose(self.chosen)
        states = Counter(plugin.state for plugin in plugins)
        others = len(plugins) - states["active"] - states["quarantined"]
        words = [f"{states['active']:d} active"]
        words += [f"{states['quarantined']:d} quarantined"] if states["quarantined"] else []
        words += [f"{others:d} other"] if others else []
        self.counts.setText(", ".join(words))

    def counts_by_family(self) -> dict[str, int]:
        """How many plugins each family has."""
        return dict(Counter(family_of(plugin) for plugin in self.plugins()))

    # ------------------------------------------------------------ doing

    def ask_for_file(self) -> None:
        """Ask which file to install."""
        path, _ = QFileDialog.getOpenFileName(
            self, "Install from file", self.session.folder_to_read, FILES
        )
        if path:
            self.offer(path)

    def offer(self, path: str) -> None:
        """Say what a file would install, and ask."""

        def on_result(found: PluginOfferings) -> None:
            self.dialog = InstallDialog(path, found, self)
            self.dialog.accepted.connect(lambda: self.install(path))
            self.dialog.open()

        self._offer.run(
            "plugin_file",
            PreviewPluginArguments(path=path),
            PluginOfferings,
            title=f"Looking into {Path(path).name}",
            on_result=on_result,
        )

    def install(self, path: str) -> None:
        """Install a file that was agreed to, then look at all plugins again."""

        def on_result(found: PluginOfferings) -> None:
            if found.plugins:
                self.chosen = found.plugins[0].plugin
            self.check_all()
            self._check_kernels(found)

        self._change_files(
            "install_plugin",
            InstallPluginArguments(path=path),
            f"Installing {Path(path).name}",
            on_result,
        )

    def _check_kernels(self, installed: PluginOfferings) -> None:
        """Compile the kernels of what was installed, before they are first needed.

        A start does not: it takes seconds. Here somebody waits for this plugin anyway, its use
        would compile them next, and the strip says what is going on.
        """
        for entry in installed.plugins:
            if not COMPILED.isdisjoint(entry.families):
                title = f"Preparing calculations of {entry.name}"
                self.session.plugins.load(check=entry.plugin, title=title)

    def check_all(self) -> None:
        """Find and check all plugins anew."""
        self.session.plugins.load(check_again=True)

    def check_one(self, plugin: str) -> None:
        """Check one plugin from its manifest to its last spec, whatever is remembered of it."""
        self.session.plugins.load(check=plugin, title=f"Checking {self._name(plugin)}")

    def _name(self, plugin: str) -> str:
        return next((entry.name for entry in self.plugins() if entry.plugin == plugin), plugin)

    def open_folder(self) -> None:
        """Show the user's plugin folder in the file manager."""
        folder = plugin_folder()
        folder.mkdir(parents=True, exist_ok=True)
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))

    def switch(self, plugin: str, is_on: bool) -> None:
        """Turn a plugin on or off, now and for later starts."""
        store = self.session.settings
        if store is None:
            return
        off = set(store.settings.plugins_off) - {plugin}
        off |= set() if is_on else {plugin}
        if is_on:
            crash_book().forgive(plugin)
        store.change(replace(store.settings, plugins_off=tuple(sorted(off))))
        self.check_all()

    def ask_to_remove(self, plugin: str) -> None:
        """Remove a plugin's files after a question."""
        name = self._name(plugin)
        box = QMessageBox(self)
        box.setText(f"Remove “{name}”?")
        box.setInformativeText("Its files are deleted. Projects that use it open without it.")
        agreed = box.addButton("Remove", QMessageBox.ButtonRole.DestructiveRole)
        box.addButton(QMessageBox.StandardButton.Cancel)
        box.finished.connect(
            lambda _code: self.remove(plugin) if box.clickedButton() is agreed else None
        )
        box.open()

    def remove(self, plugin: str) -> None:
        """Remove a plugin's files."""
        self._change_files(
            "remove_plugin",
            RemovePluginArguments(plugin=plugin),
            f"Removing {self._name(plugin)}",
            lambda _answer: self.check_all(),
        )

    def _change_files(
        self,
        kind: str,
        arguments: object,
        title: str,
        on_result: Callable[[PluginOfferings], None],
    ) -> None:
        """Change the plugin folder; where that waits for jobs that use plugins, say so."""
        has_waited = False

        def on_waiting(found: PluginsAtWork) -> None:
            nonlocal has_waited
            if found.is_elsewhere:
                has_waited = True
                words = "%s waits until plugins are not at work in another window of Payoff."
                self.session.project.post(words % title)
            elif found.jobs:
                has_waited = True
                words = "%s waits until this has ended: %s. Stop ends it sooner."
                self.session.project.post(words % (title, ", ".join(dict.fromkeys(found.jobs))))

        def on_done(answer: PluginOfferings) -> None:
            if has_waited:
                self.session.project.post(f"{title}: done")
            on_result(answer)

        Request(self, self.session.project).run(
            kind,
            arguments,
            PluginOfferings,
            title=title,
            on_result=on_done,
            part=PluginsAtWork,
            on_partial=on_waiting,
        )
