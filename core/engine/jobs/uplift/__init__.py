"""The jobs of page Uplift: cases, checks, curves, tabs, and who is to be treated."""
