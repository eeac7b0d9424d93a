"""What page Experiments shows."""
