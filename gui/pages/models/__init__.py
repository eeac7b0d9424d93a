"""Page Models: train boosted trees, watch them learn, and see all models side by side."""
