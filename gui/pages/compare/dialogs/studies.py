"""The dialogs of studies of page Compare that are a form and a view.

How large a model's expected loss may be on new cases: limits with what they take for granted.

Whose definitions the charts follow, and what differs from Payoff's, with the cause.

How small a difference between two models these cases could show, and how many it would take.

Train against validation side by side: the same models on two sets of rows.

Figures by group of cases: every metric, the totals and a curve by the values of a column.

Survival over time: curves of groups and of one case, and chances at a time for page Decide.
"""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtWidgets import QWidget

from core.document.compare.chart_kinds import CONVENTIONS, PAYOFF
from core.document.compare.commands import SetConvention
from core.document.studies.compare import (
    HorizonFileArguments,
    HorizonFileResult,
    SegmentsResult,
    SurvivalResult,
)
from core.questions.compare import (
    Definitions,
    DetectableDifference,
    ErrorBounds,
    RowSets,
    Segments,
    Survival,
)
from core.questions.fields import FieldKind, FormField
from core.questions.suggestions import choices_from, columns_that_group, models_over_time
from gui.pages.compare.dialogs.study_dialog import StudyDialog
from gui.session.session import Session
from gui.widgets import TextLabel
from gui.widgets.file_dialog import file_dialog
from payoff.counting import counted


class BoundsDialog(StudyDialog):
    """Limits of every model's expected loss on the rows that are compared."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(
            session,
            "How sure is the loss?",
            (
                "The mean loss of these rows is one draw; the expected loss of new cases lies "
                "below the limit in the stated share of such draws. A limit that is valid holds "
                "whatever the losses follow, an approximate one nearly so for many cases."
            ),
            parent,
        )
        self.resize(1020, 600)
        names = ("loss", "side", "confidence", "methods", "cluster", "loss_range", "margin")
        self.form = self.add_form(ErrorBounds, names)
        self.refresh()

    def refresh(self) -> None:
        """Ask for the bounds."""
        self.begin()
        self.put(self.form.question())


class DefinitionsDialog(StudyDialog):
    """Choose a tool: the charts follow it, the table names every difference."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(
            session,
            "Definitions",
            (
                "Tools give different figures the same name, and the same figure different names. "
                "Choose whose definitions the charts follow; the table keeps Payoff's."
            ),
            parent,
        )
        self.resize(980, 520)
        self.form = self.add_settings(self._follow)
        self.refresh()

    def _follow(self, _name: str, convention: object) -> None:
        self.session.project.execute(SetConvention(convention=str(convention)))
        self.refresh()

    def refresh(self) -> None:
        """Ask for the figures by the tool's definitions."""
        self.begin()
        convention = self.session.project.document.convention
        self.form.show_fields((convention_field(convention),))
        if convention == PAYOFF:
            self.say("The charts follow Payoff's definitions: “what is this?” gives them.")
        else:
            self.put(Definitions(convention=convention, level=self.session.results.level))


def convention_field(convention: str) -> FormField:
    """Return the choice of the tool that the charts follow."""
    return FormField(
        name="convention",
        label="Charts",
        kind=FieldKind.CHOICE,
        value=convention,
        options=choices_from(dict(CONVENTIONS)),
    )


class PowerDialog(StudyDialog):
    """A row for every figure of every pair; the sentence above is of the row that is chosen."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(
            session,
            "Smallest detectable difference",
            (
                "A test on few cases overlooks small differences, so that “no difference was "
                "found” may only mean “too few cases”. Here is how large a true difference must "
                "be for these cases to show it, and how many cases a smaller one would need."
            ),
            parent,
        )
        self.resize(1060, 560)
        names = ("metric", "model", "level", "power", "difference")
        self.form = self.add_form(DetectableDifference, names)
        self.refresh()

    def refresh(self) -> None:
        """Ask for the figures and models chosen."""
        self.begin()
        self.put(self.form.question())


class RowsDialog(StudyDialog):
    """Every figure on two sets of rows with the gap between them."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(
            session,
            RowSets.facts.title,
            (
                "The same models on two sets of rows. The gap is no paired difference, and "
                "figures on rows a model has seen are marked."
            ),
            parent,
        )
        self.form = self.add_form(RowSets, ("first", "second"))
        self.refresh()

    def refresh(self) -> None:
        """Ask for both sets of rows."""
        self.begin()
        self.put(self.form.question(level=self.session.results.level))


DRAWS = 500


class SegmentsDialog(StudyDialog):
    """Choose a column: the table has a row per group, the chart a line."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(
            session,
            "By group of cases",
            (
                "Every figure in each group of a column. A group's interval is its own; the more "
                "groups, the more of them look unlike the whole by chance."
            ),
            parent,
        )
        self.resize(980, 640)
        self.form = self.add_form(Segments, ("column", "metric", "chart"))
        self._shown: tuple[Segments, SegmentsResult] | None = None
        self.refresh()

    def refresh(self) -> None:
        """Ask for the groups of the column chosen; its answer has every figure."""
        if not columns_that_group(self.session.form_context()):
            self.begin()
            self.say("The data have no column that could make groups.")
            return
        question: Segments = self.form.question(resamples=DRAWS)
        if self._shown is not None and not self.is_stale:
            requested, answer = self._shown
            if replace(requested, metric=question.metric) == question:
                self._take(question, replace(answer, metric=question.metric))
                return
        self.begin()
        self._shown = None
        self.put(question, lambda answer: self._take(question, answer))

    def _take(self, question: Segments, answer: SegmentsResult) -> None:
        self._shown = question, answer
        self.show_answer(question, answer)


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
        file_dialog(
            self,
            "Save the data with chances at this time",
            self.session.folder_to_write,
            self.save_to,
            kinds=["CSV (*.csv)"],
            saves_as=self.session.name_to_write("by_time"),
        ).open()

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
        self.stop_requesting()
        title = "Saving chances"
        self.write("horizon_file", arguments, HorizonFileResult, title, self._saved)

    def _saved(self, result: HorizonFileResult) -> None:
        unknown = counted(result.unknown, "case was lost", "cases were lost")
        self.saved.setText(
            f"Saved. Open the file: {result.outcome} is its outcome, {result.probability} the "
            f"chance of 1, {result.weight} the weight. {unknown} from sight before that time or "
            "entered after it: the weights of the others make up for them."
        )
        self.saved.show()
