"""Curves down a ranking: sums, areas, their errors, draws."""
