"""``payoff.uplift``: rankings judged on an experiment, and what can be asked of them."""
