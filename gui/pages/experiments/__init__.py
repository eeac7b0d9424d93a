"""Page Experiments: how far can a learned evaluation be trusted?"""

from gui.pages.experiments.widget import ExperimentsPage

__all__ = ["ExperimentsPage"]
