"""Gradient boosted trees: binning, growing, the boosting loop, prediction, explanation.

The mathematics of R's gbm with any loss distribution plugin, on histogram or exact trees.
``fit`` trains a ``BoostedModel``; ``save_model`` and ``read_model`` keep it; ``to_sql`` and
``to_python`` turn it into code.
"""

from __future__ import annotations

from core.boosting.checks import check_cases
from core.boosting.explaining.influence import grid_of
from core.boosting.export.check import ExportCheck, check_export
from core.boosting.export.code_forms import to_python, to_sql
from core.boosting.export.folder import export_model
from core.boosting.export.lightgbm_text import lightgbm_text, save_lightgbm
from core.boosting.export.onnx_code import save_onnx, to_onnx
from core.boosting.files import model_bytes, read_model, save_model
from core.boosting.folds import cross_validate, fit, fit_checked, fold_numbers
from core.boosting.importers.reading import ThirdPartyModel, read_third_party_model
from core.boosting.inputs import UNSEEN, InputColumn, Inputs, TrainingCases, inputs_of_matrix
from core.boosting.model import BoostedModel, CrossValidation
from core.boosting.settings import BoostSettings, MissingPolicy, Precision
from core.boosting.stopping import EarlyStopping
from core.boosting.training import Callbacks, Trainer, TrainingHistory, TreeProgress
from core.boosting.trees import Forest

__all__ = [
    "UNSEEN",
    "BoostSettings",
    "BoostedModel",
    "Callbacks",
    "CrossValidation",
    "EarlyStopping",
    "ExportCheck",
    "Forest",
    "InputColumn",
    "Inputs",
    "MissingPolicy",
    "Precision",
    "ThirdPartyModel",
    "Trainer",
    "TrainingCases",
    "TrainingHistory",
    "TreeProgress",
    "check_cases",
    "check_export",
    "cross_validate",
    "export_model",
    "fit",
    "fit_checked",
    "fold_numbers",
    "grid_of",
    "inputs_of_matrix",
    "lightgbm_text",
    "model_bytes",
    "read_model",
    "read_third_party_model",
    "save_lightgbm",
    "save_model",
    "save_onnx",
    "to_onnx",
    "to_python",
    "to_sql",
]
