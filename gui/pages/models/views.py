"""What is looked at of the model in view: how it learned, its predicted ranges, their coverage."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QPushButton, QStackedWidget, QVBoxLayout, QWidget

from core.document.studies.compare import QuantilesResult
from core.engine.messages import Ask
from core.presentation.charts.chart import Chart
from core.presentation.labels import Labels
from core.presentation.making_views import show
from core.presentation.view import View
from core.questions.explain import QuantileCheck
from gui.charts.shown_chart import ShownChart
from gui.pages.models.learned.learned_curves import LearnedCurves
from gui.pages.models.learned.learning import LearningChart
from gui.pages.models.learned.tree_bar import TreeBar
from gui.pages.models.words import no_curves_words
from gui.session.request import Request
from gui.session.session import Session
from gui.session.training import RunningTraining
from gui.theme import icon
from gui.widgets import Segments, TextLabel
from payoff.counting import counted

LEARNING, RANGES, COVERAGE = "learning", "ranges", "coverage"


class ModelViews(QWidget):
    """The charts behind each other; the choice is there for models that predict quantiles."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._key: object = None
        self._model, self._series = "", 0
        self._invitation = ("", "", "")
        self._request = Request(self, session.project)
        self._learned = LearnedCurves(session, self)
        self._learned.changed.connect(self._on_learned)
        self._build_learning()
        self.fan = ShownChart()
        self.coverage = ShownChart()
        self.view: View | None = None  # of the ranges
        self.choice = Segments(
            [
                (LEARNING, "Learning"),
                (RANGES, "Predicted ranges"),
                (COVERAGE, "Coverage"),
            ],
            name="What is shown of the model",
        )
        self.choice.choose(LEARNING)
        self.choice.chosen.connect(lambda _key: self._show())
        self.verdict = TextLabel("", "quiet", wraps=True)
        self._row = QWidget()
        row = QHBoxLayout(self._row)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(12)
        row.addWidget(self.choice)
        row.addWidget(self.verdict, 1)
        self._stack = QStackedWidget()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self._row)
        column.addWidget(self._stack, 1)
        for chart in (self.learning, self.fan, self.coverage):
            self._stack.addWidget(chart)
            chart.refused.connect(session.project.post)
        self._row.hide()

    def _build_learning(self) -> None:
        self.learning = LearningChart()
        self.learning.tree_read.connect(self._read_tree)
        self.bar = TreeBar()
        self.learning.add_below(self.bar)
        self.stop = QPushButton("")
        self.stop.setIcon(icon("stop", "error"))
        self.stop.setProperty("kind", "danger")
        self.stop.setProperty("small", "true")
        self.stop.hide()
        self.learning.add_header_button(self.stop)

    def show_model(
        self, name: str, series: int, *, has_ranges: bool, invitation: tuple[str, str, str]
    ) -> None:
        """Show another model, or the same one on other rows.

        ``invitation`` (title, sentence, button) stands there while there is none.
        """
        self._model, self._series, self._invitation = name, series, invitation
        self._show_learning()
        self._row.setVisible(has_ranges)
        if not has_ranges:
            self.choice.choose(LEARNING)
        self._show()

    # ------------------------------------------------------------ how it learned

    def _on_learned(self, name: str) -> None:
        if name == self._model:
            self._show_learning()

    def _show_learning(self) -> None:
        """The curves of the model in view, or what stands there without any."""
        running = self._session.trainings.find(self._model)
        trained = self._session.project.document.trained_model(self._model)
        if running is None and trained is not None:
            self._learned.ask(self._model, is_looked_at=self.isVisible())
        learning, entry = self._learned.learning(self._model, self._series)
        labels, choices = self._labels(), self._learned.choices(self._model)
        self.learning.show_learning(learning, entry, labels)
        self.bar.show_learning(learning, None if running else trained, choices, labels)
        self.stop.setVisible(running is not None)
        if running is not None:
            done = running.curves.done if running.curves is not None else 0
            words = f"Stop, keep {counted(done, 'tree')}" if done else "Stop"
            self.stop.setText("Stopping" if running.is_stopping else words)
            self.stop.setEnabled(not running.is_stopping)
        if learning is None:
            self.learning.set_empty(*self._empty_words(running))

    def _empty_words(self, running: RunningTraining | None) -> tuple[str, str, str]:
        name = self._model
        if running is not None:
            return f"{name} begins", "Its curves stand here as soon as it has grown a tree.", ""
        if name:
            refusal = self._learned.refusal(name)
            return name, refusal or no_curves_words(self._session.project.document, name), ""
        return self._invitation

    def _read_tree(self, tree: int) -> None:
        """Say what a number of trees brings while the cursor is dragged over it."""
        learning = self.learning.learning
        if learning is not None and not learning.is_running:
            self.bar.show_tree(learning, self._labels(), tree)

    def _labels(self) -> Labels:
        return Labels.of(self._session.project.document, self._session.results.decisions)

    # ------------------------------------------------------------ its predicted ranges

    def ranges_view(self) -> View | None:
        """What is shown of the ranges, while they are of the model and the document as they are."""
        return self.view if self._key == self._present() else None

    def _present(self) -> object:
        return self._series, Ask.of(
            self._session.project.document, QuantileCheck(model=self._model)
        )

    def _show(self) -> None:
        key = self.choice.choice()
        self._stack.setCurrentIndex((LEARNING, RANGES, COVERAGE).index(key))
        self.verdict.setVisible(key != LEARNING)
        if key != LEARNING and self.isVisible():
            self._ask()

    def _ask(self) -> None:
        """Ask for the ranges unless they are those that were asked for last."""
        key = self._present()
        if key == self._key:
            return
        self._key = key
        document, question = self._session.project.document, QuantileCheck(model=self._model)
        self._show_view(None, "Being worked out.")

        def on_result(result: QuantilesResult) -> None:
            self._show_view(show(question, result, Labels.of(document)))

        self._request.ask(
            document,
            question,
            on_result=on_result,
            on_error=lambda refusal: self._show_view(None, str(refusal)),
            is_wanted=lambda: key == self._key,
        )

    def _show_view(self, view: View | None, words: str = "") -> None:
        self.view = view
        charts: tuple[Chart | None, ...] = (None, None) if view is None else view.charts
        for card, chart in zip((self.fan, self.coverage), charts, strict=True):
            card.show_chart(chart)
            card.set_empty(f"Predicted ranges of {self._model}", words)
        self.verdict.setText("" if view is None else " ".join(view.sentences))
        self.verdict.setToolTip("" if view is None else view.subtitle)
