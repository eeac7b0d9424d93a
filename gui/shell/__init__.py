"""The window's frame: rail, toolbar, drop cover; the command palette is imported when it opens."""

from gui.shell.rail import Rail
from gui.shell.toolbar import ToolBar

__all__ = ["Rail", "ToolBar"]
