"""The plugins of one window: which there are, as the engine found them last."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from core.engine.messages import PluginsArguments
from gui.session.request import Request

if TYPE_CHECKING:
    from core.document.plugin_results import PluginsResult
    from gui.session.project import Project


class Plugins(QObject):
    """Asks the engine which plugins there are, and keeps its answer."""

    changed = Signal(object)  # PluginsResult

    def __init__(self, project: Project) -> None:
        super().__init__(project)
        self._project = project
        self.known: PluginsResult | None = None

    def load(self, *, check_again: bool = False, check: str = "", title: str = "") -> int:
        """Ask which plugins there are; look again at all of them, or at one."""
        from core.document.plugin_results import PluginsResult

        def on_result(result: PluginsResult) -> None:
            self.known = result
            self.changed.emit(result)

        arguments = PluginsArguments(check_again=check_again, check=check)
        if check_again and not title:
            title = "Checking plugins"
        return Request(self, self._project).run(
            "plugins", arguments, PluginsResult, title=title, on_result=on_result
        )
