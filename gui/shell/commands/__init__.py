"""The one table of actions; menus, toolbar, palette and shortcuts are made from it."""

from gui.shell.commands.spec import ActionSpec, Frame
from gui.shell.commands.table import ACTIONS, MENUS

__all__ = ["ACTIONS", "MENUS", "ActionSpec", "Frame"]
