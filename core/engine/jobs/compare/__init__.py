"""The jobs of page Compare: metrics, groups, shift, scores as chances, survival over time."""
