"""Menus of page Uplift: how the experiment is to be read, and which models to train for it.

Naming the true effect of each case, which only simulated data have.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QMenu, QVBoxLayout, QWidget

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
        said = (
            "Simulated data such as IHDP tell what treating would change for each case. PEHE is "
            "the mean squared error of a model's effects against it; Hill (2011) reports its root."
        )
        column.addWidget(TextLabel(said, "quiet", wraps=True))
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


def fill_options(menu: QMenu, session: Session) -> None:
    """How arms were drawn, where chances of treatment and prices come from, the baseline."""
    menu.clear()
    spec = session.project.document.uplift

    def add(words: str, is_on: bool, command: Command) -> None:
        action = menu.addAction(words)
        action.setCheckable(True)
        action.setChecked(is_on)
        action.triggered.connect(lambda _checked: session.project.execute(command))

    _add_heading(menu, "Was the treatment drawn by lot?")
    planned = 0.5 if spec.planned_share is None else spec.planned_share
    for words, value in (("Yes", True), ("No", False), ("Not known", None)):
        command = SetDrawnByLot(drawn_by_lot=value, planned_share=planned if value else None)
        add(words, spec.drawn_by_lot is value, command)
    _add_heading(menu, "Chance of being treated")
    is_estimated = spec.estimates_propensity
    is_share = spec.propensity is None and not is_estimated
    add("The share of the treated", is_share, SetPropensity())
    add("Estimated from the inputs", is_estimated, SetPropensity(is_estimated=True))
    for column in session.project.document.columns_of(Role.PROPENSITY):
        add(column, spec.propensity == column, SetPropensity(column=column))
    _add_heading(menu, "Prices")
    follows = spec.follows_matrix
    add("Written here", not follows, FollowMatrix(follows_matrix=False))
    add("From the decision matrix", follows, FollowMatrix(follows_matrix=True))
    _add_heading(menu, "Baseline of the curve (nu)")
    add("None", spec.nu is NuChoice.ZERO, SetNu(nu=NuChoice.ZERO))
    add("Best overall", spec.nu is NuChoice.OVERALL, SetNu(nu=NuChoice.OVERALL))
    add("Best for the area", spec.nu is NuChoice.AREA, SetNu(nu=NuChoice.AREA))
    if not isinstance(spec.nu, NuChoice):
        add(f"{spec.nu:g}", True, SetNu(nu=spec.nu))
    outcome = own_outcome(session.project.document)
    columns = session.project.summary.columns if session.project.summary is not None else ()
    if not any(column.name == outcome and column.missing for column in columns):
        return
    _add_heading(menu, f"Rows without “{outcome}”")
    for words, said in (
        ("Give no numbers until I say", MissingOutcomes.ASK),
        ("Leave these rows out", MissingOutcomes.LEAVE_OUT),
    ):
        answer = SetMissingUpliftOutcomes(missing_outcomes=said)
        add(words, spec.missing_outcomes is said, answer)


def _add_heading(menu: QMenu, words: str) -> None:
    """A line and what the choices below it answer; a styled menu shows no titles of sections."""
    if not menu.isEmpty():
        menu.addSeparator()
    menu.addAction(words).setEnabled(False)


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
