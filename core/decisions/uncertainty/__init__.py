"""How sure totals and differences of models are: variances, draws, a prior as a range."""
