"""Explaining a forest: influence, Shapley values, one case."""
