"""Page Models: train boosted trees, watch them learn, and see all models side by side."""

from gui.pages.models.widget import ModelsPage

__all__ = ["ModelsPage"]
