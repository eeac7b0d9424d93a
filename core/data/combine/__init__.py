"""Columns and rows of further files, and rows that two uses have in common."""
