"""Scripts and the command line: what ``import payoff`` serves (``api``), and the verbs.

Importing it loads nothing: the verbs of plugin authors do without data, models and reports.
"""
