"""Page Uplift: rankings by predicted uplift, judged on an experiment."""

from gui.pages.uplift.widget import UpliftPage

__all__ = ["UpliftPage"]
