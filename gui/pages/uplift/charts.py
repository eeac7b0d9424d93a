"""The two charts of page Uplift: what treating the best brings, and who wins at which price."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from core.document.studies.uplift import UpliftModelResult, UpliftResult
from core.document.wording import format_money, format_share
from core.presentation.scales import extent
from gui.pages.uplift.gain_words import gained_at
from gui.pages.uplift.words import UpliftWords
from gui.plots.card import ChartCard
from gui.plots.own_chart import OwnChart
from gui.plots.spec import (
    AxisSpec,
    BaselineSpec,
    Chart,
    CursorState,
    ReadingLine,
    Ring,
    SeriesSpec,
)
from payoff.counting import counted
from payoff.types import FloatArray


class UpliftChart(ChartCard):
    """Extra units of the outcome if the best n % are treated, on the shared cursor."""

    def __init__(self, parent: QWidget | None = None) -> None:
        self._result: UpliftResult | None = None
        self._words: UpliftWords | None = None
        self._chosen = ""
        self._shows_all = False
        self._shows_limits = False
        self._shows_other = False
        super().__init__(parent, is_compact=False)
        self._buttons["expand"].hide()

    def show_result(self, result: UpliftResult, words: UpliftWords, chosen: str) -> None:
        """Show another result, one model in front."""
        self._result, self._words, self._chosen = result, words, chosen
        self.refresh()

    def show_whole_bands(self, is_on: bool) -> None:
        """Bands that hold the whole curve instead of each depth on its own."""
        self._shows_all = is_on
        self.refresh()

    def show_limits(self, is_on: bool) -> None:
        """The perfect and the maximal line, where they are defined."""
        self._shows_limits = is_on
        self.refresh()

    def show_other_rows(self, is_on: bool) -> None:
        """The front model's curve on rows of another use, where there are such rows."""
        self._shows_other = is_on
        self.refresh()

    def cases_in_all(self) -> float:
        return self._result.cases if self._result is not None else 100.0

    def make_spec(self) -> Chart | None:
        result, words = self._result, self._words
        if result is None or words is None or not result.models:
            return None
        series = tuple(self._series(model) for model in result.models)
        lines = [line for s in series for line in (s.y, s.low, s.high) if line is not None]
        grey = self._further_lines()
        low, high = tight_extent([*lines, *(entry.y for entry in grey)])
        end = float(result.models[0].incremental[-1])
        ends = np.array([0.0, 1.0])
        bands = "whole curve, 95 %" if self._shows_all else "each depth, 95 %"
        return Chart(
            kind="uplift",
            title=f"Extra {words.units} if the best n % are treated",
            subtitle=f"{result.rows.text}, {'bands'} {bands}",
            x_axis=AxisSpec(
                label=f"share of {words.cases} treated, highest predicted uplift first",
                quantity="percent",
                low=0.0,
                high=1.0,
                first_word="best cases",
                last_word="all",
            ),
            y_axis=AxisSpec(label=f"Extra {words.units}", quantity="number", low=low, high=high),
            series=series,
            baselines=(
                BaselineSpec(
                    name="at random", x=ends, y=np.array([0.0, end]), label_at=0.4, side="below"
                ),
                BaselineSpec(
                    name="nobody",
                    x=ends,
                    y=np.zeros(2),
                    is_dashed=False,
                    label_at=1.0,
                    side="below",
                    needs_room=True,
                ),
                *grey,
            ),
            definition=(
                "Down to a depth, what the treated bring more than the control cases, were all of "
                "these cases treated: the sum of outcomes, each divided by the chance of its arm, "
                "treated less control. Cases of equal score share a straight line."
            ),
            variant=f"generalised, formulas (25) and (26); bands: {bands}",
            notes=tuple(line_words(key) for key in self._line_keys()),
            rows_text=result.rows.text,
            headroom=56,
            box_corner="bottom right",
        )

    def _line_keys(self) -> list[str]:
        """Which further lines are drawn."""
        result, model = self._result, self._front()
        keys = []
        if result is not None and self._shows_limits:
            keys += [entry.key for entry in result.references]
        if self._shows_other and model is not None and model.other is not None:
            keys.append(model.other.use)
        return keys

    def _further_lines(self) -> tuple[BaselineSpec, ...]:
        result, model = self._result, self._front()
        keys = self._line_keys()
        lines = []
        for entry in result.references if result is not None else ():
            if entry.key in keys:
                is_perfect = entry.key == "perfect"
                name = "perfect" if is_perfect else "maximal, nobody put off"
                lines.append(
                    BaselineSpec(
                        name=name,
                        x=entry.depth,
                        y=entry.incremental,
                        is_dashed=False,
                        label_at=0.5 if is_perfect else 0.62,
                    )
                )
        if model is not None and model.other is not None and model.other.use in keys:
            other = model.other
            name = f"{model.model} on {use_words(other.use)}"
            lines.append(
                BaselineSpec(
                    name=name,
                    x=other.depth,
                    y=other.incremental,
                    is_dashed=False,
                    label_at=0.72,
                    side="below",
                    needs_room=True,
                )
            )
        return tuple(lines)

    def _front(self) -> UpliftModelResult | None:
        models = self._result.models if self._result is not None else ()
        return next((model for model in models if model.model == self._chosen), None)

    def _series(self, model: UpliftModelResult) -> SeriesSpec:
        wide = self._shows_all and bool(np.isfinite(model.low_all).any())
        return SeriesSpec(
            name=model.model,
            series=model.series,
            x=model.depth,
            y=model.incremental,
            low=model.low_all if wide else model.low,
            high=model.high_all if wide else model.high,
            is_chosen=model.model == self._chosen,
        )

    def make_state(self, depth: float) -> CursorState | None:
        result, words = self._result, self._words
        if result is None or words is None or not result.models:
            return None
        lines, rings = [], []
        for model in result.models:
            value = gained_at(model, depth)
            lines.append(
                ReadingLine(
                    name=model.model,
                    value=words.amount(value),
                    series=model.series,
                    is_chosen=model.model == self._chosen,
                    is_hidden=model.model in self.hidden,
                )
            )
            if model.model not in self.hidden and math.isfinite(value):
                rings.append(Ring(x=depth, y=value, series=model.series, name=model.model))
        cases = counted(depth * result.cases, words.case, words.cases)
        head = f"Best {format_share(depth)}: {cases}"
        return CursorState(
            x=depth,
            head=head,
            note=f"extra {words.units}",
            lines=tuple(lines),
            rings=tuple(rings),
        )

    def depth_at(self, x: float, y: float) -> float | None:
        return x


