"""A plugin that never returns from its import. Only the second engine may load it."""

from __future__ import annotations

import time

while True:
    time.sleep(0.05)
