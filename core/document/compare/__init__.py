"""Charts and metrics of page Compare: the catalogue, commands, what may be compared."""
