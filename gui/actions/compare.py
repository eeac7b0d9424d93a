"""The studies of page Compare as actions of the palette."""

from __future__ import annotations

from functools import partial

from gui.actions.needs import needs_data
from gui.actions.spec import ActionSpec, Frame
from gui.workspace import Workspace

NO_FIGURES = "Name an outcome and a model's scores first."


def needs_evaluation(workspace: Workspace) -> str:
    """Why models cannot be studied yet."""
    return needs_data(workspace) or ("" if workspace.evaluation is not None else NO_FIGURES)


def _open(study: str, frame: Frame) -> None:
    frame.open_study(study)


_STUDIES = (
    ("choose_charts", "Choose the charts of Compare…"),
    ("choose_model", "Choose the best model…"),
    ("detect_difference", "Smallest detectable difference…"),
    ("compare_rows", "Two sets of rows side by side…"),
    ("by_group", "Figures by group of cases…"),
    ("compare_populations", "Shift of scores and inputs…"),
    ("compare_definitions", "Definitions of other tools…"),
)

COMPARE_ACTIONS: tuple[ActionSpec, ...] = tuple(
    ActionSpec(key, words, "view", partial(_open, key), reason=needs_evaluation, is_shown=False)
    for key, words in _STUDIES
)
