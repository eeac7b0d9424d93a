"""The one table of actions; menus, toolbar, palette and shortcuts are made from it."""

from gui.actions.compare import COMPARE_ACTIONS
from gui.actions.spec import ActionSpec, Frame
from gui.actions.table import ACTIONS as TABLE
from gui.actions.table import MENUS

ACTIONS = (*TABLE, *COMPARE_ACTIONS)

__all__ = ["ACTIONS", "MENUS", "ActionSpec", "Frame"]
