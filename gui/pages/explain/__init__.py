"""Page Explain: what a trained model uses, and how its prediction depends on it."""

from gui.pages.explain.widget import ExplainPage

__all__ = ["ExplainPage"]
