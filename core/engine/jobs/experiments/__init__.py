"""The jobs of page Experiments: choices, runs, bounds and the studies of boosting."""
