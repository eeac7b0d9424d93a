"""Cases ranked by score: one sort, sums down the ranking, ranked metrics."""
