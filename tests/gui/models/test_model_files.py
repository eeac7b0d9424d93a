"""Page Models: a model file of another program comes in, a model leaves as ONNX."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtWidgets import QFileDialog

from core.document.studies.models import (
    ExportOnnxArguments,
    ImportModelArguments,
    ModelImported,
    OnnxWritten,
)
from payoff.errors import PayoffError
from tests.helpers.answers.models import TRAINED
from tests.helpers.harness import ModelsHarness


def dialog_of(harness: ModelsHarness) -> QFileDialog:
    return harness.page.findChildren(QFileDialog)[-1]


def test_a_model_file_joins_the_models(harness: ModelsHarness) -> None:
    posted: list[object] = []
    harness.session.project.message_posted.connect(posted.append)
    harness.page.import_file.trigger()
    dialog = dialog_of(harness)
    assert "LightGBM" in dialog.nameFilters()[0]
    dialog.fileSelected.emit("/somewhere/light.txt")
    dialog.close()
    requested = harness.engine.last("import_model").arguments
    assert isinstance(requested, ImportModelArguments)
    assert (requested.path, requested.name) == ("/somewhere/light.txt", "light")
    model = replace(TRAINED, name="light", model_hash="c" * 64, program="LightGBM", trees=120)
    found = ModelImported(model=model, program="LightGBM", notes=("The model's 1 is 'yes'.",))
    harness.answer("import_model", found)
    assert harness.session.project.document.trained_model("light") == model
    assert "The model's 1 is 'yes'." in str(posted[-1])
    assert "light was trained" not in harness.page.models.note.text()  # on which rows is not known
    row = next(row for row in harness.page.models.rows() if row.name == "light")
    assert row.kind == "120 iterations, model file of LightGBM"
    harness.page.presenter.choose("light")
    assert harness.page.inspector.train_on.isHidden()  # it cannot be continued
    assert "model file of LightGBM" in harness.page.chart._empty_text.text()
    draft = harness.page.presenter.draft
    assert draft is not None
    assert draft.program == ""  # what is trained from its settings is ours


def test_a_model_leaves_as_onnx_and_a_refusal_is_shown(trained_bench: ModelsHarness) -> None:
    harness = trained_bench
    posted: list[object] = []
    harness.session.project.message_posted.connect(posted.append)
    menu = harness.page.models.menu_of(harness.page.models.rows()[0])
    menu.actions()[1].trigger()
    menu.close()
    dialog = dialog_of(harness)
    assert dialog.defaultSuffix() == "onnx"
    dialog.fileSelected.emit("/somewhere/gbm 1.onnx")
    dialog.close()
    requested = harness.engine.last("export_onnx").arguments
    assert isinstance(requested, ExportOnnxArguments)
    assert (requested.model, requested.path) == ("gbm 1", "/somewhere/gbm 1.onnx")
    harness.answer(
        "export_onnx", OnnxWritten(path=requested.path, trees=900, notes=("No offset.",))
    )
    assert str(posted[-1]) == "gbm 1.onnx written: 900 iterations. No offset."
    harness.page.files.import_file("/somewhere/broken.txt")
    job = harness.engine.last("import_model").job
    with harness.qtbot.waitSignal(harness.session.jobs.job_ended, timeout=2000):
        harness.engine.fail(job, PayoffError("The model file is damaged.", where="tree 3"))
    assert "tree 3" in str(posted[-1])
