"""The project's own models on page Experiments: how large their error on new cases can be."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QWidget

from core.document.experiments.results import BoundsResult
from core.document.model import Document
from core.presentation.labels import Labels
from core.presentation.making_views import show
from core.questions.compare import ErrorBounds
from gui.session.request import Request
from gui.session.session import Session
from gui.widgets import Card, HelpText, TextLabel


class OwnModelsCard(Card):
    """A verdict in words, asked for while it is looked at, and the way to every bound."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(
            "My data, my models",
            "how far the error measured here can be off",
            help_text=HelpText(
                title="How sure is the error?",
                text=(
                    "The error on these rows is one draw. With the confidence stated, the expected "
                    "error on new cases of the same kind lies below the limit, whatever the errors "
                    "follow, where cases are independent and the model has not seen them. Below "
                    "this card are the experiments of the paper: whether an evaluation could be "
                    "learned in place of a trial."
                ),
                reference="Waudby-Smith and Ramdas 2024; Clopper and Pearson 1934",
            ),
            parent=parent,
        )
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
        self._session = session
        self._shown: Document | None = None  # what the sentence was asked of
        self._request = Request(self, session.project)
        row = QHBoxLayout()
        row.setSpacing(12)
        self.verdict = TextLabel("", "body", wraps=True)
        self.all_bounds = QPushButton("All bounds…")
        self.all_bounds.setToolTip("Every bound of every model, and what each takes for granted")
        self.all_bounds.clicked.connect(lambda _checked: self.open_bounds())
        row.addWidget(self.verdict, 1)
        row.addWidget(self.all_bounds)
        self.body.addLayout(row)
        session.project.document_changed.connect(lambda _document: self.refresh())
        self.refresh()

    def refresh(self) -> None:
        """Ask for the verdict on the project as it is, while the page is in front."""
        document = self._session.project.document
        refusal = ErrorBounds.why_not(document)
        self.all_bounds.setEnabled(refusal is None)
        if refusal is not None:
            self._request.cancel()
            self._shown = None
            self.verdict.setText(str(refusal))
            return
        subject = ErrorBounds.facts.reads.of(document)
        if subject == self._shown or not self.isVisible():
            return
        self._shown = subject
        self.verdict.setText("Being worked out…")
        question = ErrorBounds()

        def take(answer: BoundsResult) -> None:
            view = show(question, answer, Labels.of(document))
            self.verdict.setText(view.sentences[0])

        self._request.ask(
            document,
            question,
            on_result=take,
            on_error=lambda refusal: self.verdict.setText(str(refusal)),
            is_wanted=lambda: subject == self._shown,
        )

    def open_bounds(self) -> QWidget:
        """Show every bound in a window of its own."""
        from gui.pages.compare.dialogs.studies import BoundsDialog

        dialog = BoundsDialog(self._session, self)
        dialog.show()
        return dialog
