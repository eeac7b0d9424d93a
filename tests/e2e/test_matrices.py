"""Matrices, decisions of another program and the rule elsewhere, in the real window and engine."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
from PySide6.QtWidgets import QLabel, QPushButton

import payoff
from core.document.data.model import ReaderSettings
from core.document.studies.decision_files import MatrixStyle
from core.engine.messages import SaveArguments
from gui.pages.decide.dialogs.export_matrix import ExportMatrixDialog
from gui.pages.decide.dialogs.export_rule import ExportRuleDialog
from gui.pages.decide.dialogs.import_matrix import ImportMatrixDialog
from gui.pages.decide.dialogs.reconcile import ReconcileDialog
from gui.session.files import Taking
from tests.helpers.program import Program

pytestmark = pytest.mark.timeout(240)  # real window and engine; a cold machine compiles first

SAS = (
    "RESPONDED,COUNT,DATAPRIOR,TRAINPRIOR,DECPRIOR,Solicit,Call,Ignore\n"
    "1,1000,0.05,0.248,0.05,15,30,0\n0,19000,0.95,0.752,0.95,-1.5,-6,0\n"
)


def opened(program: Program, key: str, kind: type):
    """The dialog that a menu entry opens."""
    program.window.actions_by_key[key].trigger()
    return program.window.findChildren(kind)[-1]


@pytest.fixture(scope="module")
def sas_matrix(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("sas") / "decdata.csv"
    path.write_text(SAS)
    return path


@pytest.fixture(scope="module")
def at_work(program: Program, sample: Path, sas_matrix: Path) -> Program:
    """The sample, decided by a matrix that came from SAS."""
    program.window.files.open_path(str(sample))
    program.wait(lambda: program.session.results.decisions is not None)
    program.settle()
    dialog = opened(program, "import_matrix", ImportMatrixDialog)
    dialog.file.set_text(str(sas_matrix))
    program.wait(lambda: dialog.found is not None)
    assert "DOWN what really happens" in dialog.axes.text()
    before = program.session.results.decisions
    dialog.accept()
    program.wait(lambda: program.session.results.decisions is not before)
    program.settle()
    return program


def test_a_matrix_of_sas_decides_in_the_window_as_in_a_script(
    at_work: Program, sas_matrix: Path
) -> None:
    result = at_work.session.results.decisions
    assert result is not None
    assert result.decisions == ("Solicit", "Call", "Ignore")
    document = at_work.session.project.document
    assert document.data is not None
    assert document.priors == (("1", 0.05), ("0", 0.95))
    for model in result.models:
        settings = document.model(model.model)
        assert settings is not None
        old = dict(settings.old_priors.shares)
        found = payoff.read_matrix(sas_matrix).arguments()
        found.pop("old_priors")
        given = {"old_priors": old} if old else {}
        scripted = payoff.decide(
            document.data.path,
            target="responded",
            posteriors=document.posterior_columns(model.model),
            **found,
            **given,
        )
        assert model.total.value == pytest.approx(scripted.total, rel=1e-9)


def test_one_undo_brings_matrix_and_priors_back(at_work: Program) -> None:
    at_work.window.actions_by_key["undo"].trigger()
    matrix = at_work.session.project.document.matrix
    assert matrix is not None
    assert matrix.template == "payoff.direct_mail"
    at_work.window.actions_by_key["redo"].trigger()
    at_work.settle()
    assert at_work.session.project.document.matrix.decisions == ("Solicit", "Call", "Ignore")


def test_what_is_exported_says_its_axes_and_reads_back(at_work: Program, tmp_path: Path) -> None:
    dialog = opened(at_work, "export_matrix", ExportMatrixDialog)
    dialog.styles[MatrixStyle.PREDICTED].click()
    dialog.file.set_text(str(tmp_path / "predicted.csv"))
    dialog.accept()
    at_work.wait((tmp_path / "predicted.csv").is_file)
    at_work.settle()
    first = (tmp_path / "predicted.csv").read_text("utf-8").splitlines()[0]
    assert "PREDICTED down, ACTUAL across" in first
    found = payoff.read_matrix(tmp_path / "predicted.csv")
    assert found.matrix == {"1": [15.0, 30.0, 0.0], "0": [-1.5, -6.0, 0.0]}


def test_the_rule_decides_every_case_elsewhere_as_here(at_work: Program, tmp_path: Path) -> None:
    document = at_work.session.project.document
    assert document.data is not None
    dialog = opened(at_work, "export_rule", ExportRuleDialog)
    dialog.folder.set_text(str(tmp_path / "rule"))
    dialog.accept()
    at_work.wait((tmp_path / "rule" / "contract.json").is_file)
    saved = tmp_path / "ours.csv"
    model = document.reference_model or ""
    at_work.session.files.save_decisions(
        SaveArguments(document=document, model=model, path=str(saved))
    )
    at_work.wait(saved.is_file)
    at_work.settle()
    code = tmp_path / "rule" / "decide.py"
    out = tmp_path / "theirs.csv"
    command = [sys.executable, "-I", "-S", str(code), document.data.path, str(out)]
    assert subprocess.run(command, timeout=100, check=False).returncode == 0
    ours, theirs = pd.read_csv(saved), pd.read_csv(out)
    assert len(ours) == 20_000
    assert set(ours["D_responded"]) == {"Solicit", "Call", "Ignore"}
    assert ours["D_responded"].tolist() == theirs["D_responded"].tolist()
    assert (ours["EP_responded"] - theirs["EP_responded"]).abs().max() < 1e-12
    contract = json.loads((tmp_path / "rule" / "contract.json").read_text("utf-8"))
    assert contract["rule"]["model"] == model


def test_decisions_in_a_file_are_announced_and_compared(
    at_work: Program, sample: Path, tmp_path: Path
) -> None:
    """The saved decisions beside their data, five of them changed, opened as a file anew."""
    space = at_work.session
    document = space.project.document
    assert document.data is not None
    saved = tmp_path / "carried.csv"
    space.files.save_decisions(
        SaveArguments(
            document=document,
            model=document.reference_model or "",
            path=str(saved),
            columns=("D", "EP", "CP"),
            keep_columns=document.data.columns,
        )
    )
    at_work.wait(saved.is_file)
    at_work.settle()
    table = pd.read_csv(saved)
    table.loc[:4, "EP_responded"] += 1.0
    table.to_csv(saved, index=False)
    space.project.history.mark_saved()
    space.files.open_data(str(saved), ReaderSettings(), taking=Taking.REPLACE)
    at_work.wait(
        lambda: (
            space.project.document.data is not None
            and space.project.document.data.path == str(saved)
        )
    )
    at_work.settle()
    page = at_work.window.pages["decide"]
    at_work.window.show_page("decide")
    texts = [label.text() for label in page.meaning.findChildren(QLabel)]
    assert "The file brings decisions along: D_responded, EP_responded, CP_responded." in texts
    (link,) = [b for b in page.meaning.findChildren(QPushButton) if b.text() == "Compare with them"]
    link.click()
    dialog = page.findChildren(ReconcileDialog)[-1]
    at_work.wait(lambda: dialog.answer is not None)
    assert dialog.answer is not None
    by_letter = {entry.letter: entry for entry in dialog.answer.columns}
    assert dialog.answer.rows == 20_000
    assert by_letter["D"].different == 0
    assert by_letter["CP"].different == 0
    assert [row.row for row in by_letter["EP"].first] == [1, 2, 3, 4, 5]
    assert "carried.csv, line 2, data row 1" in by_letter["EP"].first[0].where
    dialog.reject()
