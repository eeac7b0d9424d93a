"""Calls into the plugins of metrics made safe: one that fails costs its own cells only."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import nullcontext
from typing import TypeVar

from core.evaluation.binding import BoundMetric, MetricRefusal, reason_of
from core.evaluation.columns import Measured
from core.evaluation.problem import CallingCall, StopCall
from payoff.errors import PayoffError, StoppedError

Answer = TypeVar("Answer")


class CallGuard:
    """Stands around every call into a plugin, and knows whether Stop was asked for.

    Parameters
    ----------
    calling : callable (spec) -> context manager
        Entered around every call into a plugin.
    should_stop : callable
        Asked between pieces of work.
    """

    def __init__(self, calling: CallingCall, should_stop: StopCall) -> None:
        self.calling = calling
        self.should_stop = should_stop

    def call(
        self, metric: BoundMetric, cell: Measured, call: Callable[[], Answer]
    ) -> Answer | None:
        """Call into a plugin; what it raises becomes the cell's note."""
        try:
            with self.calling(metric.spec):
                return call()
        except StoppedError:
            raise
        except (MetricRefusal, PayoffError) as refusal:
            cell.note = reason_of(refusal)
        except SystemExit:
            cell.note = "it tried to end the program"
        except BaseException as error:  # a plugin may raise anything
            is_main = threading.current_thread() is threading.main_thread()
            if isinstance(error, KeyboardInterrupt) and is_main:  # Ctrl+C of a script's user
                raise
            cell.note = reason_of(error)
        cell.is_usable = False
        return None

    def is_marked(self, metric: BoundMetric) -> bool:
        """Whether calls into the metric have to be marked as a plugin's."""
        return not isinstance(self.calling(metric.spec), nullcontext)

    def check_stop(self) -> None:
        """End the evaluation where Stop was asked for."""
        if self.should_stop():
            raise StoppedError
