"""What page Compare asks: figures and charts of models, groups, shift, chances, survival."""
