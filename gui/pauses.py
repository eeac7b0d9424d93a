"""How long the window waits for further changes before it acts, and the timer that waits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject, QTimer, SignalInstance


@dataclass(slots=True)
class Pauses:
    """Milliseconds without a further change, by what they come before.

    They are read when a part of the window is made. Tests set them to 0, so that none of them
    waits; what is typed counts after its pause there too, since each key would count by itself.
    """

    first_totals: int = 150  # rows of a file just opened come into view before them
    metrics: int = 300
    resamples: int = 600
    plugin_files: int = 400  # an editor writes a file in several steps
    import_preview: int = 200
    rows: int = 300  # of page Data, while a filter or a search is typed
    derived_column: int = 250
    hold_out: int = 150
    figures: int = 20  # of page Decide: during a drag the line follows at once, they a little later
    study: int = 120
    what_if: int = 15  # a slider being dragged asks at once, one request at a time
    goal_seek: int = 30
    ghost: int = 40  # a drag has the engine to itself
    uplift: int = 150
    experiment: int = 250
    report_entries: int = 120  # several results come in a row
    report_paper: int = 80  # while words are typed
    cursor: int = 400  # after the last key press that ends one move of it
    veil: int = 120  # where an edit is answered sooner, figures pale for a moment only
    charts: int = 300  # are loaded after the first picture
    typed: int = 600  # without a key, after which what was typed counts


PAUSES = Pauses()


def single_shot(
    owner: QObject, pause: int, action: Callable[[], object] | SignalInstance
) -> QTimer:
    """A timer that acts once, ``pause`` milliseconds after it was last started."""
    timer = QTimer(owner)
    timer.setSingleShot(True)
    timer.setInterval(pause)
    timer.timeout.connect(action)
    return timer
