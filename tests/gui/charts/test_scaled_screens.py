"""Lines and dashes on a screen of 200 % are as wide and as long as on any other."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
SCRIPT = """
import sys
import numpy as np
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication
app = QApplication([])
from gui.charts.curves import add_to_box, screen_items
from gui.charts.view import ChartView
from gui.theme import LIGHT, apply_theme
from tests.gui.charts.test_corners import X, chart
apply_theme(app, "light")
view = ChartView()
view.resize(400, 300)
view.set_spec(chart(np.full(len(X), 0.5)))
view.show()
app.processEvents()
picture = view.grab().toImage()
wanted = QColor(LIGHT.series_colour(0))
column = [picture.pixelColor(picture.width() // 2, y) for y in range(picture.height())]
near = sum(
    abs(c.red() - wanted.red()) + abs(c.green() - wanted.green()) + abs(c.blue() - wanted.blue())
    < 60
    for c in column
)
print(near / picture.devicePixelRatio())
"""


@pytest.mark.parametrize("scale", ["1", "2"])
def test_a_line_is_two_pixels_wide_at_every_scale(scale: str):
    kept = {**os.environ, "QT_SCALE_FACTOR": scale, "QT_QPA_PLATFORM": "offscreen"}
    ended = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        env=kept,
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
        timeout=120,
    )
    width = float(ended.stdout.split()[-1])
    assert 1.4 <= width <= 2.6
