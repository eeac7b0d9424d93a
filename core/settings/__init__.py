"""The user's settings and the recent list, as one JSON file in the user's folder."""

from core.settings.folders import (
    cache_folder,
    kernel_folder,
    plugin_folder,
    program_folder,
    settings_path,
    state_folder,
)
from core.settings.store import RecentProject, Settings, SettingsStore

__all__ = [
    "RecentProject",
    "Settings",
    "SettingsStore",
    "cache_folder",
    "kernel_folder",
    "plugin_folder",
    "program_folder",
    "settings_path",
    "state_folder",
]
