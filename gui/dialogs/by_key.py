"""Dialogs of the window, opened by name from menus, palette and page."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QDialog, QWidget

from gui.workspace import Workspace


def _about(_workspace: Workspace, parent: QWidget) -> QDialog:
    from gui.dialogs.about import AboutDialog

    return AboutDialog(parent)


def _rename_project(workspace: Workspace, parent: QWidget) -> QDialog:
    from gui.dialogs.rename_project import RenameProjectDialog

    return RenameProjectDialog(workspace, parent)


def _save_decisions(workspace: Workspace, parent: QWidget) -> QDialog:
    from gui.dialogs.save_decisions import SaveDecisionsDialog

    return SaveDecisionsDialog(workspace, parent)


def _apply_rule(workspace: Workspace, parent: QWidget) -> QDialog:
    from gui.dialogs.apply_rule import ApplyRuleDialog

    return ApplyRuleDialog(workspace, parent)


def _chances(workspace: Workspace, parent: QWidget) -> QDialog:
    from gui.dialogs.chances import ChancesDialog

    return ChancesDialog(workspace, parent=parent)


def _import_matrix(workspace: Workspace, parent: QWidget) -> QDialog:
    from gui.dialogs.import_matrix import ImportMatrixDialog

    return ImportMatrixDialog(workspace, parent)


def _export_matrix(workspace: Workspace, parent: QWidget) -> QDialog:
    from gui.dialogs.export_matrix import ExportMatrixDialog

    return ExportMatrixDialog(workspace, parent)


def _reconcile(workspace: Workspace, parent: QWidget) -> QDialog:
    from gui.dialogs.reconcile import ReconcileDialog

    return ReconcileDialog(workspace, parent)


def _hand_over_rule(workspace: Workspace, parent: QWidget) -> QDialog:
    from gui.dialogs.hand_over_rule import HandOverRuleDialog

    return HandOverRuleDialog(workspace, parent)


def _add_columns(workspace: Workspace, parent: QWidget) -> QDialog:
    from gui.dialogs.add_columns import AddColumnsDialog

    return AddColumnsDialog(workspace, parent)


def _add_rows(workspace: Workspace, parent: QWidget) -> QDialog:
    from gui.dialogs.add_rows import AddRowsDialog

    return AddRowsDialog(workspace, parent)


def _derive_column(workspace: Workspace, parent: QWidget) -> QDialog:
    from gui.dialogs.derive_column import DeriveColumnDialog

    return DeriveColumnDialog(workspace, parent)


def _overlap(workspace: Workspace, parent: QWidget) -> QDialog:
    from gui.dialogs.overlap import OverlapDialog

    return OverlapDialog(workspace, parent)


DIALOGS: dict[str, Callable[[Workspace, QWidget], QDialog]] = {
    "about": _about,
    "rename_project": _rename_project,
    "save_decisions": _save_decisions,
    "apply_rule": _apply_rule,
    "chances": _chances,
    "import_matrix": _import_matrix,
    "export_matrix": _export_matrix,
    "reconcile": _reconcile,
    "hand_over_rule": _hand_over_rule,
    "add_columns": _add_columns,
    "add_rows": _add_rows,
    "derive_column": _derive_column,
    "overlap": _overlap,
}


def open_dialog(key: str, workspace: Workspace, parent: QWidget) -> QDialog:
    """Open a dialog; the window goes on behind it."""
    dialog = DIALOGS[key](workspace, parent)
    dialog.open()
    return dialog
