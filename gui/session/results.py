"""What the engine has worked out of the project, and the cursor that reads it.

Widgets hold no truth. A change of the document asks for what depends on it: totals at once, the
metric table and resamples after a pause, so that a drag does not start them over and over.

Whatever is shown is of the present document or says that it is not. Other data take every result
away at once; another change makes it stale (``freshness_changed``), and pages grey it until its
answer is there; a refusal takes it away and gives the reason.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from core.document.commands import MoveCursor
from core.document.data.model import MissingOutcomesError
from core.document.model import Document
from core.document.views import MODELS
from gui.pauses import PAUSES, single_shot
from gui.session.outcome_watch import OutcomeWatch
from gui.session.request import NotFinishedError, Request

if TYPE_CHECKING:
    from core.document.data.results import TableSummary
    from core.document.results import (
        CursorReading,
        DecisionResult,
        EvaluationResult,
        ModelProfit,
        ResampleResult,
    )
    from gui.session.project import Project

RESAMPLES = 1000
UNDECIDED_DEPTH = 0.1  # where the cursor stands while nothing is decided


class Results(QObject):
    """Totals, metric table and resamples of a project, and its cursor.

    Attributes
    ----------
    evaluated, decided : Document or None
        What the metric table and the totals on screen were worked out from.
    refusals : mapping of job kind to text
        Why there is no metric table ("evaluate") or no totals ("decide").
    outcomes : OutcomeWatch
        Whether rows without an outcome must be asked about before anything is worked out.
    """

    freshness_changed = Signal()  # results have become stale, or are fresh again
    evaluation_changed = Signal(object)  # EvaluationResult | None
    decisions_changed = Signal(object)  # DecisionResult | None
    reading_changed = Signal(object)  # CursorReading
    resamples_changed = Signal(object)  # ResampleResult | None
    cursor_moved = Signal(float)
    pinned_changed = Signal(object)  # float | None
    settled = Signal()  # everything asked for has been computed, or has failed
    working_changed = Signal(bool)  # totals on screen are being computed again

    def __init__(self, project: Project) -> None:
        super().__init__(project)
        self._project = project
        self.evaluation: EvaluationResult | None = None
        self.decisions: DecisionResult | None = None
        self.resamples: ResampleResult | None = None
        self.resampled_at: float | None = None  # the depth that they were drawn at
        self.reading: CursorReading | None = None
        self.evaluated: Document | None = None
        self.decided: Document | None = None
        self.refusals: dict[str, str] = {}
        self.pinned_depth: float | None = None
        self._live_depth: float | None = None
        self._document_depth = project.document.cursor_depth  # as the document said it last
        self._decide_key: Document | None = None  # what was asked last
        self._evaluate_key: Document | None = None
        self._decided_key: Document | None = None  # what the result on screen was asked of
        self._evaluated_key: Document | None = None
        self._plugin_round = 0  # answers of jobs begun before plugins changed are not taken
        self._level: str | None = None
        self._decide = Request(self, project, self._send_decide)
        self._read = Request(self, project, self._send_cursor)
        self._evaluate = Request(self, project)
        self._is_evaluation_held = False  # until the first totals are there
        self._resample = Request(self, project)
        self._evaluate_timer = single_shot(self, PAUSES.metrics, self._send_evaluate)
        self._resample_timer = single_shot(self, PAUSES.resamples, self._send_resample)
        self._first_timer = single_shot(self, PAUSES.first_totals, self._request_results)
        self._follow_project()

    def _follow_project(self) -> None:
        """Hear of changes before any page does, and ask once all pages have heard of them."""
        project = self._project
        project.data_changed.connect(self._leave_data)
        project.document_changed.connect(self._let_cursor_go)
        self.outcomes = OutcomeWatch(project)
        self.outcomes.changed.connect(self._request_results)
        project.change_reported.connect(self._follow_change)
        for timer in self._pauses():  # connected last: their own work comes first
            timer.timeout.connect(self._tell_settled)
        project.jobs.job_ended.connect(self._tell_settled)

    # ------------------------------------------------------------ changes of the project

    def take_summary(self, summary: TableSummary, *, is_first: bool = False) -> None:
        """Tell what the data are, and work out what follows; of new data after a moment."""
        self._decide_key = self._evaluate_key = None
        if is_first:
            self._first_timer.start()
        self._project.take_summary(summary)
        if not is_first:
            self._request_results()

    def _leave_data(self) -> None:
        """Take away everything that was worked out from other data."""
        self._live_depth = self._level = None
        self._forget_results()
        self.set_pinned(None)

    def _let_cursor_go(self, document: Document) -> None:
        """A depth that the document says stands in the place of one that is dragged."""
        if document.cursor_depth != self._document_depth:
            self._document_depth = document.cursor_depth
            self._live_depth = None

    def _follow_change(self, before: Document) -> None:
        self.freshness_changed.emit()
        if self._project.document.cursor_depth != before.cursor_depth:
            self.cursor_moved.emit(self.cursor_depth)
            self.read_cursor()
        self._request_results()

    # ------------------------------------------------------------ what is of the present document

    @property
    def decisions_are_fresh(self) -> bool:
        """Whether the totals on screen are of the document as it is; True where there are none."""
        key = self._decided_key if self.decisions is not None else None
        return key is None or key == totals_key(self._project.document)

    @property
    def evaluation_is_fresh(self) -> bool:
        """Whether the metric table is of the document as it is; True where there is none."""
        key = self._evaluated_key if self.evaluation is not None else None
        return key is None or key == comparison_key(self._project.document)

    def is_of_other_models(self, shown: Document | None) -> bool:
        """Whether figures were worked out from other models or another outcome than there are."""
        if shown is None:
            return False
        then, now = MODELS.of(shown), MODELS.of(self._project.document)
        return (then.models, then.target, then.data) != (now.models, now.target, now.data)

    def evaluation_of(self, model: str) -> EvaluationResult | None:
        """The metric table, as far as its figures of a model are of the model and rows there are.

        A name says nothing: another model may bear it by now.
        """
        now = self._project.document
        shown = self.evaluated or now
        if shown.model(model) != now.model(model):
            return None
        is_same = (shown.target, shown.split, shown.rows_used, shown.priors, shown.roles) == (
            now.target,
            now.split,
            now.rows_used,
            now.priors,
            now.roles,
        )
        return self.evaluation if is_same else None

    # ------------------------------------------------------------ cursor

    @property
    def cursor_depth(self) -> float:
        """The depth of the shared cursor: dragged, or set, or where the rule of the model ends.

        Where nothing is decided, or not yet, it stands at the best tenth: at no case it would read
        nothing.
        """
        if self._live_depth is not None:
            return self._live_depth
        if self._project.document.cursor_depth is not None:
            return self._project.document.cursor_depth
        if self._project.document.matrix is None:
            return UNDECIDED_DEPTH
        chosen = self.chosen_profit()
        return chosen.resting_depth if chosen is not None else UNDECIDED_DEPTH

    def chosen_profit(self) -> ModelProfit | None:
        """The reference model under the matrix, or the first model."""
        if self.decisions is None or not self.decisions.models:
            return None
        wanted = self._project.document.reference_model
        models = self.decisions.models
        return next((entry for entry in models if entry.model == wanted), models[0])

    def move_cursor(self, depth: float | None, finished: bool = False) -> None:
        """Move the shared cursor; ``finished`` makes it an undo step. None = back to the rule."""
        if depth is None:
            self._live_depth = None
            self._project.execute(MoveCursor(depth=None))
            return
        depth = min(1.0, max(0.0, depth))
        if finished:
            moved = self._project.document.cursor_depth == depth and self._live_depth is not None
            self._live_depth = None
            self._project.execute(MoveCursor(depth=depth))
            self._project.finish_editing()
            if not moved:
                return
        else:
            self._live_depth = depth
        self.cursor_moved.emit(self.cursor_depth)
        self.read_cursor()

    def read_cursor(self) -> None:
        """Ask for exact values at the cursor; one request at a time, the newest follows."""
        if self.decisions is not None and totals_key(self._project.document) is not None:
            self._read.renew()
            self._resample_timer.start()

    def set_pinned(self, depth: float | None) -> None:
        """Pin a second, fixed cursor for comparison; None takes it away."""
        if depth != self.pinned_depth:
            self.pinned_depth = depth
            self.pinned_changed.emit(depth)

    # ------------------------------------------------------------ what has to be computed

    def set_level(self, level: str | None) -> None:
        """Choose the class of one-against-rest charts."""
        if level != self._level:
            self._level = level
            self._evaluate_key = None
            self._request_results()

    @property
    def level(self) -> str | None:
        """The class of one-against-rest charts; None = the event."""
        return self._level

    def _request_results(self) -> None:
        if self._project.summary is None or self._first_timer.isActive():
            return
        is_waiting = self.outcomes.is_waiting  # for a word on rows without an outcome
        key = None if is_waiting else totals_key(self._project.document)
        is_stale = key is None and self.decisions is not None  # of the file that was open before
        if key != self._decide_key or is_stale:
            self._decide_key = key
            if key is None:
                self._set_decisions(None)
            else:
                self.refusals["decide"] = ""
                self.working_changed.emit(True)
                if not _is_short(self._project.document):
                    self._decide.cancel()  # a long read whose answer nobody waits for
                self._decide.renew()
        wanted = None if is_waiting else comparison_key(self._project.document)
        is_stale = wanted is None and self.evaluation is not None
        if wanted != self._evaluate_key or is_stale:
            self._evaluate_key = wanted
            if wanted is None:
                self._evaluate_timer.stop()
                self._set_evaluation(None)
            else:
                self.refusals["evaluate"] = ""
                self._evaluate_timer.start()

    def evaluate_again(self) -> None:
        """Compute metric table and totals anew: a plugin's file has changed.

        What does not depend on it comes from the store of results. Jobs under way may have begun
        with the file as it was: what they still answer is not taken.
        """
        self._plugin_round += 1
        self._evaluate_key = self._decide_key = None
        self._request_results()

    def _forget_results(self) -> None:
        self._decide_key = self._evaluate_key = None
        self._is_evaluation_held = False
        self._evaluate_timer.stop()
        self._resample_timer.stop()
        self._evaluate.cancel()
        self._resample.cancel()
        self._set_decisions(None)
        self._set_evaluation(None)

    def _send_decide(self) -> None:
        from core.questions import decide

        key, requested = totals_key(self._project.document), self._plugin_round
        if key is None:
            return

        def is_fresh() -> bool:
            return (key, requested) == (self._decide_key, self._plugin_round)

        def on_result(result: DecisionResult) -> None:
            self._project.withdraw("decide")
            self._set_decisions(result, key)

        def on_error(refusal: Exception) -> None:
            self._take_refusal(refusal, "decide")
            if isinstance(refusal, NotFinishedError) and self.decisions is not None:
                self.working_changed.emit(False)  # what there was stays, and says that it is stale
            else:
                self._set_decisions(None, refusal=str(refusal))

        self._decide.ask(
            self._project.document,
            decide.Totals(),
            on_result=on_result,
            on_error=on_error,
            on_end=lambda _: self._send_evaluate() if self._is_evaluation_held else None,
            is_wanted=is_fresh,
        )

    def _take_refusal(self, error: Exception, kind: str) -> None:
        """Rows without an outcome are asked about above the page; until then: no numbers."""
        is_asked = self.outcomes.is_waiting
        if not (is_asked and isinstance(error, MissingOutcomesError)):
            self._project.post(error, about=kind)
            return
        self._set_decisions(None)
        self._set_evaluation(None)

    def _set_decisions(
        self, result: DecisionResult | None, key: Document | None = None, refusal: str = ""
    ) -> None:
        had_none = self.decisions is None
        self.decisions = result
        self._decided_key = key
        self.refusals["decide"] = refusal
        self.decided = self._project.document if result is not None else None
        self.reading = result.at_rest if result is not None else None  # not of the totals before
        self.resamples = None
        self.resamples_changed.emit(None)
        self.decisions_changed.emit(result)
        self.working_changed.emit(False)
        self.freshness_changed.emit()
        if result is None:
            return
        if had_none or self._project.document.cursor_depth is None:
            self.cursor_moved.emit(self.cursor_depth)
        self.read_cursor()

    def _send_cursor(self) -> None:
        from core.questions import decide

        if self.decisions is None:
            return
        if not (self.decisions_are_fresh or _is_short(self._project.document)):
            return  # a depth is read of totals that are there: else it would wait for all rows
        key, depth, requested = self._decide_key, self.cursor_depth, self._plugin_round

        def on_result(result: CursorReading) -> None:
            self._project.withdraw("cursor")
            self.reading = result
            self.reading_changed.emit(result)

        self._read.ask(
            self._project.document,
            decide.AtDepth(depth=depth, with_differences=self._live_depth is None),
            on_result=on_result,
            on_error=lambda refusal: self._take_refusal(refusal, "cursor"),
            is_wanted=lambda: (key, requested) == (self._decide_key, self._plugin_round),
        )

    def _send_evaluate(self) -> None:
        from core.questions import compare

        key, requested, level = (
            comparison_key(self._project.document),
            self._plugin_round,
            self._level,
        )
        is_first = self.decisions is None and self._decide.is_busy
        # The first totals have the engine to themselves.
        self._is_evaluation_held = is_first and _is_short(self._project.document)
        if key is None or self._is_evaluation_held:
            return
        known = self.evaluation if self._evaluated_key == key else None

        def take(result: EvaluationResult) -> None:
            self._project.withdraw("evaluate")
            self._set_evaluation(result, key)

        def is_fresh() -> bool:
            now = (self._evaluate_key, self._plugin_round, self._level)
            return (key, requested, level) == now

        def on_error(refusal: Exception) -> None:
            self._take_refusal(refusal, "evaluate")
            has_part = self.evaluation is not None and self._evaluated_key == key
            if isinstance(refusal, NotFinishedError) and has_part:
                return
            if known is None or self.evaluation is not known:  # what is known of these stays
                self._set_evaluation(None, refusal=str(refusal))

        self._evaluate.ask(
            self._project.document,
            compare.CompareModels(level=self._level, resamples=RESAMPLES),
            on_result=take,
            on_partial=take,
            on_error=on_error,
            is_wanted=is_fresh,
        )

    def _set_evaluation(
        self, result: EvaluationResult | None, key: Document | None = None, refusal: str = ""
    ) -> None:
        self.evaluation = result
        self._evaluated_key = key
        self.refusals["evaluate"] = refusal
        self.evaluated = self._project.document if result is not None else None
        self.evaluation_changed.emit(result)
        self.freshness_changed.emit()

    def _send_resample(self) -> None:
        from core.questions import decide

        if self.decisions is None or self._live_depth is not None:
            return
        if decide.Resamples.why_not(self._project.document) is not None:
            return
        key, depth, requested = self._decide_key, self.cursor_depth, self._plugin_round

        def on_result(result: ResampleResult) -> None:
            self._project.withdraw("resample")
            self.resamples, self.resampled_at = result, depth
            self.resamples_changed.emit(result)

        def is_fresh() -> bool:
            now = (self._decide_key, self._plugin_round, self.cursor_depth)
            return (key, requested, depth) == now

        self._resample.ask(
            self._project.document,
            decide.Resamples(depth=depth, resamples=RESAMPLES),
            on_result=on_result,
            on_error=lambda refusal: self._take_refusal(refusal, "resample"),
            is_wanted=is_fresh,
        )

    @property
    def is_settled(self) -> bool:
        """Whether everything the document asks for has been computed, or has failed."""
        if self._is_evaluation_held or any(timer.isActive() for timer in self._pauses()):
            return False
        return not self._project.jobs.open_entries(titled=False)

    def _pauses(self) -> tuple[QTimer, ...]:
        return self._first_timer, self._evaluate_timer, self._resample_timer

    def _tell_settled(self) -> None:
        if self.is_settled:
            self.settled.emit()


def _is_short(document: Document) -> bool:
    """Whether the totals are there soon: they are, unless data are read in pieces."""
    from core.questions.decide import Totals

    return Totals.facts.lane_of(document).is_short


def totals_key(document: Document) -> Document | None:
    """What the totals depend on; None where nothing can be decided yet."""
    from core.questions.decide import Totals

    return Totals.key(document)


def comparison_key(document: Document) -> Document | None:
    """What metric table and charts depend on; None where there is nothing to compare yet."""
    from core.questions.compare import CompareModels

    return CompareModels.key(document)
