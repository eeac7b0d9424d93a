"""A plugin that calls exit while it is imported."""

from __future__ import annotations

import sys

sys.exit(3)
