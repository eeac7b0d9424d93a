"""The matrix of page Decide: its grid, what its cells mean, its parameters and costs."""
