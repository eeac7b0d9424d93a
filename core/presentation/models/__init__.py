"""What pages Models and Explain show."""
