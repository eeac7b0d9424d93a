"""Survival over time: curves of groups and of one case, and chances at a time for page Decide."""

from __future__ import annotations

from PySide6.QtWidgets import QFileDialog, QWidget

from core.document.studies.compare import (
    HorizonFileArguments,
    HorizonFileResult,
    SurvivalResult,
)
from core.questions.compare import Survival
from core.questions.suggestions import models_over_time
from gui.pages.compare.dialogs.study_dialog import StudyDialog
from gui.session.session import Session
from gui.widgets import TextLabel
from payoff.counting import counted


class SurvivalDialog(StudyDialog):
    """Choose a model, groups, a case and a time; save the chances at that time."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(
            session,
            "Survival over time",
            (
                "How long cases stay without the event: as the model says, and as it was. Chances "
                "at one time can be saved beside the data and decided with on page Decide."
            ),
            parent,
        )
        self.resize(960, 700)
        self._result: SurvivalResult | None = None
        self.save = self.add_button("Save chances at this time…", self._choose_file)
        self.saved = TextLabel("", "body", wraps=True)
        self.panel.above.addWidget(self.saved)
        self.form = self.add_form(Survival, ("model", "column", "row", "horizon"))
        self.refresh()

    def refresh(self) -> None:
        """Ask for the curves of what is chosen."""
        self.begin()
        self.saved.hide()
        self.save.setEnabled(False)
        has_model = bool(models_over_time(self.session.form_context()))
        self.form.setEnabled(has_model)
        if not has_model:
            self.say("There is no model of a risk over time: train one on page Models.")
            return
        question: Survival = self.form.question()
        self.put(question, lambda result: self._take(question, result))

    def _take(self, question: Survival, result: SurvivalResult) -> None:
        self._result = result
        self.form.assume("horizon", result.horizon)
        self.save.setEnabled(True)
        self.show_answer(question, result)

    def _choose_file(self) -> None:
        path, _ = QFileDialog.getSaveFileName(
            self, "Save the data with chances at this time", "", "CSV (*.csv)"
        )
        if path:
            self.save_to(path)

    def save_to(self, path: str) -> None:
        """Write the data with chance, outcome and weight at the time shown."""
        if self._result is None:
            return
        arguments = HorizonFileArguments(
            document=self.session.project.document,
            model=self._result.model,
            horizon=self._result.horizon,
            path=path,
        )
        self.stop_asking()
        title = "Saving chances"
        self.write("horizon_file", arguments, HorizonFileResult, title, self._saved)

    def _saved(self, result: HorizonFileResult) -> None:
        unknown = counted(result.unknown, "case was lost", "cases were lost")
        self.saved.setText(
            f"Saved. Open the file: {result.outcome} is its outcome, {result.chance} the chance of "
            f"1, {result.weight} the weight. {unknown} from sight before that time or entered "
            "after it: the weights of the others make up for them."
        )
        self.saved.show()
