"""Model files on page Models: import one of another program, export one as ONNX."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from core.document.commands import AddTrainedModel
from core.document.files.guarded import file_name
from core.document.studies.models import (
    ExportOnnxArguments,
    ImportModelArguments,
    ModelImported,
    OnnxWritten,
)
from gui.session.request import Request
from gui.session.session import Session
from gui.widgets.file_dialog import file_dialog
from payoff.counting import counted


class ModelFiles(QObject):
    """Asks for a file and has the engine read or write it."""

    def __init__(self, session: Session, window: QWidget) -> None:
        super().__init__(window)
        self._session = session
        self._window = window

    def ask_import(self) -> None:
        """Ask for a model file of LightGBM or XGBoost."""
        kinds = ["Models of LightGBM and XGBoost (*.txt *.json *.lgb *.model)", "All files (*)"]
        folder = self._session.folder_to_read
        file_dialog(
            self._window, "Import a model file", folder, self.import_file, kinds=kinds
        ).open()

    def ask_export(self, model: str) -> None:
        """Ask where to write a model as ONNX."""
        dialog = file_dialog(
            self._window,
            f"Export {model} as ONNX",
            self._session.folder_to_write,
            partial(self.export_file, model),
            kinds=["ONNX (*.onnx)"],
            saves_as=file_name(model),
        )
        dialog.open()

    def import_file(self, path: str) -> None:
        """Read a model file; the model joins the others under the name of the file."""
        session = self._session
        arguments = ImportModelArguments(
            document=session.project.document, path=path, name=self._free_name(Path(path).stem)
        )

        rows = session.project.document.data_hash  # it is for the project with these

        def on_result(result: ModelImported) -> None:
            session.project.execute(AddTrainedModel(model=result.model))
            trees = counted(result.model.trees, "iteration")
            words = f"{result.model.name} of {result.program}: {trees}."
            session.project.post(" ".join([words, *result.notes]))

        Request(self, session.project).run(
            "import_model",
            arguments,
            ModelImported,
            title=f"Reading {Path(path).name}",
            on_result=on_result,
            is_wanted=lambda: session.project.document.data_hash == rows,
        )

    def _free_name(self, stem: str) -> str:
        taken = self._session.trainings.names()
        name, number = stem, 2
        while name in taken:
            name, number = f"{stem} {number}", number + 1
        return name

    def export_file(self, model: str, path: str) -> None:
        """Write a model as ONNX."""
        session = self._session

        def on_result(result: OnnxWritten) -> None:
            trees = counted(result.trees, "iteration")
            words = f"{Path(path).name} written: {trees}."
            session.project.post(" ".join([words, *result.notes]))

        Request(self, session.project).run(
            "export_onnx",
            ExportOnnxArguments(document=session.project.document, model=model, path=path),
            OnnxWritten,
            title=f"Writing {Path(path).name}",
            on_result=on_result,
        )
