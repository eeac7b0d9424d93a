"""Inputs for tests: files, tables, documents, plugins, models, experiments."""
