"""Built-in evaluation metrics."""
