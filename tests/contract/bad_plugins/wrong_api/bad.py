"""A plugin for another contract: its code must never run."""

from __future__ import annotations

raise AssertionError("a plugin that does not fit was imported")
