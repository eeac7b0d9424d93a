"""The window's frame: rail, toolbar, command palette, drop cover."""

from gui.frame.palette import CommandPalette, PaletteEntry
from gui.frame.rail import Rail
from gui.frame.toolbar import ToolBar

__all__ = ["CommandPalette", "PaletteEntry", "Rail", "ToolBar"]
