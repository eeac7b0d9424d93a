"""An experiment with a treatment: what a project says of it, and its commands."""
