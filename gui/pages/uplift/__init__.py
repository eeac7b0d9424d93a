"""Page Uplift."""

from gui.pages.uplift.widget import UpliftPage

__all__ = ["UpliftPage"]
