"""Widgets in cycles are collected in the window's thread, whoever allocates meanwhile."""

from __future__ import annotations

import gc
import threading

from PySide6.QtCore import QObject

from gui.app.garbage import WindowCollector


class Cycle(QObject):
    """Nobody holds it but itself; it notes the thread in which it ends."""

    ended: list[int]

    def __init__(self) -> None:
        super().__init__()
        self.me = self

    def __del__(self) -> None:
        type(self).ended.append(threading.get_ident())


def allocate() -> None:
    """What another thread may do at any time: make Python's collector due, many times over."""
    for _ in range(50):
        made = [[place] for place in range(5_000)]
        made.append(made)


def in_another_thread() -> None:
    thread = threading.Thread(target=allocate)
    thread.start()
    thread.join()


def test_another_thread_leaves_widgets_alone_and_the_window_collects_them(qtbot):
    Cycle.ended = []
    Cycle()
    in_another_thread()
    assert Cycle.ended == []
    qtbot.waitUntil(lambda: Cycle.ended == [threading.get_ident()], timeout=5000)


def test_python_collects_again_at_the_end():
    was_enabled = gc.isenabled()
    gc.enable()
    own = WindowCollector()
    assert not gc.isenabled()
    Cycle.ended = []
    Cycle()
    own.end()
    assert Cycle.ended == [threading.get_ident()]
    assert gc.isenabled()
    own.end()  # twice, as when the program is closed and Qt then says that it ends
    if not was_enabled:
        gc.disable()
