"""Why an action cannot be used now, in the words of its tool tip."""

from __future__ import annotations

from core.document.studies.reconciling import carried_columns
from gui.workspace import Workspace

NO_DATA = "Open data or a project first."


NO_DECISIONS = "Name the outcome and what each decision earns first."


NO_CARRIED = "The file has no columns named D_, EP_ ... and the outcome."


NO_MODELS = "Name an outcome with classes and a model's scores first."


NOTHING_TO_UNDO = "Nothing to undo."


NOTHING_TO_REDO = "Nothing to redo."


def needs_data(workspace: Workspace) -> str:
    """Why an action on data cannot be used."""
    return "" if workspace.document.data is not None else NO_DATA


def needs_matrix(workspace: Workspace) -> str:
    """Why an action on the matrix cannot be used."""
    has_matrix = workspace.document.matrix is not None
    return needs_data(workspace) or ("" if has_matrix else NO_DECISIONS)


def needs_decisions(workspace: Workspace) -> str:
    """Why an action on decisions cannot be used."""
    return needs_data(workspace) or ("" if workspace.decisions is not None else NO_DECISIONS)


def needs_carried(workspace: Workspace) -> str:
    """Why there are no decisions in the file to compare with."""
    data, target = workspace.document.data, workspace.document.target
    if data is None or target is None or not carried_columns(data.columns, target.column):
        return NO_CARRIED
    return needs_decisions(workspace)


def needs_models(workspace: Workspace) -> str:
    """Why an action on a model's scores cannot be used."""
    document = workspace.document
    is_ready = document.target is not None and bool(document.target.levels and document.models)
    return needs_data(workspace) or ("" if is_ready else NO_MODELS)


def needs_undo(workspace: Workspace) -> str:
    """Why undo cannot be used."""
    return "" if workspace.history.undo_label is not None else NOTHING_TO_UNDO


def needs_redo(workspace: Workspace) -> str:
    """Why redo cannot be used."""
    return "" if workspace.history.redo_label is not None else NOTHING_TO_REDO
