"""Dialogs about the data: further files, new columns, classes."""
