"""The functions of ``import payoff``: reading, evaluating, deciding, projects, plugins.

``payoff`` loads this room by name when one of them is first used.
"""

from core.script.boosting import boost, load_model
from core.script.calibration import calibration as calibration_curve
from core.script.chances import Chances, fit_chances
from core.script.decision_studies import swap_set
from core.script.decisions import Decisions, decide
from core.script.evaluation import Difference, Evaluation, compare, evaluate
from core.script.experiments import Bounds, bound, cases_needed, error_bound, experiment
from core.script.hand_over import check_handover
from core.script.joining import Joined, join, overlap
from core.script.matrix_files import (
    MatrixTable,
    inverse_prior_matrix,
    read_matrix,
    write_matrix,
)
from core.script.model import Model
from core.script.plugins import check_plugin, plugins
from core.script.projects import Project, apply, open_project
from core.script.reading import read, write_table
from core.script.reconciling import reconcile
from core.script.rule_hand_over import hand_over_rule
from core.script.uplift import uplift
from core.script.uplift_result import Uplift

__all__ = [
    "Bounds",
    "Chances",
    "Decisions",
    "Difference",
    "Evaluation",
    "Joined",
    "MatrixTable",
    "Model",
    "Project",
    "Uplift",
    "apply",
    "boost",
    "bound",
    "calibration_curve",
    "cases_needed",
    "check_handover",
    "check_plugin",
    "compare",
    "decide",
    "error_bound",
    "evaluate",
    "experiment",
    "fit_chances",
    "hand_over_rule",
    "inverse_prior_matrix",
    "join",
    "load_model",
    "open_project",
    "overlap",
    "plugins",
    "read",
    "read_matrix",
    "reconcile",
    "swap_set",
    "uplift",
    "write_matrix",
    "write_table",
]
