"""Statistics that several packages share: intervals, p-values, several tests at once, resamples.

What each case adds to a value is ``influence`` and, of an area under a ROC curve, ``delong``; the
Poisson bootstrap of rankings and row sums is ``draws``, what resamples say ``resampled``; the power
of a paired comparison ``power``.

Wilson's interval and the number of equally weighted cases are ``payoff.wilson_interval`` and
``payoff.groups.effective_cases``, since plugins use them too; Poisson draws by row number are
``core.kernels.draws``; a value with its interval is ``core.document.results.Estimate``.
"""
