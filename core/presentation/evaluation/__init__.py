"""What is shown of an evaluation: its charts, and what the shared cursor reads in them."""
