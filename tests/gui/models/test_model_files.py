"""Page Models: a model file of another program comes in, a model leaves as ONNX."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtWidgets import QFileDialog

from core.document.studies.model_files import (
    ExportOnnxArguments,
    ImportModelArguments,
    ModelImported,
    OnnxWritten,
)
from payoff.errors import PayoffError
from tests.helpers.answers.models import TRAINED
from tests.helpers.harness import ModelsHarness


def dialog_of(bench: ModelsHarness) -> QFileDialog:
    return bench.page.findChildren(QFileDialog)[-1]


def test_a_model_file_joins_the_models(bench: ModelsHarness) -> None:
    posted: list[object] = []
    bench.session.project.message_posted.connect(posted.append)
    bench.page.import_file.trigger()
    dialog = dialog_of(bench)
    assert "LightGBM" in dialog.nameFilters()[0]
    dialog.fileSelected.emit("/somewhere/light.txt")
    dialog.close()
    asked = bench.engine.last("import_model").arguments
    assert isinstance(asked, ImportModelArguments)
    assert (asked.path, asked.name) == ("/somewhere/light.txt", "light")
    model = replace(TRAINED, name="light", model_hash="c" * 64, program="LightGBM", trees=120)
    found = ModelImported(model=model, program="LightGBM", notes=("The model's 1 is 'yes'.",))
    bench.answer("import_model", found)
    assert bench.session.project.document.trained_model("light") == model
    assert "The model's 1 is 'yes'." in str(posted[-1])
    assert "light was trained" not in bench.page.models.note.text()  # on which rows is not known
    row = next(row for row in bench.page.models.rows() if row.name == "light")
    assert row.kind == "120 iterations, model file of LightGBM"
    bench.page.presenter.choose("light")
    assert bench.page.inspector.train_on.isHidden()  # it cannot be continued
    assert "model file of LightGBM" in bench.page.chart._empty_text.text()
    draft = bench.page.presenter.draft
    assert draft is not None
    assert draft.program == ""  # what is trained from its settings is ours


def test_a_model_leaves_as_onnx_and_a_refusal_is_shown(trained_bench: ModelsHarness) -> None:
    bench = trained_bench
    posted: list[object] = []
    bench.session.project.message_posted.connect(posted.append)
    menu = bench.page.models.menu_of(bench.page.models.rows()[0])
    menu.actions()[1].trigger()
    menu.close()
    dialog = dialog_of(bench)
    assert dialog.defaultSuffix() == "onnx"
    dialog.fileSelected.emit("/somewhere/gbm 1.onnx")
    dialog.close()
    asked = bench.engine.last("export_onnx").arguments
    assert isinstance(asked, ExportOnnxArguments)
    assert (asked.model, asked.path) == ("gbm 1", "/somewhere/gbm 1.onnx")
    bench.answer("export_onnx", OnnxWritten(path=asked.path, trees=900, notes=("No offset.",)))
    assert str(posted[-1]) == "gbm 1.onnx written: 900 iterations. No offset."
    bench.page.files.import_file("/somewhere/broken.txt")
    job = bench.engine.last("import_model").job
    with bench.qtbot.waitSignal(bench.session.jobs.job_ended, timeout=2000):
        bench.engine.fail(job, PayoffError("The model file is damaged.", where="tree 3"))
    assert "tree 3" in str(posted[-1])
