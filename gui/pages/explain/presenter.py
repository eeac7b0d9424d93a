"""Which model and inputs page Explain looks at, what it asks of the engine, and what came back."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping
from dataclasses import replace

from PySide6.QtCore import QObject, Signal

from core.document.model import Role
from core.document.training_results import (
    DependenceCurve,
    DependenceMap,
    ExplainResult,
    Interaction,
)
from core.engine.messages import JobOutcome
from core.questions.explain import Explain
from gui.pages.explain.words import GAIN, SHUFFLING
from gui.session.request import NotFinishedError, Request
from gui.session.session import Session


class ExplainPresenter(QObject):
    """Asks for what is looked at and not known yet: influence, then the curve, then the map.

    Answers are kept for the session, by the model's file and the rows they were worked out on.
    Nothing is asked that nobody looks at: ``is_looked_at`` says whether the page is in view; the
    report may want answers too.
    """

    inputs_changed = Signal()  # which inputs there are to look at, or how they act together
    changed = Signal()  # anything that is shown

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.model = ""
        self.column = ""
        self.second = ""
        self.measure = GAIN
        self._known: dict[Hashable, ExplainResult] = {}  # without charts
        self._curves: dict[tuple[Hashable, str], DependenceCurve] = {}
        self._maps: dict[tuple[Hashable, str, str], DependenceMap] = {}
        self._together: dict[tuple[Hashable, str], dict[str, Interaction]] = {}  # and by input
        self._requested: set[object] = set()  # so that nothing is asked for twice
        self._refusals: dict[object, str] = {}  # of what was asked for
        self._request = Request(self, session.project, self._send)
        self._running: object = None  # what the job that works is about
        self.is_looked_at: Callable[[], bool] = lambda: True

    # ------------------------------------------------------------ what is known

    def trained(self) -> tuple[str, ...]:
        """Names of the models that can be explained."""
        return tuple(e.name for e in self.session.project.document.models if e.trained is not None)

    def known(self) -> ExplainResult | None:
        """What has been worked out of the model that is looked at, charts aside."""
        return self._known.get(self._key())

    def is_shuffled(self) -> bool:
        """Whether it is known what shuffling each input costs."""
        known = self.known()
        return known is not None and _is_shuffled(known)

    def answered(self, output: int) -> tuple[tuple[Explain, ExplainResult], ...]:
        """What is known of what is looked at: the influence, the curve, the map.

        Each is a question with its answer, for one class of the outcome.
        """
        known, curve, pair = self.known(), self.curve(), self.pair()
        if known is None:
            return ()
        known = replace(known, model=self.model)  # kept by content: it may have had another name
        shown, usual = replace(known, usual_output=output), known.usual_output
        requested = Explain(model=self.model, output=None if output == usual else output)
        found = [(replace(requested, shuffles=self.is_shuffled(), output=None), known)]
        if curve is not None:
            request = replace(requested, columns=(curve.column,))
            found.append((request, replace(shown, curves=(curve,))))
        if pair is not None:
            found.append((replace(requested, pairs=(pair.columns,)), replace(shown, maps=(pair,))))
        return tuple(found)

    def curve(self) -> DependenceCurve | None:
        """How the prediction depends on the input looked at, once it is known."""
        return self._curves.get((self._key(), self.column))

    def pair(self) -> DependenceMap | None:
        """The map of both inputs, once it is known."""
        return self._maps.get((self._key(), self.column, self.second))

    def partners(self) -> Mapping[str, Interaction]:
        """How much other inputs act together with the one looked at, as far as it is known."""
        return self._together.get((self._key(), self.column), {})

    def other_inputs(self) -> list[str]:
        """The inputs that the one looked at may be shown with, the strongest first."""
        return [column for column in self._inputs() if column != self.column]

    def _inputs(self) -> list[str]:
        known = self.known()
        influence = known.influence if known is not None else ()
        used = [entry.column for entry in influence if entry.influence > 0]
        return used or [entry.column for entry in influence]

    def _key(self) -> Hashable:
        """What answers depend on: the model by its content, and the rows; None without a model."""
        document = self.session.project.document
        trained = document.trained_model(self.model)
        if trained is None:
            return None
        rows = (document.data, document.split, document.rows_used, document.missing_outcomes)
        columns = document.column_of(Role.ROW_USE), document.column_of(Role.WEIGHT)
        return replace(trained, name=""), document.target, columns, rows, document.seed

    def refusal(self) -> str:
        """Why what is looked at is not there; empty while it may still come."""
        request = self._missing()
        return self._refusals.get(self._name_of(self._key(), request), "") if request else ""

    # ------------------------------------------------------------ choosing

    def follow_document(self) -> None:
        """Keep to a model that can be explained, the newest if the one looked at is gone."""
        names = self.trained()
        if self.model not in names:
            self.model = names[-1] if names else ""
        if names:
            self._settle_inputs()

    def open_model(self, model: str) -> None:
        """Explain another model; the inputs looked at stay where it has them."""
        self.model = model
        self._requested.clear()

    def choose(self, column: str) -> None:
        """Look at another input; the second one is the next strongest."""
        self.column = column
        self._requested.clear()  # what failed may be tried again
        if self.second == column:
            self.second = ""
        self._settle_inputs()
        self.ask()

    def choose_second(self, column: str) -> None:
        """Take another input for the map."""
        self.second = column
        self._requested.clear()
        self.ask()

    def choose_measure(self, measure: str) -> None:
        """Take another measure of importance."""
        self.measure = measure
        self._requested.clear()
        self.ask()

    def forget(self) -> None:
        """Drop what is known: other rows may have been looked at."""
        for kept in (self._known, self._curves, self._maps, self._together):
            kept.clear()

    def _settle_inputs(self) -> None:
        """Keep both inputs among those of the model, the strongest first."""
        if self._key() not in self._known:
            return
        columns = self._inputs()
        if self.column not in columns:
            self.column = columns[0] if columns else ""
        others = self.other_inputs()
        if self.second not in others:
            self.second = others[0] if others else ""
        self.inputs_changed.emit()

    # ------------------------------------------------------------ asking

    def ask(self) -> None:
        """Show what is known, and ask for the next thing that is not."""
        self.changed.emit()
        if self.session.project.summary is None or not self.is_looked_at():
            return
        request = self._next_request()
        if request is None:
            return
        if self._request.is_under_way and self._running != self._name_of(self._key(), request):
            self._request.cancel()  # something else is looked at now
            self._requested.discard(self._running)
        self._request.renew()

    def _next_request(self) -> Explain | None:
        request = self._missing()
        is_new = request is not None and self._name_of(self._key(), request) not in self._requested
        return request if is_new else None

    def _missing(self) -> Explain | None:
        """What is looked at and not known yet."""
        key = self._key()
        if key is None:
            return None
        if key not in self._known:
            return Explain(model=self.model)
        if self.measure == SHUFFLING and not self.is_shuffled():
            return Explain(model=self.model, shuffles=True)
        if self.column and self.curve() is None:
            return Explain(model=self.model, columns=(self.column,))
        if self.second and self.pair() is None:
            pair = (self.column, self.second)
            return Explain(model=self.model, pairs=(pair,))
        if self.second and (key, self.column) not in self._together:
            return Explain(model=self.model, together=(self.column,))
        return None

    @staticmethod
    def _name_of(key: Hashable, request: Explain) -> object:
        return (key, request.columns, request.pairs, request.together, request.shuffles)

    def _send(self) -> None:
        request, key = self._next_request(), self._key()
        if request is None:
            return
        name = self._running = self._name_of(key, request)
        self._requested.add(name)
        self._refusals.pop(name, None)

        def on_result(result: ExplainResult) -> None:
            self._take(key, result)
            self.ask()

        def on_error(refusal: Exception) -> None:
            self._refusals[name] = str(refusal)
            if isinstance(refusal, NotFinishedError):
                self.changed.emit()
            else:
                self.session.project.post(refusal, about="explain")
                self.ask()

        def on_end(outcome: JobOutcome) -> None:
            if outcome.error is None or name not in self._refusals:
                self._requested.discard(name)  # asked again at the next look, not at once

        self._request.ask(
            self.session.project.document,
            request,
            on_result=on_result,
            on_error=on_error,
            on_end=on_end,
            is_wanted=lambda: key == self._key(),
        )

    def _take(self, key: Hashable, result: ExplainResult) -> None:
        earlier, found = self._known.get(key), result
        if earlier is not None and _is_shuffled(earlier) and not _is_shuffled(result):
            found = replace(found, influence=earlier.influence, shuffled_rows=earlier.shuffled_rows)
        self._known[key] = replace(found, curves=(), maps=(), interactions=())
        trained = self.session.project.document.trained_model(self.model)
        if trained is not None:
            self.session.project.withdraw("explain")
            self.session.influence.take(trained, result)
        for curve in result.curves:
            self._curves[key, curve.column] = curve
        for pair in result.maps:
            self._maps[(key, *pair.columns)] = pair
        for entry in result.interactions:
            partners = self._together.setdefault((key, entry.columns[0]), {})
            partners[entry.columns[1]] = entry
        self._settle_inputs()
        self.changed.emit()


def _is_shuffled(result: ExplainResult) -> bool:
    return any(math.isfinite(entry.shuffled) for entry in result.influence)
