"""Where folders of parts are read: this computer, or a Dask cluster, and whether that answers."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtWidgets import QDialog, QGridLayout, QPushButton, QWidget

from core.engine.messages import ClusterArguments, ClusterFacts
from gui.pauses import PAUSES
from gui.session.request import Request
from gui.session.session import Session
from gui.widgets import TextField, TextLabel
from gui.widgets.dialog import dialog_buttons, dialog_column
from payoff.counting import counted

WIDTH = 520
SAFETY = (
    "Whoever reaches a port of the cluster can run any program as its user. Start one on each "
    "machine: payoff scheduler, then payoff worker ADDRESS. Parts, and the folder, lie on a path "
    "that all machines share."
)
HERE = "Empty: this computer reads them."


class ClusterDialog(QDialog):
    """An address and a folder, and a line that says whether the cluster answers."""

    outlives_data = True  # it is about none that are open

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = session
        store = session.settings
        body = dialog_column(self, "Cluster for folders of parts", width=WIDTH)
        known = store.settings if store is not None else None
        self.address = self._line(known.cluster if known else "", "Address of the scheduler")
        self.address.setPlaceholderText("tcp://127.0.0.1:8786")
        self.folder = self._line(known.cluster_scratch if known else "", "Folder they all share")
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(8)
        grid.setColumnStretch(1, 1)
        for row, field in enumerate((self.address, self.folder)):
            grid.addWidget(TextLabel(field.accessibleName(), "quiet"), row, 0)
            grid.addWidget(field, row, 1)
        body.addLayout(grid)
        self.state = TextLabel(HERE, wraps=True)
        self.state.setAccessibleName("Whether the cluster answers")
        body.addWidget(self.state)
        body.addWidget(TextLabel(SAFETY, "note", wraps=True))
        body.addStretch(1)
        buttons, self.save = dialog_buttons(self, "Save", self.take)
        self.again = QPushButton("Ask again")
        self.again.setAutoDefault(False)
        self.again.clicked.connect(self._ask)
        buttons.addButton(self.again, buttons.ButtonRole.ActionRole)
        body.addWidget(buttons)
        self._request = Request(self, session.project, self._ask, pause=PAUSES.typed)
        for field in (self.address, self.folder):
            field.textChanged.connect(self._wait)
        self._ask()

    def _line(self, text: str, words: str) -> TextField:
        line = TextField(text)
        line.setAccessibleName(words)
        return line

    def arguments(self) -> ClusterArguments:
        """What is typed."""
        address, folder = (line.text().strip() for line in (self.address, self.folder))
        return ClusterArguments(address=address, folder=folder)

    def _wait(self) -> None:
        self._request.cancel()
        self._say("Being asked.", "quiet")
        self._request.renew_later()

    def _ask(self) -> None:
        """Ask whether the cluster answers."""
        arguments = self.arguments()
        self.again.setEnabled(bool(arguments.address))
        if not arguments.address:
            self._say(HERE, "quiet")
            return
        self._say("Being asked.", "quiet")
        self._request.run(
            "cluster",
            arguments,
            ClusterFacts,
            on_result=self._show,
            on_error=lambda refusal: self._say(str(refusal), "loss"),
        )

    def _show(self, facts: ClusterFacts) -> None:
        workers = counted(facts.workers, "worker")
        threads = counted(facts.threads, "thread")
        self._say(f"It answers: {workers}, {threads}, Payoff {facts.version}.", "gain")

    def _say(self, words: str, role: str) -> None:
        self.state.setText(words)
        self.state.set_role(role)

    def take(self) -> None:
        """Remember both, answered or not: a cluster may be started later."""
        store, typed = self.session.settings, self.arguments()
        if store is not None:
            changed = replace(store.settings, cluster=typed.address, cluster_scratch=typed.folder)
            store.change(changed)
        self.accept()
