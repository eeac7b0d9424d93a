"""Page Home: open, continue, recent projects, samples."""

from gui.pages.home.widget import HomePage

__all__ = ["HomePage"]
