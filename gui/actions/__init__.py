"""The one table of actions; menus, toolbar, palette and shortcuts are made from it."""

from gui.actions.table import ACTIONS, MENUS, ActionSpec, Frame

__all__ = ["ACTIONS", "MENUS", "ActionSpec", "Frame"]
