"""Statistics that several packages share: intervals, p-values, several tests at once, resamples.

Wilson's interval and the number of equally weighted cases are ``payoff.wilson_interval`` and
``payoff.groups.effective_cases``, since plugins use them too; Poisson draws by row number are
``core.kernels.draws``; a value with its interval is ``core.document.results.Estimate``.
"""
