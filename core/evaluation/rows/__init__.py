"""Metrics that are means over rows: their kernels, values and sums."""
