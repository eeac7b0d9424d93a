"""``payoff.boost`` and the models it returns: training, explaining, other programs, export."""
