"""Built-in evaluation systems, through the same public door as those of third parties."""