def use_words(use: str) -> str:
    """Rows of a use: training rows, validation rows, test rows."""
    return {
        "train": "training rows",
        "validation": "validation rows",
        "test": "test rows",
    }[use]


def line_words(key: str) -> str:
    """What a further grey line is."""
    if key == "perfect":
        return (
            "Perfect: treated with the outcome first, control cases with it last. It reads the "
            "outcome, so no model reaches it; scikit-uplift's perfect Qini curve times N / |T|."
        )
    if key == "maximal":
        return (
            "Maximal: what is to be expected at best if the treatment puts nobody off. Those whom "
            "it moves are as large a share as the effect of all, and come first; scikit-uplift's "
            "negative_effect=False, on depths of both arms."
        )
    return (
        f"On {use_words(key)}: the same ranking there, scaled to as many cases. Tight "
        "validation (Radcliffe) is "
        "where both curves agree."
    )


def tight_extent(lines: list[FloatArray]) -> tuple[float, float]:
    """Ends of the axis that hold all lines; a dip of 3 % below zero earns no room of its own."""
    values = np.concatenate([line[np.isfinite(line)] for line in lines] or [np.zeros(1)])
    low, high = min(0.0, float(values.min(initial=0.0))), float(values.max(initial=0.0))
    if high <= low:
        return -1.0, 1.0
    return (low if low < -0.03 * high else 0.0), max(high, 0.0)


