"""Models that other programs trained, read as models of ours."""
