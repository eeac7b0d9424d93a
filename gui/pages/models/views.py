"""What is looked at of the model in view: how it learned, its predicted ranges, their coverage."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from core.document.studies.quantiles import QuantilesResult
from core.engine.messages import Ask
from core.presentation.chart import Chart
from core.presentation.labels import Labels
from core.presentation.showing import show
from core.presentation.view import View
from core.questions.explain import QuantileCheck
from gui.charts.shown_chart import ShownChart
from gui.pages.models.learned.learning import LearningChart
from gui.pages.models.learned.tree_bar import TreeBar
from gui.session.request import Request
from gui.session.session import Session
from gui.widgets import Segments, TextLabel

LEARNING, RANGES, COVERAGE = "learning", "ranges", "coverage"


class ModelViews(QWidget):
    """The charts behind each other; the choice is there for models that predict quantiles."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._key: object = None
        self._model, self._series = "", 0
        self._request = Request(self, session.project)
        self.learning = LearningChart()
        self.bar = TreeBar()
        self.learning.add_below(self.bar)
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

    def show_model(self, name: str, series: int, *, has_ranges: bool) -> None:
        """Show another model, or the same one on other rows."""
        self._model, self._series = name, series
        self._row.setVisible(has_ranges)
        if not has_ranges:
            self.choice.choose(LEARNING)
        self._show()

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
