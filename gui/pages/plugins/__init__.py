"""Page Plugins: what is installed, in which state and why; installing and removing."""

from gui.pages.plugins.widget import PluginsPage

__all__ = ["PluginsPage"]
