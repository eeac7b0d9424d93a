"""Entries of the report, kept and put on a page."""
