"""Watches the plugin folder: a new metric stands in the table without a restart."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QFileSystemWatcher, QObject

from core.document.compare.chart_kinds import chart_task, charts_shown
from core.document.compare.commands import SetCharts, SetMetrics
from core.document.model import MetricChoice
from gui.pauses import PAUSES, single_shot

if TYPE_CHECKING:
    from core.document.plugin_results import CurveInfo, MetricInfo, PluginsResult, PluginState
    from core.settings import SettingsStore
    from gui.session.session import Session

Info = TypeVar("Info", "MetricInfo", "CurveInfo")


class PluginWatch(QObject):
    """Looks for plugins again when a file of the folder changes.

    Parameters
    ----------
    session : Session
    folder : Path
        The user's plugin folder; made if absent.
    """

    def __init__(self, session: Session, folder: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._folder = folder
        self._known: frozenset[str] | None = None
        self._curves: frozenset[str] = frozenset()
        self._states: dict[str, str] = {}
        self._has_changed = False
        self._watcher = QFileSystemWatcher(self)
        self._pause = single_shot(self, PAUSES.plugin_files, self._check_again)
        self._watcher.directoryChanged.connect(self._on_changed)
        self._watcher.fileChanged.connect(self._on_changed)
        session.plugins.changed.connect(self._on_plugins)

    def start(self) -> None:
        """Begin to watch; a folder that cannot be made is not watched."""
        store = self._session.settings
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            if store is not None:
                store.path.parent.mkdir(parents=True, exist_ok=True)
                self._watcher.addPath(str(store.path.parent))
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

    def _on_changed(self, path: str) -> None:
        store = self._session.settings
        if store is not None and path == str(store.path.parent):
            self._on_settings(store)
        else:
            self._pause.start()

    def _on_settings(self, store: SettingsStore) -> None:
        """Look again where another program has turned plugins on or off."""
        before = store.settings.plugins_off
        store.read_again()
        if store.settings.plugins_off != before:
            self._pause.start()

    def _check_again(self) -> None:
        self._watch()
        self._has_changed = True
        self._session.plugins.load(check_again=True)

    def _on_plugins(self, result: PluginsResult) -> None:
        metrics = frozenset(info.metric for info in result.metrics)
        curves = frozenset(info.id for info in result.curves)
        before, self._known = self._known, metrics
        curves_before, self._curves = self._curves, curves
        states, self._states = self._states, {p.plugin: p.state for p in result.plugins}
        if before is None:
            return
        # What was installed from page Plugins is listed at once, perhaps before the folder tells.
        has_changed, self._has_changed = self._has_changed, False
        new = tuple(info for info in result.metrics if info.metric not in before)
        fitting, others = self._parted(new)
        is_requested_for = self._show_in_table(tuple(info.metric for info in fitting))
        self._tell("New in the metric table: %s", fitting)
        drawn, elsewhere = self._parted(
            tuple(info for info in result.curves if info.id not in curves_before)
        )
        is_requested_for |= self._show_in_grid(tuple(info.id for info in drawn))
        self._tell("New on page Compare: %s", drawn)
        self._tell("New, for other outcomes than this one: %s", (*others, *elsewhere))
        if not has_changed:
            return
        if not is_requested_for:
            self._session.results.evaluate_again()  # a file was changed, or one is gone
        for entry in result.plugins:
            if entry.state == "quarantined" and states.get(entry.plugin) != "quarantined":
                self._session.project.post(self._refusal(entry))

    def _parted(self, infos: tuple[Info, ...]) -> tuple[tuple[Info, ...], tuple[Info, ...]]:
        """Those that fit the outcome of the document, and the others; all fit while none is."""
        document = self._session.project.document
        if document.target is None:
            return infos, ()
        task = chart_task(document)
        fitting = tuple(info for info in infos if task in info.tasks)
        return fitting, tuple(info for info in infos if info not in fitting)

    def _tell(self, words: str, infos: Sequence[MetricInfo | CurveInfo]) -> None:
        if infos:
            self._session.project.post(words % ", ".join(info.title for info in infos))

    def _show_in_table(self, metrics: tuple[str, ...]) -> bool:
        """Add columns to the table as it is now, one step to undo; whether it is made anew."""
        session, shown = self._session, self._session.results.evaluation
        if not metrics or session.project.document.target is None or shown is None:
            return False
        present = session.project.document.metrics or tuple(info.choice() for info in shown.metrics)
        there = {choice.metric for choice in present}
        added = tuple(MetricChoice(metric=name) for name in metrics if name not in there)
        if added:
            session.project.execute(SetMetrics(metrics=(*present, *added)))
        else:
            session.results.evaluate_again()  # one that was asked for is back
        return True

    def _show_in_grid(self, curves: tuple[str, ...]) -> bool:
        """Add charts to page Compare as it is now, one step to undo; whether they are drawn."""
        session = self._session
        document = session.project.document
        if not curves or document.target is None or session.results.evaluation is None:
            return False
        shown = charts_shown(document.charts, chart_task(document))
        added = tuple(name for name in curves if name not in shown)
        if added:
            session.project.execute(SetCharts(charts=(*shown, *added)))
        else:
            session.results.evaluate_again()
        return True

    def _refusal(self, entry: PluginState) -> str:
        return f"The plugin {entry.name or entry.plugin} is not taken: {entry.why}"


def _is_plugin(place: Path) -> bool:
    """Whether a folder holds a plugin."""
    if not place.is_dir():
        return False
    from payoff.manifest import MANIFEST_NAME  # brings numpy: no part of a start without plugins

    return (place / MANIFEST_NAME).is_file()
