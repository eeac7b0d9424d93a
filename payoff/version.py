"""Versions of the program and of the plugin contract."""

from __future__ import annotations

__version__ = "0.1.0"
API_VERSION = (1, 1)
