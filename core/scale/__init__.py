"""Evaluating what is larger than memory: in tasks of rows whose summaries merge in any order."""
