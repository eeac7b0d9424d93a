"""What page Uplift lets a person choose: how the experiment is read, and which models to train.

Naming the true effect of each case, which only simulated data have.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtWidgets import QHBoxLayout, QMenu, QPushButton, QVBoxLayout, QWidget

from core.document.commands import Command
from core.document.data.model import MissingOutcomes
from core.document.model import Role
from core.document.uplift.commands import (
    FollowMatrix,
    SetDrawnByLot,
    SetMissingUpliftOutcomes,
    SetNu,
    SetPropensity,
    SetTrueEffect,
    own_outcome,
    propensity_column,
)
from core.document.uplift.model import NuChoice, UpliftKind
from core.questions.fields import FieldKind, FormField
from core.questions.suggestions import choices_from
from gui.session.session import Session
from gui.widgets import TextLabel
from gui.widgets.dialog import AnswerDialog, dialog_buttons
from gui.widgets.fields.form import Form


class TruthDialog(AnswerDialog):
    """One column of effects, or two of means with and without treatment."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.setWindowTitle("True effect")
        self.resize(460, 240)
        spec = session.project.document.uplift
        self._chosen = {"effect": spec.true_effect, "control": spec.true_control}
        column = QVBoxLayout(self)
        described = (
            "Simulated data such as IHDP tell what treating would change for each case. PEHE is "
            "the mean squared error of a model's effects against it; Hill (2011) reports its root."
        )
        column.addWidget(TextLabel(described, "quiet", wraps=True))
        self.form = Form(fills=True)
        self.form.changed.connect(self._choose)
        column.addWidget(self.form)
        column.addStretch(1)
        buttons, _ok = dialog_buttons(self, "OK")
        column.addWidget(buttons)
        self._show_fields()

    def _show_fields(self) -> None:
        summary = self.session.project.summary
        columns = summary.columns if summary is not None else ()
        numbers = [c.name for c in columns if c.kind in ("integer", "number", "boolean")]

        def field(name: str, label: str, none: str) -> FormField:
            chosen = self._chosen[name]
            return FormField(
                name=name,
                label=label,
                kind=FieldKind.CHOICE,
                value=chosen if chosen in numbers else None,
                options=choices_from({None: none} | {number: number for number in numbers}),
            )

        self.form.show_fields(
            (
                field("effect", "True effect, or mean if treated", "Not known"),
                field("control", "less the mean if not treated", "Nothing: it is the effect"),
            )
        )

    def _choose(self, name: str, column: str | None) -> None:
        self._chosen[name] = column
        self._show_fields()

    def accept(self) -> None:
        """Name the columns; a refusal leaves the dialog open."""
        chosen = self._chosen
        if self.session.project.execute(
            SetTrueEffect(column=chosen["effect"], control=chosen["control"])
        ):
            super().accept()


@dataclass(frozen=True, slots=True)
class Choice:
    """One way to read the experiment: its words, whether it holds, and what chooses it."""

    words: str
    is_on: bool
    command: Command
    shown: str = ""  # on the button, where it holds; left out: its words

    @property
    def button_words(self) -> str:
        """What the button says while it holds."""
        return self.shown or self.words[0].lower() + self.words[1:]


def lot_choices(session: Session) -> tuple[Choice, ...]:
    """Was the treatment drawn by lot?"""
    spec = session.project.document.uplift
    planned = 0.5 if spec.planned_share is None else spec.planned_share
    return tuple(
        Choice(
            words,
            spec.drawn_by_lot is value,
            SetDrawnByLot(drawn_by_lot=value, planned_share=planned if value else None),
        )
        for words, value in (("Yes", True), ("No", False), ("Not known", None))
    )


def propensity_choices(session: Session) -> tuple[Choice, ...]:
    """Where the chance of being treated comes from."""
    document = session.project.document
    spec = document.uplift
    used = propensity_column(document)
    is_share = used is None and not spec.estimates_propensity
    estimated = SetPropensity(is_estimated=True)
    return (
        Choice("The share of the treated", is_share, SetPropensity(column=""), "the share"),
        Choice("Estimated from the inputs", spec.estimates_propensity, estimated, "estimated"),
        *(
            Choice(column, used == column, SetPropensity(column=column), column)
            for column in document.columns_of(Role.PROPENSITY)
        ),
    )


