"""The job of page Compare that writes a file."""
