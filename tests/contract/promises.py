"""Shared by tests of promises."""

from dataclasses import replace

from plugins.distributions.aft import AFT, surviving
from plugins.distributions.multi_quantile import MULTI_QUANTILE

OVER_TIME = "Chances over time are those of the loss"

IN_ORDER = "Quantiles are in order"


def of_happening(score, times, parameters):
    return 1.0 - surviving(score, times, parameters)


def crossed(score, parameters, out, start, stop):
    out[:, start:stop] = score[:, start:stop]


BROKEN_PROMISES = {
    OVER_TIME: replace(AFT, surviving=of_happening),
    IN_ORDER: replace(MULTI_QUANTILE, response=crossed),
}
