"""At the start: names the plugins that ended an engine last time, and offers to turn them off."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from core.diagnostics import CRASH_BOOK_NAME, CrashBook, PluginCrash
from core.document.markup import joined
from core.settings import state_folder
from gui.widgets import strong

if TYPE_CHECKING:
    from core.document.plugin_results import PluginsResult
    from gui.session.session import Session
    from gui.widgets.notice import Notice


def crash_book() -> CrashBook:
    """The crashes of plugins that are remembered for this user."""
    return CrashBook(state_folder() / CRASH_BOOK_NAME)


class CrashNotice(QObject):
    """Says once, when the plugins of a start are known, which of them ended an engine before.

    Parameters
    ----------
    session : Session
    notice : Notice
        The window's place for messages; one that is shown already is waited for.
    """

    def __init__(self, session: Session, notice: Notice, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._notice = notice
        self._crashes: list[PluginCrash] = []
        self._names: dict[str, str] = {}
        self._is_shown = False
        session.plugins.changed.connect(self._on_plugins)
        notice.closed.connect(self._on_closed)

    def _on_plugins(self, result: PluginsResult) -> None:
        self._session.plugins.changed.disconnect(self._on_plugins)
        self._names = {entry.plugin: f"{entry.name} ({entry.plugin})" for entry in result.plugins}
        self._crashes = [one for one in crash_book().untold() if one.plugin in self._names]
        if self._crashes and self._notice.isHidden():
            self._show()

    def _show(self) -> None:
        first = self._crashes[0]
        head = f"The plugin {self._names[first.plugin]} stopped the engine."
        if len(self._crashes) > 1:
            names = ", ".join(self._names[one.plugin] for one in self._crashes)
            head = f"These plugins stopped the engine: {names}."
        rest = (
            "The window and your work were not touched. It is in quarantine until you check it "
            "again on page Plugins; after three times it stays off."
        )
        self._notice.show_text(joined((strong(head), first.why, rest), " "), "warning")
        several = len(self._crashes) > 1
        self._notice.offer("Turn them off" if several else "Turn it off", self.turn_off)
        self._is_shown = True

    def turn_off(self) -> None:
        """Turn the named plugins off, now and for later starts."""
        store = self._session.settings
        if store is not None:
            off = {*store.settings.plugins_off, *(one.plugin for one in self._crashes)}
            store.change(replace(store.settings, plugins_off=tuple(sorted(off))))
            self._session.plugins.load(check_again=True)
        self._notice.dismiss()

    def _on_closed(self) -> None:
        """A message was put away: ours is decided now, or it is our turn."""
        if self._is_shown:
            crash_book().tell([one.plugin for one in self._crashes])
            self._crashes, self._is_shown = [], False
        elif self._crashes:
            self._show()
