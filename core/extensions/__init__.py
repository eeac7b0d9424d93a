"""Plugins: found, read, imported, checked, served; or quarantined with the reason.

The only room that uses pluggy. ``Registry.discover(folders, safe_mode)`` never raises for a fault
of a plugin; ``registry.states()`` says what became of each.
"""

from core.extensions.checking import check_plugin_files
from core.extensions.records import PluginRecord, Watch
from core.extensions.registry import Registry, curve_info, metric_info

__all__ = [
    "PluginRecord",
    "Registry",
    "Watch",
    "check_plugin_files",
    "curve_info",
    "metric_info",
]
