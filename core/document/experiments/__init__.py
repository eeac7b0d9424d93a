"""Evaluation experiments: what is run, what came of it, and how it is written to files."""
