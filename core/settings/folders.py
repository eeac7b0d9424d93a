"""Where the program keeps what is its own. PAYOFF_HOME moves all of it (tests, portable use).

PAYOFF_CACHE_DIR moves compiled kernels alone: they may be shared where all else is apart.
"""

from __future__ import annotations

import os
from pathlib import Path

from platformdirs import PlatformDirs

_DIRS = PlatformDirs("Payoff", appauthor=False)


def _home(part: str, fallback: str) -> Path:
    override = os.environ.get("PAYOFF_HOME")
    return Path(override) / part if override else Path(fallback)


def state_folder() -> Path:
    """Settings, recent list, log, autosaved copies."""
    return _home("state", _DIRS.user_state_dir)


def settings_path() -> Path:
    """What the user set for all projects; see ``SettingsStore``."""
    return state_folder() / "settings.json"


def cache_folder() -> Path:
    """Compiled kernels and results: may be deleted at any time."""
    return _home("cache", _DIRS.user_cache_dir)


def kernel_folder() -> Path:
    """Compiled kernels, those of plugins too."""
    override = os.environ.get("PAYOFF_CACHE_DIR")
    return (Path(override) if override else cache_folder()) / "kernels"


def plugin_folder() -> Path:
    """Where the user's plugins lie."""
    return _home("plugins", str(Path(_DIRS.user_data_dir) / "plugins"))


def program_folder() -> Path:
    """The folder that ``main.py`` and what the program brings along stand in."""
    return Path(__file__).resolve().parents[2]
