"""``payoff.evaluate`` and what stands beside it: chances, calibration, bounds, experiments."""
