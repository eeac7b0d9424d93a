"""Python's collector runs in the window's own thread only, between two events.

Python collects cycles in whatever thread happens to allocate: here as well in the one that listens
to the engine. A widget that is collected there is destroyed in the wrong thread. Qt cannot take its
timers back from there, and the next tick goes to an object that is gone: the program ends.
"""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer

PAUSE = 1000  # ms between looks whether there is enough to collect
# A generation is collected with every so many looks: the young often, all of it seldom.
MIDDLE, ALL = 10, 60


class WindowCollector(QObject):
    """Takes collecting over from Python until ``end`` is called.

    Parameters
    ----------
    parent : QObject or None
        Lives in the window's thread, like this object.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._was_enabled = gc.isenabled()
        self._quiet_checks = 0
        self._timer = QTimer(self)
        self._timer.setInterval(PAUSE)
        self._timer.timeout.connect(self._check_now)
        gc.disable()
        self._timer.start()

    def _check_now(self) -> None:
        """Collect if Python would have."""
        if gc.get_count()[0] < gc.get_threshold()[0]:
            return
        self._quiet_checks += 1
        gc.collect(
            2 if self._quiet_checks % ALL == 0 else 1 if self._quiet_checks % MIDDLE == 0 else 0
        )

    def end(self) -> None:
        """Give collecting back to Python, with no widget left for another thread to collect."""
        if not self._timer.isActive():
            return
        self._timer.stop()
        gc.collect()
        if self._was_enabled:
            gc.enable()
