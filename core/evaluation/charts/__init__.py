"""Charts of an evaluation: lines on the common grid, bands, curves of plugins, full curves."""
