"""The command line: arguments, verbs, how they answer. It starts without data and models."""
