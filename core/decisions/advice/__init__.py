"""The matrix in plain words: what is worth saying of it, its rule, what a better model is worth."""
