"""What page Decide shows of its answers."""
