"""Growing one tree: bins, histograms, the search for a split, leaves."""
