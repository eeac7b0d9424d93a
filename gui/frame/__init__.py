"""The window's frame: rail, toolbar, drop cover; the command palette is imported when it opens."""

from gui.frame.rail import Rail
from gui.frame.toolbar import ToolBar

__all__ = ["Rail", "ToolBar"]
