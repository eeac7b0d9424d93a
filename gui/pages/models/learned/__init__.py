"""What a model learned: its curves, the number of its trees, what it uses."""
