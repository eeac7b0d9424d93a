"""Shared by tests of plugins page."""

from __future__ import annotations

from core.document.plugin_results import PluginState


def plugin(name: str, state: str = "active", **settings: object) -> PluginState:
    return PluginState(
        **{
            "plugin": f"org.example.{name.lower()}",
            "name": name,
            "version": "1.0.0",
            "source": "user folder",
            "state": state,
            "families": ("metrics",),
            "adds": (f"metric {name.lower()}: {name}",),
            "author": "R. Okafor",
            "licence": "MIT",
            "api": ">=1,<2",
            **settings,
        }
    )