def gap_choices(session: Session) -> tuple[Choice, ...]:
    """What becomes of rows without the outcome; nothing where it is known of all."""
    document, summary = session.project.document, session.project.summary
    outcome, columns = own_outcome(document), summary.columns if summary is not None else ()
    if not any(column.name == outcome and column.missing for column in columns):
        return ()
    return tuple(
        Choice(
            words,
            document.uplift.missing_outcomes is answer,
            SetMissingUpliftOutcomes(missing_outcomes=answer),
            shown,
        )
        for words, answer, shown in (
            ("Give no numbers until I say", MissingOutcomes.ASK, "no numbers yet"),
            ("Leave these rows out", MissingOutcomes.LEAVE_OUT, "left out"),
        )
    )


def price_choices(session: Session) -> tuple[Choice, ...]:
    """Where prices come from."""
    follows = session.project.document.uplift.follows_matrix
    return (
        Choice("Written here", not follows, FollowMatrix(follows_matrix=False)),
        Choice("From the decision matrix", follows, FollowMatrix(follows_matrix=True)),
    )


def baseline_choices(session: Session) -> tuple[Choice, ...]:
    """Which baseline the curve has."""
    nu = session.project.document.uplift.nu
    named = (
        ("None", NuChoice.ZERO),
        ("Best overall", NuChoice.OVERALL),
        ("Best for the area", NuChoice.AREA),
    )
    choices = tuple(Choice(words, nu is value, SetNu(nu=value)) for words, value in named)
    if isinstance(nu, NuChoice):
        return choices
    return (*choices, Choice(f"{nu:g}", True, SetNu(nu=nu)))


def fill_choices(menu: QMenu, session: Session, choices: tuple[Choice, ...]) -> None:
    """Offer choices of which one holds."""
    menu.clear()
    for choice in choices:
        action = menu.addAction(choice.words)
        action.setCheckable(True)
        action.setChecked(choice.is_on)
        action.triggered.connect(
            lambda _checked, command=choice.command: session.project.execute(command)
        )


class ChoiceButton(QPushButton):
    """A fact of the experiment: its button says what holds, its menu changes it."""

    def __init__(
        self, title: str, session: Session, choices: Callable[[Session], tuple[Choice, ...]]
    ) -> None:
        super().__init__(title)
        self.setProperty("small", True)
        self.title, self._session, self._choices = title, session, choices
        menu = QMenu(self)
        menu.aboutToShow.connect(lambda: fill_choices(menu, session, choices(session)))
        self.setMenu(menu)

    def show_choice(self) -> None:
        """Say what holds now; hidden where there is nothing to choose. It has its place by then."""
        choices = self._choices(self._session)
        chosen = next((choice.button_words for choice in choices if choice.is_on), "not said")
        self.setText(f"{self.title}: {chosen}")
        self.setVisible(bool(choices))


class ExperimentSetup(QWidget):
    """How the experiment was made: by lot or not, chances of treatment, rows without outcome."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        self.lot = ChoiceButton("Drawn by lot", session, lot_choices)
        self.lot.setToolTip("Was the treatment drawn by lot?")
        self.probability = ChoiceButton("Chance of treatment", session, propensity_choices)
        self.gaps = ChoiceButton("", session, gap_choices)
        for button in self.buttons:
            row.addWidget(button)
        self._session = session
        self.show_choices()
        session.project.document_changed.connect(lambda _document: self.show_choices())
        session.project.summary_changed.connect(lambda *_summary: self.show_choices())

    @property
    def buttons(self) -> tuple[ChoiceButton, ...]:
        """One for each fact."""
        return self.lot, self.probability, self.gaps

    def show_choices(self) -> None:
        """Say what holds now."""
        self.gaps.title = f"Rows without “{own_outcome(self._session.project.document)}”"
        for button in self.buttons:
            button.show_choice()


def fill_training(
    menu: QMenu,
    train: Callable[[UpliftKind | None], None],
    train_effect: Callable[[str], None],
) -> None:
    """The ways to train a model of the effect, and the response model that it is held against.

    ``train`` is given the kind (None = response model), ``train_effect`` the distribution's name.
    """
    menu.clear()

    def add(words: str, start: Callable[[], None]) -> None:
        menu.addAction(words).triggered.connect(lambda _checked: start())

    add("One model per arm", lambda: train(UpliftKind.TWO_MODELS))
    add(
        "One model with the treatment as an input",
        lambda: train(UpliftKind.TREATMENT_INPUT),
    )
    add("Response model, as a baseline", lambda: train(None))
    menu.addSeparator()
    add("The effect itself", lambda: train_effect("uplift"))
    add(
        "The effect itself, with a baseline by trees",
        lambda: train_effect("uplift_baseline"),
    )
