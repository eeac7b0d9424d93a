"""The settings of the next model: what it is asked, how it learns, what speaks against it."""
