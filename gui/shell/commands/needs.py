"""Why an action cannot be used now, in the words of its tool tip."""

from __future__ import annotations

from gui.session.session import Session

NO_DATA = "Open data or a project first."


NO_DECISIONS = "Name the outcome and what each decision earns first."


NO_FIGURES = "Name an outcome and a model's scores first."


NOTHING_TO_UNDO = "Nothing to undo."


NOTHING_TO_REDO = "Nothing to redo."


def needs_nothing(_session: Session) -> str:
    """Nothing: of an action that can always be used."""
    return ""


def needs_data(session: Session) -> str:
    """Why an action on data cannot be used."""
    return "" if session.project.document.data is not None else NO_DATA


def needs_project(session: Session) -> str:
    """Why there is nothing to save or to begin anew from."""
    return "" if session.files.has_project else NO_DATA


def needs_question(key: str, session: Session) -> str:
    """Why a question cannot be asked of the project: what its record says."""
    without = needs_data(session)
    if without:
        return without  # before any record of questions is imported
    from core.questions.question import question_named

    refusal = question_named(key).why_not(session.project.document)
    return "" if refusal is None else str(refusal)


def needs_matrix(session: Session) -> str:
    """Why an action on the matrix cannot be used."""
    has_matrix = session.project.document.matrix is not None
    return needs_data(session) or ("" if has_matrix else NO_DECISIONS)


def needs_decisions(session: Session) -> str:
    """Why an action on decisions cannot be used."""
    return needs_data(session) or ("" if session.results.decisions is not None else NO_DECISIONS)


def needs_evaluation(session: Session) -> str:
    """Why models cannot be studied yet."""
    return needs_data(session) or ("" if session.results.evaluation is not None else NO_FIGURES)


def needs_undo(session: Session) -> str:
    """Why undo cannot be used."""
    return "" if session.project.history.undo_label is not None else NOTHING_TO_UNDO


def needs_redo(session: Session) -> str:
    """Why redo cannot be used."""
    return "" if session.project.history.redo_label is not None else NOTHING_TO_REDO
