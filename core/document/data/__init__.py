"""What a project says of its data, the commands that change it, and what is said of a file."""
