"""What stands in the profit chart of page Decide beside the lines of the models."""
