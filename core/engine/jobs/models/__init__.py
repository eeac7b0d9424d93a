"""The jobs of page Models: training, the losses to choose from, other programs' models."""
