"""Targets that are numbers: knots, predictions and their distribution."""
