"""The one table of actions; menus, toolbar, palette and shortcuts are made from it."""

from gui.actions.compare import COMPARE_ACTIONS
from gui.actions.table import ACTIONS as TABLE
from gui.actions.table import MENUS, ActionSpec, Frame

ACTIONS = (*TABLE, *COMPARE_ACTIONS)

__all__ = ["ACTIONS", "MENUS", "ActionSpec", "Frame"]
