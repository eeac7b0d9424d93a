"""A model for other systems: code, ONNX, LightGBM's text, expected results and their check."""