class PriceChart(OwnChart):
    """The best net gain of each model over the price of a contact; drag the line to try one."""

    price_moved = Signal(float)

    def __init__(self, parent: QWidget | None = None) -> None:
        self._result: UpliftResult | None = None
        self._words: UpliftWords | None = None
        self._contact = 0.0
        super().__init__(parent)
        self.setMinimumHeight(170)
        self.cursor_requested.connect(self._on_moved)

    def show_result(self, result: UpliftResult, words: UpliftWords, contact: float) -> None:
        """Show another result; the line stands at the present price."""
        self._result, self._words, self._contact = result, words, contact
        self.refresh()
        self.go_to(contact)

    def _on_moved(self, depth: float) -> None:
        spec = self.view.spec
        if spec is not None:
            self.price_moved.emit(depth * spec.x_axis.high)

    def make_spec(self) -> Chart | None:
        result, words = self._result, self._words
        if result is None or words is None or result.prices is None:
            return None
        prices = result.prices.axis
        low, high = extent(list(prices.gain))
        series = tuple(
            SeriesSpec(name=model.model, series=model.series, x=prices.prices, y=prices.gain[place])
            for place, model in enumerate(result.models)
        )
        return Chart(
            kind="uplift prices",
            title="Which model wins at which price?",
            subtitle="",
            x_axis=AxisSpec(
                label=f"cost per contact, {words.currency}",
                quantity="money",
                low=0.0,
                high=float(prices.prices[-1]),
                currency="",
            ),
            y_axis=AxisSpec(
                label="best net gain",
                quantity="money",
                low=low,
                high=high,
                currency=words.currency,
            ),
            series=series,
            baselines=self._unclear(low, high),
            definition=(
                "At every price each model is taken to its own best depth. Where the winner is not "
                "better than every other by more than chance (paired, 95 %), there is no clear "
                "winner; a best depth picked on these rows flatters all models."
            ),
            notes=tuple(switch_words(result, words)),
            rows_text=result.rows.text,
            headroom=10,
            box_corner="top right",
        )

    def _unclear(self, low: float, high: float) -> tuple[BaselineSpec, ...]:
        """A dashed line from where on no model wins clearly."""
        result, words = self._result, self._words
        if result is None or words is None or result.prices is None or len(result.models) < 2:
            return ()
        clear = np.flatnonzero(result.prices.axis.is_clear)
        start = float(result.prices.axis.prices[clear[-1]]) if len(clear) else 0.0
        name = "no clear winner"
        if len(clear):
            name = f"no clear winner from {format_money(start, words.currency)}"
        if start >= float(result.prices.axis.prices[-1]):
            return ()
        return (
            BaselineSpec(
                name=name, x=np.array([start, start]), y=np.array([low, high]), side="right"
            ),
        )

    def value_words(self, name: str, value: float) -> str:
        assert self._words is not None
        return self._words.money(value)

    def place_words(self, x: float) -> tuple[str, str]:
        assert self._words is not None
        return format_money(x, self._words.currency, decimals=2), "a contact"


def switch_words(result: UpliftResult, words: UpliftWords) -> list[str]:
    """Where the winner changes, each with its interval, or that none is clear."""
    if result.prices is None:
        return []
    out = []
    for switch in result.prices.switches:
        price = words.money(switch.price)
        if math.isnan(switch.low) or math.isnan(switch.high):
            out.append(
                f"About {price} {switch.after} would pass {switch.before}; no clear winner there."
            )
        else:
            out.append(
                f"{switch.before} wins up to {words.money(switch.low)}, "
                f"{switch.after} from {words.money(switch.high)} on (switch near "
                f"{price})."
            )
    return out
