"""The functions of ``import payoff``: reading, evaluating, deciding, projects, plugins.

``payoff`` loads this room by name when one of them is first used.
"""

from core.script.boosting import boost, load_model
from core.script.calibration import calibration as calibration_curve
from core.script.decision_studies import swap_set
from core.script.decisions import Decisions, decide
from core.script.evaluation import Difference, Evaluation, compare, evaluate
from core.script.hand_over import check_handover
from core.script.model import Model
from core.script.plugins import check_plugin, plugins
from core.script.projects import Project, apply, open_project
from core.script.reading import read

__all__ = [
    "Decisions",
    "Difference",
    "Evaluation",
    "Model",
    "Project",
    "apply",
    "boost",
    "calibration_curve",
    "check_handover",
    "check_plugin",
    "compare",
    "decide",
    "evaluate",
    "load_model",
    "open_project",
    "plugins",
    "read",
    "swap_set",
]
