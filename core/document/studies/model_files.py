"""What window and engine say to each other about model files: another program's, and ONNX."""

from __future__ import annotations

from dataclasses import dataclass

from core.document.model import Document, TrainedModel


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportModelArguments:
    """-> ModelImported. Kind "import_model": a model file of LightGBM or XGBoost.

    ``name`` is that of the model in the document.
    """

    document: Document
    path: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelImported:
    """A model on the shelf, to be added by AddTrainedModel."""

    model: TrainedModel
    program: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportOnnxArguments:
    """-> OnnxWritten. Kind "export_onnx": a trained model of the document as an ONNX file."""

    document: Document
    model: str
    path: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OnnxWritten:
    """A file that was written; ``notes`` say what is not in it."""

    path: str
    trees: int
    notes: tuple[str, ...] = ()
