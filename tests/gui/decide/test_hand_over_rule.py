"""Handing the rule over from the window: the engine is asked, a message says where it went."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import Mock

from pytestqt.qtbot import QtBot

from core.document.studies.decision_files import ExportRuleArguments, RuleExported
from gui.pages.decide.dialogs.export_rule import ExportRuleDialog
from gui.shell.commands.table import ACTIONS
from gui.shell.dialogs.by_key import data_dialogs, early_dialogs, open_dialog
from tests.helpers.harness import DecideHarness


def test_the_engine_is_asked_and_the_message_says_where(
    harness: DecideHarness, qtbot: QtBot, tmp_path: Path
) -> None:
    harness.engine.answers["export_rule"] = lambda requested: RuleExported(
        folder=requested.folder, files=("a", "b"), inputs=("p",), notes=("Trees are apart.",)
    )
    dialog = ExportRuleDialog(harness.session, harness.page)
    dialog.model.setCurrentIndex(dialog.model.findData("logit"))
    dialog.folder.set_text(str(tmp_path / "rule"))
    assert dialog.arguments() == ExportRuleArguments(
        document=harness.document, model="logit", folder=str(tmp_path / "rule")
    )
    with qtbot.waitSignal(harness.session.project.message_posted) as posted:
        dialog.accept()
    described = str(posted.args[0])
    assert str(tmp_path / "rule") in described
    assert "Trees are apart." in described


def test_a_folder_that_holds_other_files_is_refused_at_once(
    harness: DecideHarness, tmp_path: Path
) -> None:
    (tmp_path / "letter.txt").write_text("dear")
    dialog = ExportRuleDialog(harness.session, harness.page)
    dialog.folder.set_text(str(tmp_path))
    assert not dialog.write_button.isEnabled()
    assert "other files" in dialog.folder.note.text()
    dialog.folder.set_text(str(tmp_path / "new"))
    assert dialog.write_button.isEnabled()
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / "contract.json").write_text("{}")
    dialog.folder.set_text(str(tmp_path / "new") + " ")
    assert "replaced" in dialog.folder.note.text()


def test_every_dialog_has_its_action_and_opens(harness: DecideHarness) -> None:
    frame = Mock()
    for spec in ACTIONS:
        if "open_dialog" in spec.run.__code__.co_names:
            spec.run(frame)
    opened = {call.args[0] for call in frame.open_dialog.call_args_list}
    keys = {**early_dialogs(), **data_dialogs()}
    assert opened == set(keys)
    for key in keys:
        dialog = open_dialog(key, harness.session, harness.page)
        assert dialog.isVisible()
        assert dialog.windowTitle()
        dialog.reject()
