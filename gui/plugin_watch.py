"""Watches the plugin folder: a new metric stands in the table without a restart."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer

from core.document.chart_kinds import charts_shown, task_of
from core.document.compare_commands import SetCharts, SetMetrics
from core.document.model import MetricChoice

if TYPE_CHECKING:
    from core.document.plugin_results import CurveInfo, MetricInfo, PluginsResult, PluginState
    from gui.workspace import Workspace

PAUSE = 400  # ms after the last change: an editor writes a file in several steps


class PluginWatch(QObject):
    """Looks for plugins again when a file of the folder changes.

    Parameters
    ----------
    workspace : Workspace
    folder : Path
        The user's plugin folder; made if absent.
    """

    def __init__(self, workspace: Workspace, folder: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._folder = folder
        self._known: frozenset[str] | None = None
        self._curves: frozenset[str] = frozenset()
        self._states: dict[str, str] = {}
        self._has_changed = False
        self._watcher = QFileSystemWatcher(self)
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(PAUSE)
        self._pause.timeout.connect(self._look_again)
        self._watcher.directoryChanged.connect(self._on_changed)
        self._watcher.fileChanged.connect(self._on_changed)
        workspace.plugins_changed.connect(self._on_plugins)

    def start(self) -> None:
        """Begin to watch; a folder that cannot be made is not watched."""
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
        except OSError:
            return
        self._watch()

    def _watch(self) -> None:
        """The folder, its plugins' folders, their code: a file saved anew must be named again."""
        inside = [place for place in self._folder.iterdir() if _is_plugin(place)]
        code = [place for folder in (self._folder, *inside) for place in folder.glob("*.py")]
        wanted = [str(place) for place in (self._folder, *inside, *code)]
        known = {*self._watcher.files(), *self._watcher.directories()}
        new = [path for path in wanted if path not in known]
        if new:
            self._watcher.addPaths(new)

    def _on_changed(self, _path: str) -> None:
        self._pause.start()

    def _look_again(self) -> None:
        self._watch()
        self._has_changed = True
        self._workspace.load_plugins(check_again=True)

    def _on_plugins(self, result: PluginsResult) -> None:
        metrics = frozenset(info.metric for info in result.metrics)
        curves = frozenset(info.curve for info in result.curves)
        before, self._known = self._known, metrics
        curves_before, self._curves = self._curves, curves
        states, self._states = self._states, {p.plugin: p.state for p in result.plugins}
        if before is None:
            return
        # What was installed from page Plugins is listed at once, perhaps before the folder tells.
        has_changed, self._has_changed = self._has_changed, False
        new = tuple(info for info in result.metrics if info.metric not in before)
        if new:
            self._show_in_table(new)
            titles = ", ".join(info.title for info in new)
            self._workspace.post(self.tr("New in the metric table: %s") % titles)
        drawn = tuple(info for info in result.curves if info.curve not in curves_before)
        if drawn:
            self._show_in_grid(drawn)
            titles = ", ".join(info.title for info in drawn)
            self._workspace.post(self.tr("New on page Compare: %s") % titles)
        if not has_changed:
            return
        if not new and not drawn:
            self._workspace.evaluate_again()  # a file was changed, or one is gone
        for entry in result.plugins:
            if entry.state == "quarantined" and states.get(entry.plugin) != "quarantined":
                self._workspace.post(self._refusal(entry))

    def _show_in_table(self, metrics: tuple[MetricInfo, ...]) -> None:
        """Add the columns that fit the outcome to the table as it is now; one step to undo."""
        workspace = self._workspace
        if workspace.document.target is None or workspace.evaluation is None:
            return
        present = workspace.document.metrics or tuple(
            MetricChoice(metric=info.metric.split("(")[0]) for info in workspace.evaluation.metrics
        )
        task, there = task_of(workspace.document), {choice.metric for choice in present}
        fitting = [info.metric for info in metrics if task in info.tasks]
        added = tuple(MetricChoice(metric=name) for name in fitting if name not in there)
        if added:
            workspace.execute(SetMetrics(metrics=(*present, *added)))
        elif fitting:
            workspace.evaluate_again()  # one that was asked for is back

    def _show_in_grid(self, curves: tuple[CurveInfo, ...]) -> None:
        """Add the charts that fit the outcome to page Compare as it is now; one step to undo."""
        workspace = self._workspace
        if workspace.document.target is None or workspace.evaluation is None:
            return
        task = task_of(workspace.document)
        shown = charts_shown(workspace.document.charts, task)
        fitting = [info.curve for info in curves if task in info.tasks]
        added = tuple(name for name in fitting if name not in shown)
        if added:
            workspace.execute(SetCharts(charts=(*shown, *added)))
        elif fitting:
            workspace.evaluate_again()

    def _refusal(self, entry: PluginState) -> str:
        return self.tr("The plugin %s is not taken: %s") % (entry.name or entry.plugin, entry.why)


def _is_plugin(place: Path) -> bool:
    """Whether a folder holds a plugin."""
    if not place.is_dir():
        return False
    from payoff.manifest import MANIFEST_NAME  # brings numpy: no part of a start without plugins

    return (place / MANIFEST_NAME).is_file()
