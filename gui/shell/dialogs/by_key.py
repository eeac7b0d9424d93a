"""Dialogs of the window, opened by name from menus, palette and page."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from PySide6.QtWidgets import QDialog, QWidget

from gui.session.session import Session

Opener: TypeAlias = Callable[[Session, QWidget], QDialog]


def open_dialog(key: str, session: Session, parent: QWidget) -> QDialog:
    """Open a dialog; the window goes on behind it."""
    openers = early_dialogs()
    opener = openers[key] if key in openers else data_dialogs()[key]
    dialog = opener(session, parent)
    dialog.open()
    return dialog


def early_dialogs() -> dict[str, Opener]:
    """Dialogs that need no data, and so may be opened before charts are loaded."""
    from gui.shell.dialogs.about import AboutDialog
    from gui.shell.dialogs.cluster import ClusterDialog
    from gui.shell.dialogs.project_settings import ProjectSettingsDialog
    from gui.shell.dialogs.question_list import QuestionListDialog

    return {
        "about": lambda _session, parent: AboutDialog(parent),
        "cluster": ClusterDialog,
        "project_settings": ProjectSettingsDialog,
        "questions": QuestionListDialog,
    }


def data_dialogs() -> dict[str, Opener]:
    """Dialogs about data, models and decisions: they load what the pages of these load."""
    from gui.pages.data.dialogs.add_columns import AddColumnsDialog
    from gui.pages.data.dialogs.add_rows import AddRowsDialog
    from gui.pages.data.dialogs.calibration import ProbabilitiesDialog
    from gui.pages.data.dialogs.derive_column import DeriveColumnDialog
    from gui.pages.data.dialogs.overlap import OverlapDialog
    from gui.pages.decide.dialogs.apply_rule import ApplyRuleDialog
    from gui.pages.decide.dialogs.export_matrix import ExportMatrixDialog
    from gui.pages.decide.dialogs.export_rule import ExportRuleDialog
    from gui.pages.decide.dialogs.import_matrix import ImportMatrixDialog
    from gui.pages.decide.dialogs.read_workbook import ReadWorkbookDialog
    from gui.pages.decide.dialogs.reconcile import ReconcileDialog
    from gui.pages.decide.dialogs.save_decisions import SaveDecisionsDialog

    return {
        "save_decisions": SaveDecisionsDialog,
        "apply_rule": ApplyRuleDialog,
        "chances": lambda session, parent: ProbabilitiesDialog(session, parent=parent),
        "import_matrix": ImportMatrixDialog,
        "export_matrix": ExportMatrixDialog,
        "reconcile": ReconcileDialog,
        "read_workbook": ReadWorkbookDialog,
        "export_rule": ExportRuleDialog,
        "add_columns": AddColumnsDialog,
        "add_rows": AddRowsDialog,
        "derive_column": DeriveColumnDialog,
        "overlap": OverlapDialog,
    }
