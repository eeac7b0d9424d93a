"""Evaluating more than memory holds: what is asked, two reads, and what is said of their sums."""
