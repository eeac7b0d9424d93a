"""The one table of actions; menus, toolbar, palette and shortcuts are made from it."""

from gui.actions.spec import ActionSpec, Frame
from gui.actions.table import ACTIONS, MENUS

__all__ = ["ACTIONS", "MENUS", "ActionSpec", "Frame"]
