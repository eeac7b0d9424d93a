"""The decision matrix, priors and costs: what a project says of them, and their commands."""
