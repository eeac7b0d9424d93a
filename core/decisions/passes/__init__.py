"""Passes over the cases: blocks, codes, choice, values, tables by class and decision."""
