"""Small records and the collector of events that these tests share."""

import threading

import numpy as np

from core.document.results import ColumnDetail, ColumnSummary
from core.engine.messages import JobOutcome, JobProgress


def detail(bins):
    """A result with arrays, NaN, infinities and every kind of plain value."""
    summary = ColumnSummary(
        name="größe",
        kind="number",
        rows=bins,
        missing=3,
        distinct=-1,
        minimum=float("-inf"),
        mean=float("nan"),
        levels=(("a", 1), ("b", 2)),
        histogram=(1, 2, 3),
        edges=(0.5, 1.5, 2.5, float("inf")),
    )
    return ColumnDetail(
        summary=summary,
        bins=tuple(str(index) for index in range(4)),
        levels=("yes", "no"),
        by_level=np.arange(2.0 * bins).reshape(2, bins) / 3.0,
    )


class Events:
    """Collects what a client says and lets a test wait for it."""

    def __init__(self):
        self.all = []
        self._changed = threading.Condition()

    def __call__(self, event):
        with self._changed:
            self.all.append(event)
            self._changed.notify_all()

    def outcomes(self, job=None):
        return [e for e in self.all if isinstance(e, JobOutcome) and job in (None, e.job)]

    def partials(self, job):
        return [
            e
            for e in self.all
            if isinstance(e, JobProgress) and e.job == job and e.partial is not None
        ]

    def wait_for_partial(self, job, timeout=30):
        with self._changed:
            assert self._changed.wait_for(lambda: self.partials(job), timeout), "no partial result"
