"""Shared by tests of cox figures."""

import numpy as np

from payoff import Sample, Task


def lives(risk, time, event):
    zeros = np.zeros(len(time))
    columns = {"time": time, "event": event, "entry": zeros, "strata": zeros}
    return Sample(time, risk, task=Task.SURVIVAL, roles=columns)
