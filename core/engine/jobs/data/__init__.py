"""The jobs of page Data: reading, further files, expressions, writing tables."""
