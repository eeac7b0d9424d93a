"""The charts of an evaluation, under one cursor."""
