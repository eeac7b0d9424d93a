"""Charts over the chance that a model gives: calibration and the distribution of scores."""

from __future__ import annotations

import numpy as np

from core.document.results import EvaluationResult
from core.document.wording import format_share, format_threshold
from core.presentation.evaluation import says_chances
from core.presentation.labels import Labels, capitalised
from gui.charts.evaluation.evaluation_charts import EvaluationChart
from gui.charts.readings import (
    depth_of_threshold,
    threshold_words,
    value_at,
)
from gui.charts.spec import (
    Chart,
    CursorState,
    ReadingLine,
)


class ThresholdChart(EvaluationChart):
    """Base of the charts whose x is a chance: the cursor stands at the chosen model's threshold."""

    def threshold_at(self, depth: float) -> float:
        """The chosen model's threshold at a depth."""
        chosen = self.chosen_depths()
        if chosen is None or self._result is None or not chosen.has_chances:
            return np.nan
        return self.reader(self._result).threshold(chosen, depth)

    def ranked_depth_at(self, x: float) -> float | None:
        chosen = self.chosen_depths()
        if chosen is None or not chosen.has_chances:
            return None
        return depth_of_threshold(chosen, x)


class CalibrationChart(ThresholdChart):
    """Predicted chance against what happened; the cursor is the threshold."""

    kind = "calibration"

    def state_of(self, result: EvaluationResult, look: Labels, depth: float) -> CursorState:
        threshold = self.threshold_at(depth)
        spec = self.view.spec
        verdicts = [short_verdict(note) for note in spec.notes] if spec is not None else []
        notes = [part for verdict in verdicts for part in verdict.split("; ")]
        return CursorState(
            x=threshold if np.isfinite(threshold) else None,
            head=_cut_words(look, threshold)
            if np.isfinite(threshold)
            else f"{look.chosen}: no chances",
            note="",
            lines=tuple(ReadingLine(name=note, value="", series=None) for note in notes if note),
        )

    def tip(self, x: float, y: float) -> str:
        spec = self.view.spec
        if spec is None:
            return ""
        rows = [f"predicted {format_share(x)}"]
        for entry in spec.series:
            if float(entry.x[0]) <= x <= float(entry.x[-1]):
                rows.append(f"{entry.name}: {format_share(value_at(entry.x, entry.y, x))}")
        return "\n".join(rows)


class ScoreDistributionChart(ThresholdChart):
    """Who gets which chance: bars of events and others for the chosen model."""

    kind = "score_distribution"

    def make_spec(self) -> Chart | None:
        if self._has_chosen():
            return super().make_spec()
        self.set_empty("Who gets which chance?", "")
        return None

    def set_empty(self, title: str, sentence: str, button: str = "") -> None:
        if not self._has_chosen() and self._look is not None:
            words = "%s is a score without chances: it only ranks cases."
            sentence = words % self._look.chosen
        super().set_empty(title, sentence, button)

    def _has_chosen(self) -> bool:
        """Whether the chosen model says chances."""
        if self._result is None or self._look is None:
            return True
        return says_chances(self._result, self._look.chosen)

    def state_of(self, result: EvaluationResult, look: Labels, depth: float) -> CursorState:
        chosen = self.chosen_depths()
        assert chosen is not None
        threshold = self.threshold_at(depth)
        reader = self.reader(result)
        found, others = reader.whole_shares(chosen, depth)
        values = (
            (look.event, found, look.series_of(look.chosen)),
            (look.others, others, -1),
        )
        return CursorState(
            x=threshold if np.isfinite(threshold) else None,
            head=capitalised(threshold_words(threshold)),
            note="",
            lines=tuple(
                ReadingLine(
                    name=name,
                    value=format_share(share),
                    series=series,
                    is_bar=True,
                    is_hidden=name in self.hidden,
                )
                for name, share, series in values
            ),
        )


def _cut_words(look: Labels, threshold: float) -> str:
    """Where acting begins: "Mail above 6.25 %"; of several classes only the chance is said."""
    if look.is_apart:
        return capitalised(threshold_words(threshold))
    words = "%s below %s" if look.is_reversed else "%s above %s"
    return words % (look.acting, format_threshold(threshold))


def short_verdict(note: str) -> str:
    """The engine's verdict in the few words that a box holds; nothing where all is well.

    >>> short_verdict("agency: chances are too low around 4 % to 12 %.")
    'agency too low, 4 % to 12 %'
    """
    if ": chances are " not in note:
        return ""
    return note.rstrip(".").replace(": chances are ", " ").replace(" around ", ", ")
