"""Why an action cannot be used now, in the words of its tool tip."""

from __future__ import annotations

from gui.session.session import Session

NO_DATA = "Open data or a project first."


NO_DECISIONS = "Name the outcome and what each decision earns first."


NO_FIGURES = "Name an outcome and a model's scores first."


NOTHING_TO_UNDO = "Nothing to undo."


NOTHING_TO_REDO = "Nothing to redo."


def needs_data(workspace: Session) -> str:
    """Why an action on data cannot be used."""
    return "" if workspace.project.document.data is not None else NO_DATA


def needs_question(key: str, workspace: Session) -> str:
    """Why a question cannot be asked of the project: what its record says."""
    without = needs_data(workspace)
    if without:
        return without  # before any record of questions is imported
    from core.questions.question import question_named

    refusal = question_named(key).why_not(workspace.project.document)
    return "" if refusal is None else str(refusal)


def needs_matrix(workspace: Session) -> str:
    """Why an action on the matrix cannot be used."""
    has_matrix = workspace.project.document.matrix is not None
    return needs_data(workspace) or ("" if has_matrix else NO_DECISIONS)


def needs_decisions(workspace: Session) -> str:
    """Why an action on decisions cannot be used."""
    return needs_data(workspace) or (
        "" if workspace.results.decisions is not None else NO_DECISIONS
    )


def needs_evaluation(workspace: Session) -> str:
    """Why models cannot be studied yet."""
    return needs_data(workspace) or ("" if workspace.results.evaluation is not None else NO_FIGURES)


def needs_undo(workspace: Session) -> str:
    """Why undo cannot be used."""
    return "" if workspace.project.history.undo_label is not None else NOTHING_TO_UNDO


def needs_redo(workspace: Session) -> str:
    """Why redo cannot be used."""
    return "" if workspace.project.history.redo_label is not None else NOTHING_TO_REDO
