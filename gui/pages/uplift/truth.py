"""Naming the true effect of each case, which only simulated data have."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from core.document.uplift.commands import SetTrueEffect
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
