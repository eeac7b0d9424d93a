"""Small made-up runs that compile the kernels, or load them, before they are needed."""
