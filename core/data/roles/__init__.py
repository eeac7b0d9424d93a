"""What columns are for: guessed from names and contents, and what gives the outcome away."""
