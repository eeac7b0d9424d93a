"""Charts as plain records, their SVG, and reading them."""
