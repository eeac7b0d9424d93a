"""What the studies of page Compare show of their answers."""
