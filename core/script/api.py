"""The functions and classes of ``import payoff``: reading, evaluating, deciding, projects, plugins.

``payoff`` loads this room by name when one of them is first used.
"""

from typing import Any

from core.script.boost.boosting import boost, load_model
from core.script.boost.exchange import import_model, verify_export
from core.script.boost.model import Model
from core.script.decide.deciding import decide
from core.script.decide.decision_files import export_rule, reconcile
from core.script.decide.decisions import Decisions, swap_set
from core.script.decide.matrices import (
    MatrixTable,
    inverse_prior_matrix,
    read_matrix,
    write_matrix,
)
from core.script.evaluate.calibration import CalibratedScores, calibrate
from core.script.evaluate.calibration import calibration as calibration_curve
from core.script.evaluate.evaluation import Difference, Evaluation, compare, evaluate
from core.script.evaluate.experiments import Bounds, bound, cases_needed, error_bound, experiment
from core.script.files.in_parts import ScoredParts, apply_to_parts, predict_to_parts
from core.script.files.joining import Joined, join, overlap
from core.script.files.reading import read, write_table
from core.script.plugins import check_plugin, plugins
from core.script.projects import Project, apply, new_project, open_project
from core.script.uplift.judging import uplift
from core.script.uplift.result import UpliftEvaluation
from payoff.errors import PayoffError

__all__ = [
    "Bounds",
    "CalibratedScores",
    "Decisions",
    "Difference",
    "Evaluation",
    "Joined",
    "MatrixTable",
    "Model",
    "Project",
    "ScoredParts",
    "UpliftEvaluation",
    "apply",
    "apply_to_parts",
    "boost",
    "bound",
    "calibrate",
    "calibration_curve",
    "cases_needed",
    "check_plugin",
    "compare",
    "decide",
    "error_bound",
    "evaluate",
    "experiment",
    "export_rule",
    "import_model",
    "inverse_prior_matrix",
    "join",
    "load_model",
    "new_project",
    "open_project",
    "overlap",
    "plugins",
    "predict_to_parts",
    "read",
    "read_matrix",
    "reconcile",
    "swap_set",
    "uplift",
    "verify_export",
    "write_matrix",
    "write_table",
]


def __getattr__(name: str) -> Any:
    """The estimators of scikit-learn, which is loaded only for them and need not be there."""
    if name not in ("BoostedTreesClassifier", "BoostedTreesRegressor"):
        raise AttributeError(f"module 'core.script.api' has no attribute '{name}'")
    try:
        from core.script.boost import estimators
    except ModuleNotFoundError as error:
        raise PayoffError(
            f"{name} needs scikit-learn.",
            why=f"There is no module '{error.name}'.",
            remedy="Install it (pip install scikit-learn), or train with payoff.boost.",
        ) from error
    return getattr(estimators, name)
