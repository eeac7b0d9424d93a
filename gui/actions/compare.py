"""The studies of page Compare as actions of the palette."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QT_TRANSLATE_NOOP

from gui.actions.needs import needs_data
from gui.actions.spec import ActionSpec, Frame
from gui.workspace import Workspace

NO_FIGURES = str(QT_TRANSLATE_NOOP("Actions", "Name an outcome and a model's scores first."))


def needs_evaluation(workspace: Workspace) -> str:
    """Why models cannot be studied yet."""
    return needs_data(workspace) or ("" if workspace.evaluation is not None else NO_FIGURES)


def _open(study: str, frame: Frame) -> None:
    frame.open_study(study)


_STUDIES = (
    ("choose_charts", str(QT_TRANSLATE_NOOP("Actions", "Choose the charts of Compare…"))),
    ("choose_model", str(QT_TRANSLATE_NOOP("Actions", "Choose the best model…"))),
    ("detect_difference", str(QT_TRANSLATE_NOOP("Actions", "Smallest detectable difference…"))),
    ("compare_rows", str(QT_TRANSLATE_NOOP("Actions", "Two sets of rows side by side…"))),
    ("by_group", str(QT_TRANSLATE_NOOP("Actions", "Figures by group of cases…"))),
    ("compare_populations", str(QT_TRANSLATE_NOOP("Actions", "Shift of scores and inputs…"))),
    ("compare_definitions", str(QT_TRANSLATE_NOOP("Actions", "Definitions of other tools…"))),
)

COMPARE_ACTIONS: tuple[ActionSpec, ...] = tuple(
    ActionSpec(key, words, "view", partial(_open, key), reason=needs_evaluation, is_shown=False)
    for key, words in _STUDIES
)
