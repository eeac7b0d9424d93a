"""Everything a person can ask of a project, one frozen record per question.

Importing this package imports no question: ``catalogue`` has them all.
"""
