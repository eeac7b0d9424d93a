"""Rows and columns at a glance: pages of cells, order, search, summaries."""
