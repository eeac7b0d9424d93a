"""What is shown of an experiment on made-up outcomes: its runs, their losses, their tables."""
