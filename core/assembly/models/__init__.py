"""What models are trained on, the scores of those trained here, and what explains them."""
